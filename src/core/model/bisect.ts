/** The first of `count` positions that has passed a limit, by bisection; `count` where none has. */
export function firstPast(count: number, isPast: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** No machine is so busy that a run does not come that far in so many seconds. */
const MOST = 1_000;

/**
 * What a run with a deadline in seconds ended with; again with a longer one
 * while it did not come as far as it should, as on a machine that is busy.
 */
export async function withDeadline<T>(
  seconds: number,
  attempt: (deadline: string) => Promise<T>,
  isFar: (result: T) => boolean,
): Promise<T> {
  const result = await attempt(String(seconds));
  if (isFar(result) || seconds > MOST) return result;
  return withDeadline(4 * seconds, attempt, isFar);
}

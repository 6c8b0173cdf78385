/** In milliseconds: at most the first, doubled with every reading, never more than the second. */
const PAUSES = { first: 250, most: 8_000 };

/** Milliseconds before what does not show yet is read once more, after `readings` others; of `left` that may be waited. */
export function settlingPause(readings: number, left: number): number {
  return Math.min(left, PAUSES.most, PAUSES.first * 2 ** readings);
}

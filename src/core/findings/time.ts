import { count } from './words.ts';

/** A time without its seconds: `2026-11-25 21:31 UTC`. */
export function minuteOf(time: string): string {
  return time.replace('T', ' ').replace(/:\d\dZ$/, ' UTC');
}

/** The first and the last of the times of snapshots, and the age of the first at another time. */
export function snapshotText(taken: readonly string[], now = ''): string {
  const [first = '', ...later] = [...taken].sort();
  const start = minuteOf(first);
  const end = minuteOf(later.at(-1) ?? first);
  const days = Math.floor((Date.parse(now) - Date.parse(first)) / 86_400_000);
  const age = days > 0 ? `, ${count(days, 'day')} old` : '';
  const noun = taken.length === 1 ? 'a snapshot' : 'snapshots';
  const until = end === start ? '' : ` to ${end}`;
  return `${noun} of ${start}${until}${age}`;
}

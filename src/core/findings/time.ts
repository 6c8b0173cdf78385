import { count } from './words.ts';

/** A day in milliseconds. */
export const DAY = 86_400_000;

/** A time without its seconds: `2026-11-25 21:31 UTC`. */
export function minuteOf(time: string): string {
  return time.replace('T', ' ').replace(/:\d\dZ$/, ' UTC');
}

/** The first of the times of snapshots, and its age at another time. */
export function snapshotText(taken: readonly string[], now = ''): string {
  const [first = ''] = [...taken].sort();
  const days = Math.floor((Date.parse(now) - Date.parse(first)) / DAY);
  const age = days > 0 ? `, ${count(days, 'day')} old` : '';
  const start = taken.length === 1 ? 'a snapshot of' : 'snapshots since';
  return `${start} ${minuteOf(first)}${age}`;
}

import { count } from '../findings/words.ts';
import type { PlanSnapshot } from '../plan/plan.ts';

/** Of which days the snapshots of servers are, and their ages, each once. */
export function asOfTexts(servers: readonly { readonly snapshot?: PlanSnapshot | undefined }[]): string[] {
  return [...new Set(servers.flatMap(({ snapshot }) => (snapshot === undefined ? [] : asOfText(snapshot))))];
}

/** A time may be foreign: only what looks like a day is shown. */
function asOfText({ takenAt, days, isFuture }: PlanSnapshot): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(takenAt)?.[0] ?? 'an unknown day';
  if (isFuture === true) return `From a snapshot as of ${day}, taken in the future by this clock.`;
  return `From a snapshot as of ${day}, ${days === 0 ? 'less than a day' : count(days, 'day')} old.`;
}

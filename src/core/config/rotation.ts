import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Entry } from './entry.ts';
import { optionsOf } from './rules/rule.ts';

const PAST = 'a date in the past, such as 2026-11-21';

const DAY = 24 * 60 * 60 * 1000;

/** Warns of secrets whose last rotation is more than a number of days before `now`, in milliseconds since the epoch. */
export function agedSecrets(entries: readonly Entry<unknown>[], days: number, now: number): Diagnostic[] {
  return optionsOf(entries).flatMap(({ address, option: { rotated } }) => {
    if (rotated === undefined || rotated.value === null) return [];
    const time = Date.parse(rotated.value);
    const age = Math.floor((now - time) / DAY);
    // No zone is more than a day ahead; the 30th of February would be read as a day in March.
    const isDay = age >= -1 && new Date(time).toISOString().startsWith(rotated.value);
    if (!isDay) return [diagnostic('not-allowed', { expected: [PAST] }, rotated.place)];
    return age > days ? [diagnostic('secret-aged', { address, age, days }, rotated.place)] : [];
  });
}

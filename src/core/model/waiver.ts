import type { Place } from './place.ts';

/** A difference on one server that is known and left alone until some day. */
export interface Waiver {
  /** The address of a field, or of an option with all its fields. */
  readonly address: string;
  /** The last day on which it holds, in UTC: `2026-12-31`. */
  readonly until: string;
  readonly reason: string;
  readonly place: Place;
}

/** The day of a time, in UTC; `time` is in milliseconds since the epoch. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Whether a text such as `2026-02-30` names a day of the calendar. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && dayOf(time) === text;
}

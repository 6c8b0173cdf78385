import { listed } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import { type Document, isWritten, sourceOf } from '../../plan/plan.ts';
import type { Fact } from './row.ts';

/** What a person still has to do after a run. */
export interface Reminder {
  readonly title: string;
  readonly text: string;
  /** Where the YAML declares the first field that was written. */
  readonly place: Place;
}

/** The most files that are named. */
const MOST_FILES = 8;

/** Reminds of the YAML after an undo, unless it no longer asks for what was taken back. */
export function reminderOf(
  { undone, servers }: Document,
  facts: readonly Fact[],
): Reminder | undefined {
  if (undone === undefined) return undefined;
  const files = new Set<string>();
  const places: Place[] = [];
  let isKnown = true;
  for (const { server, change } of facts) {
    const on = servers.find(({ name }) => name === server);
    const isAsked = on?.asksAgain?.includes(change.address);
    if (!isWritten(change) || isAsked === false) continue;
    if (isAsked === undefined) isKnown = false;
    const source = sourceOf(change);
    places.push(source);
    files.add(source.file);
  }
  const [place] = places;
  if (place === undefined) return undefined;
  const names = listed([...files].sort(), MOST_FILES);
  const start = isKnown
    ? 'The YAML still asks for other values:'
    : 'If the YAML still asks for other values,';
  const text = `${start} change it too, or the next apply sets them again (${names}).`;
  return { title: 'Change the YAML too', text, place };
}

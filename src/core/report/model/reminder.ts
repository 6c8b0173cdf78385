import { listed } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import { type Document, isWritten } from '../../plan/plan.ts';
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

/** Reminds of the YAML after an undo: it may ask for what was taken back. */
export function reminderOf(
  { undone }: Document,
  facts: readonly Fact[],
): Reminder | undefined {
  if (undone === undefined) return undefined;
  const files = new Set<string>();
  const places: Place[] = [];
  for (const { change } of facts) {
    if (!isWritten(change)) continue;
    places.push(change.source);
    files.add(change.source.file);
  }
  const [place] = places;
  if (place === undefined) return undefined;
  const { title, text } = WORDS[undone.command];
  const names = listed([...files].sort(), MOST_FILES);
  return { title, text: `${text} (${names}).`, place };
}

const WORDS = {
  apply: {
    title: 'Revert the YAML too',
    text: 'The YAML still asks for the new values: revert it too, or the next apply sets them again',
  },
  undo: {
    title: 'See what the YAML asks for',
    text: 'If the YAML asks for other values than these, the next apply sets those',
  },
} as const satisfies Record<NonNullable<Document['undone']>['command'], object>;

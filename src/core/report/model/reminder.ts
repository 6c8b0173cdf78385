import { listed } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import { type Document, isWritten } from '../../plan/plan.ts';
import type { Fact } from './row.ts';

/** What a person still has to do after a run. */
export interface Reminder {
  readonly title: string;
  readonly text: string;
  /** Where the YAML declares what was written. */
  readonly places: readonly [Place, ...Place[]];
}

/** The most lines that are named. */
const MOST_PLACES = 5;

/** Reminds of the YAML after an undo: it may ask for what was taken back. */
export function reminderOf(
  { undone }: Document,
  facts: readonly Fact[],
): Reminder | undefined {
  if (undone === undefined) return undefined;
  const places = new Map<string, Place>();
  for (const { change } of facts) {
    const { file, line } = change.source;
    if (isWritten(change)) places.set(`${file}:${line}`, change.source);
  }
  const [first, ...others] = places.values();
  if (first === undefined) return undefined;
  const lines = listed([...places.keys()], MOST_PLACES);
  const { title, text } = WORDS[undone.command];
  return { title, text: `${text} (${lines}).`, places: [first, ...others] };
}

const WORDS = {
  apply: {
    title: 'The YAML still asks for the new values',
    text: 'The YAML still asks for the new values: revert it too, or the next apply sets them again',
  },
  undo: {
    title: 'The YAML may ask for other values',
    text: 'If the YAML asks for other values than these, the next apply sets those',
  },
} as const satisfies Record<NonNullable<Document['undone']>['command'], object>;

import { compareText } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import type { NamedValue } from './entry.ts';
import { partsOf } from './template.ts';

/** Values that refer to each other in a circle, and where the reference is that closes it. */
interface ValueCycle {
  readonly names: readonly string[];
  readonly place: Place;
}

/** How many names of a circle are shown. */
const NAMES_SHOWN = 8;

/** One name on the path that is being followed, and the names that its value refers to and that are still ahead. */
interface Step {
  readonly name: string;
  readonly place: Place;
  readonly ahead: string[];
}

/**
 * Orders the values that are reached from `roots` so that each follows those that it refers to; finds circles. Without
 * recursion: a chain may be as long as a file.
 */
export function valueOrder(
  values: ReadonlyMap<string, NamedValue>,
  roots: readonly string[],
): { readonly order: readonly string[]; readonly cycles: readonly ValueCycle[] } {
  const order: string[] = [];
  const cycles: ValueCycle[] = [];
  /** The position of an open name on the path; -1 once it is done. */
  const positions = new Map<string, number>();
  const path: Step[] = [];
  const enter = (name: string) => {
    const declared = values.get(name);
    if (!declared?.value || positions.has(name)) return;
    positions.set(name, path.length);
    const ahead = partsOf(declared.value).flatMap((part) => (part.kind === 'value' ? [part.name] : []));
    path.push({ name, place: declared.place, ahead: [...new Set(ahead)].reverse() });
  };
  for (const root of [...roots].sort(compareText)) {
    enter(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const next = step.ahead.pop();
      if (next === undefined) {
        path.pop();
        positions.set(step.name, -1);
        order.push(step.name);
      } else if ((positions.get(next) ?? -1) < 0) enter(next);
      else cycles.push({ names: circle(path, positions.get(next) ?? 0, next), place: step.place });
    }
  }
  return { order, cycles };
}

function circle(path: readonly Step[], from: number, closing: string): string[] {
  return [...path.slice(from, from + NAMES_SHOWN).map(({ name }) => name), closing];
}

import { diffArrays } from 'diff';
import { toldApart } from '../../model/look-alike.ts';

/** A part of a text: equal on both sides, only before, or only after. */
export interface Run {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** A line of a comparison, or a count of equal lines that are left out. */
export type DiffLine =
  | {
      readonly mark: ' ' | '-' | '+';
      readonly text: string;
      /** The line on the other side that it replaces or is replaced by. */
      readonly counterpart?: string | undefined;
    }
  | { readonly mark: ':'; readonly count: number };

/** Beyond this many edits both sides are shown whole. */
const MOST_EDITS = 2_000;

/** Equal lines that are shown on both sides of a change. */
const CONTEXT = 2;

/** What two texts of one line have in common; unlike ones are marked whole. */
export function changedWords(before: string, after: string): Run[] {
  const runs: Run[] = [];
  let equal = 0;
  for (const run of runsOf(wordsIn(before), wordsIn(after))) {
    const text = run.items.join('');
    if (run.mark === ' ') equal += text.length;
    runs.push({ mark: run.mark, text });
  }
  const isAlike = equal * 3 >= Math.max(before.length, after.length);
  return isAlike ? runs : wholly(before, after);
}

/** The parts of one side of a comparison. */
export function runsOn(side: '-' | '+', runs: readonly Run[]): Run[] {
  return runs.filter(({ mark }) => mark === ' ' || mark === side);
}

/** Two texts that have nothing in common. */
export function wholly(before: string, after: string): Run[] {
  const runs: Run[] = [];
  if (before !== '') runs.push({ mark: '-', text: before });
  if (after !== '') runs.push({ mark: '+', text: after });
  return runs;
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

interface ItemRun {
  readonly mark: ' ' | '-' | '+';
  readonly items: readonly string[];
}

/** Runs of equal and different items; what differs goes before it comes. */
function runsOf(
  before: readonly string[],
  after: readonly string[],
): readonly ItemRun[] {
  const options = { maxEditLength: MOST_EDITS };
  const parts = diffArrays([...before], [...after], options);
  if (parts === undefined) {
    return [
      { mark: '-', items: before },
      { mark: '+', items: after },
    ];
  }
  const runs: ItemRun[] = [];
  for (const { added, removed, value: items } of parts) {
    if (added) runs.push({ mark: '+', items });
    else runs.push({ mark: removed ? '-' : ' ', items });
  }
  return runs;
}

/** The lines in which two texts differ, with `context` equal ones around. */
export function changedLines(
  before: string,
  after: string,
  context = CONTEXT,
): DiffLine[] {
  const runs = runsOf(before.split('\n'), after.split('\n'));
  const lines: DiffLine[] = [];
  for (const [at, { mark, items }] of runs.entries()) {
    if (mark === ' ') {
      const first = at === 0 ? 0 : context;
      const last = at === runs.length - 1 ? 0 : context;
      lines.push(...equalLines(items, first, last));
      continue;
    }
    const others = counterpartsOf(runs, at);
    for (const [number, item] of items.entries()) {
      const texts = [item, ...others.slice(number, number + 1)];
      const [text = item, counterpart] = toldApart(texts);
      lines.push({ mark, text, counterpart });
    }
  }
  return lines;
}

/** The lines that replace those of a run, or are replaced by them. */
function counterpartsOf(
  runs: readonly ItemRun[],
  at: number,
): readonly string[] {
  const neighbour = runs[at]?.mark === '-' ? runs[at + 1] : runs[at - 1];
  if (neighbour === undefined || neighbour.mark === ' ') return [];
  return neighbour.items;
}

/** The first and last of equal lines, and a count of those between. */
function equalLines(
  lines: readonly string[],
  first: number,
  last: number,
): DiffLine[] {
  const shown = lines.map((text): DiffLine => ({ mark: ' ', text }));
  const left = lines.length - first - last;
  // A count takes a line as well.
  if (left > 1) shown.splice(first, left, { mark: ':', count: left });
  return shown;
}

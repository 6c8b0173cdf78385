import { count } from '../../findings/words.ts';
import type { ComparedPair } from '../model/model.ts';
import type { Row } from '../model/row.ts';
import { sideLines } from '../model/side-lines.ts';
import {
  effectOf,
  type Members,
  type ShownSide,
  type Sides,
  sidesOf,
} from '../model/sides.ts';
import {
  changedWords,
  type DiffLine,
  type Run,
  runsOn,
  wholly,
} from '../model/text-diff.ts';
import { type Child, element, joined, type Markup } from './markup.ts';
import { dim } from './parts.ts';

/** Shorter values differ as a whole. */
const SHORTEST_COMPARED = 8;

/** A longer value takes the room of both columns. */
const LONGEST_ALONE = 120;

/** More lines or characters scroll in a box. */
const MOST_LINES = 24;
const MOST_CHARACTERS = 2_000;

/**
 * Both values of a row: a cell for each, or one for both. In a comparison, each
 * has the name of its server for small screens.
 */
export function valueCells(
  { change }: Row,
  hasNotes: boolean,
  pair: ComparedPair | undefined,
): Markup[] {
  const sides = sidesOf(change);
  const block = blockOf(sides);
  if (block !== undefined) {
    const colspan = hasNotes ? 2 : 3;
    return [element('td', { class: 'both', colspan }, block, baseOf(sides))];
  }
  const isPermission = change.address.endsWith('.permission');
  const effectBefore = isPermission ? effectOf(change.before) : undefined;
  const effectAfter = isPermission ? effectOf(change.after) : undefined;
  const [before, after] = sidesBeside(sides);
  return [
    element(
      'td',
      { class: 'old', 'data-side': pair?.before },
      before,
      small(effectBefore),
      baseOf(sides),
    ),
    element(
      'td',
      {
        class: 'new',
        colspan: hasNotes ? undefined : 2,
        'data-side': pair?.after,
      },
      after,
      small(effectAfter),
    ),
  ];
}

function small(text: string | undefined): Markup | undefined {
  return text === undefined ? undefined : element('small', {}, text);
}

/** What the base declares; only in a conflict. */
function baseOf({ base }: Sides): Markup | undefined {
  if (base === undefined) return undefined;
  const lines: Child[] = base.split('\n');
  const code = element('code', {}, joined(lines, element('br', {})));
  return element('small', {}, 'base: ', code);
}

/** What is better read as one block; undefined if two values stand well. */
function blockOf(sides: Sides): Markup | undefined {
  const { layout, members, before, after } = sides;
  if (members !== undefined) return membersOf(members);
  if (layout === 'lines') return diffOf(sideLines(sides));
  const longest = Math.max(before.text.length, after.text.length);
  const isLong = layout === 'long' || longest > LONGEST_ALONE;
  return isLong ? diffOf(sideLines(sides)) : undefined;
}

function membersOf({ removed, added, total }: Members): Markup {
  const parts: Child[] = [];
  for (const member of removed) parts.push(element('del', {}, member), ' ');
  for (const member of added) parts.push(element('ins', {}, member), ' ');
  const size = element('small', {}, `${count(total, 'member')} after`);
  return element('div', { class: 'members' }, parts, size);
}

function diffOf(lines: readonly DiffLine[]): Markup {
  let characters = 0;
  for (const line of lines) if ('text' in line) characters += line.text.length;
  const isLong = lines.length > MOST_LINES || characters > MOST_CHARACTERS;
  return element(
    'pre',
    {
      class: isLong ? 'diff long' : 'diff',
      tabindex: isLong ? 0 : undefined,
    },
    lines.map(lineOf),
  );
}

const LINE_LOOKS = { '-': 'out', '+': 'in', ' ': 'equal' } as const;

function lineOf(line: DiffLine): Markup {
  if (line.mark === ':') {
    const words = count(line.count, 'equal line');
    return element('span', { class: 'gap' }, words);
  }
  const { mark, text, counterpart } = line;
  const content =
    mark === ' ' || counterpart === undefined
      ? text
      : runsOfLine(mark, text, counterpart);
  return element('span', { class: LINE_LOOKS[mark] }, `${mark} `, content);
}

/** The changed parts of a line; its colour says that all of it changed. */
function runsOfLine(mark: '-' | '+', text: string, counterpart: string): Child {
  const [before, after] =
    mark === '-' ? [text, counterpart] : [counterpart, text];
  const runs = runsOn(mark, changedWords(before, after));
  const isAlike = runs.some((run) => run.mark === ' ');
  return isAlike ? runs.map(runOf) : text;
}

function runOf({ mark, text }: Run): Child {
  if (mark === '-') return element('del', {}, text);
  return mark === '+' ? element('ins', {}, text) : text;
}

/** Two short values, their changed parts marked. */
function sidesBeside({ before, after }: Sides): readonly [Markup, Markup] {
  const shortest = Math.min(before.text.length, after.text.length);
  const isCompared =
    !before.isWords && !after.isWords && shortest > SHORTEST_COMPARED;
  const runs = isCompared
    ? changedWords(before.text, after.text)
    : wholly(before.text, after.text);
  return [sideOf('-', before, runs), sideOf('+', after, runs)];
}

function sideOf(
  mark: '-' | '+',
  { isWords, text }: ShownSide,
  runs: readonly Run[],
): Markup {
  if (isWords) return dim(text);
  return element('code', {}, runsOn(mark, runs).map(runOf));
}

import { count } from '../../findings/words.ts';
import { differingPart, hasStructure, lineDiff, nearLines } from '../line-diff.ts';
import { type Child, element, type Markup } from './element.ts';

/** The most lines that a comparison shows. */
const MOST_LINES = 1_000;

/** Both sides of a difference as text; a side that is not there is absent. */
export interface TextSides {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** Two texts by their lines, with the part of a line marked in which it differs; one side alone where there is no other. */
export function comparison({ before, after }: TextSides): Markup {
  if (before === undefined || after === undefined)
    return block([...linesOf('del', before), ...linesOf('ins', after)]);
  if (hasStructure(before) || hasStructure(after)) return block(changedLines(before, after));
  return block([line('del', marked(before, after)), line('ins', marked(after, before))]);
}

/** What a list loses and gets, member by member. */
export function memberComparison(removed: readonly string[], added: readonly string[]): Markup {
  return block([...removed.map((each) => line('del', each)), ...added.map((each) => line('ins', each))]);
}

/** One side with what it means. */
export function explained(side: 'del' | 'ins', text: string, meaning: string): Markup {
  return line(side, [text, ' ', element('small', {}, meaning)]);
}

/** Lines of a comparison in their frame. */
export function block(lines: readonly Child[]): Markup {
  const rest = lines.length - MOST_LINES;
  const shown = rest > 0 ? [...lines.slice(0, MOST_LINES), note(`${count(rest, 'more line')}`)] : lines;
  return element('div', { class: 'diff' }, shown);
}

function changedLines(before: string, after: string): Markup[] {
  const parts = lineDiff(before, after);
  return parts.flatMap((part, index) => {
    if (part.kind === 'context') {
      const near = nearLines(part.lines, { isAfter: index > 0, isBefore: index + 1 < parts.length });
      const counted = near.left === 0 ? [] : [note(count(near.left, 'equal line'))];
      return [...near.start.map(equal), ...counted, ...near.end.map(equal)];
    }
    if (part.kind === 'open')
      return [note(`${part.side === 'add' ? 'now' : 'before'} without a newline at its end`)];
    return [line(part.kind === 'add' ? 'ins' : 'del', marked(part.text, part.counterpart))];
  });
}

function linesOf(side: 'del' | 'ins', text: string | undefined): Markup[] {
  return text === undefined ? [] : text.split('\n').map((each) => line(side, each));
}

function line(side: 'del' | 'ins', content: Child): Markup {
  return element(side, {}, content);
}

function equal(text: string): Markup {
  return element('div', {}, text);
}

function note(text: string): Markup {
  return element('p', {}, text);
}

/** A line with the part marked in which it differs from its counterpart. */
function marked(text: string, counterpart: string | undefined): Child {
  const parts = counterpart === undefined ? undefined : differingPart(text, counterpart);
  if (parts === undefined || parts[1] === '') return text;
  const [start, differing, end] = parts;
  return [start, element('mark', {}, differing), end];
}

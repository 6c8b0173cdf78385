import widthOf from 'fast-string-width';
import { cut } from '../../findings/words.ts';
import {
  type Place,
  placeKey,
  type SourceText,
  type Span,
} from '../../model/place.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';

/** What takes the place of a part of a line that is not shown. */
const HIDDEN_PART = '•••';

/** The most columns that are shown of a line. */
const WIDTH = 100;

/** What is shown before a mark that would not fit. */
const LEAD = 16;

/** A line may have 2 MiB: the most characters that are looked at. */
const LONGEST = 2_000;

/**
 * The line of a place with its number, without its secrets, or the part of it
 * that fits; and marks below the place. Nothing if the file is not at hand, or
 * the line is empty.
 */
export function frameLines(
  place: Place,
  source: SourceText | undefined,
  { width, paint }: View,
): string[] {
  const line = lineAt(source?.text ?? '', place.line);
  const { column, endColumn = column + 1 } = place;
  if (source === undefined || line.text === '' || column > LONGEST) return [];
  const hidden = hiddenSpans(line, source, place);
  let [first, last] = [column - 1, endColumn - 1];
  // A mark that touches a hidden part is below all of it.
  for (const [from, to] of hidden) {
    if (from < first && first < to) first = from;
    if (from < last && last < to) last = to;
  }
  const gutter = `  ${place.line} | `;
  const columns = Math.min(width - gutter.length, WIDTH);
  const whole = shownPart(line.text, hidden, [0, first]);
  const marked = shownPart(line.text, hidden, [first, last]);
  const behind = shownPart(line.text, hidden, [last, line.text.length]);
  const fits = widthOf(whole + marked) <= columns;
  const before = fits ? whole : `…${whole.slice(-LEAD)}`;
  const indent = widthOf(before);
  const shown = cut(`${before}${marked}${behind}`, '', columns);
  const marks = '^'.repeat(Math.min(widthOf(marked) || 1, columns - indent));
  const below = `${' '.repeat(gutter.length - 2)}| ${' '.repeat(indent)}`;
  return [paint.dim(gutter) + shown, paint.dim(below + marks)];
}

/**
 * A line of a file without its end, and where it starts; empty if there is
 * none.
 */
interface Line {
  text: string;
  start: number;
}

function lineAt(file: string, number: number): Line {
  const lines = file.replace(/^\ufeff/, '').split('\n', number);
  const text = lines[number - 1]?.trimEnd().slice(0, LONGEST) ?? '';
  let start = 0;
  for (const { length } of lines.slice(0, number - 1)) start += length + 1;
  return { text, start };
}

/** The first key of a line, if it is all letters. */
const KEY = /^\s*(?:[-?] +)*(["']?)[a-z][A-Za-z]{0,31}\1\s*:(?=\s|$)/;

/**
 * The parts of a line that are not shown, in their order: values and comments;
 * of text that is not valid YAML all but the first key.
 */
function hiddenSpans(
  { text, start }: Line,
  source: SourceText,
  place: Place,
): Span[] {
  const key = KEY.exec(text)?.[0] ?? '';
  const all = source.hidden() ?? [[start + key.length, start + text.length]];
  const spans = all.map(([from, to]): Span => [from - start, to - start]);
  const comment = /(?:^|\s)#\s*(\S.*)$/.exec(text)?.[1] ?? '';
  const at = text.length - comment.length;
  const isText = spans.some(([from, to]) => from < at && to >= at);
  if (!isText) spans.push([at, text.length]);
  const { column, endColumn = column + 1 } = place;
  const isShown = source.shown?.has(placeKey(place)) === true;
  const parts: Span[] = [];
  for (const [from, to] of spans) {
    // A finding may show the text that it is about.
    if (isShown && from + 1 >= column && from + 1 < endColumn) continue;
    const first = Math.max(from, 0);
    const indent = text.slice(first, Math.max(to, 0)).search(/\S/);
    if (indent >= 0) parts.push([first + indent, Math.min(to, text.length)]);
  }
  return parts.sort(([one], [other]) => one - other);
}

/** A part of a line without what is hidden in it. */
function shownPart(
  line: string,
  hidden: readonly Span[],
  [first, last]: Span,
): string {
  let shown = '';
  let at = first;
  for (const [from, to] of hidden) {
    if (to <= at || from >= last) continue;
    shown += visible(line.slice(at, from)) + HIDDEN_PART;
    at = to;
  }
  return shown + visible(line.slice(at, last));
}

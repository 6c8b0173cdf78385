import widthOf from 'fast-string-width';
import type { Diagnostic } from '../../findings/diagnostic.ts';
import { grouped } from '../../model/json.ts';
import type { Place, SourceText, Span } from '../../model/place.ts';
import { visible } from '../escape.ts';
import type { View } from '../report.ts';

/** What takes the place of a part of a line that is not shown. */
const HIDDEN_PART = '•••';

/** Stands for each character of such a part until then. */
const HIDDEN_UNIT = '\ue000';

/** The most columns that are shown of a line. */
const WIDTH = 100;

/** Columns around a place that are looked at: a line may have 2 MiB. */
const NEAR = 2_000;

/** The texts of configuration files by their paths. */
export type Sources = ReadonlyMap<string, SourceText>;

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
  if (source === undefined || line.text === '') return [];
  const hidden = hiddenSpans(line, source, place);
  const gutter = `  ${place.line} | `;
  // A dot stands on each side that is cut.
  const columns = Math.min(width - gutter.length - 2, WIDTH);
  const { column, endColumn = column + 1 } = place;
  const first = Math.max(0, column - NEAR);
  const near = withoutHidden(line.text, hidden, [first, column + NEAR]);
  const text = shownUpTo(near, near.length);
  const start = shownUpTo(near, column - 1 - first).length;
  const end = shownUpTo(near, endColumn - 1 - first).length;
  const third = Math.floor(columns / 3);
  const wanted = Math.min(start - third, text.length - columns);
  const from = end < columns ? 0 : Math.max(0, wanted);
  const until = from + columns;
  const before = `${from > 0 ? '…' : ''}${text.slice(from, start)}`;
  // Behind the end of the line nothing is marked.
  const marked = text.slice(start, Math.min(Math.max(end, start + 1), until));
  const after = text.slice(start + marked.length, until);
  const more = until < text.length ? '…' : '';
  const marks = '^'.repeat(widthOf(marked) || 1);
  const below = `${' '.repeat(gutter.length - 2)}| `;
  return [
    paint.faint(gutter) + before + marked + after + more,
    paint.faint(`${below}${' '.repeat(widthOf(before))}${marks}`),
  ];
}

/** A line of a file without its end, and where it starts; empty if there is none. */
interface Line {
  readonly text: string;
  readonly start: number;
}

function lineAt(file: string, number: number): Line {
  const lines = file.replace(/^\ufeff/, '').split('\n', number);
  const text = lines[number - 1]?.trimEnd() ?? '';
  let start = 0;
  for (const { length } of lines.slice(0, number - 1)) start += length + 1;
  return { text, start };
}

/**
 * Lets excerpts also show what findings are about, at the places at which all
 * of them may: on another server the same text may be a secret.
 */
export function withShownTexts(
  sources: Sources,
  findings: readonly Diagnostic[],
): Sources {
  const all = new Map(sources);
  const byFile = grouped(findings, ({ place }) => place?.file);
  for (const [file = '', found] of byFile) {
    const source = sources.get(file);
    if (source === undefined) continue;
    const shown = new Set(found.map(({ place }) => placeKey(place)));
    for (const { place, facts } of found) {
      if (!facts.showsText) shown.delete(placeKey(place));
    }
    all.set(file, { ...source, shown });
  }
  return all;
}

function placeKey(place: Place | undefined): string {
  return `${place?.line}:${place?.column}`;
}

/** The first key of a line, if it is all letters. */
const KEY = /^\s*(?:[-?] +)*(["']?)[a-z][A-Za-z]{0,31}\1\s*:(?=\s|$)/;

/**
 * The parts of a line that are not shown: of text that is not valid YAML all
 * but the first key, as the rest may be values.
 */
function hiddenSpans(line: Line, source: SourceText, place: Place): Span[] {
  const hidden = source.hidden();
  if (hidden === undefined) {
    const key = KEY.exec(line.text)?.[0] ?? '';
    return [[key.length, line.text.length]];
  }
  const spans = hiddenInLine(line, hidden);
  if (source.shown?.has(placeKey(place)) !== true) return spans;
  // A finding may show the text that it is about.
  const { column, endColumn = column + 1 } = place;
  return spans.filter(([from]) => from + 1 < column || from + 1 >= endColumn);
}

/**
 * The hidden spans of a file by their columns in one of its lines, and any
 * comment there.
 */
function hiddenInLine({ text, start }: Line, hidden: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const [from, to] of hidden) {
    if (from - start >= text.length || to - start <= 0) continue;
    spans.push([from - start, to - start]);
  }
  const comment = /(?:^|\s)#\s*(\S.*)$/.exec(text)?.[1] ?? '';
  const at = text.length - comment.length;
  const isText = spans.some(([from, to]) => from < at && to >= at);
  return isText ? spans : [...spans, [at, text.length]];
}

/**
 * The part of a line between two columns, without what is hidden in it; blanks
 * before that stay.
 */
function withoutHidden(
  line: string,
  hidden: readonly Span[],
  [first, last]: Span,
): string {
  const units = line.slice(first, last).split('');
  for (const [start, end] of hidden) {
    const from = Math.max(start, first);
    const to = Math.min(end, last);
    const indent = line.slice(from, to).search(/\S/);
    if (indent >= 0) units.fill(HIDDEN_UNIT, from + indent - first, to - first);
  }
  return units.join('');
}

/** What is shown up to a column; a hidden part counts once it has ended. */
function shownUpTo(line: string, column: number): string {
  const part = line.slice(0, column);
  const isInside = line[column] === HIDDEN_UNIT;
  const ended = isInside ? part.replace(/\ue000+$/, '') : part;
  return visible(ended.replace(/\ue000+/g, HIDDEN_PART));
}

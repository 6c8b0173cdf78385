import {
  type Document,
  isCollection,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Scalar,
  visit,
} from 'yaml';
import type { NotAccepted } from '../findings/usage.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { literalText, type WrittenValue } from '../model/value.ts';
import { type ComposedYaml, composeYaml, spanOf } from '../yaml/compose.ts';
import { type ValueStyle, valueText } from '../yaml/value-text.ts';

/** A value in a file, with its key. */
interface Located {
  readonly pair: Pair;
  readonly value: Node;
  /** The column of its key, from 0. */
  readonly column: number;
  /** Whether it is inside `{…}` or `[…]`. */
  readonly isInFlow: boolean;
}

/** A value that a file is to have at the place of another one. */
export interface WantedValue {
  readonly place: Place;
  readonly written: WrittenValue;
}

/** A file with new values. */
export interface FileEdit {
  readonly after: string;
  /** For each value why a person has to write it, if so. */
  readonly reasons: readonly (NotAccepted | undefined)[];
}

/** Replaces values of a valid file, each in its style. */
export function editFile(
  file: SourceFile,
  wanted: readonly WantedValue[],
): FileEdit {
  const { value: composed } = composeYaml(file);
  if (composed === undefined) {
    throw new Error('a file of the configuration is no longer valid');
  }
  const { text, doc } = composed;
  const values = locatedIn(composed);
  const edits: ValueEdit[] = [];
  const reasons: (NotAccepted | undefined)[] = [];
  for (const { place, written } of wanted) {
    const located = values.get(keyOf(place));
    const edit =
      located === undefined ? 'alias' : valueEdit(text, located, written);
    reasons.push(typeof edit === 'string' ? edit : undefined);
    if (typeof edit !== 'string') edits.push(edit);
  }
  const after = spliced(text, edits);
  for (const { pair, written } of edits) pair.value = dataOf(written);
  if (readsAs(after, doc)) return { after, reasons };
  return { after, reasons: reasons.map((reason) => reason ?? 'edit') };
}

/** A text with its edits, made from its end so that offsets hold. */
function spliced(text: string, edits: readonly ValueEdit[]): string {
  let after = text;
  for (const { from, to, by } of edits.toSorted((a, b) => b.from - a.from)) {
    after = after.slice(0, from) + by + after.slice(to);
  }
  return after;
}

/** The data that a value is read as, where references are not resolved. */
function dataOf(value: WrittenValue): unknown {
  return JSON.parse(literalText(JSON.stringify(value)));
}

/** Whether a text has the data of a document. */
function readsAs(text: string, wanted: Document): boolean {
  const { value } = composeYaml({ path: '', text });
  return value !== undefined && jsonOf(value.doc) === jsonOf(wanted);
}

function jsonOf(doc: Document): string {
  return JSON.stringify(doc.toJS({ maxAliasCount: -1 }));
}

/** The values of all maps of a text, by their places. */
function locatedIn(composed: ComposedYaml): ReadonlyMap<string, Located> {
  const { doc, text, placeOf } = composed;
  const values = new Map<string, Located>();
  visit(doc, {
    Pair: (_, pair, ancestors) => {
      const { value } = pair;
      const collections = ancestors.filter(isCollection);
      // What stands below an anchor may be used elsewhere.
      const isAnchored = collections.some(({ anchor }) => anchor);
      if (!isNode(value) || isAnchored) return;
      const column = columnAt(text, spanOf(pair.key)[0]);
      const isInFlow = collections.some(({ flow }) => flow === true);
      const key = keyOf(placeOf(spanOf(value)));
      values.set(key, { pair, value, column, isInFlow });
    },
  });
  return values;
}

function keyOf({ line, column }: Place): string {
  return `${line}:${column}`;
}

/** The column of an offset on its line, from 0. */
function columnAt(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** The part of a text that a new value takes the place of, and what it becomes. */
interface ValueEdit {
  readonly pair: Pair;
  readonly written: WrittenValue;
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** The edit of a value, or why it must not be edited. */
function valueEdit(
  text: string,
  located: Located,
  written: WrittenValue,
): ValueEdit | NotAccepted {
  const { pair } = located;
  const [start, valueEnd] = spanOf(located.value);
  const [, keyEnd] = spanOf(pair.key);
  const lineEnd = /\r?\n$/.exec(text.slice(start, valueEnd))?.[0] ?? '';
  const to = valueEnd - lineEnd.length;
  const obstacle = obstacleIn(text.slice(keyEnd, to));
  if (obstacle !== undefined) return obstacle;
  const newText = valueText(written, styleOf(text, located, to));
  const gap = /\s*$/.exec(text.slice(keyEnd, start))?.[0] ?? '';
  const isBroken = /^\r?\n/.test(newText);
  const isBelow = gap.includes('\n') || isBroken;
  const from = isBelow ? start - gap.length : start;
  const by = isBelow && !isBroken ? ` ${newText}` : newText;
  return { pair, written, from, to, by };
}

/** What an edit would lose of the text of a value. */
function obstacleIn(text: string): NotAccepted | undefined {
  const lexemes = [...new Lexer().lex(text)];
  if (lexemes.some((lexeme) => /^[*&]/.test(lexeme))) return 'alias';
  const hasComment = lexemes.some((lexeme) => lexeme.startsWith('#'));
  return hasComment ? 'comment' : undefined;
}

/** The style for what takes the place of a value, of which the text ends at `end`. */
function styleOf(text: string, located: Located, end: number): ValueStyle {
  const { value, column } = located;
  const newline = /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
  const isBlockList = isSeq(value) && value.flow !== true;
  const valueColumn = columnAt(text, spanOf(value)[0]);
  const indent = ' '.repeat(isBlockList ? valueColumn : column + 2);
  // What follows on the line, such as a comment, would become a part of block text.
  const isFollowed = !isBlockList && /^[^\n]*\S/.test(text.slice(end));
  const quotes = quotesOf(value);
  const isInFlow = located.isInFlow || isFollowed || quotes !== undefined;
  const style: ValueStyle = { indent, newline, isInFlow, quotes };
  // Another list has a line for each item only if it is long.
  return isBlockList ? { ...style, isBlockList } : style;
}

function quotesOf(value: Node): ValueStyle['quotes'] {
  const type = isScalar(value) ? value.type : undefined;
  if (type === Scalar.QUOTE_DOUBLE) return 'double';
  return type === Scalar.QUOTE_SINGLE ? 'single' : undefined;
}

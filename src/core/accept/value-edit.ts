import { isMap, isScalar, isSeq, type Node, Scalar } from 'yaml';
import type { WrittenValue } from '../model/desired.ts';
import { isChoiceList } from '../model/value.ts';
import { type ValueStyle, valueText } from '../yaml/value-text.ts';
import { columnAt, type Located, spanOf, type YamlSource } from './yaml-source.ts';

/** A part of a text, in UTF-16 units from its start, and its new text. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text after edits that do not overlap. */
export function edited(text: string, edits: readonly TextEdit[]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    pieces.push(text.slice(end, edit.from), edit.text);
    end = edit.to;
  }
  return [...pieces, text.slice(end)].join('');
}

/** The edit that replaces a value in its style; undefined if a comment stands between its key and its end. */
export function valueEdit(source: YamlSource, located: Located, written: WrittenValue): TextEdit | undefined {
  const { text, newline, comments } = source;
  const { pair, value } = located;
  const [start, valueEnd] = spanOf(value);
  const keyEnd = spanOf(pair.key)[1];
  const end = valueEnd - (/\r?\n$/.exec(text.slice(start, valueEnd))?.[0].length ?? 0);
  if (comments.some(([from]) => from >= keyEnd && from < end)) return undefined;
  const made = newText(source, located, written);
  const gap = /\s*$/.exec(text.slice(keyEnd, start))?.[0] ?? '';
  const isBelow = gap.includes('\n') || made.startsWith(newline);
  if (!isBelow) return { from: start, to: end, text: made };
  return { from: start - gap.length, to: end, text: made.startsWith(newline) ? made : ` ${made}` };
}

function newText(source: YamlSource, located: Located, written: WrittenValue): string {
  const { text, newline } = source;
  const { value } = located;
  const style = styleOf(source, located);
  const isBlockList = isSeq(value) && value.flow !== true && isChoiceList(written) && written.length > 0;
  if (!isBlockList) return valueText(written, style);
  const dash = `${newline}${' '.repeat(columnAt(text, spanOf(value)[0]))}- `;
  return written.map((member) => `${dash}${valueText(member, { ...style, isInFlow: true })}`).join('');
}

function styleOf({ text, newline }: YamlSource, { value, column, isInFlow }: Located): ValueStyle {
  const end = spanOf(value)[1];
  const rest = /^[^\n]*/.exec(text.slice(end))?.[0] ?? '';
  // A comment behind several lines would become one of them.
  const isFollowed = !isMultiLine(value) && rest.trim() !== '';
  const style = { indent: ' '.repeat(column + 2), newline, isInFlow: isInFlow || isFollowed };
  const type = isScalar(value) ? value.type : undefined;
  if (type === Scalar.QUOTE_DOUBLE) return { ...style, quotes: 'double', isInFlow: true };
  return type === Scalar.QUOTE_SINGLE ? { ...style, quotes: 'single', isInFlow: true } : style;
}

function isMultiLine(value: Node): boolean {
  if (isScalar(value)) return value.type === Scalar.BLOCK_LITERAL || value.type === Scalar.BLOCK_FOLDED;
  return (isMap(value) || isSeq(value)) && value.flow !== true;
}

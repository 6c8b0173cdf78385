import { isAlias, isMap, isScalar, isSeq, type Node, Scalar, type YAMLMap } from 'yaml';
import type { WrittenValue } from '../model/desired.ts';
import { type Choice, isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import { type ValueStyle, valueText } from '../yaml/value-text.ts';
import { commentSpans } from './comments.ts';
import { listEdit } from './list-edit.ts';
import { lineEnd, type TextEdit } from './text-edit.ts';
import { columnOf, nodeOf, pairOf, type Standing, spanOf, type YamlSource } from './yaml-source.ts';

/** A value to be written, and what the server holds: a choice keeps its display where one is written already. */
export interface NewValue {
  readonly written: WrittenValue;
  readonly held: OptionValue;
}

/** The edits that put a value in the place of another one, in the style of that one where it can have it. */
export function valueEdits(source: YamlSource, located: Standing, { written, held }: NewValue): TextEdit[] {
  const { value } = located;
  const choice = isMap(value) && isChoice(held) ? choiceEdits(source, located, value, held) : undefined;
  if (choice !== undefined) return choice;
  const list = isSeq(value) && isChoiceList(written) ? listEdit(source, value, written) : undefined;
  if (list !== undefined) return [list];
  if (isScalar(value) && isBlock(value)) return [blockEdit(source, located, value, written)];
  return [wholeEdit(source, located, valueText(written, styled(valueStyle(source, located), value)))];
}

/** How a value stands that takes the place of one. */
function valueStyle(source: YamlSource, located: Standing): ValueStyle {
  const { text, step, newline } = source;
  const { value, column } = located;
  const [, end] = spanOf(value);
  const isInFlow = located.isInFlow || hasCommentBefore(source, located);
  // A comment behind several lines would become one of them.
  const isFollowed = !isMultiLine(value) && text.slice(end, lineEnd(text, end)).trim() !== '';
  return { indent: ' '.repeat(column + step), isInFlow: isInFlow || isFollowed, newline };
}

/** Whether a comment stands between a key and its value. */
function hasCommentBefore({ text }: YamlSource, { pair, value }: Standing): boolean {
  return commentSpans(text.slice(spanOf(pair.key)[1], spanOf(value)[0])).length > 0;
}

function isMultiLine(value: Node): boolean {
  return (isScalar(value) && isBlock(value)) || ((isMap(value) || isSeq(value)) && value.flow !== true);
}

/** A style with the quotes of a value; several lines stay in them too. */
function styled(style: ValueStyle, value: Node): ValueStyle {
  const type = isScalar(value) ? value.type : undefined;
  if (type === Scalar.QUOTE_DOUBLE) return { ...style, quotes: 'double', isInFlow: true };
  return type === Scalar.QUOTE_SINGLE ? { ...style, quotes: 'single', isInFlow: true } : style;
}

/** Puts a text in the place of a whole value. What begins on a line of its own moves up to its key, if no comment is between. */
export function wholeEdit(source: YamlSource, located: Standing, made: string): TextEdit {
  const { text, newline } = source;
  const { pair, value } = located;
  const [start, end] = spanOf(value);
  if (hasCommentBefore(source, located)) return inPlace(source, located, made);
  const gap = text.slice(spanOf(pair.key)[1], start);
  const isBelow = /\n\s*$/.test(gap) || made.startsWith(newline);
  const from = isBelow ? start - (/\s*$/.exec(gap)?.[0].length ?? 0) : start;
  const to = text[end - 1] === '\n' ? end - (text[end - 2] === '\r' ? 2 : 1) : end;
  return { from, to, text: isBelow && !made.startsWith(newline) ? ` ${made}` : made };
}

/** Puts a text in one line at the very place of a value, further in than its key. */
function inPlace({ text, step }: YamlSource, { value, column, isInFlow }: Standing, made: string): TextEdit {
  const [start, end] = spanOf(value);
  const isShallow = !isInFlow && columnOf(text, value) <= column;
  const to = start + text.slice(start, end).trimEnd().length;
  return { from: start, to, text: `${isShallow ? ' '.repeat(step) : ''}${made}` };
}

/** Whether a scalar is block text. */
export function isBlock({ type }: Scalar): boolean {
  return type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
}

/** Replaces block text, as block text at the same indentation where the new text has a form of it. */
function blockEdit(source: YamlSource, located: Standing, value: Scalar, written: WrittenValue): TextEdit {
  const { text, newline } = source;
  const [from, to] = spanOf(value);
  const old = text.slice(from, to);
  const ending = old.endsWith('\n') ? newline : '';
  const [header = '', ...lines] = old.split(/\r?\n/);
  const indent = lines.map((line) => /^ *(?=\S)/.exec(line)?.[0]).find((each) => each !== undefined);
  const block = typeof written === 'string' ? literal(written, indent ?? '', newline) : undefined;
  const comment = /\s+#.*$/.exec(header)?.[0] ?? '';
  if (block === undefined || indent === undefined || located.isInFlow) {
    const style = { ...valueStyle(source, located), isInFlow: true };
    return { from, to, text: `${valueText(written, style)}${comment}${ending}` };
  }
  const [mark, ...body] = block;
  return { from, to, text: [`${mark}${comment}`, ...body].join(newline) + ending };
}

/** A text as literal block text: its mark, then its lines; undefined where it has no such form. */
function literal(text: string, indent: string, newline: YamlSource['newline']): string[] | undefined {
  if (text === '' || /^\s/.test(text)) return undefined;
  // Only text of several lines is written so: the first one is taken away again.
  const [mark = '', , ...lines] = valueText(`x\n${text}`, { indent, newline }).split(newline);
  return mark.startsWith('|') ? [mark, ...lines] : undefined;
}

/** The edits inside of a choice that is written as a map; undefined where its parts are not written there. */
function choiceEdits(
  source: YamlSource,
  { isInFlow, column }: Standing,
  map: YAMLMap,
  choice: Choice,
): TextEdit[] | undefined {
  const parts = (['value', 'display'] as const).map((key) => {
    const pair = pairOf(map, key);
    const value = pair && nodeOf(pair);
    const meant = isAlias(value) ? value.resolve(source.doc) : value;
    if (pair === undefined || value === undefined || !isScalar(meant)) return undefined;
    if (String(meant.value) === choice[key]) return [];
    const inner = { pair, value, column, isInFlow: isInFlow || map.flow === true };
    return valueEdits(source, inner, { written: choice[key], held: choice[key] });
  });
  return parts.includes(undefined) ? undefined : parts.flatMap((edits) => edits ?? []);
}

import { isCollection, isMap, isNode, isScalar, isSeq, type Node, type Pair, Scalar, visit } from 'yaml';
import type { NotAccepted } from '../findings/usage.ts';
import type { Place, SourceFile, Span } from '../model/place.ts';
import { isChoiceList, type WrittenValue } from '../model/value.ts';
import { composeYaml } from '../yaml/compose.ts';
import { type ValueStyle, valueText } from '../yaml/value-text.ts';

/** A file to be edited. Offsets are those of the text without a byte order mark. */
interface YamlSource {
  readonly text: string;
  readonly newline: '\n' | '\r\n';
  readonly comments: readonly Span[];
}

/** A value in a file, with its key. */
interface Located {
  readonly pair: Pair;
  readonly value: Node;
  /** The column of its key, from 0. */
  readonly column: number;
  /** Whether it is inside `{…}` or `[…]`. */
  readonly isInFlow: boolean;
  /** Whether an anchor is around it, or an anchor or alias in it. */
  readonly isAliased: boolean;
}

/** Replaces values of a valid file, each in its style: the new text, and for each value why a person has to write it, if so. */
export function editFile(
  file: SourceFile,
  wanted: readonly { readonly place: Place; readonly written: WrittenValue }[],
): { readonly after: string; readonly reasons: readonly (NotAccepted | undefined)[] } {
  const { value: composed } = composeYaml(file);
  if (composed === undefined) throw new Error('a file of the configuration is no longer valid');
  const { text, comments } = composed;
  const newline = /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
  const values = locatedIn(composed);
  const made = wanted.map(({ place, written }) => {
    const located = values.get(keyOf(place));
    if (located === undefined || located.isAliased) return 'alias';
    return valueEdit({ text, newline, comments }, located, written);
  });
  const edits = made.flatMap((each) => (typeof each === 'string' ? [] : [each]));
  const lastFirst = edits.sort((a, b) => b.from - a.from);
  const after = lastFirst.reduce(
    (all, { from, to, text: by }) => all.slice(0, from) + by + all.slice(to),
    text,
  );
  return { after, reasons: made.map((each) => (typeof each === 'string' ? each : undefined)) };
}

type Composed = NonNullable<ReturnType<typeof composeYaml>['value']>;

/** The values of all maps of a text, by their places. */
function locatedIn({ doc, text, placeOf }: Composed): ReadonlyMap<string, Located> {
  const values = new Map<string, Located>();
  visit(doc, {
    Pair: (_, pair, ancestors) => {
      const { value } = pair;
      if (!isNode(value)) return;
      values.set(keyOf(placeOf(...spanOf(value))), {
        pair,
        value,
        column: columnAt(text, spanOf(pair.key)[0]),
        isInFlow: ancestors.some((each) => isCollection(each) && each.flow === true),
        isAliased: ancestors.some((each) => isCollection(each) && each.anchor) || holdsAnchor(value),
      });
    },
  });
  return values;
}

function keyOf({ line, column }: Place): string {
  return `${line}:${column}`;
}

/** The span of a node, without what is before and behind it. */
function spanOf(node: unknown): Span {
  const [from, to] = (isNode(node) && node.range) || [0, 0];
  return [from, to];
}

/** The column of an offset on its line, from 0. */
function columnAt(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Whether a value is an alias, or has an anchor or alias in it. */
function holdsAnchor(value: Node): boolean {
  let isFound = false;
  visit(value, {
    Alias: () => {
      isFound = true;
    },
    Value: (_, { anchor }) => {
      isFound ||= Boolean(anchor);
    },
  });
  return isFound;
}

/** The part of a text that a new value takes the place of, and what it becomes. */
function valueEdit(source: YamlSource, located: Located, written: WrittenValue) {
  const { text, newline, comments } = source;
  const [start, valueEnd] = spanOf(located.value);
  const keyEnd = spanOf(located.pair.key)[1];
  const end = valueEnd - (/\r?\n$/.exec(text.slice(start, valueEnd))?.[0].length ?? 0);
  // A comment between the key and the end of its value.
  if (comments.some(([from]) => from >= keyEnd && from < end)) return 'comment';
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
  const rest = /^[^\n]*/.exec(text.slice(spanOf(value)[1]))?.[0] ?? '';
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

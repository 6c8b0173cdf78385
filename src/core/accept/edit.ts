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
import type { WrittenValue } from '../model/value.ts';
import { composeYaml, spanOf } from '../yaml/compose.ts';
import { valueText } from '../yaml/value-text.ts';

/** A value in a file, with its key. */
interface Located {
  readonly pair: Pair;
  readonly value: Node;
  /** The column of its key, from 0. */
  readonly column: number;
  /** Whether it is inside `{…}` or `[…]`. */
  readonly isInFlow: boolean;
}

/** Replaces values of a valid file, each in its style: the new text, and for each value why a person has to write it, if so. */
export function editFile(
  file: SourceFile,
  wanted: readonly { readonly place: Place; readonly written: WrittenValue }[],
): {
  readonly after: string;
  readonly reasons: readonly (NotAccepted | undefined)[];
} {
  const { value: composed } = composeYaml(file);
  if (composed === undefined)
    throw new Error('a file of the configuration is no longer valid');
  const { text, doc } = composed;
  const values = locatedIn(composed);
  const made = wanted.map(({ place, written }) => {
    const located = values.get(keyOf(place));
    return located === undefined ? 'alias' : valueEdit(text, located, written);
  });
  const edits = made.flatMap((each) =>
    typeof each === 'string' ? [] : [each],
  );
  const lastFirst = edits.sort((a, b) => b.from - a.from);
  const after = lastFirst.reduce(
    (all, { from, to, by }) => all.slice(0, from) + by + all.slice(to),
    text,
  );
  for (const { pair, written } of edits) pair.value = dataOf(written);
  const failed = readsAs(after, doc) ? undefined : 'edit';
  return {
    after,
    reasons: made.map((each) => (typeof each === 'string' ? each : failed)),
  };
}

/** The data that a value is read as, where references are not resolved. */
function dataOf(value: WrittenValue): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('${', () => '$${'));
}

/** Whether a text has the data of a document. */
function readsAs(text: string, wanted: Document): boolean {
  const { value } = composeYaml({ path: '', text });
  const [read, meant] = [value?.doc, wanted].map((doc) =>
    JSON.stringify(doc?.toJS({ maxAliasCount: -1 })),
  );
  return read === meant;
}

type Composed = NonNullable<ReturnType<typeof composeYaml>['value']>;

/** The values of all maps of a text, by their places. */
function locatedIn({
  doc,
  text,
  placeOf,
}: Composed): ReadonlyMap<string, Located> {
  const values = new Map<string, Located>();
  visit(doc, {
    Pair: (_, pair, ancestors) => {
      const { value } = pair;
      // What stands below an anchor may be used elsewhere.
      if (
        !isNode(value) ||
        ancestors.some((each) => isCollection(each) && each.anchor)
      )
        return;
      values.set(keyOf(placeOf(spanOf(value))), {
        pair,
        value,
        column: columnAt(text, spanOf(pair.key)[0]),
        isInFlow: ancestors.some(
          (each) => isCollection(each) && each.flow === true,
        ),
      });
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

/** The part of a text that a new value takes the place of, and what it becomes; or why it must not. */
function valueEdit(text: string, located: Located, written: WrittenValue) {
  const { pair } = located;
  const [start, valueEnd] = spanOf(located.value);
  const keyEnd = spanOf(pair.key)[1];
  const end =
    valueEnd - (/\r?\n$/.exec(text.slice(start, valueEnd))?.[0].length ?? 0);
  const lexemes = [...new Lexer().lex(text.slice(keyEnd, end))];
  if (lexemes.some((each) => /^[*&]/.test(each))) return 'alias';
  if (lexemes.some((each) => each.startsWith('#'))) return 'comment';
  const made = valueText(written, styleOf(text, located, end));
  const gap = /\s*$/.exec(text.slice(keyEnd, start))?.[0] ?? '';
  const isBroken = /^\r?\n/.test(made);
  const isBelow = gap.includes('\n') || isBroken;
  return {
    ...{ pair, written, from: isBelow ? start - gap.length : start, to: end },
    by: isBelow && !isBroken ? ` ${made}` : made,
  };
}

/** The style for what takes the place of a value, of which the text ends at `end`. */
function styleOf(
  text: string,
  { value, column, isInFlow }: Located,
  end: number,
): Parameters<typeof valueText>[1] {
  const newline = /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
  const isBlockList = isSeq(value) && value.flow !== true;
  const indent = ' '.repeat(
    isBlockList ? columnAt(text, spanOf(value)[0]) : column + 2,
  );
  // What follows on the line, such as a comment, would become a part of block text.
  const isFollowed = !isBlockList && /^[^\n]*\S/.test(text.slice(end));
  const style = {
    indent,
    newline,
    isInFlow: isInFlow || isFollowed,
    ...(isBlockList && { isBlockList }),
  } as const;
  const type = isScalar(value) ? value.type : undefined;
  if (type === Scalar.QUOTE_DOUBLE)
    return { ...style, quotes: 'double', isInFlow: true };
  return type === Scalar.QUOTE_SINGLE
    ? { ...style, quotes: 'single', isInFlow: true }
    : style;
}

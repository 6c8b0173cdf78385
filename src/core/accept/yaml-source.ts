import { isCollection, isNode, isScalar, type Node, type Pair, visit } from 'yaml';
import type { Place, Span } from '../model/place.ts';
import { composeYaml, type SourceFile } from '../yaml/compose.ts';

/** A value in a file, with its key. */
export interface Located {
  readonly pair: Pair;
  readonly value: Node;
  /** The column of its key, from 0. */
  readonly column: number;
  /** Whether it is inside `{…}` or `[…]`. */
  readonly isInFlow: boolean;
  /** Whether an anchor is around it, or an anchor or alias in it. */
  readonly isAliased: boolean;
}

/** A file to be edited. Offsets are those of the text without a byte order mark. */
export interface YamlSource {
  readonly path: string;
  readonly text: string;
  readonly newline: '\n' | '\r\n';
  readonly comments: readonly Span[];
  /** The value of a map that is at a place. */
  readonly at: (place: Pick<Place, 'line' | 'column'>) => Located | undefined;
}

/** Reads a valid file of the configuration. */
export function yamlSource(file: SourceFile): YamlSource {
  const { value: composed } = composeYaml(file);
  if (composed === undefined) throw new Error('a file of the configuration is no longer valid');
  const { text, comments, placeOf } = composed;
  const values = new Map<string, Located>();
  visit(composed.doc, {
    Pair: (_, pair, ancestors) => {
      if (!isNode(pair.value)) return;
      const { value } = pair;
      values.set(keyOf(placeOf(...spanOf(value))), {
        pair,
        value,
        column: columnAt(text, spanOf(pair.key)[0]),
        isInFlow: ancestors.some((each) => isCollection(each) && each.flow === true),
        isAliased: ancestors.some((each) => isCollection(each) && each.anchor) || holdsAnchor(value),
      });
    },
  });
  return {
    path: file.path,
    text,
    newline: /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n',
    comments,
    at: (place) => values.get(keyOf(place)),
  };
}

function keyOf({ line, column }: Pick<Place, 'line' | 'column'>): string {
  return `${line}:${column}`;
}

/** The span of a node, without what is before and behind it. */
export function spanOf(node: unknown): Span {
  const [from, to] = (isNode(node) && node.range) || [0, 0];
  return [from, to];
}

/** The column of an offset on its line, from 0. */
export function columnAt(text: string, offset: number): number {
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

/** Whether a scalar refers to something: `${…}` that is not doubled. */
export function hasReference({ text }: YamlSource, value: Node): boolean {
  const written = isScalar(value) ? String(value.value) : text.slice(...spanOf(value));
  return written.replaceAll('$${', '').includes('${');
}

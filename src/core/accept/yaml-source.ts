import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Place, Span } from '../model/place.ts';
import { composeYaml } from '../yaml/document.ts';
import { type PlaceOf, placeMaker, withoutByteOrderMark } from '../yaml/text.ts';
import type { SourceFile } from '../yaml/tree.ts';
import { columnAt } from './text-edit.ts';

/** A value in a file: its key, and how it stands there. */
export interface Standing {
  readonly pair: Pair;
  readonly value: Node;
  /** The column of its map, from 0: that of its key, or of the mark before this one. */
  readonly column: number;
  /** Whether it is inside `{…}` or `[…]`. */
  readonly isInFlow: boolean;
}

/** The same as it is found by its place. */
export interface Located extends Standing {
  /** The anchors of the maps and lists that it is in. */
  readonly anchorsAround: readonly string[];
}

/** A file to be edited. Offsets are those of the text without a byte order mark. */
export interface YamlSource {
  readonly text: string;
  readonly doc: Document;
  readonly newline: '\n' | '\r\n';
  /** The blanks by which its maps are indented. */
  readonly step: number;
  /** The value of a map that is at a place. */
  readonly at: (place: Pick<Place, 'line' | 'column'>) => Located | undefined;
  readonly placeOf: PlaceOf;
  /** The anchors that its aliases name. */
  readonly aliases: ReadonlySet<string>;
}

/** Reads a file of the configuration, which is known to be valid. */
export function yamlSource({ path, text: raw }: SourceFile): YamlSource {
  const text = withoutByteOrderMark(raw);
  const placeOf = placeMaker(path, text);
  const composed = composeYaml(text, placeOf);
  if ('code' in composed) throw new Error('a file of the configuration is no longer valid');
  const { doc } = composed;
  const newline = /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
  const aliases = new Set<string>();
  visit(doc, { Alias: (_, { source }) => void aliases.add(source) });
  const values = locatedIn(doc, text, placeOf);
  return {
    text,
    doc,
    newline,
    step: stepOf(doc, text),
    at: (place) => values.get(keyOf(place)),
    placeOf,
    aliases,
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

/** The value of a pair as a node; undefined where nothing is written. */
export function nodeOf({ value }: Pair): Node | undefined {
  if (!isNode(value)) return undefined;
  return isScalar(value) && value.value === null && (value.source ?? '') === '' ? undefined : value;
}

/** The pair of a map with a key. */
export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** Where a node ends, whatever it holds: its last line may go on with a comment. */
export function endOf(node: Node): number {
  if (!isCollection(node) || node.flow === true) return spanOf(node)[1];
  const last = node.items.at(-1);
  if (isSeq(node)) return isNode(last) ? endOf(last) : spanOf(node)[1];
  return isMap(node) ? endOfPair(node.items.at(-1)) : spanOf(node)[1];
}

/** Where a pair ends. */
export function endOfPair(pair: Pair | undefined): number {
  const value = pair && nodeOf(pair);
  return value === undefined ? Math.max(spanOf(pair?.key)[1], spanOf(pair?.value)[1]) : endOf(value);
}

/** Whether an alias of the document names what a value is in, or a part of it. */
export function isPartAliased({ aliases }: YamlSource, { value, anchorsAround }: Located): boolean {
  if (aliases.size === 0) return false;
  const anchors: string[] = [...anchorsAround];
  visit(value, {
    Node: (_, node) => void (node !== value && 'anchor' in node && node.anchor && anchors.push(node.anchor)),
  });
  return anchors.some((anchor) => aliases.has(anchor));
}

/** The places of the aliases that mean a value. */
export function aliasesOf({ doc, aliases, placeOf }: YamlSource, value: Node): Place[] {
  const anchor = 'anchor' in value ? value.anchor : undefined;
  const places: Place[] = [];
  if (typeof anchor !== 'string' || !aliases.has(anchor)) return places;
  visit(doc, {
    Alias: (_, alias) =>
      void (
        alias.source === anchor &&
        alias.resolve(doc) === value &&
        places.push(placeOf(...spanOf(alias)))
      ),
  });
  return places;
}

/** The value that an alias means: the last one before it with its anchor. */
export function targetOf({ doc, at, placeOf }: YamlSource, alias: Node): Located | undefined {
  const target = isAlias(alias) ? alias.resolve(doc) : undefined;
  return target === undefined ? undefined : at(placeOf(...spanOf(target)));
}

function locatedIn(doc: Document, text: string, placeOf: PlaceOf): ReadonlyMap<string, Located> {
  const found = new Map<string, Located>();
  visit(doc, {
    Pair: (_, pair, path) => {
      const value = nodeOf(pair);
      const isInFlow = path.some((each) => isCollection(each) && each.flow === true);
      if (value !== undefined)
        found.set(keyOf(placeOf(...spanOf(value))), {
          pair,
          value,
          column: columnOf(text, path.at(-1)),
          isInFlow,
          anchorsAround: path.flatMap((each) => (isCollection(each) && each.anchor ? [each.anchor] : [])),
        });
    },
  });
  return found;
}

/** The column of a node on its line, from 0. */
export function columnOf(text: string, node: unknown): number {
  return columnAt(text, spanOf(node)[0]);
}

/** How far the first nested map is indented. */
function stepOf({ contents }: Document, text: string): number {
  if (!isMap(contents)) return USUAL_STEP;
  const nested = contents.items
    .map(({ value }) => value)
    .find((value) => isMap(value) && value.flow !== true);
  const first = isMap(nested) ? nested.items[0]?.key : undefined;
  return (first === undefined ? 0 : columnOf(text, first)) || USUAL_STEP;
}

const USUAL_STEP = 2;

import type { Place, Span } from '../model/place.ts';

/** A text, number, boolean or null. */
export interface YamlScalar {
  kind: 'scalar';
  place: Place;
  value: string | number | boolean | null;
  /** Where its text is in the file. */
  range: Span;
}

interface YamlList {
  kind: 'list';
  place: Place;
  items: readonly YamlNode[];
}

export interface YamlMap {
  kind: 'map';
  place: Place;
  pairs: readonly YamlPair[];
}

/** A node of a YAML file: plain data that knows its place. */
export type YamlNode = YamlScalar | YamlList | YamlMap;

/** A key of a map with its value. */
export interface YamlPair {
  key: string;
  keyPlace: Place;
  keyRange: Span;
  /** The comment at the end of the line of its key. */
  comment?: string | undefined;
  value: YamlNode;
}

/** The pairs of a map; none if the node is no map. */
export function pairsOf(node: YamlNode | undefined): readonly YamlPair[] {
  return node?.kind === 'map' ? node.pairs : [];
}

/** The value under a key of a map. */
export function childOf(
  node: YamlNode | undefined,
  key: string,
): YamlNode | undefined {
  return pairsOf(node).find((pair) => pair.key === key)?.value;
}

/** The value of a scalar; undefined if the node is none. */
export function scalarOf(
  node: YamlNode | undefined,
): YamlScalar['value'] | undefined {
  return node?.kind === 'scalar' ? node.value : undefined;
}

/** The text of a node; undefined if it has none. */
export function textOf(node: YamlNode | undefined): string | undefined {
  const value = scalarOf(node);
  return typeof value === 'string' ? value : undefined;
}

import type { Place } from '../model/place.ts';

interface Located {
  readonly place: Place;
  /** True where the node was refused: a finding says why, and its data may be missing or mean something else. */
  readonly isRefused?: true;
}

export interface YamlScalar extends Located {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** Where its text begins and ends in the file, in UTF-16 units. */
  readonly range: readonly [from: number, to: number];
}

export interface YamlList extends Located {
  readonly kind: 'list';
  readonly items: readonly YamlNode[];
}

/** A key of a map with its value. */
export interface YamlPair {
  readonly key: string;
  readonly keyPlace: Place;
  readonly keyRange: readonly [from: number, to: number];
  /** The comment above the key or behind the value, on one line. */
  readonly comment?: string;
  readonly value: YamlNode;
}

export interface YamlMap extends Located {
  readonly kind: 'map';
  readonly pairs: readonly YamlPair[];
  /** What the file has beside them and was refused; absent where nothing was. */
  readonly refused?: readonly YamlPair[];
}

/** A node of a YAML file: plain data that knows its place. */
export type YamlNode = YamlScalar | YamlList | YamlMap;

/** The pairs of a map; none where the node is no map. */
export function pairsOf(node: YamlNode | undefined): readonly YamlPair[] {
  return node?.kind === 'map' ? node.pairs : [];
}

/** The value under a key of a map. */
export function childOf(node: YamlNode | undefined, key: string): YamlNode | undefined {
  return pairsOf(node).find((pair) => pair.key === key)?.value;
}

/** The text of a node; undefined where it is none. */
export function textOf(node: YamlNode | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

/** Whether a node is an explicit null. */
export function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** The data of a node without places, as a schema validates it. */
export function dataOf(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(dataOf);
  return Object.fromEntries(node.pairs.map(({ key, value }) => [key, dataOf(value)]));
}

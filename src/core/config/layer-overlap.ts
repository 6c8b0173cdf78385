import {
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';

/** A layer as setpoint.yaml or a flag names it, and its files. */
export interface ListedLayer {
  readonly text: string;
  /** Absolute, with forward slashes. */
  readonly path: string;
  readonly place?: Place | undefined;
  readonly files: readonly string[];
}

/** Finds layers that share files, by server. Servers may share whole layers. */
export function overlappingLayers(
  servers: readonly (readonly ListedLayer[])[],
): Diagnostic[] {
  const distinct = new Map<string, ListedLayer>();
  const inside = new Map<ListedLayer, ListedLayer[]>();
  const add = (outer: ListedLayer, inner: ListedLayer): void => {
    inside.set(outer, [...(inside.get(outer) ?? []), inner]);
  };
  for (const layers of servers) {
    const own = new Set<string>();
    for (const layer of layers) {
      const { path } = layer;
      const first = distinct.get(path) ?? layer;
      if (own.has(path)) add(first, layer);
      distinct.set(path, first);
      own.add(path);
    }
  }
  const layerOf = layersByFile([...distinct.values()]);
  for (const layer of distinct.values()) {
    const others = layer.files.map((file) => layerOf.get(file));
    const outer = others.find((other) => other !== layer);
    if (outer !== undefined) add(outer, layer);
  }
  return [...inside].map(([outer, inner]) => overlapFinding(outer, inner));
}

/** The outermost layer of each file. It sorts before the layers inside of it. */
function layersByFile(
  layers: readonly ListedLayer[],
): ReadonlyMap<string, ListedLayer> {
  const layerOf = new Map<string, ListedLayer>();
  const ordered = layers.toSorted((a, b) => compareText(b.path, a.path));
  for (const layer of ordered) {
    for (const file of layer.files) layerOf.set(file, layer);
  }
  return layerOf;
}

function overlapFinding(
  outer: ListedLayer,
  inner: readonly ListedLayer[],
): Diagnostic {
  const isSame = inner.every(({ path }) => path === outer.path) || undefined;
  const texts = new Set(inner.map(({ text }) => text));
  const facts = { outer: outer.text, inner: [...texts], isSame };
  const places = inner.flatMap(({ place }) => place ?? []);
  return withPlaces(diagnostic('layers-overlap', facts, places[0]), places);
}

import {
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { Place } from '../model/place.ts';

/** A layer as setpoint.yaml or a flag names it, and its files. */
export interface ListedLayer {
  readonly text: string;
  /** Absolute, with forward slashes. */
  readonly path: string;
  readonly place?: Place | undefined;
  readonly files: readonly string[];
}

/** A layer whose files are in another one, or that a server names again. */
interface Overlap {
  readonly outer: ListedLayer;
  readonly inner: ListedLayer;
}

/** Finds layers that share files, by server. Servers may share whole layers. */
export function overlappingLayers(
  servers: readonly (readonly ListedLayer[])[],
): Diagnostic[] {
  const distinct = new Map<string, ListedLayer>();
  const overlaps: Overlap[] = [];
  for (const layers of servers) {
    const own = new Set<string>();
    for (const inner of layers) {
      const outer = distinct.get(inner.path) ?? inner;
      if (own.has(inner.path)) overlaps.push({ outer, inner });
      distinct.set(inner.path, outer);
      own.add(inner.path);
    }
  }
  const layerOf = layersByFile([...distinct.values()]);
  for (const inner of distinct.values()) {
    const outers = inner.files.map((file) => layerOf.get(file));
    const outer = outers.find((layer) => layer !== inner);
    if (outer !== undefined) overlaps.push({ outer, inner });
  }
  const findings: Diagnostic[] = [];
  for (const [outer, sharing] of grouped(
    overlaps,
    (overlap) => overlap.outer,
  )) {
    const inner = sharing.map((overlap) => overlap.inner);
    findings.push(overlapFinding(outer, inner));
  }
  return findings;
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

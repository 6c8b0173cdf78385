import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { Place } from '../model/place.ts';

/** A layer as setpoint.yaml or a flag names it. */
export interface LayerName {
  readonly text: string;
  /** A file, a folder, or `folder/*.yaml`; absolute, with forward slashes. */
  readonly path: string;
  readonly place?: Place | undefined;
}

/** The files that a layer takes in: all below a path, or some of a folder. */
type Reach =
  | { readonly kind: 'tree'; readonly path: string }
  | {
      readonly kind: 'pattern';
      readonly folder: string;
      readonly start: string;
      readonly end: string;
    };

/** Two layers that share files; the outer takes in as much or more. */
interface Overlap {
  readonly outer: LayerName;
  readonly inner: LayerName;
}

/** Finds layers that share files, by server; servers may share whole ones. */
export function overlappingLayers(
  servers: readonly (readonly LayerName[])[],
): Diagnostic[] {
  const overlaps = [
    ...servers.flatMap(repeatedLayers),
    ...nestedLayers(distinctLayers(servers.flat())),
  ];
  const byOuter = grouped(overlaps, ({ outer }) => outer);
  const findings: Diagnostic[] = [];
  for (const [outer, sharing] of byOuter) {
    const inner = sharing.map((overlap) => overlap.inner);
    findings.push(overlapFinding(outer, inner));
  }
  return findings;
}

function overlapFinding(
  outer: LayerName,
  inner: readonly LayerName[],
): Diagnostic {
  const isSame = inner.every(({ path }) => path === outer.path) || undefined;
  const texts = new Set(inner.map(({ text }) => text));
  const facts = { outer: outer.text, inner: [...texts], isSame };
  const places: Place[] = [];
  for (const { place } of inner) if (place !== undefined) places.push(place);
  const [first] = places;
  return withPlaces(diagnostic('layers-overlap', facts, first), places);
}

/** The layers that one server names twice. */
function repeatedLayers(layers: readonly LayerName[]): Overlap[] {
  const first = new Map<string, LayerName>();
  const overlaps: Overlap[] = [];
  for (const inner of layers) {
    const outer = first.get(inner.path);
    if (outer === undefined) first.set(inner.path, inner);
    else overlaps.push({ outer, inner });
  }
  return overlaps;
}

/** Layers by their paths, each as it is named first. */
function distinctLayers(layers: readonly LayerName[]): LayerName[] {
  const first = new Map<string, LayerName>();
  for (const layer of layers)
    if (!first.has(layer.path)) first.set(layer.path, layer);
  return [...first.values()];
}

/** The different layers that share files. */
function nestedLayers(layers: readonly LayerName[]): Overlap[] {
  return [...insideTrees(layers), ...insidePatterns(layers)];
}

/** Layers in the folder of another, looked up by path: there are thousands. */
function insideTrees(layers: readonly LayerName[]): Overlap[] {
  const trees = new Map(layers.map((layer) => [layer.path, layer]));
  const overlaps: Overlap[] = [];
  for (const inner of layers)
    for (const folder of foldersAbove(inner.path)) {
      const outer = trees.get(folder);
      if (outer !== undefined) overlaps.push({ outer, inner });
    }
  return overlaps;
}

/** Files and later patterns that a pattern of the same folder takes in. */
function insidePatterns(layers: readonly LayerName[]): Overlap[] {
  const byFolder = grouped(layers, ({ path }) => folderOf(path));
  const overlaps: Overlap[] = [];
  for (const siblings of byFolder.values())
    for (const outer of siblings.filter(isPattern))
      for (const inner of siblings)
        if (sharesName(outer, inner, siblings)) overlaps.push({ outer, inner });
  return overlaps;
}

function isPattern({ path }: LayerName): boolean {
  return reachOf(path).kind === 'pattern';
}

/** Whether a pattern takes in a file, or shares a name with a later one. */
function sharesName(
  outer: LayerName,
  inner: LayerName,
  siblings: readonly LayerName[],
): boolean {
  if (!isPattern(inner)) return takesIn(outer.path, inner.path);
  const isLater = siblings.indexOf(inner) > siblings.indexOf(outer);
  return isLater && mayShareName(reachOf(outer.path), reachOf(inner.path));
}

/** Whether a layer takes in a file of configuration. */
export function takesIn(layer: string, file: string): boolean {
  const reach = reachOf(layer);
  if (reach.kind === 'tree')
    return file === reach.path || file.startsWith(`${reach.path}/`);
  const { folder, start, end } = reach;
  if (folderOf(file) !== folder) return false;
  const name = file.slice(folder.length + 1);
  if (!/^[^.].*\.ya?ml$/is.test(name)) return false;
  return name.startsWith(start) && name.slice(start.length).endsWith(end);
}

/** Whether two layers can take in the same file. */
export function mayOverlap(a: string, b: string): boolean {
  const layers = [a, b].map((path) => ({ text: path, path }));
  return overlappingLayers([layers]).length > 0;
}

function reachOf(path: string): Reach {
  const folder = folderOf(path);
  const [start = '', end] = path.slice(folder.length + 1).split('*');
  if (end !== undefined) return { kind: 'pattern', folder, start, end };
  return { kind: 'tree', path: path === '/' ? '' : path };
}

/** Whether a name can begin and end as both patterns ask. */
function mayShareName(a: Reach, b: Reach): boolean {
  if (a.kind === 'tree' || b.kind === 'tree') return false;
  const start = a.start.startsWith(b.start) || b.start.startsWith(a.start);
  const end = a.end.endsWith(b.end) || b.end.endsWith(a.end);
  return start && end;
}

/** The folder that a path is in; empty for the root. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** All folders that a path is in. */
function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder))
    folders.push(folder);
  return path === '/' ? [] : [...folders, '/'];
}

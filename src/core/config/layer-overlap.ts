import {
  compareText,
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

/** The files of a folder whose names begin and end so. */
interface Pattern {
  readonly kind: 'pattern';
  readonly folder: string;
  readonly start: string;
  readonly end: string;
}

/** The files that a layer takes in: all below a path, or some of a folder. */
type Reach = { readonly kind: 'tree'; readonly path: string } | Pattern;

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

/** A layer that is a pattern. */
interface PatternLayer {
  readonly layer: LayerName;
  readonly pattern: Pattern;
}

/** Patterns and files that a pattern of the same folder takes in. */
function insidePatterns(layers: readonly LayerName[]): Overlap[] {
  const byFolder = grouped(layers, ({ path }) => folderOf(path));
  const overlaps: Overlap[] = [];
  for (const siblings of byFolder.values())
    for (const overlap of overlapsAmong(siblings)) overlaps.push(overlap);
  return overlaps;
}

/** The overlaps of a folder, one for each inner layer: all pairs could overlap. */
function overlapsAmong(siblings: readonly LayerName[]): Overlap[] {
  const patterns: PatternLayer[] = [];
  const files: LayerName[] = [];
  for (const layer of siblings) {
    const pattern = reachOf(layer.path);
    if (pattern.kind === 'tree') files.push(layer);
    else patterns.push({ layer, pattern });
  }
  const overlaps = patternOverlaps(patterns);
  for (const inner of files) {
    const name = configName(inner.path);
    if (name === undefined) continue;
    const outer = patterns.find(({ pattern }) => takesInName(pattern, name));
    if (outer !== undefined) overlaps.push({ outer: outer.layer, inner });
  }
  return overlaps;
}

/** Patterns that may share a name. Ordered by their starts, each needs a look at those alone whose start it has. */
function patternOverlaps(patterns: readonly PatternLayer[]): Overlap[] {
  const ordered = patterns.toSorted((a, b) =>
    compareText(a.pattern.start, b.pattern.start),
  );
  const overlaps: Overlap[] = [];
  const wider: PatternLayer[] = [];
  for (const inner of ordered) {
    const { start, end } = inner.pattern;
    while (!start.startsWith(wider.at(-1)?.pattern.start ?? '')) wider.pop();
    const outer = wider.find(({ pattern }) => isEndShared(pattern.end, end));
    if (outer !== undefined)
      overlaps.push({ outer: outer.layer, inner: inner.layer });
    wider.push(inner);
  }
  return overlaps;
}

/** Whether a name can have both ends. */
function isEndShared(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a);
}

/** Whether a layer takes in a file of configuration. */
export function takesIn(layer: string, file: string): boolean {
  const reach = reachOf(layer);
  if (reach.kind === 'tree')
    return file === reach.path || file.startsWith(`${reach.path}/`);
  if (folderOf(file) !== reach.folder) return false;
  const name = configName(file);
  return name !== undefined && takesInName(reach, name);
}

function takesInName({ start, end }: Pattern, name: string): boolean {
  return name.startsWith(start) && name.slice(start.length).endsWith(end);
}

/** The name of a file of configuration; undefined for others and hidden ones. */
function configName(file: string): string | undefined {
  const name = file.slice(folderOf(file).length + 1);
  return /^[^.].*\.ya?ml$/is.test(name) ? name : undefined;
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

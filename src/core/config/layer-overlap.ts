import {
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { grouped, present } from '../model/json.ts';
import type { Place } from '../model/place.ts';

/** A layer as setpoint.yaml or a flag names it. */
export interface LayerName {
  readonly text: string;
  /** Absolute and normalised, with forward slashes: a file, a folder with its subfolders, or `folder/*.yaml`. */
  readonly path: string;
  readonly place?: Place | undefined;
}

/** What a layer takes in: a file or a folder with all below it, or the files of one folder by their names. */
type Reach =
  | { readonly kind: 'tree'; readonly path: string }
  | {
      readonly kind: 'pattern';
      readonly folder: string;
      readonly start: string;
      readonly end: string;
    };

/** A layer that shares files with another one, which takes in as much or more. */
interface Overlap {
  readonly outer: LayerName;
  readonly inner: LayerName;
}

/** Finds layers that share files, given those of each server: one finding for each outer layer. Servers may share a whole layer. */
export function overlappingLayers(
  servers: readonly (readonly LayerName[])[],
): Diagnostic[] {
  const overlaps = [
    ...servers.flatMap(repeatedLayers),
    ...nestedLayers(distinctLayers(servers.flat())),
  ];
  const byOuter = grouped(overlaps, ({ outer }) => outer);
  return [...byOuter].map(([outer, all]) =>
    overlapFinding(
      outer,
      all.map(({ inner }) => inner),
    ),
  );
}

function overlapFinding(
  outer: LayerName,
  inner: readonly LayerName[],
): Diagnostic {
  const isSame = inner.every(({ path }) => path === outer.path) || undefined;
  const facts = {
    outer: outer.text,
    inner: [...new Set(inner.map(({ text }) => text))],
    ...present({ isSame }),
  };
  const places = inner.flatMap(({ place }) => place ?? []);
  return withPlaces(diagnostic('layers-overlap', facts, places[0]), places);
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

/** Layers in the folder of another one, looked up by its path: a fleet has thousands. */
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

/** Whether a pattern takes in a file of its folder, or shares a name with a pattern after it. */
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
  const name = file.slice(reach.folder.length + 1);
  const isThere = folderOf(file) === reach.folder;
  const isMeant =
    name.startsWith(reach.start) &&
    name.slice(reach.start.length).endsWith(reach.end);
  return isThere && isMeant && /^[^.].*\.ya?ml$/is.test(name);
}

/** Whether two layers can take in the same file. */
export function mayOverlap(one: string, other: string): boolean {
  const named = [one, other].map((path) => ({ text: path, path }));
  return overlappingLayers([named]).length > 0;
}

function reachOf(path: string): Reach {
  const folder = folderOf(path);
  const [start = '', end] = path.slice(folder.length + 1).split('*');
  return end === undefined
    ? { kind: 'tree', path: path === '/' ? '' : path }
    : { kind: 'pattern', folder, start, end };
}

/** Whether a name can begin and end as both patterns ask. */
function mayShareName(one: Reach, other: Reach): boolean {
  if (one.kind === 'tree' || other.kind === 'tree') return false;
  const starts =
    one.start.startsWith(other.start) || other.start.startsWith(one.start);
  return starts && (one.end.endsWith(other.end) || other.end.endsWith(one.end));
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

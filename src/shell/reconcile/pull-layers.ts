import { join, parse, resolve } from 'node:path';
import { failUsage } from '../failure.ts';
import { isInside } from '../paths.ts';
import { layersOf } from '../servers/server.ts';
import { layerPath, type NamedFile, takesIn } from '../sources/config.ts';
import { shownPath } from '../sources/files.ts';
import type { FoundProject } from '../sources/project.ts';
import type { PulledServer } from './pull-server.ts';

/** The layers of a pull. */
export interface PullLayers {
  /** The folder of new entries, with a slash at its end. */
  readonly into: string;
  /** Whether `setpoint.yaml` lists that folder for the server. */
  readonly isRead: boolean;
  /** Those of the configuration, that of new entries included. */
  readonly layers: readonly NamedFile[];
  /** The index of the layer of new entries. */
  readonly own: number;
  /** Those that another server reads too. */
  readonly shared: readonly NamedFile[];
  /** Whether the variables of new entries begin with the name of the server. */
  readonly isSeparate: boolean;
}

/** What decides about the layers of a pull. */
export interface LayersWish {
  readonly pulled: PulledServer;
  readonly project: FoundProject | undefined;
  /** The folder to write to. */
  readonly folder: string;
  /** Whether a flag asks for a copy that shares nothing. */
  readonly isSeparate: boolean;
}

/** Finds the layers of a server, and the folder that takes new entries. */
export function pullLayers(wish: LayersWish): PullLayers {
  const { pulled, project, folder } = wish;
  const { server, isListed } = pulled;
  const others = layersOfOthers(pulled, project);
  const known = isListed ? server.layers : lowerLayers(wish);
  const into = folderFor(wish, known, others);
  const entriesFolder = join(folder, into);
  const isRead = isInLayers(known, entriesFolder);
  const layers = [...known];
  if (!isRead) layers.push({ path: into, base: folder });
  const shared = known.filter((layer) => isNamedIn(others, layer));
  const isCopy =
    separateFolders(server.name).includes(into) ||
    (others.length > 0 && shared.length === 0 && into !== FIRST);
  return {
    into,
    isRead,
    layers,
    own: layers.findIndex((layer) => isInLayers([layer], entriesFolder)),
    shared,
    isSeparate: wish.isSeparate || isCopy,
  };
}

/** The layers of the other servers of a project. */
function layersOfOthers(
  { server, isListed }: PulledServer,
  project: FoundProject | undefined,
): NamedFile[] {
  if (project === undefined) return [];
  const layers: NamedFile[] = [];
  for (const other of project.project.servers) {
    const isItself = isListed && other.name === server.name;
    if (!isItself) layers.push(...layersOf(other, project));
  }
  return layers;
}

/**
 * The layers that a new server takes over from the first one of a project:
 * those that servers share already, or else those that do not bear its name.
 */
function lowerLayers({ project, isSeparate }: LayersWish): NamedFile[] {
  if (project === undefined || isSeparate) return [];
  const { servers } = project.project;
  const first = servers.find(({ config }) => config.length > 0);
  if (first === undefined) return [];
  const layers = layersOf(first, project);
  const rest = servers.filter((server) => server !== first);
  const ofRest = rest.flatMap((server) => layersOf(server, project));
  const shared = layers.filter((layer) => isNamedIn(ofRest, layer));
  if (shared.length > 0) return shared;
  return layers.filter(({ path }) => !bearsName(path, first.name));
}

/** True for `staging.yaml` and `servers/staging/` of a server `staging`. */
function bearsName(path: string, server: string): boolean {
  return path.split('/').some((part) => parse(part).name === server);
}

function isNamedIn(layers: readonly NamedFile[], layer: NamedFile): boolean {
  const path = layerPath(layer);
  return layers.some((other) => layerPath(other) === path);
}

/** The folder of the first server of a project. */
const FIRST = 'integrations/';

/** The folders of a copy that shares nothing with other servers. */
function separateFolders(server: string): string[] {
  return [`integrations/${server}/`, `${server}/`];
}

/**
 * The folder for new entries: one that the server reads already and no other
 * does, the base if it is the first server, or else a new one.
 */
function folderFor(
  wish: LayersWish,
  known: readonly NamedFile[],
  others: readonly NamedFile[],
): string {
  const { pulled, folder, isSeparate } = wish;
  const { name } = pulled.server;
  const copies = separateFolders(name);
  const overlay = `servers/${name}/`;
  const usual = [FIRST, overlay, ...copies, ...foldersIn(known, folder)];
  for (const path of usual) {
    const absolute = join(folder, path);
    const isOwn = isInLayers(known, absolute);
    if (isOwn && !isInLayers(others, absolute)) return path;
  }
  const isBase = isFirst(wish) && isInLayers(known, join(folder, FIRST));
  if (isBase && !isSeparate) return FIRST;
  let fresh = others.length === 0 ? [FIRST, overlay] : [overlay, `${name}/`];
  if (isSeparate) fresh = copies;
  const taken = [...known, ...others].map(layerPath);
  for (const path of fresh) {
    // A new folder must not share a file with any layer.
    const layer = layerPath({ path, base: folder });
    const isTaken = taken.some(
      (other) =>
        other === layer || isInside(other, layer) || isInside(layer, other),
    );
    if (!isTaken) return path;
  }
  return failUsage(
    'Another server reads all that a pull would write here.',
    'Name another folder with --out.',
  );
}

/** Whether a project lists the server first. */
function isFirst({ pulled, project }: LayersWish): boolean {
  const first = project?.project.servers[0];
  return pulled.isListed && first?.name === pulled.server.name;
}

/** The layers that are folders below another one, the last first. */
function foldersIn(layers: readonly NamedFile[], folder: string): string[] {
  const paths: string[] = [];
  for (const { path, base } of layers) {
    const absolute = resolve(base, path);
    const isFile = path.includes('*') || /\.ya?ml$/i.test(path);
    if (isFile || !isInside(folder, absolute)) continue;
    paths.unshift(`${shownPath(absolute, folder)}/`);
  }
  return paths;
}

/** True if layers take in the files of a folder. */
function isInLayers(layers: readonly NamedFile[], folder: string): boolean {
  const file = layerPath({ path: 'a.yaml', base: folder });
  return layers.some((layer) => takesIn(layerPath(layer), file));
}

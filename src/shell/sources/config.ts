import { basename, dirname, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pMap from 'p-map';
import { joinFiles } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { sourceText } from '../../core/config/hidden.ts';
import {
  type ListedLayer,
  overlappingLayers,
} from '../../core/config/layers.ts';
import { parseFile, type WrittenFile } from '../../core/config/read-file.ts';
import type { Unread } from '../../core/config/resolve.ts';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../../core/findings/diagnostic.ts';
import type { Place, SourceFile } from '../../core/model/place.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import { fail } from '../failure.ts';
import { isInside, realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import {
  configRoot,
  type FileSource,
  PROJECT_FILE,
  shownPath,
  unreadable,
  WORK_TREE,
} from './files.ts';

/**
 * A file as it was named, or a layer of configuration: a file, a folder or
 * `folder/*.yaml`.
 */
export interface NamedFile {
  /** Relative to `base`. */
  readonly path: string;
  readonly base: string;
  /** The folder that it must be in, if YAML names it. */
  readonly root?: string | undefined;
  /** Where YAML names it. */
  readonly place?: Place | undefined;
  /** Whether it is a folder that need not have a file yet. */
  readonly mayBeEmpty?: boolean | undefined;
}

/**
 * Names files of the command line as layers. Fails if two of them share files.
 */
export async function layersOfFlags(
  run: Run,
  files: readonly string[],
  source: FileSource = WORK_TREE,
): Promise<NamedFile[]> {
  const { cwd } = run.runtime;
  const layers = files.map((path) => ({ path, base: cwd }));
  const overlaps = await overlapsOf([layers], source);
  if (overlaps.length > 0) fail(...overlaps);
  return layers;
}

/** Finds layers that share files, given those of each server. */
export async function overlapsOf(
  servers: readonly (readonly NamedFile[])[],
  source: FileSource = WORK_TREE,
): Promise<Diagnostic[]> {
  const listed = new Map<string, Promise<readonly string[] | Unread>>();
  const list = async (layer: NamedFile): Promise<ListedLayer> => {
    const path = layerPath(layer);
    const listing = listed.get(path) ?? listLayer(source, layer);
    listed.set(path, listing);
    const files = await listing;
    const { path: text, place } = layer;
    return { text, path, place, files: 'reason' in files ? [] : files };
  };
  const listing = servers.map((layers) => Promise.all(layers.map(list)));
  return overlappingLayers(await Promise.all(listing));
}

/** Returns the absolute path of a layer, with forward slashes. */
export function layerPath({ path, base }: NamedFile): string {
  return resolve(base, path).split(sep).join('/');
}

/** The most files of one configuration. */
const MOST_FILES = 2_000;

/** A configuration, and the files of its layers. */
export interface ReadConfig extends Checked<WrittenConfig> {
  readonly files: readonly (readonly SourceFile[])[];
}

/** A file, or why it cannot be read. */
type ReadFile = SourceFile | Diagnostic;

/**
 * Makes the reader of layers of configuration, later ones over earlier ones. It
 * finds all that is wrong with all their files. What several configurations
 * share is read once, and the same for all.
 */
export function configReader(
  run: Run,
  source: FileSource = WORK_TREE,
): (layers: readonly NamedFile[]) => Promise<ReadConfig> {
  const joined = new Map<string, ReadConfig>();
  const parsed = new Map<SourceFile, Checked<WrittenFile>>();
  const ownTurn = turnTaker(run);
  const readLayer = layerReader(run, source);
  const parse = async (file: ReadFile): Promise<Checked<WrittenFile>> => {
    if (!('text' in file)) return { diagnostics: [file] };
    if (!parsed.has(file)) await ownTurn();
    run.sources.set(file.path, sourceText(file));
    // Another configuration may have parsed it meanwhile.
    const result = parsed.get(file) ?? parseFile(file);
    parsed.set(file, result);
    return result;
  };
  // The days in a commit were checked when it was made.
  const now = source.ref === undefined ? run.runtime.now() : undefined;
  return async (layers) => {
    const counted = new Set<string>();
    const reading = layers.map((layer) => readLayer(layer, counted));
    const read = await Promise.all(reading);
    const parsing = read.map((files) => pMap(files, parse, { concurrency: 1 }));
    const parts = await Promise.all(parsing);
    // A file that was not read because the run ends has no defect.
    await ownTurn();
    // Findings count with their places: each server reports its own.
    const named = read.map((files) =>
      files.map((file) => ('text' in file ? file.path : file)),
    );
    const key = JSON.stringify(named);
    const config = joined.get(key) ?? {
      ...joinFiles(parts, now),
      files: read.map((files) => files.filter((file) => 'text' in file)),
    };
    joined.set(key, config);
    return config;
  };
}

/**
 * Makes a wait for a turn of the event loop, so that a signal is heard between
 * two pieces of work. It ends an interrupted run.
 */
function turnTaker({ interruption }: Run): () => Promise<void> {
  let turn: Promise<void> = Promise.resolve();
  return async () => {
    turn = turn.then(() => setImmediate());
    await turn;
    interruption.check();
  };
}

/**
 * Makes the reader of the files of a layer, in the order of their paths, or of
 * the reason why there are none. Servers share most files: each is read once.
 * `counted` has the paths of all files of a configuration so far.
 */
export function layerReader(
  run: Run,
  source: FileSource = WORK_TREE,
): (layer: NamedFile, counted: Set<string>) => Promise<readonly ReadFile[]> {
  const known = new Map<string, Promise<ReadFile>>();
  return async (layer, counted) => {
    const { path, base, place } = layer;
    const absolute = resolve(base, path);
    const paths = await listLayer(source, layer);
    if ('reason' in paths) return missingLayer(run, source, layer, paths);
    for (const file of paths) counted.add(file);
    if (counted.size > MOST_FILES) {
      const facts = { of: `files in ${path}`, limit: MOST_FILES };
      return [diagnostic('too-large', facts, place)];
    }
    let { root } = layer;
    // A flag may name a file anywhere, but links in a folder stay inside.
    if (paths[0] !== absolute)
      root ??= await configRoot(await realPath(absolute));
    const read = async (file: string): Promise<ReadFile> => {
      // Files are read at once: a signal is heard between two of them.
      await setImmediate();
      const key = `${root}\0${file}`;
      const opening = known.get(key) ?? readSource(run, source, file, root);
      known.set(key, opening);
      const content = await opening;
      // Each layer that names a file reports it.
      const isPlaced = 'text' in content || content.place !== undefined;
      return isPlaced ? content : { ...content, place };
    };
    return pMap(paths, read, { concurrency: 32 });
  };
}

/** Finds why a layer has no files; nothing if it need not have any. */
function missingLayer(
  run: Run,
  source: FileSource,
  { path, base, place, mayBeEmpty }: NamedFile,
  unread: Unread,
): Diagnostic[] {
  const isAbsent = unread.code === 'ENOENT';
  if (isAbsent && mayBeEmpty) return [];
  const { ref } = source;
  // A layer that is younger than a commit is empty there.
  if (isAbsent && ref !== undefined) {
    return [diagnostic('revision-incomplete', { ref, path })];
  }
  const shown = source.shownPath(resolve(base, path), run.runtime.cwd);
  return [unreadable(shown || '.', unread, place)];
}

/** Lists the files of a layer by their absolute paths, in order. */
async function listLayer(
  source: FileSource,
  { path, base, root }: NamedFile,
): Promise<readonly string[] | Unread> {
  const absolute = resolve(base, path);
  const isPattern = path.includes('*');
  if (isPattern && !/^[^*]*\*[^*/]*$/.test(path)) return COMPLEX;
  const folder = isPattern ? dirname(absolute) : absolute;
  const listed = await source.list(folder, root, !isPattern);
  if ('reason' in listed) return listed;
  const files = listed.filter((file) => takesIn(absolute, file));
  if (files.length > 0) return files.sort();
  return { reason: 'no YAML file is there', code: 'ENOENT' };
}

/**
 * True if a layer takes in a file: itself, or YAML of its folder. A name that
 * begins with a dot is none.
 */
export function takesIn(layer: string, file: string): boolean {
  if (file === layer) return true;
  const [start = '', end] = basename(layer).split('*');
  const folder = end === undefined ? layer : dirname(layer);
  if (!isInside(folder, file) || !isYaml(file)) return false;
  if (end === undefined) return true;
  const path = shownPath(file, folder);
  const isOfPattern =
    path.startsWith(start) && path.slice(start.length).endsWith(end);
  return isOfPattern && !path.includes('/');
}

/** True if one of two layers is the other, or in its folder. */
export function isAround(one: NamedFile, other: NamedFile): boolean {
  const [path, otherPath] = [layerPath(one), layerPath(other)];
  return (
    path === otherPath || isInside(path, otherPath) || isInside(otherPath, path)
  );
}

/** True if a path in a folder is configuration, other than setpoint.yaml. */
export function isYaml(path: string): boolean {
  if (basename(path) === PROJECT_FILE) return false;
  return /^(?!(.*\/)?\.).*\.ya?ml$/is.test(path);
}

const COMPLEX: Unread = {
  reason: 'one * is allowed in a layer, in its last part, for files',
  hint: 'Name a folder to read all YAML files in it and below.',
};

/**
 * Reads one file, or finds why not. A file beyond the limit is not read at all.
 */
export async function readSource(
  run: Run,
  source: FileSource,
  absolute: string,
  root: string | undefined,
): Promise<ReadFile> {
  const path = source.shownPath(absolute, run.runtime.cwd);
  const { most } = YAML_LIMITS.bytes;
  const content = await source.read(run, absolute, { most, root });
  if ('text' in content) return { path, text: content.text };
  if (content.code !== 'EFBIG') return unreadable(path, content);
  const start = { file: path, line: 1, column: 1 };
  const facts = { of: 'bytes in this file', limit: most };
  return diagnostic('too-large', facts, start);
}

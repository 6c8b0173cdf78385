import { basename, dirname, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pMap from 'p-map';
import { joinFiles } from '../../core/config/config.ts';
import { sourceText } from '../../core/config/hidden.ts';
import { overlappingLayers } from '../../core/config/layer-overlap.ts';
import { parseFile } from '../../core/config/read-file.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import type { Place, SourceFile } from '../../core/model/place.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import { fail } from '../failure.ts';
import { realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import {
  configRoot,
  type FileSource,
  PROJECT_FILE,
  shownPath,
  type Unread,
  unreadable,
  WORK_TREE,
} from './files.ts';

/** A file as it was named, or a layer of configuration: a file, a folder or `folder/*.yaml`. */
export interface NamedFile {
  /** Relative to `base`. */
  readonly path: string;
  readonly base: string;
  /** The folder that it must be in, if YAML names it. */
  readonly root?: string;
  /** Where YAML names it. */
  readonly place?: Place;
  /** Whether it is a folder that need not have a file yet. */
  readonly mayBeEmpty?: boolean;
}

/** Names files of the command line as layers. Fails if two of them share files. */
export function layersOfFlags(
  { runtime: { cwd } }: Run,
  files: readonly string[],
): NamedFile[] {
  const layers = files.map((path) => ({ path, base: cwd }));
  const overlaps = overlapsOf([layers]);
  return overlaps.length > 0 ? fail(...overlaps) : layers;
}

/** Finds layers that share files, given those of each server. */
export function overlapsOf(
  servers: readonly (readonly NamedFile[])[],
): Diagnostic[] {
  const named = servers.map((layers) =>
    layers.map((layer) => ({
      text: layer.path,
      path: layerPath(layer),
      place: layer.place,
    })),
  );
  return overlappingLayers(named);
}

/** The absolute path of a layer, with forward slashes. */
export function layerPath({ path, base }: NamedFile): string {
  return resolve(base, path).split(sep).join('/');
}

/** The most files of one configuration. */
const MOST_FILES = 2_000;

/** A configuration, and the files of its layers. */
type ReadConfig = ReturnType<typeof joinFiles> & {
  readonly files: readonly (readonly SourceFile[])[];
};

/** The readings of files, by the folder that they must be in and by their paths: servers share most of theirs. */
type KnownFiles = Map<string, Promise<SourceFile | Diagnostic>>;

/**
 * Reads and parses layers of configuration, later ones over earlier ones. Finds all that is wrong with all their files. What
 * several configurations share is read once, and the same for all.
 */
export function configReader(
  run: Run,
  source: FileSource = WORK_TREE,
): (layers: readonly NamedFile[]) => Promise<ReadConfig> {
  const known: KnownFiles = new Map();
  const parsed = new Map<SourceFile, ReturnType<typeof parseFile>>();
  const joined = new Map<string, ReadConfig>();
  const state = { turn: Promise.resolve() };
  /** Waits for a turn of the event loop, so that a signal is heard between two pieces of work. Ends an interrupted run. */
  const ownTurn = async () => {
    state.turn = state.turn.then(() => setImmediate());
    await state.turn;
    run.interruption.check();
  };
  const parse = async (file: SourceFile | Diagnostic) => {
    if ('code' in file) return { diagnostics: [file] };
    if (!parsed.has(file)) await ownTurn();
    run.sources.set(file.path, sourceText(file));
    // Another configuration may have parsed it meanwhile.
    const made = parsed.get(file) ?? parseFile(file);
    parsed.set(file, made);
    return made;
  };
  return async (layers) => {
    const counted = new Set<string>();
    const read = await Promise.all(
      layers.map((layer) => readLayer(run, source, layer, counted, known)),
    );
    const all = await Promise.all(
      read.map((layer) => pMap(layer, parse, { concurrency: 1 })),
    );
    // A file that was not read because the run ends has no defect.
    await ownTurn();
    // Findings are in the key with their places, so that each server reports its own.
    const key = JSON.stringify(
      read.map((layer) =>
        layer.map((each) => ('text' in each ? each.path : each)),
      ),
    );
    const files = read.map((layer) =>
      layer.flatMap((each) => ('text' in each ? [each] : [])),
    );
    const config = joined.get(key) ?? { ...joinFiles(all), files };
    joined.set(key, config);
    return config;
  };
}

/** Reads the files of a layer as they are, or why they cannot be read. */
export function readFiles(
  run: Run,
  layer: NamedFile,
): Promise<readonly (SourceFile | Diagnostic)[]> {
  return readLayer(run, WORK_TREE, layer, new Set(), new Map());
}

/** Reads the files of a layer in the order of their paths, or finds why not, unless too many were counted by then. */
async function readLayer(
  run: Run,
  source: FileSource,
  layer: NamedFile,
  counted: Set<string>,
  known: KnownFiles,
): Promise<readonly (SourceFile | Diagnostic)[]> {
  const { path, base, place } = layer;
  const found = await filesOf(source, layer);
  const { ref } = source;
  if ('reason' in found) {
    if (layer.mayBeEmpty && found.code === 'ENOENT') return [];
    // A layer that is younger than a commit is empty there.
    if (ref !== undefined && found.code === 'ENOENT')
      return [diagnostic('revision-incomplete', { ref, path })];
    const shown = source.shownPath(resolve(base, path), run.runtime.cwd) || '.';
    return [unreadable(shown, found, place)];
  }
  for (const each of found.paths) counted.add(each);
  if (counted.size > MOST_FILES)
    return [
      diagnostic(
        'too-large',
        { of: `files in ${path}`, limit: MOST_FILES },
        place,
      ),
    ];
  const readOne = async (each: string) => {
    // Files are read at once: a signal is heard between two of them.
    await setImmediate();
    const key = `${found.root}\0${each}`;
    const reading = known.get(key) ?? readSource(run, source, each, found.root);
    known.set(key, reading);
    const file = await reading;
    // Each layer that names a file reports it.
    return 'text' in file || place === undefined ? file : { place, ...file };
  };
  return pMap(found.paths, readOne, { concurrency: 32 });
}

/** The absolute paths of a layer's files, and the folder that they must be in. */
async function filesOf(
  source: FileSource,
  { path, base, root }: NamedFile,
): Promise<
  | { readonly paths: readonly string[]; readonly root: string | undefined }
  | Unread
> {
  const absolute = resolve(base, path);
  const isPattern = path.includes('*');
  if (isPattern && !/^[^*]*\*[^*/]*$/.test(path)) return COMPLEX;
  const folder = isPattern ? dirname(absolute) : absolute;
  const listed = await source.list(folder, root, !isPattern);
  if ('reason' in listed) return listed;
  if (listed[0] === absolute) return { paths: listed, root };
  const [start = '', end = ''] = (isPattern ? basename(path) : '').split('*');
  const isMeant = (name: string) =>
    name.startsWith(start) && name.slice(start.length).endsWith(end);
  const paths = listed
    .filter(
      (each) => isYaml(shownPath(each, folder)) && isMeant(basename(each)),
    )
    .sort();
  if (paths.length === 0)
    return { reason: 'no YAML file is there', code: 'ENOENT' };
  return { paths, root: root ?? (await configRoot(await realPath(folder))) };
}

/** Whether a path in a folder is configuration. A name that begins with a dot is none. */
function isYaml(path: string): boolean {
  return (
    /^(?!(.*\/)?\.).*\.ya?ml$/is.test(path) && basename(path) !== PROJECT_FILE
  );
}

const COMPLEX: Unread = {
  reason: 'one * is allowed in a layer, in its last part',
  hint: 'Name a folder to read all YAML files in it and below.',
};

/** Reads one file, or finds why not. A file beyond the limit is not read at all. */
export async function readSource(
  run: Run,
  source: FileSource,
  absolute: string,
  root: string | undefined,
  place?: Place,
): Promise<SourceFile | Diagnostic> {
  const path = source.shownPath(absolute, run.runtime.cwd);
  const most = YAML_LIMITS.bytes.most;
  const mayBePipe = root === undefined;
  const content = await source.read(run, absolute, { most, root, mayBePipe });
  if ('text' in content) return { path, text: content.text };
  if (content.code !== 'EFBIG') return unreadable(path, content, place);
  const start = { file: path, line: 1, column: 1 };
  return diagnostic(
    'too-large',
    { of: 'bytes in this file', limit: most },
    start,
  );
}

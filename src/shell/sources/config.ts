import { basename, dirname, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pMap from 'p-map';
import { joinFiles } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { sourceText } from '../../core/config/hidden.ts';
import { overlappingLayers } from '../../core/config/layer-overlap.ts';
import { parseFile, type WrittenFile } from '../../core/config/read-file.ts';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../../core/findings/diagnostic.ts';
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
export function layersOfFlags(run: Run, files: readonly string[]): NamedFile[] {
  const { cwd } = run.runtime;
  const layers = files.map((path) => ({ path, base: cwd }));
  const overlaps = overlapsOf([layers]);
  if (overlaps.length > 0) fail(...overlaps);
  return layers;
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
 * The readings of files, by the folder that they must be in and by their paths:
 * servers share most of theirs.
 */
type KnownFiles = Map<string, Promise<ReadFile>>;

/**
 * Makes the reader of layers of configuration, later ones over earlier ones. It
 * finds all that is wrong with all their files. What several configurations
 * share is read once, and the same for all.
 */
export function configReader(
  run: Run,
  source: FileSource = WORK_TREE,
): (layers: readonly NamedFile[]) => Promise<ReadConfig> {
  const known: KnownFiles = new Map();
  const joined = new Map<string, ReadConfig>();
  const ownTurn = turnTaker(run);
  const parse = fileParser(run, ownTurn);
  // What a commit says was read when it was made.
  const now = source.ref === undefined ? run.runtime.now() : undefined;
  return async (layers) => {
    const counted = new Set<string>();
    const reading = layers.map((layer) =>
      readLayer(run, { source, layer, counted, known }),
    );
    const read = await Promise.all(reading);
    const parsing = read.map((files) => pMap(files, parse, { concurrency: 1 }));
    const parsed = await Promise.all(parsing);
    // A file that was not read because the run ends has no defect.
    await ownTurn();
    const key = keyOf(read);
    const config = joined.get(key) ?? {
      ...joinFiles(parsed, now),
      files: read.map(sourceFilesIn),
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

type ParsedFile = Checked<WrittenFile>;

/** Makes the parser of files, each once. */
function fileParser(
  run: Run,
  ownTurn: () => Promise<void>,
): (file: ReadFile) => Promise<ParsedFile> {
  const parsed = new Map<SourceFile, ParsedFile>();
  return async (file) => {
    if ('code' in file) return { diagnostics: [file] };
    if (!parsed.has(file)) await ownTurn();
    run.sources.set(file.path, sourceText(file));
    // Another configuration may have parsed it meanwhile.
    const result = parsed.get(file) ?? parseFile(file);
    parsed.set(file, result);
    return result;
  };
}

/**
 * Tells configurations apart, by their findings with their places too: each
 * server reports its own.
 */
function keyOf(layers: readonly (readonly ReadFile[])[]): string {
  const named = layers.map((files) =>
    files.map((file) => ('text' in file ? file.path : file)),
  );
  return JSON.stringify(named);
}

function sourceFilesIn(files: readonly ReadFile[]): SourceFile[] {
  const sources: SourceFile[] = [];
  for (const file of files) {
    if ('text' in file) sources.push(file);
  }
  return sources;
}

/** Reads the files of a layer as they are, or why they cannot be read. */
export function readFiles(
  run: Run,
  layer: NamedFile,
): Promise<readonly ReadFile[]> {
  const reading = {
    source: WORK_TREE,
    layer,
    counted: new Set<string>(),
    known: new Map(),
  };
  return readLayer(run, reading);
}

interface LayerReading {
  readonly source: FileSource;
  readonly layer: NamedFile;
  /** The paths of all files of the configuration so far. */
  readonly counted: Set<string>;
  readonly known: KnownFiles;
}

/**
 * Reads the files of a layer in the order of their paths, or finds why not,
 * unless too many were counted by then.
 */
async function readLayer(
  run: Run,
  reading: LayerReading,
): Promise<readonly ReadFile[]> {
  const { source, layer, counted, known } = reading;
  const { path, place } = layer;
  const files = await filesOf(source, layer);
  if ('reason' in files) return missingLayer(run, source, layer, files);
  const { paths, root } = files;
  for (const file of paths) counted.add(file);
  if (counted.size > MOST_FILES) {
    const facts = { of: `files in ${path}`, limit: MOST_FILES };
    return [diagnostic('too-large', facts, place)];
  }
  const read = async (absolute: string): Promise<ReadFile> => {
    // Files are read at once: a signal is heard between two of them.
    await setImmediate();
    const key = `${root}\0${absolute}`;
    const opening = known.get(key) ?? readSource(run, source, absolute, root);
    known.set(key, opening);
    const file = await opening;
    // Each layer that names a file reports it.
    const isPlaced = 'text' in file || file.place !== undefined;
    return isPlaced ? file : { ...file, place };
  };
  return pMap(paths, read, { concurrency: 32 });
}

/** Finds why a layer has no files; nothing if it need not have any. */
function missingLayer(
  run: Run,
  source: FileSource,
  layer: NamedFile,
  unread: Unread,
): Diagnostic[] {
  const { path, base, place } = layer;
  const isAbsent = unread.code === 'ENOENT';
  if (isAbsent && layer.mayBeEmpty) return [];
  const { ref } = source;
  // A layer that is younger than a commit is empty there.
  if (isAbsent && ref !== undefined) {
    return [diagnostic('revision-incomplete', { ref, path })];
  }
  const shown = source.shownPath(resolve(base, path), run.runtime.cwd);
  return [unreadable(shown || '.', unread, place)];
}

/**
 * The absolute paths of a layer's files, and the folder that they must be in.
 */
interface LayerFiles {
  readonly paths: readonly string[];
  readonly root: string | undefined;
}

async function filesOf(
  source: FileSource,
  { path, base, root }: NamedFile,
): Promise<LayerFiles | Unread> {
  const absolute = resolve(base, path);
  const isPattern = path.includes('*');
  if (isPattern && !/^[^*]*\*[^*/]*$/.test(path)) return COMPLEX;
  const folder = isPattern ? dirname(absolute) : absolute;
  const listed = await source.list(folder, root, !isPattern);
  if ('reason' in listed) return listed;
  if (listed[0] === absolute) return { paths: listed, root };
  const pattern = isPattern ? basename(path) : '*';
  const paths = listed.filter(
    (file) => isYaml(shownPath(file, folder)) && fits(basename(file), pattern),
  );
  if (paths.length === 0) {
    return { reason: 'no YAML file is there', code: 'ENOENT' };
  }
  const ownRoot = root ?? (await configRoot(await realPath(folder)));
  return { paths: paths.sort(), root: ownRoot };
}

/** True for a name that a pattern with one `*` means. */
function fits(name: string, pattern: string): boolean {
  const [start = '', end = ''] = pattern.split('*');
  return name.startsWith(start) && name.slice(start.length).endsWith(end);
}

/**
 * True if a path in a folder is configuration. A name that begins with a dot is
 * none.
 */
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
  const mayBePipe = root === undefined;
  const content = await source.read(run, absolute, { most, root, mayBePipe });
  if ('text' in content) return { path, text: content.text };
  if (content.code !== 'EFBIG') return unreadable(path, content);
  const start = { file: path, line: 1, column: 1 };
  const facts = { of: 'bytes in this file', limit: most };
  return diagnostic('too-large', facts, start);
}

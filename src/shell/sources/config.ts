import { basename, relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { joinFiles } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { sourceText } from '../../core/config/hidden.ts';
import { overlappingLayers } from '../../core/config/layers.ts';
import { parseFile, type WrittenFile } from '../../core/config/parse-file.ts';
import type { Unread } from '../../core/config/resolve.ts';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../../core/findings/diagnostic.ts';
import type { Place, SourceFile } from '../../core/model/place.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import { fail, failUsage } from '../failure.ts';
import { isInside, realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import {
  configRoot,
  type FileSource,
  PROJECT_FILE,
  unreadable,
  WORK_TREE,
} from './files.ts';

/** A file as it was named, or a layer of configuration: a file or a folder. */
export interface NamedFile {
  /** Relative to `base`. */
  path: string;
  base: string;
  /** The folder that it must be in, if YAML names it. */
  root?: string | undefined;
  /** Where YAML names it. */
  place?: Place | undefined;
  /** Whether it is a folder that need not have a file yet. */
  mayBeEmpty?: boolean | undefined;
}

/**
 * Names files of the command line as layers. Fails if two of them share files,
 * or if one is setpoint.yaml, which is found by itself.
 */
export function layersOfFlags(run: Run, files: readonly string[]): NamedFile[] {
  const { cwd } = run.runtime;
  if (files.some((path) => basename(path) === PROJECT_FILE)) {
    failUsage(
      'setpoint.yaml names files and servers; it is no configuration itself.',
      'Leave it out: setpoint finds it in this folder, or in one above.',
    );
  }
  const layers = files.map((path) => ({ path, base: cwd }));
  const overlaps = overlapsOf([layers]);
  if (overlaps.length > 0) fail(...overlaps);
  return layers;
}

/** Finds layers that share files, given those of each server. */
export function overlapsOf(
  servers: readonly (readonly NamedFile[])[],
): Diagnostic[] {
  return overlappingLayers(
    servers.map((layers) =>
      layers.map((layer) => {
        const { path: text, place } = layer;
        return { text, path: layerPath(layer), place };
      }),
    ),
  );
}

/** Returns the absolute path of a layer, with forward slashes. */
export function layerPath({ path, base }: NamedFile): string {
  return resolve(base, path).split(sep).join('/');
}

/** The most files of a layer. */
const MOST_FILES = 2_000;

/** A configuration, and the files of its layers. */
export interface ReadConfig extends Checked<WrittenConfig> {
  files: readonly (readonly SourceFile[])[];
}

/** A file, or why it cannot be read. */
type LayerFile = SourceFile | Diagnostic;

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
  const parsed = new Map<LayerFile, Promise<Checked<WrittenFile>>>();
  const readLayer = layerReader(run, source);
  const parse = async (file: LayerFile): Promise<Checked<WrittenFile>> => {
    // A signal is heard between two files. One that was not read because the
    // run ends has no defect.
    await setImmediate();
    run.interruption.check();
    if (!('text' in file)) return { diagnostics: [file] };
    run.sources.set(file.path, sourceText(file));
    return parseFile(file);
  };
  // The days in a commit were checked when it was made.
  const now = source.ref === undefined ? run.runtime.now() : undefined;
  return async (layers) => {
    const read: (readonly LayerFile[])[] = [];
    const parts: (readonly Checked<WrittenFile>[])[] = [];
    for (const layer of layers) {
      const files = await readLayer(layer);
      const checked: Checked<WrittenFile>[] = [];
      for (const file of files) {
        const parsing = parsed.get(file) ?? parse(file);
        parsed.set(file, parsing);
        checked.push(await parsing);
      }
      read.push(files);
      parts.push(checked);
    }
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
 * Makes the reader of the files of a layer, in the order of their paths, or of
 * the reason why there are none. Servers share most files: each is read once.
 */
export function layerReader(
  run: Run,
  source: FileSource = WORK_TREE,
): (layer: NamedFile) => Promise<readonly LayerFile[]> {
  const known = new Map<string, Promise<LayerFile>>();
  return async (layer) => {
    const { path, base, place } = layer;
    const absolute = resolve(base, path);
    const paths = await listLayer(source, layer);
    if ('reason' in paths) return missingLayer(run, source, layer, paths);
    if (paths.length > MOST_FILES) {
      const facts = { of: `files in ${path}`, limit: MOST_FILES };
      return [diagnostic('too-large', facts, place)];
    }
    let { root } = layer;
    // A flag may name a file anywhere, but links in a folder stay inside.
    if (paths[0] !== absolute) {
      root ??= configRoot(realPath(absolute));
    }
    const read = async (file: string): Promise<LayerFile> => {
      const key = `${root}\0${file}`;
      const opening = known.get(key) ?? readSource(run, source, file, root);
      known.set(key, opening);
      const content = await opening;
      // Each layer that names a file reports it.
      const isPlaced = 'text' in content || content.place !== undefined;
      return isPlaced ? content : { ...content, place };
    };
    return Promise.all(paths.map(read));
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
  const listed = await source.list(absolute, root);
  if ('reason' in listed) return listed;
  const files = listed.filter((file) => takesIn(absolute, file));
  if (files.length > 0) return files.sort();
  return { reason: 'no YAML file is there', code: 'ENOENT' };
}

/** True if a layer takes in a file: itself, or YAML of its folder. */
export function takesIn(layer: string, file: string): boolean {
  if (file === layer) return true;
  return isInside(layer, file) && isYaml(relative(layer, file));
}

/** True if one of two layers is the other, or in its folder. */
export function isAround(one: NamedFile, other: NamedFile): boolean {
  const [path, otherPath] = [layerPath(one), layerPath(other)];
  return (
    path === otherPath || isInside(path, otherPath) || isInside(otherPath, path)
  );
}

/**
 * True if a path in a folder is configuration, other than setpoint.yaml. No
 * name in it begins with a dot.
 */
export function isYaml(path: string): boolean {
  if (basename(path) === PROJECT_FILE) return false;
  return /^(?!(.*[\\/])?\.).*\.ya?ml$/is.test(path);
}

/** Reads one file, or finds why not. */
export async function readSource(
  run: Run,
  source: FileSource,
  absolute: string,
  root: string | undefined,
): Promise<LayerFile> {
  const path = source.shownPath(absolute, run.runtime.cwd);
  const { most } = YAML_LIMITS.bytes;
  const content = await source.read(run, absolute, { most, root });
  if ('reason' in content) return unreadable(path, content);
  return { path, text: content.text };
}

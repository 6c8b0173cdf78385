import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pMap from 'p-map';
import { joinFiles, parseFile } from '../../core/config/config.ts';
import type { WrittenLayers } from '../../core/config/layers.ts';
import type { LinkedConfig } from '../../core/config/link.ts';
import { type Checked, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { Place } from '../../core/model/place.ts';
import { present } from '../../core/model/present.ts';
import { YAML_LIMITS } from '../../core/yaml/document.ts';
import type { SourceFile } from '../../core/yaml/tree.ts';
import { fail, findingsOf } from '../failure.ts';
import type { Run } from '../run.ts';
import type { FileSource } from './files.ts';
import { systemUnread, type Unread, unreadable, utf8 } from './regular-file.ts';
import { WORK_TREE } from './work-tree.ts';

/** A file as it was named, or a layer of configuration: a file, a folder or `folder/*.yaml`. */
export interface NamedFile {
  /** Relative to `base`. */
  readonly path: string;
  readonly base: string;
  /** What it must be in, if YAML names it. */
  readonly root?: string;
  /** Where YAML names it. */
  readonly place?: Place;
}

/** The most files of configuration that one run reads. */
const MOST_FILES = 2_000;

const CONCURRENCY = 32;

/** A configuration, with the files that it was read from and what they declare, layer by layer, where they are whole. */
interface ReadConfig extends Checked<LinkedConfig> {
  readonly files: readonly (readonly SourceFile[])[];
  readonly written?: WrittenLayers;
}

/** Reads and parses layers of configuration, later ones over earlier ones. Finds all that is wrong with all their files. */
export async function readConfig(
  run: Run,
  layers: readonly NamedFile[],
  source: FileSource = WORK_TREE,
): Promise<ReadConfig> {
  const read = await Promise.all(layers.map((layer) => readLayer(run, source, layer)));
  // What was not read for the end of the run is no defect of a file.
  run.interruption.check();
  const files = read.map(({ value = [] }) => value);
  const unread = read.flatMap(({ diagnostics }) => diagnostics);
  const parsed = await pMap(files, (layer) => pMap(layer, (file) => parsedAlone(run, file), ONE), ONE);
  const { value, written, diagnostics, hidden } = joinFiles(parsed, hasErrors(unread));
  for (const { path, text } of files.flat()) run.sources.set(path, { text, hidden: hidden.get(path) });
  return { ...present({ value, written }), diagnostics: [...unread, ...diagnostics], files };
}

const ONE = { concurrency: 1 } as const;

/** Parses one file. Before it a signal has its turn: with many files it must not wait for all of them. */
async function parsedAlone({ interruption }: Run, file: SourceFile) {
  await setImmediate();
  interruption.check();
  return parseFile(file);
}

/** A layer has one file, all YAML files in a folder and below it, or those that a pattern finds, in the order of their paths. */
async function readLayer(
  run: Run,
  source: FileSource,
  layer: NamedFile,
): Promise<Checked<readonly SourceFile[]>> {
  const checked = (thrown: unknown) => ({
    diagnostics: findingsOf(thrown).map((each) => ({ ...present({ place: layer.place }), ...each })),
  });
  try {
    const { paths, root } = await filesOf(run, source, layer);
    countFiles(run, paths, layer.path);
    const read = await pMap(
      paths,
      (path): Promise<Checked<SourceFile>> =>
        readSource(run, path, { root, source }).then((value) => ({ value, diagnostics: [] }), checked),
      { concurrency: CONCURRENCY },
    );
    const { ref } = source;
    return {
      value: read.flatMap(({ value }) => value ?? []),
      diagnostics: [
        ...read.flatMap(({ diagnostics }) => diagnostics),
        ...(ref !== undefined && paths.length === 0
          ? [diagnostic('revision-incomplete', { ref, path: layer.path })]
          : []),
      ],
    };
  } catch (thrown) {
    return checked(thrown);
  }
}

function countFiles({ configFiles }: Run, paths: readonly string[], layer: string): void {
  for (const path of paths) configFiles.add(path);
  if (configFiles.size > MOST_FILES)
    fail(diagnostic('too-large', { of: `files in ${layer}`, limit: MOST_FILES }));
}

/** The absolute paths of the files of a layer, and the folder that they must be in. Fails if there is none. */
async function filesOf(
  run: Run,
  source: FileSource,
  { path, base, root }: NamedFile,
): Promise<{ readonly paths: readonly string[]; readonly root: string | undefined }> {
  const absolute = resolve(base, path);
  const refuse = (unread: Unread) =>
    fail(unreadable(source.shownPath(absolute, run.runtime.cwd) || '.', unread));
  const found = await source.kindOf(absolute);
  if (found === 'file') return { paths: [absolute], root };
  const isFolder = found === 'folder';
  if (!isFolder && !path.includes('*')) return isYounger(source, found) ? NOTHING : refuse(found);
  const folder = isFolder ? absolute : dirname(absolute);
  const [start = '', end = '', ...more] = isFolder ? [] : basename(absolute).split('*');
  if (!isFolder && (more.length > 0 || dirname(path).includes('*'))) return refuse(COMPLEX);
  const confines = root ?? (await source.rootOf(folder));
  const listed = await source.yamlIn(folder, confines, isFolder).catch(systemUnread);
  if ('reason' in listed) return refuse(listed);
  const names = listed.filter((name) => name.startsWith(start) && name.slice(start.length).endsWith(end));
  if (names.length === 0) return isYounger(source, NO_FILE) ? NOTHING : refuse(NO_FILE);
  return { paths: names.sort().map((name) => join(folder, name)), root: confines };
}

const NOTHING = { paths: [], root: undefined };

const NO_FILE: Unread = { reason: 'no YAML file is there', code: 'ENOENT' };

const COMPLEX: Unread = {
  reason: 'one * is allowed in a layer, in its last part',
  hint: 'Name a folder to read all YAML files in it and below.',
};

/** Whether a layer is not there because it is younger than a commit. */
function isYounger({ ref }: FileSource, { code }: Unread): boolean {
  return ref !== undefined && code === 'ENOENT';
}

/** Reads one file as UTF-8; a byte order mark is dropped. Files beyond the limit are not read at all. */
export async function readSource(
  run: Run,
  absolute: string,
  { root, source = WORK_TREE }: { readonly root?: string | undefined; readonly source?: FileSource },
): Promise<SourceFile> {
  const path = source.shownPath(absolute, run.runtime.cwd);
  const start = { file: path, line: 1, column: 1 };
  const content = await source.read(run, absolute, { most: YAML_LIMITS.bytes, root });
  if ('bytes' in content)
    return {
      path,
      text:
        utf8(content.bytes) ??
        fail(diagnostic('yaml-syntax', { problem: 'The file is not UTF-8 text.' }, start)),
    };
  return content.size === undefined
    ? fail(unreadable(path, content))
    : fail(diagnostic('too-large', { of: 'bytes in this file', limit: YAML_LIMITS.bytes }, start));
}

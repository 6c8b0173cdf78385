import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pMap from 'p-map';
import { joinFiles } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { sourceText } from '../../core/config/hidden.ts';
import type { WrittenLayers } from '../../core/config/layers.ts';
import { parseFile } from '../../core/config/read-file.ts';
import { type Checked, type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { present } from '../../core/model/json.ts';
import type { Place, SourceFile } from '../../core/model/place.ts';
import { YAML_LIMITS } from '../../core/yaml/compose.ts';
import type { Run } from '../run.ts';
import { type FileSource, type Unread, unreadable, utf8, WORK_TREE } from './files.ts';

/** A file as it was named, or a layer of configuration: a file, a folder or `folder/*.yaml`. */
export interface NamedFile {
  /** Relative to `base`. */
  readonly path: string;
  readonly base: string;
  /** The folder that it must be in, if YAML names it. */
  readonly root?: string;
  /** Where YAML names it. */
  readonly place?: Place;
}

/** The most files of one configuration. */
const MOST_FILES = 2_000;

const CONCURRENCY = { concurrency: 32 } as const;

/** A configuration, with its files and what they declare, layer by layer. */
interface ReadConfig extends Checked<WrittenConfig> {
  readonly files: readonly (readonly SourceFile[])[];
  readonly written?: WrittenLayers;
}

/** Reads and parses layers of configuration, later ones over earlier ones. Finds all that is wrong with all their files. */
export async function readConfig(
  run: Run,
  layers: readonly NamedFile[],
  source: FileSource = WORK_TREE,
): Promise<ReadConfig> {
  const counted = new Set<string>();
  const read = await Promise.all(layers.map((layer) => readLayer(run, source, layer, counted)));
  // A file that was not read because the run ends has no defect.
  run.interruption.check();
  const files = read.map(({ value = [] }) => value);
  const unread = read.flatMap(({ diagnostics }) => diagnostics);
  const parsed: ReturnType<typeof parseFile>[][] = [];
  for (const layer of files) {
    const done: ReturnType<typeof parseFile>[] = [];
    for (const file of layer) {
      // With many files a signal must not wait for all of them.
      await setImmediate();
      run.interruption.check();
      done.push(parseFile(file));
    }
    parsed.push(done);
  }
  const { value, written, diagnostics } = joinFiles(parsed, hasErrors(unread));
  for (const file of files.flat()) run.sources.set(file.path, sourceText(file));
  return { ...present({ value, written }), diagnostics: [...unread, ...diagnostics], files };
}

/** Reads the files of a layer in the order of their paths, unless too many were counted by then. */
async function readLayer(
  run: Run,
  source: FileSource,
  layer: NamedFile,
  counted: Set<string>,
): Promise<Checked<readonly SourceFile[]>> {
  const { path, base, place } = layer;
  const found = await filesOf(source, layer);
  const { ref } = source;
  // A layer that is younger than a commit is empty there.
  if ('reason' in found && ref !== undefined && found.code === 'ENOENT')
    return { diagnostics: [diagnostic('revision-incomplete', { ref, path })] };
  const shown = source.shownPath(resolve(base, path), run.runtime.cwd) || '.';
  if ('reason' in found) return { diagnostics: [unreadable(shown, found, place)] };
  for (const each of found.paths) counted.add(each);
  if (counted.size > MOST_FILES)
    return { diagnostics: [diagnostic('too-large', { of: `files in ${path}`, limit: MOST_FILES }, place)] };
  const readOne = (each: string) => readSource(run, source, each, found.root, place);
  const read = await pMap(found.paths, readOne, CONCURRENCY);
  return {
    value: read.flatMap(({ value }) => value ?? []),
    diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** The absolute paths of a layer's files, and the folder that they must be in. */
async function filesOf(
  source: FileSource,
  { path, base, root }: NamedFile,
): Promise<{ readonly paths: readonly string[]; readonly root: string | undefined } | Unread> {
  const absolute = resolve(base, path);
  const kind = await source.kindOf(absolute);
  if (kind === 'file') return { paths: [absolute], root };
  const isFolder = kind === 'folder';
  if (!isFolder && !path.includes('*')) return kind;
  const [start = '', end = '', ...more] = isFolder ? [] : basename(absolute).split('*');
  if (!isFolder && (more.length > 0 || dirname(path).includes('*'))) return COMPLEX;
  const folder = isFolder ? absolute : dirname(absolute);
  const confines = root ?? (await source.rootOf(folder));
  const listed = await source.yamlIn(folder, confines, isFolder);
  if ('reason' in listed) return listed;
  const names = listed.filter((name) => name.startsWith(start) && name.slice(start.length).endsWith(end));
  if (names.length === 0) return { reason: 'no YAML file is there', code: 'ENOENT' };
  return { paths: [...names].sort().map((name) => join(folder, name)), root: confines };
}

const COMPLEX: Unread = {
  reason: 'one * is allowed in a layer, in its last part',
  hint: 'Name a folder to read all YAML files in it and below.',
};

/** Reads one file as UTF-8; a byte order mark is dropped. A file beyond the limit is not read at all. */
export async function readSource(
  run: Run,
  source: FileSource,
  absolute: string,
  root: string | undefined,
  place?: Place,
): Promise<Checked<SourceFile>> {
  const path = source.shownPath(absolute, run.runtime.cwd);
  const content = await source.read(run, absolute, { most: YAML_LIMITS.bytes, root });
  const start = { file: path, line: 1, column: 1 };
  const wrong = (found: Diagnostic) => ({ diagnostics: [found] });
  if ('reason' in content && content.code === 'EFBIG')
    return wrong(diagnostic('too-large', { of: 'bytes in this file', limit: YAML_LIMITS.bytes }, start));
  if ('reason' in content) return wrong(unreadable(path, content, place));
  const text = utf8(content.bytes);
  return text === undefined
    ? wrong(diagnostic('yaml-syntax', { problem: 'The file is not UTF-8 text.' }, start))
    : { value: { path, text }, diagnostics: [] };
}

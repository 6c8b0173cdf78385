import type { readdir, realpath, stat } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import pMap from 'p-map';
import { joinFiles, parseFile } from '../../core/config/config.ts';
import type { WrittenLayers } from '../../core/config/layers.ts';
import type { LinkedConfig } from '../../core/config/link.ts';
import { PROJECT_FILE } from '../../core/config/project.ts';
import { type Checked, compareText, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { literalStart } from '../../core/model/glob.ts';
import type { Place } from '../../core/model/place.ts';
import { present } from '../../core/model/present.ts';
import { YAML_LIMITS } from '../../core/yaml/document.ts';
import type { SourceFile } from '../../core/yaml/tree.ts';
import { fail, findingsOf } from '../failure.ts';
import { isInside } from '../report-target.ts';
import type { Run } from '../run.ts';
import type { Entry, FileSource } from './files.ts';
import { OUTSIDE, type Unread, unreadable, utf8 } from './regular-file.ts';
import { counted, stepwise } from './ways.ts';
import { WORK_TREE } from './work-tree.ts';

/** A file as it was named, or a layer of configuration: a file, a folder or a glob. */
export interface NamedFile {
  /** Relative to `base`. */
  readonly path: string;
  readonly base: string;
  /** What it must be in, if YAML names it. */
  readonly root?: string;
  /** Where YAML names it. */
  readonly place?: Place;
}

/** The most files of configuration that one run reads, and the most folders in each other and names that a layer has. */
const LIMITS = { files: 2_000, depth: 32, entries: 100_000 } as const;

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

/** A layer has one file, all YAML files in a folder and below it, or what a glob finds, in the order of their paths. */
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
    const lacks = ref !== undefined && paths.length === 0;
    return {
      value: read.flatMap(({ value }) => value ?? []),
      diagnostics: [
        ...read.flatMap(({ diagnostics }) => diagnostics),
        ...(lacks ? [diagnostic('revision-empty', { ref, path: layer.path })] : []),
      ],
    };
  } catch (thrown) {
    return checked(thrown);
  }
}

function countFiles({ configFiles }: Run, paths: readonly string[], layer: string): void {
  for (const path of paths) configFiles.add(path);
  if (configFiles.size > LIMITS.files)
    fail(diagnostic('too-large', { of: 'files', path: layer, limit: LIMITS.files }));
}

/** Some systems write extensions in capitals. */
const ALL_YAML = '**/*.{[yY][aA][mM][lL],[yY][mM][lL]}';

/** The absolute paths of the files of a layer, and the folder that they must be in; fails where there is none. */
async function filesOf(run: Run, source: FileSource, { path, base, root }: NamedFile) {
  const { cwd } = run.runtime;
  const absolute = resolve(base, path);
  const refuse = (unread: Unread, named = absolute) => fail(unreadable(source.shownPath(named, cwd), unread));
  const none = async (unread: Unread) =>
    isYounger(source, unread) ? { paths: await formerPaths(run, source, absolute), root } : refuse(unread);
  const found = await source.kindOf(absolute);
  if (found === 'file') return { paths: [absolute], root };
  const isGlob = found !== 'folder' && (await import('tinyglobby')).isDynamicPattern(path);
  if (found !== 'folder' && !isGlob) return none(found);
  const [pattern, folder] = isGlob ? [path, base] : [ALL_YAML, absolute];
  if (isGlob && isCostly(path)) return refuse({ reason: 'the glob has too many wildcards' });
  // Who names a folder by a flag means what is in it, not what its links lead to.
  const start = isGlob ? resolve(base, dirname(`${literalStart(path)}x`)) : absolute;
  const confines = root ?? (await source.rootOf(await source.realPathOf(start)));
  const { names, refused } = await search(source, pattern, folder, confines);
  if (refused !== undefined) return refuse(refused.unread, refused.folder);
  if (names.length === 0)
    return none({ reason: isGlob ? 'no file matches' : 'there is no *.yaml file in it', code: 'ENOENT' });
  if (names.length > LIMITS.files) fail(diagnostic('too-large', { of: 'files', path, limit: LIMITS.files }));
  const paths = names.map((name) => resolve(folder, name));
  return { paths: await oncePerFile(source, paths), root: confines };
}

/** Whether a layer is not there because it is younger than a revision. */
function isYounger({ ref }: FileSource, { code }: Unread): boolean {
  return ref !== undefined && code === 'ENOENT';
}

/** Where a revision has a file under another path, if it has it. */
async function formerPaths(run: Run, source: FileSource, absolute: string): Promise<readonly string[]> {
  const former = await source.formerPathOf?.(run, absolute);
  return former === undefined ? [] : [former];
}

/**
 * The names that a pattern finds. Goes into no folder that is outside of the root by a link or too deep, and no further than
 * some number of names; tells the first such folder. Which links to folders are followed is up to the library, for the work
 * tree and for a commit.
 */
async function search(source: FileSource, pattern: string, cwd: string, root: string) {
  const refused: { readonly folder: string; readonly unread: Unread }[] = [];
  const real = await source.realPathOf(root);
  const realPathOf = stepwise(source);
  const entriesOf = counted(source, LIMITS.entries);
  const list = async (folder: string): Promise<readonly Entry[]> => {
    const found = await realPathOf(resolve(folder));
    const unread = folderProblem(real, found, relative(cwd, folder));
    const entries = unread === undefined ? await entriesOf(found) : undefined;
    if (entries === undefined) refused.push({ folder, unread: unread ?? CROWDED });
    return entries ?? [];
  };
  const ignore = [`**/${PROJECT_FILE}`];
  const fs: object = {
    readdir: calledBack((folder: string, _: unknown) => list(folder)),
    realpath: calledBack(realPathOf),
    // It asks of links alone, and those lead to folders.
    stat: calledBack(async () => FOLDER),
  };
  const { glob } = await import('tinyglobby');
  const names = await glob(pattern, { cwd, ignore, onlyFiles: true, expandDirectories: false, fs: fs as Fs });
  return { names: names.sort(), refused: refused.sort((a, b) => compareText(a.folder, b.folder))[0] };
}

/** What has too many names. */
const CROWDED: Unread = {
  reason: `there are more than ${LIMITS.entries} files and folders in it`,
  hint: 'Name a narrower folder or glob.',
};

/** What of the file system the library asks. */
type Fs = { readdir: typeof readdir; realpath: typeof realpath; stat: typeof stat };

const FOLDER = { isDirectory: () => true } as const;

/** A function with a callback, as the library calls those of the file system. */
function calledBack<A extends unknown[], T>(ask: (...asked: A) => Promise<T>) {
  return (...given: [...A, (error: unknown, answer?: T) => void]) => {
    const done = given.pop() as (error: unknown, answer?: T) => void;
    const asked: unknown = given;
    void ask(...(asked as A)).then((answer) => done(null, answer), done);
  };
}

function folderProblem(root: string, real: string, way: string): Unread | undefined {
  if (real !== root && !isInside(root, real)) return OUTSIDE;
  if (way.split(sep).length <= LIMITS.depth) return undefined;
  return {
    reason: `it is more than ${LIMITS.depth} folders deep`,
    hint: 'Name a narrower folder or glob, or move it up.',
  };
}

/** Whether a glob could take very long: tinyglobby tries its wildcards in all ways. */
function isCostly(pattern: string): boolean {
  const stars = pattern.split('/').map((part) => (part === '**' ? 0 : part.split('*').length - 1));
  const total = stars.reduce((sum, count) => sum + count, 0);
  return Math.max(...stars) > 3 || total > 8 || /[@!+*?]\(/.test(pattern) || pattern.split(',').length > 32;
}

/** Each file once, by the first path of those that lead to it by links. */
async function oncePerFile(source: FileSource, paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => source.realPathOf(path)));
  const firsts = new Map(real.map((path, index) => [path, index] as const).reverse());
  return paths.filter((_, index) => firsts.get(real[index] ?? '') === index);
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
    : fail(diagnostic('too-large', { of: 'bytes', limit: YAML_LIMITS.bytes }, start));
}

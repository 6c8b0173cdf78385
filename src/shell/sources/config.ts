import { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { parseConfig } from '../../core/config/config.ts';
import type { LinkedConfig } from '../../core/config/link.ts';
import { type Checked, diagnostic } from '../../core/findings/diagnostic.ts';
import type { Place } from '../../core/model/place.ts';
import { present } from '../../core/model/present.ts';
import { YAML_LIMITS } from '../../core/yaml/document.ts';
import type { SourceFile } from '../../core/yaml/tree.ts';
import { fail, findingsOf, systemReason } from '../failure.ts';
import { refuseReportOnto } from '../report-target.ts';
import type { Run } from '../run.ts';
import { readRegularFile, utf8 } from './regular-file.ts';

/** A layer of configuration as it was named. */
export interface Layer {
  /** A file, folder or glob, relative to `base`. */
  readonly path: string;
  readonly base: string;
  /** Where the layer is named, if it is in a file. */
  readonly place?: Place;
}

/** The file that names servers and their layers; a layer that is a folder leaves it out. */
export const PROJECT_FILE = 'setpoint.yaml';

/** Reads and parses layers of configuration, later ones over earlier ones. Finds all that is wrong with all their files. */
export async function readConfig(run: Run, layers: readonly Layer[]): Promise<Checked<LinkedConfig>> {
  const read = await Promise.all(layers.map((layer) => readLayer(layer, run.runtime.cwd)));
  const files = read.map(({ value = [] }) => value);
  for (const { path } of files.flat())
    await refuseReportOnto(run.reportFiles, resolve(run.runtime.cwd, path));
  const unread = read.flatMap(({ diagnostics }) => diagnostics);
  const { value, diagnostics, hidden } = parseConfig(files, unread.length > 0);
  for (const { path, text } of files.flat()) run.sources.set(path, { text, hidden: hidden.get(path) });
  return { ...present({ value }), diagnostics: [...unread, ...diagnostics] };
}

/** Reads one file of configuration by its absolute path. */
export async function readConfigFile(run: Run, absolute: string): Promise<SourceFile> {
  const source = await readSource(absolute, shownPath(absolute, run.runtime.cwd));
  await refuseReportOnto(run.reportFiles, absolute);
  return source;
}

/** The folder that `file` references stay in: the git root above a path, else the folder that it is or is in. */
export async function configRoot(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  const folder = found?.isDirectory() === true ? path : dirname(path);
  return (await gitRoot(folder)) ?? folder;
}

/** The root of the git work tree that a folder is in; undefined outside of one. */
export async function gitRoot(folder: string): Promise<string | undefined> {
  if ((await stat(join(folder, '.git')).catch(() => undefined)) !== undefined) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : gitRoot(above);
}

/** A layer has one file, all YAML files in a folder and below it, or what a glob finds, in the order of their paths. */
async function readLayer({ path, base, place }: Layer, cwd: string): Promise<Checked<readonly SourceFile[]>> {
  const placed = (thrown: unknown) => findingsOf(thrown).map((each) => ({ ...present({ place }), ...each }));
  try {
    const files = await filesOf(path, base, cwd);
    const read = await Promise.allSettled(files.map((file) => readSource(file, shownPath(file, cwd))));
    return {
      value: read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
      diagnostics: read.flatMap((each) => (each.status === 'rejected' ? placed(each.reason) : [])),
    };
  } catch (thrown) {
    return { diagnostics: placed(thrown) };
  }
}

/** Some systems write extensions in capitals. */
const ALL_YAML = '**/*.{[yY][aA][mM][lL],[yY][mM][lL]}';

/** The absolute paths of the files of a layer; fails where there is none. */
async function filesOf(path: string, base: string, cwd: string): Promise<readonly string[]> {
  const absolute = resolve(base, path);
  const unreadable = (reason: string) =>
    fail(diagnostic('file-unreadable', { path: shownPath(absolute, cwd), reason }));
  const found = await stat(absolute).catch((thrown: unknown) => thrown);
  if (found instanceof Stats && !found.isDirectory()) return [absolute];
  const isGlob = !(found instanceof Stats) && isDynamicPattern(path);
  if (!(found instanceof Stats) && !isGlob) return unreadable(systemReason(found));
  const [pattern, folder] = isGlob ? [path, base] : [ALL_YAML, absolute];
  if (isGlob && isCostly(path)) return unreadable('the glob has too many wildcards');
  const ignore = [`**/${PROJECT_FILE}`];
  const names = await glob(pattern, { cwd: folder, ignore, onlyFiles: true, expandDirectories: false });
  if (names.length === 0) return unreadable(isGlob ? 'no file matches' : 'there is no *.yaml file in it');
  return oncePerFile(names.sort().map((name) => resolve(folder, name)));
}

/** Whether a glob could take very long: tinyglobby tries its wildcards in all ways. */
function isCostly(pattern: string): boolean {
  const stars = pattern.split('/').map((part) => (part === '**' ? 0 : part.split('*').length - 1));
  const total = stars.reduce((sum, count) => sum + count, 0);
  return Math.max(...stars) > 3 || total > 8 || /[@!+*?]\(/.test(pattern) || pattern.split(',').length > 32;
}

/** Each file once, by the first path of those that lead to it by links. */
async function oncePerFile(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  const firsts = new Map(real.map((path, index) => [path, index] as const).reverse());
  return paths.filter((_, index) => firsts.get(real[index] ?? '') === index);
}

/** Reads one file as UTF-8; a byte order mark is dropped. Files beyond the limit are not read at all. */
async function readSource(absolute: string, shown: string): Promise<SourceFile> {
  const start = { file: shown, line: 1, column: 1 };
  const content = await readRegularFile(absolute, YAML_LIMITS.bytes);
  if ('bytes' in content)
    return { path: shown, text: utf8(content.bytes) ?? fail(diagnostic('not-utf8', {}, start)) };
  const { size: bytes, reason } = content;
  return bytes === undefined
    ? fail(diagnostic('file-unreadable', { path: shown, reason }))
    : fail(diagnostic('file-too-large', { bytes, limit: YAML_LIMITS.bytes }, start));
}

/** A path as people would type it: relative to the working directory, with forward slashes. */
export function shownPath(absolute: string, cwd: string): string {
  return relative(cwd, absolute).split(sep).join('/');
}

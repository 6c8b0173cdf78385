import { Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { parseConfig } from '../core/config/config.ts';
import type { MergedConfig } from '../core/config/layers.ts';
import { YAML_LIMITS } from '../core/config/yaml-document.ts';
import type { SourceFile } from '../core/config/yaml-tree.ts';
import { type Checked, diagnostic } from '../core/diagnostic.ts';
import { Failure, fail, systemReason } from './failure.ts';
import { refuseReportOnto } from './report-target.ts';
import type { Run } from './run.ts';

/** Layers of configuration as they are named: files, folders or globs, relative to `base`. Shown relative to `cwd`. */
export interface NamedLayers {
  readonly layers: readonly string[];
  readonly base: string;
}

/** The configuration that was named, parsed; each named file, folder or glob is one layer, later ones override earlier ones. */
export async function readConfig(
  run: Run,
  { layers: named, base }: NamedLayers,
): Promise<Checked<MergedConfig>> {
  const layers = await Promise.all(named.map((path) => readLayer(path, base, run.runtime.cwd)));
  for (const { path, text } of layers.flat()) {
    run.sources.set(path, text);
    await refuseReportOnto(run.reportFiles, resolve(run.runtime.cwd, path));
  }
  return parseConfig(layers);
}

/** One file of configuration by its absolute path; its text is kept for code frames. */
export async function readConfigFile(run: Run, absolute: string): Promise<SourceFile> {
  const source = await readSource(absolute, shownPath(absolute, run.runtime.cwd));
  run.sources.set(source.path, source.text);
  await refuseReportOnto(run.reportFiles, absolute);
  return source;
}

/** The folder that `file` references stay in: the git root above the first named path, else the folder that it is or is in. */
export async function configRoot({ layers, base }: NamedLayers): Promise<string> {
  const path = resolve(base, layers[0] ?? '.');
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

/** One layer: a file, all YAML files in a folder and below it, or what a glob finds, in the order of their paths. */
async function readLayer(path: string, base: string, cwd: string): Promise<SourceFile[]> {
  const absolute = resolve(base, path);
  const shown = shownPath(absolute, cwd);
  const found = await stat(absolute).catch((thrown: unknown) => thrown);
  if (found instanceof Stats && !found.isDirectory()) return [await readSource(absolute, shown)];
  const isGlob = !(found instanceof Stats) && isDynamicPattern(path);
  if (!(found instanceof Stats) && !isGlob)
    fail(diagnostic('file-unreadable', { path: shown, reason: systemReason(found) }));
  const [pattern, folder] = isGlob ? [path, base] : ['**/*.{yaml,yml}', absolute];
  const names = await glob(pattern, { cwd: folder, onlyFiles: true, dot: false, expandDirectories: false });
  if (names.length === 0) {
    fail(
      diagnostic('file-unreadable', {
        path: shown,
        reason: isGlob ? 'no file matches' : 'there is no *.yaml file in it',
      }),
    );
  }
  return Promise.all(
    names.sort().map((name) => readSource(resolve(folder, name), shownPath(resolve(folder, name), cwd))),
  );
}

/** Reads one file as UTF-8; a byte order mark is dropped. Files beyond the limit are not read at all. */
async function readSource(absolute: string, shown: string): Promise<SourceFile> {
  const place = { file: shown, line: 1, column: 1 };
  const bytes = await readWithin(absolute, shown);
  try {
    return { path: shown, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return fail(diagnostic('not-utf8', {}, place));
  }
}

async function readWithin(absolute: string, shown: string): Promise<Buffer> {
  try {
    const found = await stat(absolute);
    // To read a pipe waits for somebody to write.
    if (!found.isFile())
      fail(diagnostic('file-unreadable', { path: shown, reason: 'it is not a regular file' }));
    const { size } = found;
    if (size > YAML_LIMITS.bytes) {
      fail(
        diagnostic(
          'file-too-large',
          { bytes: size, limit: YAML_LIMITS.bytes },
          { file: shown, line: 1, column: 1 },
        ),
      );
    }
    return await readFile(absolute);
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    return fail(diagnostic('file-unreadable', { path: shown, reason: systemReason(thrown) }));
  }
}

/** A path as people would type it: relative to where they are, with forward slashes. */
export function shownPath(absolute: string, cwd: string): string {
  return relative(cwd, absolute).split(sep).join('/');
}

import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { glob } from 'tinyglobby';
import { parseConfig } from '../core/config/config.ts';
import type { MergedConfig } from '../core/config/layers.ts';
import { type SourceFile, YAML_LIMITS } from '../core/config/yaml-tree.ts';
import { type Checked, diagnostic } from '../core/diagnostic.ts';
import { Failure, fail, systemReason } from './failure.ts';
import type { Run } from './run.ts';

/** The configuration that was named, parsed; each named file or folder is one layer, later ones override earlier ones. */
export async function readConfig(run: Run, named: readonly string[]): Promise<Checked<MergedConfig>> {
  if (named.length === 0) fail(diagnostic('no-configuration', {}));
  const layers = await Promise.all(named.map((path) => readLayer(path, run.runtime.cwd)));
  for (const { path, text } of layers.flat()) run.sources.set(path, text);
  return parseConfig(layers);
}

/** The folder that `file` references stay in: the git root above the first named path, else the folder that it is or is in. */
export async function configRoot(named: readonly string[], cwd: string): Promise<string> {
  const path = resolve(cwd, named[0] ?? '.');
  const found = await stat(path).catch(() => undefined);
  const folder = found?.isDirectory() === true ? path : dirname(path);
  return (await gitRoot(folder)) ?? folder;
}

async function gitRoot(folder: string): Promise<string | undefined> {
  if ((await stat(join(folder, '.git')).catch(() => undefined)) !== undefined) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : gitRoot(above);
}

/** One layer: a file, or all YAML files in a folder and below it, in the order of their paths. */
async function readLayer(path: string, cwd: string): Promise<SourceFile[]> {
  const absolute = resolve(cwd, path);
  const found = await stat(absolute).catch((thrown) =>
    fail(diagnostic('file-unreadable', { path, reason: systemReason(thrown) })),
  );
  if (!found.isDirectory()) return [await readSource(absolute, path)];
  const names = await glob('**/*.{yaml,yml}', { cwd: absolute, onlyFiles: true, dot: false });
  if (names.length === 0)
    fail(diagnostic('file-unreadable', { path, reason: 'there is no *.yaml file in it' }));
  return Promise.all(
    names.sort().map((name) => readSource(resolve(absolute, name), shownPath(resolve(absolute, name), cwd))),
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
    const { size } = await stat(absolute);
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
function shownPath(absolute: string, cwd: string): string {
  return relative(cwd, absolute).split(sep).join('/');
}

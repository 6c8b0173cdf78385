import { realpath, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import pMap from 'p-map';
import { glob } from 'tinyglobby';
import { compareText, type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { decodeDefinition, freshIntegration } from '../../core/model/definition.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { present } from '../../core/model/present.ts';
import { Failure, fail, systemReason } from '../failure.ts';
import type { Run } from '../run.ts';
import { configRoot } from './config.ts';
import { readRegularFile } from './regular-file.ts';

/** Real folders have some hundred files of a few kilobytes. */
const LIMITS = { files: 5_000, bytes: 1024 * 1024 } as const;

const CONCURRENCY = 32;

/**
 * Reads the integrations' own configuration files in a folder: `*.json`, or a folder for each with `config/config.json`.
 * Ordered by id. Fails with a finding for each file that cannot be used.
 */
export async function readCatalog(run: Run, folder: string): Promise<readonly LiveIntegration[]> {
  const absolute = resolve(run.runtime.cwd, folder);
  const files = await definitionFiles(folder, absolute);
  const root = await configRoot(await realpath(absolute));
  const read = await pMap(files, (file) => readDefinition(run, join(folder, file), root, nameOf(file)), {
    concurrency: CONCURRENCY,
  });
  const problems = read.flatMap((each) => ('problem' in each ? [each.problem] : []));
  const found = read.flatMap((each) => ('integration' in each ? [each] : []));
  const all = [...problems, ...repeated(found)];
  if (all.length > 0) throw new Failure(all);
  return found.map(({ integration }) => integration).sort((a, b) => compareText(a.id, b.id));
}

interface Definition {
  readonly path: string;
  readonly integration: LiveIntegration;
}

async function definitionFiles(folder: string, absolute: string): Promise<string[]> {
  const found = await stat(absolute).catch((thrown) => unreadable(folder, systemReason(thrown)));
  if (!found.isDirectory()) return unreadable(folder, 'it is not a folder');
  const files = await glob(['*.json', '*/config/config.json'], { cwd: absolute });
  if (files.length === 0) return unreadable(folder, 'there is neither *.json nor */config/config.json in it');
  if (files.length > LIMITS.files) return unreadable(folder, `it has more than ${LIMITS.files} files`);
  return files.sort(compareText);
}

function unreadable(path: string, reason: string): never {
  return fail(diagnostic('file-unreadable', { path, reason }));
}

/** The name that an id is made of: `a` for `a.json` and for `a/config/config.json`. */
function nameOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : basename(file, '.json');
}

async function readDefinition(
  run: Run,
  path: string,
  root: string,
  name: string,
): Promise<Definition | { readonly problem: Diagnostic }> {
  const content = await readRegularFile(run, resolve(run.runtime.cwd, path), { most: LIMITS.bytes, root });
  if ('reason' in content) return { problem: unusable(path, content.reason, content.hint) };
  const raw = parseJson(content.bytes);
  if ('reason' in raw) return { problem: unusable(path, raw.reason) };
  const definition = decodeDefinition(raw.json);
  if ('problem' in definition) return { problem: unusable(path, definition.problem) };
  return { path, integration: freshIntegration(name, definition) };
}

function parseJson(bytes: Buffer): { readonly json: unknown } | { readonly reason: string } {
  try {
    return { json: JSON.parse(bytes.toString()) };
  } catch {
    return { reason: 'it is not JSON' };
  }
}

/** Finds two files whose names make one id, such as `a.json` and `a/config/config.json`. */
function repeated(definitions: readonly Definition[]): Diagnostic[] {
  const first = new Map<string, string>();
  return definitions.flatMap(({ path, integration: { id } }) => {
    const other = first.get(id);
    first.set(id, other ?? path);
    return other === undefined ? [] : [unusable(path, `its name gives the same id as ${other}`)];
  });
}

function unusable(path: string, problem: string, hint?: string): Diagnostic {
  return diagnostic(
    'catalog-unreadable',
    { problem, ...present({ hint }) },
    { file: path, line: 1, column: 1 },
  );
}

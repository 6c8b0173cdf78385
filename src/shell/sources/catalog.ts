import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import pMap from 'p-map';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../../core/findings/diagnostic.ts';
import { decodeDefinition } from '../../core/model/definition.ts';
import { parseJson } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { fail, systemReason } from '../failure.ts';
import type { Run } from '../run.ts';
import { configRoot, readTextFile } from './files.ts';

/**
 * The most files, and bytes of each. Real folders have some hundred files of a
 * few kilobytes.
 */
const LIMITS = { files: 5_000, bytes: 1024 * 1024 } as const;

/**
 * Reads the integrations' own configuration files in a folder: `*.json`, or a
 * folder for each with `config/config.json`. Ordered by id. Fails with a
 * finding for each file that cannot be used.
 */
export async function readCatalog(
  run: Run,
  folder: string,
): Promise<readonly LiveIntegration[]> {
  const absolute = resolve(run.runtime.cwd, folder);
  const files = await definitionFiles(folder, absolute);
  const root = await configRoot(await realpath(absolute));
  const read = (file: string): Promise<LiveIntegration | Diagnostic> =>
    readDefinition(run, { file, folder, absolute, root });
  const definitions = await pMap(files, read, { concurrency: 32 });
  const byId = new Map<string, LiveIntegration>();
  const problems: Diagnostic[] = [];
  for (const [index, definition] of definitions.entries()) {
    if ('code' in definition) {
      problems.push(definition);
    } else if (byId.has(definition.id)) {
      const path = join(folder, files[index] ?? '');
      problems.push(unusable(path, 'another file gives the same id'));
    } else {
      byId.set(definition.id, definition);
    }
  }
  if (problems.length > 0) fail(...problems);
  return [...byId.values()].sort((a, b) => compareText(a.id, b.id));
}

/** A file of a catalog. */
interface DefinitionFile {
  /** Its path in the folder. */
  readonly file: string;
  /** The folder as it was named. */
  readonly folder: string;
  readonly absolute: string;
  /** The folder that the file must be in. */
  readonly root: string;
}

async function readDefinition(
  run: Run,
  { file, folder, absolute, root }: DefinitionFile,
): Promise<LiveIntegration | Diagnostic> {
  const path = join(folder, file);
  const bounds = { most: LIMITS.bytes, root };
  const content = await readTextFile(run, join(absolute, file), bounds);
  if ('reason' in content) return unusable(path, content.reason, content.hint);
  const name = file.replace(/(\/config\/config)?\.json$/, '');
  const definition = decodeDefinition(name, parseJson(content.text));
  if ('problem' in definition) return unusable(path, definition.problem);
  return definition;
}

/**
 * Lists the files of a catalog by their paths in its folder. Fails if there are
 * none, or too many.
 */
async function definitionFiles(
  folder: string,
  absolute: string,
): Promise<string[]> {
  const names = await namesIn(folder, absolute);
  const shown = names.filter((name) => !name.startsWith('.'));
  const nested = shown.map((name) => `${name}/config/config.json`);
  const areThere = await Promise.all(
    nested.map((path) => isThere(join(absolute, path))),
  );
  const files: string[] = [];
  for (const [index, name] of shown.entries()) {
    if (areThere[index]) files.push(nested[index] ?? '');
    else if (name.endsWith('.json')) files.push(name);
  }
  if (files.length === 0) {
    refuse(folder, 'there is neither *.json nor */config/config.json in it');
  }
  if (files.length > LIMITS.files) {
    refuse(folder, `it has more than ${LIMITS.files} files`);
  }
  return files.sort(compareText);
}

/**
 * True for a file, also for a link that leads nowhere: that is a finding, not a
 * gap.
 */
async function isThere(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return stats !== undefined;
}

async function namesIn(folder: string, absolute: string): Promise<string[]> {
  try {
    return await readdir(absolute);
  } catch (thrown) {
    return refuse(folder, systemReason(thrown));
  }
}

function refuse(folder: string, reason: string): never {
  return fail(diagnostic('file-unreadable', { path: folder, reason }));
}

function unusable(
  path: string,
  reason: string,
  hint = 'A catalog holds the configuration files of integrations, as they are installed.',
): Diagnostic {
  const start = { file: path, line: 1, column: 1 };
  return diagnostic('file-unreadable', { path, reason, hint }, start);
}

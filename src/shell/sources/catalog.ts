import { readdir, realpath } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import pMap from 'p-map';
import { compareText, type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { decodeDefinition } from '../../core/model/definition.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { fail, systemReason } from '../failure.ts';
import { isThere } from '../new-file.ts';
import type { Run } from '../run.ts';
import { configRoot, readRegularFile } from './files.ts';
import { jsonIn } from './saved.ts';

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
  const byId = new Map<string, LiveIntegration>();
  const problems = read.flatMap((each, at) => {
    if ('code' in each) return [each];
    if (byId.has(each.id)) return [unusable(join(folder, files[at] ?? ''), 'another file gives the same id')];
    byId.set(each.id, each);
    return [];
  });
  if (problems.length > 0) fail(...problems);
  return [...byId.values()].sort((a, b) => compareText(a.id, b.id));
}

async function definitionFiles(folder: string, absolute: string): Promise<string[]> {
  const refuse = (reason: string) => fail(diagnostic('file-unreadable', { path: folder, reason }));
  const all = await readdir(absolute, { withFileTypes: true }).catch((thrown: unknown) =>
    refuse(systemReason(thrown)),
  );
  // A link that leads nowhere is a finding, not a gap, so none is followed before it is read.
  const entries = all.filter(({ name }) => !name.startsWith('.'));
  const nested = entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => `${name}/config/config.json`);
  const there = await Promise.all(nested.map((path) => isThere(join(absolute, path))));
  const flat = entries.filter((entry) => entry.name.endsWith('.json') && !entry.isDirectory());
  const files = [...flat.map(({ name }) => name), ...nested.filter((_, index) => there[index])];
  if (files.length === 0) return refuse('there is neither *.json nor */config/config.json in it');
  if (files.length > LIMITS.files) return refuse(`it has more than ${LIMITS.files} files`);
  return files.sort(compareText);
}

/** The name that an id is made of: `a` for `a.json` and for `a/config/config.json`. */
function nameOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : basename(file, '.json');
}

/** An integration as it would be installed, or why its file cannot be used. */
async function readDefinition(
  run: Run,
  path: string,
  root: string,
  name: string,
): Promise<LiveIntegration | Diagnostic> {
  const content = await readRegularFile(run, resolve(run.runtime.cwd, path), { most: LIMITS.bytes, root });
  if ('reason' in content) return unusable(path, content.reason, content.hint);
  const json = jsonIn(content.bytes);
  const definition = json === undefined ? { problem: 'it is not JSON' } : decodeDefinition(name, json);
  return 'problem' in definition ? unusable(path, definition.problem) : definition;
}

function unusable(
  path: string,
  reason: string,
  hint = 'A catalog holds the configuration files of integrations, as they are installed.',
): Diagnostic {
  return diagnostic('file-unreadable', { path, reason, hint }, { file: path, line: 1, column: 1 });
}

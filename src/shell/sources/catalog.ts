import { readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../../core/findings/diagnostic.ts';
import { decodeDefinition } from '../../core/model/definition.ts';
import { parseJson } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { fail, systemReason } from '../failure.ts';
import { isThere } from '../paths.ts';
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
  const bounds = { most: LIMITS.bytes, root };
  const byId = new Map<string, LiveIntegration>();
  const problems: Diagnostic[] = [];
  for (const file of files) {
    const path = join(folder, file);
    const content = await readTextFile(run, join(absolute, file), bounds);
    if ('reason' in content) {
      problems.push(unusable(path, content.reason, content.hint));
      continue;
    }
    const name = file.replace(/(\/config\/config)?\.json$/, '');
    const definition = decodeDefinition(name, parseJson(content.text));
    if ('problem' in definition) {
      problems.push(unusable(path, definition.problem));
    } else if (byId.has(definition.id)) {
      problems.push(unusable(path, 'another file gives the same id'));
    } else {
      byId.set(definition.id, definition);
    }
  }
  if (problems.length > 0) fail(...problems);
  return [...byId.values()].sort((a, b) => compareText(a.id, b.id));
}

/**
 * Lists the files of a catalog by their paths in its folder. Fails if there are
 * none, or too many.
 */
async function definitionFiles(
  folder: string,
  absolute: string,
): Promise<string[]> {
  const names = await readdir(absolute).catch((thrown) =>
    refuse(folder, systemReason(thrown)),
  );
  const files: string[] = [];
  for (const name of names) {
    if (name.startsWith('.')) continue;
    const nested = `${name}/config/config.json`;
    // A link that leads nowhere is a finding, not a gap.
    if (await isThere(join(absolute, nested))) files.push(nested);
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

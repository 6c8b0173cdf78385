import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  compareText,
  type Diagnostic,
} from '../../core/findings/diagnostic.ts';
import { decodeDefinition } from '../../core/model/definition.ts';
import { parseJson } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { fail, systemReason } from '../failure.ts';
import { isThere, realPath } from '../paths.ts';
import type { Run } from '../run.ts';
import { configRoot, readTextFile, unreadable } from './files.ts';

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
  const files = definitionFiles(folder, absolute);
  const root = configRoot(realPath(absolute));
  const byId = new Map<string, LiveIntegration>();
  const problems: Diagnostic[] = [];
  for (const file of files) {
    const path = join(folder, file);
    const content = await readTextFile(run, join(absolute, file), { root });
    const name = file.replace(/(\/config\/config)?\.json$/, '');
    const definition =
      'reason' in content
        ? { problem: content.reason }
        : decodeDefinition(name, parseJson(content.text));
    if ('id' in definition && !byId.has(definition.id)) {
      byId.set(definition.id, definition);
      continue;
    }
    const reason =
      'id' in definition
        ? 'another file gives the same id'
        : definition.problem;
    const hint =
      'A catalog holds the configuration files of integrations, as they are installed.';
    const start = { file: path, line: 1, column: 1 };
    problems.push(unreadable(path, { reason, hint }, start));
  }
  if (problems.length > 0) fail(...problems);
  return [...byId.values()].sort((a, b) => compareText(a.id, b.id));
}

/**
 * Lists the files of a catalog by their paths in its folder. Fails if there are
 * none.
 */
function definitionFiles(folder: string, absolute: string): string[] {
  const files: string[] = [];
  let reason = 'there is neither *.json nor */config/config.json in it';
  try {
    for (const name of readdirSync(absolute)) {
      if (name.startsWith('.')) continue;
      const nested = `${name}/config/config.json`;
      // A link that leads nowhere is a finding, not a gap.
      if (isThere(join(absolute, nested))) files.push(nested);
      else if (name.endsWith('.json')) files.push(name);
    }
  } catch (thrown) {
    reason = systemReason(thrown);
  }
  if (files.length === 0) fail(unreadable(folder, { reason }));
  return files.sort(compareText);
}

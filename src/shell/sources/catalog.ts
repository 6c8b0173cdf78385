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

/** Real folders have some hundred files of a few kilobytes. */
const LIMITS = { files: 5_000, bytes: 1024 * 1024 } as const;

/**
 * Reads the integrations' own configuration files in a folder: `*.json`, or a folder for each with `config/config.json`.
 * Ordered by id. Fails with a finding for each file that cannot be used.
 */
export async function readCatalog(
  run: Run,
  folder: string,
): Promise<readonly LiveIntegration[]> {
  const absolute = resolve(run.runtime.cwd, folder);
  const files = await definitionFiles(folder, absolute);
  const root = await configRoot(await realpath(absolute));
  const readOne = async (
    file: string,
  ): Promise<LiveIntegration | Diagnostic> => {
    const content = await readTextFile(run, join(absolute, file), {
      most: LIMITS.bytes,
      root,
    });
    if ('reason' in content)
      return unusable(join(folder, file), content.reason, content.hint);
    const name = file.replace(/(\/config\/config)?\.json$/, '');
    const definition = decodeDefinition(name, parseJson(content.text));
    return 'problem' in definition
      ? unusable(join(folder, file), definition.problem)
      : definition;
  };
  const read = await pMap(files, readOne, { concurrency: 32 });
  const byId = new Map<string, LiveIntegration>();
  const problems = read.flatMap((each, at) => {
    if ('code' in each) return [each];
    if (byId.has(each.id))
      return [
        unusable(
          join(folder, files[at] ?? ''),
          'another file gives the same id',
        ),
      ];
    byId.set(each.id, each);
    return [];
  });
  if (problems.length > 0) fail(...problems);
  return [...byId.values()].sort((a, b) => compareText(a.id, b.id));
}

async function definitionFiles(
  folder: string,
  absolute: string,
): Promise<string[]> {
  const refuse = (reason: string) =>
    fail(diagnostic('file-unreadable', { path: folder, reason }));
  const all = await readdir(absolute).catch((thrown: unknown) =>
    refuse(systemReason(thrown)),
  );
  const names = all.filter((name) => !name.startsWith('.'));
  const nested = names.map((name) => `${name}/config/config.json`);
  // A link that leads nowhere is a finding, not a gap, so none is followed before it is read.
  const there = await Promise.all(
    nested.map((path) => lstat(join(absolute, path)).catch(() => undefined)),
  );
  const files = [
    ...names.filter((name, index) => name.endsWith('.json') && !there[index]),
    ...nested.filter((_, index) => there[index]),
  ];
  if (files.length === 0)
    return refuse('there is neither *.json nor */config/config.json in it');
  if (files.length > LIMITS.files)
    return refuse(`it has more than ${LIMITS.files} files`);
  return files.sort(compareText);
}

function unusable(
  path: string,
  reason: string,
  hint = 'A catalog holds the configuration files of integrations, as they are installed.',
): Diagnostic {
  return diagnostic(
    'file-unreadable',
    { path, reason, hint },
    { file: path, line: 1, column: 1 },
  );
}

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import pMap from 'p-map';
import type { WrittenConfig } from '../../core/config/entry.ts';
import {
  outsideReferences,
  referenceTable,
} from '../../core/config/resolve.ts';
import { globMatcher } from '../../core/model/glob.ts';
import type { Run } from '../run.ts';
import { type FileSource, WORK_TREE } from './files.ts';

/** Where references are read: `root` confines files. With a base, `sensitive: false` alone keeps nothing from being masked. */
interface Reading {
  readonly allowEnv?: readonly string[];
  readonly root: string;
  readonly hasBase?: boolean;
}

/** Reads what the references of a configuration mean, or why they have no value. */
export async function readReferences(
  run: Run,
  config: WrittenConfig,
  { allowEnv = [], root, hasBase = false }: Reading,
) {
  const wanted = outsideReferences(config);
  const allowed = ['SETPOINT_*', ...allowEnv].map(globMatcher);
  const isAllowed = (name: string) => allowed.some((matches) => matches(name));
  const files = await readFiles(run, config, root, WORK_TREE);
  const table = referenceTable(wanted, run.runtime.env, isAllowed, files);
  for (const [name, found] of [...table.env, ...table.file]) {
    const isSecret =
      hasBase ||
      wanted.env.get(name) === true ||
      wanted.file.get(name) === true;
    if (isSecret && 'text' in found) run.writer.addSecret(found.text);
  }
  return table;
}

/**
 * Digests of the files that the references of a configuration name, by path, in the work tree or at a revision, whatever line
 * ends a checkout gives them. They tell two contents apart, and are never shown. A file that could be no value has none.
 */
export async function digestFiles(
  run: Run,
  config: WrittenConfig,
  root: string,
  source: FileSource = WORK_TREE,
): Promise<ReadonlyMap<string, string>> {
  const files = await readFiles(run, config, root, source);
  const digestOf = (text: string) =>
    createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
  return new Map(
    files.flatMap(([name, found]) =>
      'text' in found ? [[name, digestOf(found.text)]] : [],
    ),
  );
}

/** Reads the files that the references of a configuration name: of at most 64 KiB, and not too many at once. */
function readFiles(
  run: Run,
  config: WrittenConfig,
  root: string,
  source: FileSource,
) {
  return pMap(
    outsideReferences(config).file.keys(),
    async (name) =>
      [
        name,
        await source.read(run, resolve(root, name), { most: 64 * 1024, root }),
      ] as const,
    { concurrency: 32 },
  );
}

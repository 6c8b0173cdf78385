import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import pMap from 'p-map';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { foundFile, outsideReferences, type ReferenceTable } from '../../core/config/resolve.ts';
import { variablesIn } from '../../core/config/selected.ts';
import type { Run } from '../run.ts';
import { type FileSource, readRegularFile, type Unread, utf8, WORK_TREE } from './files.ts';

/** The largest file that a reference or a variable may name, in bytes. */
const LARGEST_TEXT = 64 * 1024;

/** How many files are open at once. */
const CONCURRENCY = { concurrency: 32 } as const;

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
): Promise<ReferenceTable> {
  const wanted = outsideReferences(config);
  const env = variablesIn(run.runtime.env, wanted.env.keys(), allowEnv);
  const texts = await pMap(
    wanted.file.keys(),
    async (name) => {
      const found = await readSmallText(run, resolve(root, name), root);
      return [name, 'text' in found ? foundFile(found.text) : found] as const;
    },
    CONCURRENCY,
  );
  const file = new Map(texts);
  for (const [name, found] of [...env, ...file]) {
    const isSecret = hasBase || wanted.env.get(name) === true || wanted.file.get(name) === true;
    if (isSecret && 'text' in found) run.secrets.given(found.text);
  }
  return { env, file };
}

/** Reads the text of a file that a reference or a variable names. */
export async function readSmallText(
  run: Run,
  path: string,
  root?: string,
): Promise<{ readonly text: string } | Unread> {
  const content = await readRegularFile(run, path, { root, most: LARGEST_TEXT });
  if ('reason' in content) return content;
  const text = utf8(content.bytes);
  return text === undefined ? { reason: 'it is not UTF-8 text' } : { text };
}

/**
 * Digests of the files that the references of a configuration name, by path, in the work tree or at a revision. They tell two contents apart, and
 * are never shown. A file that is not there, or could be no value, has none.
 */
export async function digestFiles(
  run: Run,
  config: WrittenConfig,
  root: string,
  source: FileSource = WORK_TREE,
): Promise<ReadonlyMap<string, string>> {
  const digests = await pMap(
    outsideReferences(config).file.keys(),
    async (name): Promise<readonly [string, string][]> => {
      const content = await source.read(run, resolve(root, name), { most: LARGEST_TEXT, root });
      return 'bytes' in content ? [[name, digestOf(content.bytes)]] : [];
    },
    CONCURRENCY,
  );
  return new Map(digests.flat());
}

/** Whatever line ends a checkout gives to a text. */
function digestOf(bytes: Buffer): string {
  const text = bytes.toString('latin1').replaceAll('\r\n', '\n');
  return createHash('sha256').update(text, 'latin1').digest('hex');
}

import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pMap from 'p-map';
import { glob } from 'tinyglobby';
import type { ReadFile } from '../read-file.ts';
import { SandboxError } from '../sandbox-error.ts';
import { type Configuration, decodeConfiguration } from './configuration.ts';

/** An integration that the catalog installs. */
export interface CatalogEntry {
  readonly id: string;
  readonly configuration: Configuration;
}

/** How many files are read at once. */
const CONCURRENCY = 32;

/** The most files of a catalog, and bytes of one of them. */
const LIMITS = { files: 5_000, bytes: 1024 * 1024 } as const;

/**
 * Reads the configuration files of a folder (`*.json`, or `config/config.json` in a folder for each integration), ordered by
 * id. `ids` replaces generated ids, by the base name of the file or folder. Throws a SandboxError.
 */
export async function readCatalog(
  folder: string,
  read: ReadFile,
  ids: Readonly<Record<string, string>> = {},
): Promise<CatalogEntry[]> {
  const files = await configurationFiles(folder);
  const named = new Map(files.map((file) => [baseName(file), file]));
  const stray = Object.keys(ids).find((name) => !named.has(name));
  if (stray !== undefined)
    throw new SandboxError('integration-ids', `the catalog ${folder} has no integration ${stray}`);
  const entries = await pMap(files, (file) => readEntry(folder, file, read, ids), {
    concurrency: CONCURRENCY,
  });
  requireDistinctIds(entries);
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function configurationFiles(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new SandboxError('catalog-missing', `the catalog ${folder} is not a folder`);
  const files = await glob(['*.json', '*/config/config.json'], { cwd: folder });
  if (files.length > LIMITS.files)
    throw new SandboxError('catalog-too-large', `the catalog ${folder} has more than ${LIMITS.files} files`);
  if (files.length > 0) return files.sort();
  throw new SandboxError(
    'catalog-empty',
    `the catalog ${folder} holds neither *.json nor */config/config.json`,
  );
}

/** The name of the file without its ending, or of the folder that holds `config/config.json`. */
function baseName(file: string): string {
  const [first = file, ...rest] = file.split('/');
  return rest.length > 0 ? first : basename(file, '.json');
}

async function readEntry(
  folder: string,
  file: string,
  read: ReadFile,
  ids: Readonly<Record<string, string>>,
): Promise<CatalogEntry> {
  const name = baseName(file);
  const id = Object.hasOwn(ids, name) ? ids[name] : undefined;
  const configuration = decodeConfiguration(await readJson(folder, file, read));
  if (typeof configuration === 'string') throw invalid(folder, file, configuration);
  return { id: id ?? integrationIdFor(name), configuration };
}

async function readJson(folder: string, file: string, read: ReadFile): Promise<unknown> {
  const content = await read(join(folder, file), LIMITS.bytes);
  if ('reason' in content) throw invalid(folder, file, content.reason);
  try {
    return JSON.parse(content.bytes.toString());
  } catch (error) {
    throw invalid(folder, file, 'it is not JSON', error);
  }
}

function invalid(folder: string, file: string, problem: string, cause?: unknown): SandboxError {
  const message = `${join(folder, file)} is not the configuration of an integration: ${problem}`;
  return new SandboxError('configuration-invalid', message, { cause });
}

/** Ids that no URL can carry, or that collide with another address of the service. */
const UNREACHABLE_ID = /^(|\.|\.\.|errors)$|\p{Surrogate}/u;

function requireDistinctIds(entries: readonly CatalogEntry[]): void {
  const seen = new Map<string, string>();
  for (const { id, configuration } of entries) {
    const other = seen.get(id);
    if (UNREACHABLE_ID.test(id))
      throw new SandboxError('integration-ids', `an integration cannot have the id '${id}'`);
    if (other !== undefined)
      throw new SandboxError('integration-ids', `${other} and ${configuration.name} have the same id, ${id}`);
    seen.set(id, configuration.name);
  }
}

/** The range of the number at the end of an id: Unix times of ten digits. */
const FIRST_SECOND = 1_600_000_000;
const SECONDS = 180_000_000;

/**
 * An id like those of real servers, the same on each start: the name with `_` for all but letters and digits, the runtime,
 * and ten digits that look like the Unix time of the installation.
 */
export function integrationIdFor(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return `${name.replace(/[^0-9A-Za-z]/g, '_')}_node_18_${FIRST_SECOND + (digest.readUInt32BE(0) % SECONDS)}`;
}

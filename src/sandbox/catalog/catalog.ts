import { createHash } from 'node:crypto';
import { constants, open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pMap from 'p-map';
import { glob } from 'tinyglobby';
import { SandboxError } from '../sandbox-error.ts';
import { type Configuration, decodeConfiguration } from './configuration.ts';

/** An integration that the catalog installs. */
export interface CatalogEntry {
  readonly id: string;
  readonly configuration: Configuration;
}

/** How many files are read at once. */
const CONCURRENCY = 32;

/**
 * Reads the configuration files of a folder (`*.json`, or `config/config.json` in a folder for each integration), ordered by
 * id. `ids` replaces generated ids, by the base name of the file or folder. Throws a SandboxError.
 */
export async function readCatalog(
  folder: string,
  ids: Readonly<Record<string, string>> = {},
): Promise<CatalogEntry[]> {
  const files = await configurationFiles(folder);
  const named = new Map(files.map((file) => [baseName(file), file]));
  const stray = Object.keys(ids).find((name) => !named.has(name));
  if (stray !== undefined)
    throw new SandboxError('integration-ids', `the catalog ${folder} has no integration ${stray}`);
  const entries = await pMap(files, (file) => readEntry(folder, file, ids), { concurrency: CONCURRENCY });
  requireDistinctIds(entries);
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function configurationFiles(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new SandboxError('catalog-missing', `the catalog ${folder} is not a folder`);
  const files = await glob(['*.json', '*/config/config.json'], { cwd: folder });
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
  ids: Readonly<Record<string, string>>,
): Promise<CatalogEntry> {
  const name = baseName(file);
  const id = Object.hasOwn(ids, name) ? ids[name] : undefined;
  const configuration = decodeConfiguration(await readJson(folder, file));
  if (typeof configuration === 'string') throw invalid(folder, file, configuration);
  return { id: id ?? integrationIdFor(name), configuration };
}

async function readJson(folder: string, file: string): Promise<unknown> {
  const text = await readText(join(folder, file)).catch((error: unknown) => {
    throw invalid(folder, file, 'it cannot be read', error);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalid(folder, file, 'it is not JSON', error);
  }
}

/** Real files have a few kilobytes. */
const LARGEST_FILE = 1024 * 1024;

/** The text of a regular file; a pipe does not make it wait, and a device without end is not read. */
async function readText(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    if (!found.isFile() || found.size > LARGEST_FILE) throw new Error('not a regular file of this size');
    return await file.readFile('utf8');
  } finally {
    await file.close();
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

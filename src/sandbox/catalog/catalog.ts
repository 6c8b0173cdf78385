import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Definition, decodeDefinition } from '../../core/model/definition.ts';
import type { ReadFile } from '../read-file.ts';
import { SandboxError, systemCode } from '../sandbox-error.ts';

/** An integration that the catalog installs. */
export interface CatalogEntry {
  readonly id: string;
  /** The base name of its file, or the name of its folder. */
  readonly name: string;
  readonly definition: Definition;
}

/** A file of a catalog that cannot be hosted. */
export interface Unhosted {
  /** Relative to the folder of the catalog. */
  readonly file: string;
  /** A sentence without the full stop. */
  readonly problem: string;
}

/** How a catalog is read. */
export interface CatalogSource {
  readonly read: ReadFile;
  /** Ids that replace the generated ones, by the name of the file or folder. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly onUnhosted?: (part: Unhosted) => void;
}

const LARGEST_FILE = 1024 * 1024;

/** Reads `*.json` and `*\/config/config.json` of a folder, ordered by id. Leaves out files that cannot be hosted. */
export async function readCatalog(folder: string, source: CatalogSource): Promise<CatalogEntry[]> {
  const entries = new Map<string, CatalogEntry>();
  for (const file of await configurationFiles(folder)) {
    const entry = await readEntry(folder, file, source);
    const problem = 'problem' in entry ? entry.problem : repeated(entries, entry.id);
    if (problem !== undefined) source.onUnhosted?.({ file, problem });
    else if ('id' in entry) entries.set(entry.id, entry);
  }
  if (entries.size === 0)
    throw new SandboxError(`the catalog ${folder} has no *.json or */config/config.json that can be hosted`);
  return [...entries.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function configurationFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new SandboxError(`the catalog ${folder} cannot be read (${systemCode(error)})`);
  });
  const files = entries.flatMap((entry) => {
    if (entry.isDirectory()) return [`${entry.name}/config/config.json`];
    return /^[^.].*\.json$/.test(entry.name) ? [entry.name] : [];
  });
  return files.sort();
}

async function readEntry(
  folder: string,
  file: string,
  { read, ids = {} }: CatalogSource,
): Promise<CatalogEntry | { readonly problem: string | undefined }> {
  const content = await read(join(folder, file), LARGEST_FILE);
  // A folder of another kind is no part of the catalog.
  if ('reason' in content)
    return { problem: content.code === 'ENOENT' && file.includes('/') ? undefined : content.reason };
  const json = parseJson(content.bytes.toString());
  if (json === undefined) return { problem: 'it is not JSON' };
  const definition = decodeDefinition(json);
  if ('problem' in definition) return definition;
  const name = file.replace(/(\/config\/config)?\.json$/, '');
  return { id: ids[name] ?? integrationIdFor(name), name, definition };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function repeated(entries: ReadonlyMap<string, CatalogEntry>, id: string): string | undefined {
  const other = entries.get(id);
  return other === undefined ? undefined : `it has the same id as ${other.name}`;
}

/** The range of the number at the end of an id: Unix times of ten digits. */
const FIRST_SECOND = 1_600_000_000;
const SECONDS = 180_000_000;

/** An id like those of real servers, the same on each start: the name, the runtime, and a Unix time. */
export function integrationIdFor(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return `${name.replace(/[^0-9A-Za-z]/g, '_')}_node_18_${FIRST_SECOND + (digest.readUInt32BE(0) % SECONDS)}`;
}

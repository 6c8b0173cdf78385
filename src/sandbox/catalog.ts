import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeDefinition } from '../core/model/definition.ts';
import type { LiveIntegration } from '../core/model/live.ts';
import { readJson, SandboxError, systemCode } from './read-file.ts';
import type { SandboxOptions } from './service.ts';

/** An integration that the catalog installs, with the base name of its file or the name of its folder. */
type CatalogEntry = LiveIntegration & { readonly fileName: string };

type CatalogOptions = Pick<SandboxOptions, 'catalog' | 'read' | 'ids' | 'onUnhosted'>;

const LARGEST_FILE = 1024 * 1024;

/** Reads `*.json` and `*\/config/config.json` of a folder, ordered by id. Leaves out files that cannot be hosted. */
export async function readCatalog(options: CatalogOptions): Promise<CatalogEntry[]> {
  const { catalog: folder } = options;
  const entries = new Map<string, CatalogEntry>();
  for (const file of await configurationFiles(folder)) {
    const entry = await readEntry(options, file);
    const problem = 'problem' in entry ? entry.problem : entries.has(entry.id) && 'another has its id';
    if (problem) options.onUnhosted?.({ file, problem });
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
  { catalog, read, ids = {} }: CatalogOptions,
  file: string,
): Promise<CatalogEntry | { readonly problem: string | undefined }> {
  const content = await readJson(read, join(catalog, file), LARGEST_FILE);
  // A folder without that file is no part of the catalog.
  if ('reason' in content)
    return { problem: content.code === 'ENOENT' && file.includes('/') ? undefined : content.reason };
  const fileName = file.replace(/(\/config\/config)?\.json$/, '');
  const decoded = decodeDefinition(fileName, content.json);
  if ('problem' in decoded) return decoded;
  return { ...decoded, id: ids[fileName] ?? integrationIdFor(fileName), fileName };
}

/** The range of the number at the end of an id: Unix times of ten digits. */
const FIRST_SECOND = 1_600_000_000;
const SECONDS = 180_000_000;

/** An id like those of real servers, the same on each start: the name, the runtime, and a Unix time. */
export function integrationIdFor(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return `${name.replace(/[^0-9A-Za-z]/g, '_')}_node_18_${FIRST_SECOND + (digest.readUInt32BE(0) % SECONDS)}`;
}

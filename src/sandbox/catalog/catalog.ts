import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pMap from 'p-map';
import { glob } from 'tinyglobby';
import { type Definition, decodeDefinition } from '../../core/model/definition.ts';
import { recordOf } from '../../core/model/json.ts';
import type { ReadFile } from '../read-file.ts';
import { SandboxError } from '../sandbox-error.ts';
import { type Configuration, configurationOf } from './configuration.ts';
import { createLocator, type Unhosted } from './unhosted.ts';

/** An integration that the catalog installs. */
export interface CatalogEntry {
  readonly id: string;
  readonly configuration: Configuration;
}

/** How many files are read at once. */
const CONCURRENCY = 32;

/** The most files of a catalog, and bytes of one of them. */
const LIMITS = { files: 5_000, bytes: 1024 * 1024 } as const;

/** How a catalog is read. */
export interface CatalogSource {
  readonly read: ReadFile;
  /** Ids that replace the generated ones, by the base name of the file or folder. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Receives what cannot be hosted, in the order of the files; the rest is. */
  readonly onUnhosted?: (part: Unhosted) => void;
}

/**
 * Reads the configuration files of a folder (`*.json`, or `config/config.json` in a folder for each integration), ordered by
 * id. Throws a SandboxError where nothing can be hosted.
 */
export async function readCatalog(
  folder: string,
  { read, ids = {}, onUnhosted = () => {} }: CatalogSource,
): Promise<CatalogEntry[]> {
  const files = await configurationFiles(folder);
  const named = new Map(files.map((file) => [baseName(file), file]));
  const stray = Object.keys(ids).find((name) => !named.has(name));
  if (stray !== undefined)
    throw new SandboxError('integration-ids', `the catalog ${folder} has no integration ${stray}`);
  const found = await pMap(files, (file) => readEntry(folder, file, read, ids), { concurrency: CONCURRENCY });
  const distinct = withoutRepeated(found);
  for (const part of distinct.flatMap(({ unhosted }) => unhosted)) onUnhosted(part);
  const entries = distinct.flatMap(({ entry }) => entry ?? []);
  if (entries.length > 0) return entries.sort((a, b) => (a.id < b.id ? -1 : 1));
  throw new SandboxError('catalog-empty', `the catalog ${folder} holds nothing that can be hosted`);
}

async function configurationFiles(folder: string): Promise<string[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw new SandboxError('catalog-missing', `the catalog ${folder} is not a folder`);
  const entries = await readdir(folder, { withFileTypes: true });
  const flat = entries
    .filter((entry) => /^[^.].*\.json$/.test(entry.name) && !entry.isDirectory())
    .map(({ name }) => name);
  const files = [...flat, ...(await glob('*/config/config.json', { cwd: folder }))];
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

/** What became of a file: an entry where it can be hosted, and what of it cannot. */
interface FoundFile {
  readonly file: string;
  readonly entry?: CatalogEntry;
  readonly unhosted: readonly Unhosted[];
}

async function readEntry(
  folder: string,
  file: string,
  read: ReadFile,
  ids: Readonly<Record<string, string>>,
): Promise<FoundFile> {
  const name = baseName(file);
  const id = (Object.hasOwn(ids, name) ? ids[name] : undefined) ?? integrationIdFor(name);
  if (UNREACHABLE_ID.test(id))
    throw new SandboxError('integration-ids', `an integration cannot have the id '${id}'`);
  const content = await read(join(folder, file), LIMITS.bytes);
  if ('reason' in content) return leftOut(file, content.reason);
  const text = content.bytes.toString();
  const raw = parseJson(text);
  if (raw === undefined) return leftOut(file, 'it is not JSON');
  const definition = decodeDefinition(raw);
  if ('problem' in definition) return leftOut(file, definition.problem, createLocator(text)(definition.path));
  const configuration = configurationOf(definition, recordOf(raw));
  return { file, entry: { id, configuration }, unhosted: misfits(file, text, definition) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function leftOut(file: string, problem: string, place = { line: 1, column: 1 }): FoundFile {
  return { file, unhosted: [{ file, ...place, problem, leftOut: 'file' }] };
}

/** The options whose default does not fit their type. */
function misfits(file: string, text: string, { options }: Definition): Unhosted[] {
  if (!options.some(({ hasMisfit }) => hasMisfit)) return [];
  const locate = createLocator(text);
  return options.flatMap(({ key, hasMisfit }, index) => {
    if (!hasMisfit) return [];
    const problem = `the default of the option \`${key}\` does not fit its type`;
    return [{ file, ...locate(['options', index, 'default']), problem, leftOut: 'default' as const }];
  });
}

/** Ids that no URL can carry, or that collide with another address of the service. */
const UNREACHABLE_ID = /^(|\.|\.\.|errors)$|\p{Surrogate}/u;

/** Leaves out files that would get an id that another has, such as `a.json` and `a/config/config.json`. */
function withoutRepeated(found: readonly FoundFile[]): FoundFile[] {
  const first = new Map<string, string>();
  return found.map((each) => {
    if (each.entry === undefined) return each;
    const other = first.get(each.entry.id);
    first.set(each.entry.id, other ?? each.file);
    return other === undefined ? each : leftOut(each.file, `it has the same id as ${other}`);
  });
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

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeDefinition } from '../core/model/definition.ts';
import { globMatcher } from '../core/model/glob.ts';
import { baseOfId } from '../core/model/ids.ts';
import { parseJson } from '../core/model/json.ts';
import type { LiveIntegration, LiveOption } from '../core/model/live.ts';
import { type LivePermission, PERMISSIONS } from '../core/model/permission.ts';
import { isChoice, type OptionValue } from '../core/model/value.ts';
import { SandboxError } from './refusal.ts';
import type { CatalogOptions } from './service.ts';
import type { Integration, Option, OptionFlags } from './store.ts';

/**
 * Installs `*.json` and `*\/config/config.json` of a folder, ordered by id.
 * Leaves out files that cannot be hosted.
 */
export async function readCatalog(
  options: CatalogOptions,
): Promise<Integration[]> {
  const { catalog, ids = {}, onUnhosted } = options;
  const { stopped = [], upgraded = [] } = options;
  const hosted = new Map<string, Integration>();
  const names: string[] = [];
  for (const file of await configurationFiles(catalog)) {
    const name = file.replace(/(\/config\/config)?\.json$/, '');
    const first = ids[name] ?? integrationIdFor(name);
    const isAnyOf = (globs: readonly string[]) =>
      globs.some((glob) => [name, first].some(globMatcher(glob)));
    const id = isAnyOf(upgraded) ? upgradedId(first) : first;
    const definition = await readDefinition(name, join(catalog, file));
    if ('problem' in definition) {
      onUnhosted?.({ file, problem: definition.problem });
    } else if (hosted.has(id)) {
      onUnhosted?.({ file, problem: 'another has its id' });
    } else {
      names.push(name, first);
      const status = isAnyOf(stopped) ? 'stopped' : 'running';
      hosted.set(id, installed(id, definition, status));
    }
  }
  if (hosted.size === 0) {
    throw new SandboxError(
      `the catalog ${catalog} has no *.json or */config/config.json that can be hosted`,
    );
  }
  const words = [...stopped, ...upgraded];
  const unmet = words.find((word) => !names.some(globMatcher(word)));
  if (unmet !== undefined) {
    throw new SandboxError(`the catalog ${catalog} has no ${unmet}`);
  }
  return [...hosted.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The paths of the configuration files in a folder, in order. */
async function configurationFiles(folder: string): Promise<readonly string[]> {
  const reading = readdir(folder, { withFileTypes: true });
  const entries = await reading.catch((thrown) => {
    throw new SandboxError(`the catalog ${folder} cannot be read`, thrown);
  });
  const files: string[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const file = entry.isDirectory() ? `${name}/config/config.json` : name;
    const isConfiguration = /^[^.].*\.json$/.test(file);
    if (isConfiguration && existsSync(join(folder, file))) files.push(file);
  }
  return files.sort();
}

async function readDefinition(
  name: string,
  path: string,
): Promise<LiveIntegration | { readonly problem: string }> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return { problem: 'it cannot be read' };
  return decodeDefinition(name, parseJson(text));
}

/** The range of the number at the end of an id: Unix times of ten digits. */
const FIRST_SECOND = 1_600_000_000;
const SECONDS = 180_000_000;

/** An id like those of real servers: the name, the runtime, and a Unix time. */
function integrationIdFor(name: string): string {
  // The same on each start.
  const digest = createHash('sha256').update(name).digest();
  const time = FIRST_SECOND + (digest.readUInt32BE(0) % SECONDS);
  const word = name.replace(/[^0-9A-Za-z]/g, '_');
  return `${word}_node_18_${time}`;
}

/** The id that an upgrade gives: another version, a day later. */
function upgradedId(id: string): string {
  const time = Number(/\d+$/.exec(id)?.[0] ?? FIRST_SECOND);
  return `${baseOfId(id)}_2_0_0_node_20_${time + 86_400}`;
}

/** An integration right after its installation. */
function installed(
  id: string,
  definition: LiveIntegration,
  status: string,
): Integration {
  const { name = id, description = '' } = definition;
  const acronym = definition.acronym ?? name.slice(0, 5).toUpperCase();
  return {
    id,
    attributes: { name, acronym, description, status, autosubscribe: false },
    options: [...definition.options.values()].map(installedOption),
    errors: [],
  };
}

/** Fills in what a definition leaves out. */
function installedOption(definition: LiveOption): Option {
  const { key, choices, multiple = false, initial } = definition;
  const { title = key, description = '', type = 'text' } = definition;
  const option = {
    key,
    name: title,
    description,
    type,
    value: firstValue(type, multiple, initial),
    ...flagsOf(definition.permission),
  };
  if (type !== 'select') return option;
  return { ...option, options: choices, multiple };
}

/** The flags of a permission. A missing one never makes the invalid pair. */
function flagsOf(permission: LivePermission): OptionFlags {
  if (permission === 'invalid') {
    return { 'admin-only': true, 'user-can-edit': true };
  }
  const known = permission === 'unknown' ? 'lock-and-hide' : permission;
  const { adminOnly, userCanEdit } = PERMISSIONS[known].flags;
  return { 'admin-only': adminOnly, 'user-can-edit': userCanEdit };
}

/** The default, in a list if need be, or the empty value of the type. */
function firstValue(
  type: string,
  multiple: boolean,
  initial: OptionValue | undefined,
): OptionValue {
  if (initial !== undefined) {
    return multiple && isChoice(initial) ? [initial] : initial;
  }
  if (type === 'number') return 0;
  if (type === 'boolean') return false;
  if (type !== 'select') return '';
  return multiple ? [] : { display: '', value: '' };
}

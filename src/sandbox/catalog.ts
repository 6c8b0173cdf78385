import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeDefinition } from '../core/model/definition.ts';
import { globMatcher } from '../core/model/glob.ts';
import { parseJson } from '../core/model/json.ts';
import type { LiveIntegration, LiveOption } from '../core/model/live.ts';
import { PERMISSIONS } from '../core/model/permission.ts';
import { isChoice, type OptionValue } from '../core/model/value.ts';
import { SandboxError } from './refusal.ts';
import type { SandboxOptions } from './service.ts';
import type { Integration, Option } from './store.ts';

/** Installs `*.json` and `*\/config/config.json` of a folder, ordered by id. Leaves out files that cannot be hosted. */
export async function readCatalog({
  catalog: folder,
  ids = {},
  stopped = [],
  onUnhosted,
}: Pick<SandboxOptions, 'catalog' | 'ids' | 'stopped' | 'onUnhosted'>): Promise<
  Integration[]
> {
  const globs = stopped.map(globMatcher);
  const hosted = new Map<string, Integration>();
  for (const file of await configurationFiles(folder)) {
    const name = file.replace(/(\/config\/config)?\.json$/, '');
    const id = ids[name] ?? integrationIdFor(name);
    const definition = await readDefinition(name, join(folder, file));
    const status = globs.some((matches) => matches(name) || matches(id))
      ? 'stopped'
      : 'running';
    if ('problem' in definition)
      onUnhosted?.({ file, problem: definition.problem });
    else if (hosted.has(id))
      onUnhosted?.({ file, problem: 'another has its id' });
    else hosted.set(id, installed(id, definition, status));
  }
  if (hosted.size === 0)
    throw new SandboxError(
      `the catalog ${folder} has no *.json or */config/config.json that can be hosted`,
    );
  return [...hosted.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function configurationFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(
    (error: unknown) => {
      throw new SandboxError(`the catalog ${folder} cannot be read`, error);
    },
  );
  const files = entries.map((each) =>
    each.isDirectory() ? `${each.name}/config/config.json` : each.name,
  );
  return files
    .filter(
      (file) => /^[^.].*\.json$/.test(file) && existsSync(join(folder, file)),
    )
    .sort();
}

async function readDefinition(
  name: string,
  path: string,
): Promise<ReturnType<typeof decodeDefinition>> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined
    ? { problem: 'it cannot be read' }
    : decodeDefinition(name, parseJson(text));
}

/** The range of the number at the end of an id: Unix times of ten digits. */
const FIRST_SECOND = 1_600_000_000;
const SECONDS = 180_000_000;

/** An id like those of real servers, the same on each start: the name, the runtime, and a Unix time. */
function integrationIdFor(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return `${name.replace(/[^0-9A-Za-z]/g, '_')}_node_18_${FIRST_SECOND + (digest.readUInt32BE(0) % SECONDS)}`;
}

/** An integration right after its installation. */
function installed(
  id: string,
  definition: LiveIntegration,
  status: string,
): Integration {
  const {
    name = id,
    acronym = name.slice(0, 5).toUpperCase(),
    description = '',
    options,
  } = definition;
  const attributes = {
    name,
    acronym,
    description,
    status,
    autosubscribe: false,
  };
  return {
    id,
    attributes,
    options: [...options.values()].map(installedOption),
    errors: [],
  };
}

/** Fills in what a definition leaves out. A missing flag never makes the pair that has no meaning. */
function installedOption(option: LiveOption): Option {
  const {
    key,
    title = key,
    description = '',
    type = 'text',
    choices,
    multiple = false,
    permission,
  } = option;
  const { adminOnly, userCanEdit } =
    permission === 'invalid'
      ? { adminOnly: true, userCanEdit: true }
      : PERMISSIONS[permission === 'unknown' ? 'lock-and-hide' : permission]
          .flags;
  return {
    ...{
      key,
      name: title,
      description,
      type,
      value: firstValue(type, multiple, option.initial),
    },
    ...{ 'admin-only': adminOnly, 'user-can-edit': userCanEdit },
    ...(type === 'select' ? { options: choices, multiple } : {}),
  };
}

/** The default, in a list if the option takes several; without one, the empty value of the type. */
function firstValue(
  type: string,
  multiple: boolean,
  initial: OptionValue | undefined,
): OptionValue {
  if (initial !== undefined)
    return multiple && isChoice(initial) ? [initial] : initial;
  if (type === 'number') return 0;
  if (type === 'boolean') return false;
  if (type !== 'select') return '';
  return multiple ? [] : { display: '', value: '' };
}

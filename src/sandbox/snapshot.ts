import { open, rename, rm } from 'node:fs/promises';
import { isRecord } from '../core/model/json.ts';
import { type ReadFile, readJson, SandboxError, systemCode } from './read-file.ts';
import { refusal } from './refusal.ts';
import type { Integration, Option } from './state.ts';

/** What a data file holds of an integration that was changed. */
interface Saved extends Pick<Integration, 'attributes' | 'errors'> {
  readonly options: Readonly<Record<string, Pick<Option, 'value' | 'adminOnly' | 'userCanEdit'>>>;
}

const VERSION = 3;
const LARGEST = 256 * 1024 * 1024;

/** The state of all integrations that were ever changed, in a file that is replaced as a whole. Refuses any other file. */
export async function openSnapshot(file: string, read: ReadFile) {
  const integrations = await readSnapshot(file, read);
  await write(file, integrations).catch((error: unknown) => refuse(file, systemCode(error)));
  return {
    /** The integration as it was saved. Skips options that its definition no longer has. */
    restored(fresh: Integration): Integration {
      const saved = integrations.get(fresh.id);
      if (saved === undefined) return fresh;
      const { status = 'running' } = fresh.attributes;
      const options = [...fresh.options.values()].map((option) => ({
        ...option,
        ...saved.options[option.key],
      }));
      const attributes = { ...saved.attributes, status };
      return {
        ...fresh,
        ...saved,
        attributes,
        options: new Map(options.map((option) => [option.key, option])),
      };
    },
    /** Resolves once a kill can no longer lose the change. */
    async save({ id, attributes, options, errors }: Integration): Promise<void> {
      const saved = { attributes, options: Object.fromEntries([...options].map(savedOption)), errors };
      await write(file, new Map(integrations).set(id, saved)).catch((error: unknown) => {
        throw refusal(503, 'The change was not kept: the data file cannot be written.', undefined, error);
      });
      integrations.set(id, saved);
    },
  };
}

function savedOption([key, { value, adminOnly, userCanEdit }]: readonly [string, Option]) {
  return [key, { value, adminOnly, userCanEdit }] as const;
}

/** The cast trusts the version: only the sandbox writes such files. */
async function readSnapshot(file: string, read: ReadFile): Promise<Map<string, Saved>> {
  const content = await readJson(read, file, LARGEST);
  if ('reason' in content) return content.code === 'ENOENT' ? new Map() : refuse(file, content.reason);
  const { json } = content;
  if (isRecord(json) && json['version'] === VERSION && isRecord(json['integrations']))
    return new Map(Object.entries(json['integrations'] as Record<string, Saved>));
  return refuse(file, 'this version of the sandbox did not write it');
}

function refuse(file: string, reason: string): never {
  throw new SandboxError(`${file} cannot be used as a data file: ${reason}`);
}

/** Writes beside the file, syncs, and renames. */
async function write(path: string, integrations: ReadonlyMap<string, Saved>): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(
        JSON.stringify({ version: VERSION, integrations: Object.fromEntries(integrations) }),
      );
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

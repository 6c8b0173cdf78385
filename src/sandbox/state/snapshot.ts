import { open, rename, rm } from 'node:fs/promises';
import { isRecord } from '../../core/model/json.ts';
import type { ReadFile } from '../read-file.ts';
import { SandboxError } from '../sandbox-error.ts';
import type { Integration, Option } from './integration.ts';

/** What a data file holds of an integration that was changed. */
interface Saved {
  readonly attributes: Integration['attributes'];
  readonly options: Readonly<Record<string, Pick<Option, 'value' | 'adminOnly' | 'userCanEdit'>>>;
  readonly errors: Integration['errors'];
}

/** The disk is full or failed: a change was not kept. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
}

const VERSION = 3;

const LARGEST = 256 * 1024 * 1024;

/** The state of all integrations that were ever changed, in one file that is replaced as a whole. */
export class Snapshot {
  readonly #file: string;
  readonly #saved: Map<string, Saved>;

  private constructor(file: string, saved: ReadonlyMap<string, Saved>) {
    this.#file = file;
    this.#saved = new Map(saved);
  }

  /** Reads a data file, or makes an empty one. Throws a SandboxError for any other file. */
  static async open(file: string, read: ReadFile): Promise<Snapshot> {
    const content = await read(file, LARGEST);
    if ('reason' in content && content.code !== 'ENOENT')
      throw new SandboxError(`${file} cannot be used as a data file: ${content.reason}`);
    const snapshot = new Snapshot(
      file,
      'bytes' in content ? decode(file, content.bytes.toString()) : new Map(),
    );
    await snapshot.#write(snapshot.#saved).catch((error: UnwritableError) => {
      throw new SandboxError(`${file} cannot be used as a data file: ${error.message}`);
    });
    return snapshot;
  }

  /** The integration as it was saved. Skips options that its definition no longer has. */
  restored(installed: Integration): Integration {
    const saved = this.#saved.get(installed.id);
    if (saved === undefined) return installed;
    const { status = 'running' } = installed.attributes;
    const options = [...installed.options].map(
      ([key, option]) => [key, { ...option, ...saved.options[key] }] as const,
    );
    return {
      ...installed,
      attributes: { ...saved.attributes, status },
      options: new Map(options),
      errors: saved.errors,
    };
  }

  /** Resolves once a kill can no longer lose the change. */
  async save({ id, attributes, options, errors }: Integration): Promise<void> {
    const values = [...options].map(([key, { value, adminOnly, userCanEdit }]) => [
      key,
      { value, adminOnly, userCanEdit },
    ]);
    const saved = { attributes, options: Object.fromEntries(values), errors };
    await this.#write(new Map(this.#saved).set(id, saved));
    this.#saved.set(id, saved);
  }

  async #write(integrations: ReadonlyMap<string, Saved>): Promise<void> {
    const text = JSON.stringify({ version: VERSION, integrations: Object.fromEntries(integrations) });
    const draft = `${this.#file}.${process.pid}.tmp`;
    try {
      await writeSynced(draft, `${text}\n`);
      await rename(draft, this.#file);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw new UnwritableError(error instanceof Error ? error.message : '', { cause: error });
    }
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The cast trusts the version: only the sandbox writes such files. */
function decode(file: string, text: string): ReadonlyMap<string, Saved> {
  const raw = parseJson(text);
  if (isRecord(raw) && raw['version'] === VERSION && isRecord(raw['integrations']))
    return new Map(Object.entries(raw['integrations'] as Record<string, Saved>));
  throw new SandboxError(
    `${file} is not a data file of this version of the sandbox. Move it away to start afresh`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

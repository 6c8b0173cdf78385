import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { baseOfId } from '../core/model/ids.ts';
import { parseJson, recordOf } from '../core/model/json.ts';
import { byId } from '../core/model/lists.ts';
import type { Choice, OptionValue } from '../core/model/value.ts';
import { Refusal, SandboxError } from './refusal.ts';

/** One installed integration. It is immutable: a change makes a new one. */
export interface Integration {
  id: string;
  attributes: Attributes;
  options: readonly Option[];
  errors: readonly RaisedError[];
}

/** The attributes of an integration, by their names on the wire. */
export type Attributes = Readonly<Record<string, string | boolean>>;

/** An integration error, as it is served. */
export interface RaisedError {
  type: string;
  id: string;
  attributes: {
    'error-count': number;
    readonly [name: string]: unknown;
  };
  links: object;
  relationships: object;
}

/** The attributes of an option, by their names on the wire. */
export interface Option extends OptionFlags {
  key: string;
  name: string;
  description: string;
  type: string;
  value: OptionValue;
  /** The choices of a select; empty if it fills them in at run time. */
  options?: readonly Choice[] | undefined;
  multiple?: boolean | undefined;
}

/** The permission of an option. */
export interface OptionFlags {
  'admin-only': boolean;
  'user-can-edit': boolean;
}

/** Opens the state: the catalog, with the changes in the data file. */
export async function openStore(
  catalog: readonly Integration[],
  file: string | undefined,
): Promise<Store> {
  const saved = byId(file === undefined ? [] : await openDataFile(file));
  const hosted = byId(catalog);
  const integrations = catalog.map((fresh) => {
    const { id } = fresh;
    // An upgrade keeps the settings, under another id.
    const former = [...saved.values()].find(
      (kept) => !hosted.has(kept.id) && baseOfId(kept.id) === baseOfId(id),
    );
    const { attributes, ...kept } = saved.get(id) ?? former ?? fresh;
    // Whether it runs is said anew at each start.
    const { status = '' } = fresh.attributes;
    return { ...kept, id, attributes: { ...attributes, status } };
  });
  return new Store(byId(integrations), saved, file);
}

/**
 * The state. Reads never wait; changes are made one after the other, and are
 * visible once they are saved.
 */
export class Store {
  readonly #integrations: Map<string, Integration>;
  /** All integrations that were ever changed, also uninstalled ones. */
  readonly #saved: Map<string, Integration>;
  readonly #file: string | undefined;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(
    integrations: Map<string, Integration>,
    saved: Map<string, Integration>,
    file: string | undefined,
  ) {
    this.#integrations = integrations;
    this.#saved = saved;
    this.#file = file;
  }

  all(): readonly Integration[] {
    return [...this.#integrations.values()];
  }

  find(id: string): Integration | undefined {
    return this.#integrations.get(id);
  }

  /** The integration with an id. Throws a Refusal if there is none. */
  get(id = ''): Integration {
    const integration = this.find(id);
    if (integration !== undefined) return integration;
    throw new Refusal(404, 'There is no integration with this id.');
  }

  /**
   * Edits an integration and returns it. Nothing changes if `edit` throws, or
   * if the change cannot be saved.
   */
  change(
    integration: Integration,
    edit: (before: Integration) => Integration,
  ): Promise<Integration> {
    const change = this.#lastChange.then(async () => {
      const { id } = integration;
      const after = edit(this.find(id) ?? integration);
      const saved = new Map(this.#saved).set(id, after);
      if (this.#file !== undefined) {
        await writeDataFile(this.#file, [...saved.values()]);
      }
      this.#saved.set(id, after);
      this.#integrations.set(id, after);
      return after;
    });
    this.#lastChange = change.catch(() => {});
    return change;
  }
}

/** The version of the data file. */
const VERSION = 4;

/** Reads a data file, and refuses any other file and one that is read-only. */
async function openDataFile(file: string): Promise<readonly Integration[]> {
  const unusable = `${file} cannot be used as a data file`;
  try {
    const fresh = JSON.stringify({ version: VERSION, integrations: [] });
    const text = existsSync(file) ? await readFile(file, 'utf8') : fresh;
    const { version, integrations } = recordOf(parseJson(text));
    // Only the sandbox writes such files: the version is trusted.
    if (version === VERSION && Array.isArray(integrations)) {
      await writeDataFile(file, integrations);
      return integrations;
    }
  } catch (thrown) {
    throw new SandboxError(unusable, thrown);
  }
  const reason = 'this version of the sandbox did not write it';
  throw new SandboxError(`${unusable}: ${reason}`);
}

/** Writes next to the file, syncs, and renames. */
async function writeDataFile(
  path: string,
  integrations: readonly Integration[],
): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  const text = JSON.stringify({ version: VERSION, integrations });
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await rename(draft, path);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw thrown;
  }
}

import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isRecord, parseJson } from '../core/model/json.ts';
import type { Choice, OptionValue } from '../core/model/value.ts';
import { Refusal, SandboxError } from './refusal.ts';

/** One installed integration. It is immutable: a change makes a new one. */
export interface Integration {
  readonly id: string;
  /** By their names on the wire. */
  readonly attributes: Readonly<Record<string, string | boolean>>;
  readonly options: readonly Option[];
  /** What it reports, as it is served. */
  readonly errors: readonly {
    readonly type: string;
    readonly id: string;
    readonly attributes: { readonly 'error-count': number };
  }[];
}

/** The attributes of an option, by their names on the wire. */
export interface Option {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly type: string;
  readonly value: OptionValue;
  readonly 'admin-only': boolean;
  readonly 'user-can-edit': boolean;
  /** The choices of a select; empty if the integration fills them in at run time. */
  readonly options?: readonly Choice[];
  readonly multiple?: boolean;
}

/**
 * Opens the state: what the catalog installs, with the changes in the data file. Reads never wait; changes are made one after
 * the other, and are visible once they are saved.
 */
export async function openStore(
  catalog: readonly Integration[],
  file?: string,
) {
  const saved = new Map(file === undefined ? [] : await openDataFile(file));
  const byId = new Map(
    catalog.map((fresh) => [fresh.id, restored(fresh, saved.get(fresh.id))]),
  );
  let last: Promise<unknown> = Promise.resolve();
  return {
    all: (): readonly Integration[] => [...byId.values()],
    find: (id: string): Integration | undefined => byId.get(id),
    /** The integration with an id; refused if there is none. */
    get(id = ''): Integration {
      const found = byId.get(id);
      if (found === undefined)
        throw new Refusal(404, 'There is no integration with this id.');
      return found;
    },
    /** Replaces an integration by what `change` makes of it. Nothing changes if that throws or cannot be saved. */
    change(
      one: Integration,
      change: (before: Integration) => Integration,
    ): Promise<Integration> {
      const done = last.then(async () => {
        const after = change(byId.get(one.id) ?? one);
        const all = new Map(saved).set(after.id, after);
        if (file !== undefined) await write(file, [...all.values()]);
        saved.set(after.id, after);
        byId.set(after.id, after);
        return after;
      });
      last = done.catch(() => {});
      return done;
    },
  };
}

/** A fresh integration with the values, flags, attributes and errors that were saved. Its status is that of this start. */
function restored(fresh: Integration, saved: Integration = fresh): Integration {
  const { status = 'running' } = fresh.attributes;
  const held = new Map(saved.options.map((option) => [option.key, option]));
  const options = fresh.options.map((option) => {
    const {
      value,
      'admin-only': adminOnly,
      'user-can-edit': userCanEdit,
    } = held.get(option.key) ?? option;
    return {
      ...option,
      value,
      'admin-only': adminOnly,
      'user-can-edit': userCanEdit,
    };
  });
  return { ...saved, attributes: { ...saved.attributes, status }, options };
}

const VERSION = 4;

/** The integrations that were ever changed, by their ids. Refuses any other file, and one that cannot be written. */
async function openDataFile(
  file: string,
): Promise<(readonly [string, Integration])[]> {
  const refuse = (why: string, error?: unknown): never => {
    throw new SandboxError(
      `${file} cannot be used as a data file${why}`,
      error,
    );
  };
  const text = existsSync(file)
    ? await readFile(file, 'utf8').catch((error) => refuse('', error))
    : undefined;
  const json = parseJson(
    text ?? JSON.stringify({ version: VERSION, integrations: [] }),
  );
  if (
    !isRecord(json) ||
    json['version'] !== VERSION ||
    !Array.isArray(json['integrations'])
  )
    return refuse(': this version of the sandbox did not write it');
  // The cast trusts the version: only the sandbox writes such files.
  const integrations = json['integrations'] as readonly Integration[];
  await write(file, integrations).catch((error) => refuse('', error));
  return integrations.map((each) => [each.id, each]);
}

/** Writes beside the file, syncs, and renames. */
async function write(
  path: string,
  integrations: readonly Integration[],
): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(draft, JSON.stringify({ version: VERSION, integrations }), {
      mode: 0o600,
      flush: true,
    });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

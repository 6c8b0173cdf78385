import { isDefault, selectorOf } from '../config/entry.ts';
import type { LinkedConfig } from '../config/link.ts';
import { outsideReferences, resolveConfig } from '../config/resolve.ts';
import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
import { LiveIndex } from '../match/live-index.ts';
import { matchEntries } from '../match/match.ts';
import { globMatcher } from '../model/glob.ts';
import { isPathSafe } from '../model/ids.ts';
import { baseOfId, globOfId } from '../model/integration-id.ts';
import type { LiveIntegration } from '../model/live.ts';
import { present } from '../model/present.ts';
import type { NeededVariable } from './dotenv.ts';
import { entryFile, isManaging, type WrittenEntry } from './entry.ts';
import { writtenOption } from './option.ts';
import { type LeftOut, proven, type Shown } from './proof.ts';
import { Variables } from './variables.ts';

interface PullInput {
  readonly live: readonly LiveIntegration[];
  /** The configuration that the server has already. */
  readonly existing: LinkedConfig;
  /** The names of the files that are there. */
  readonly taken: readonly string[];
  /** The name that all variables begin with; absent for the only server of a project. */
  readonly server?: string | undefined;
  /** A glob on ids and names. */
  readonly only?: string | undefined;
  /** The path of the schema from the folder of the new files. */
  readonly schema: string;
}

/** New entries for what is installed and not managed. */
export interface PulledEntries {
  /** A file for each entry, ordered by name. */
  readonly files: readonly { readonly name: string; readonly text: string }[];
  readonly needed: readonly NeededVariable[];
  /** What the server shows of the variables of the whole configuration. */
  readonly shown: Shown;
  readonly leftOut: readonly LeftOut[];
  /** How many integrations the configuration manages already. */
  readonly managed: number;
  /** The names of entries whose integration is not installed. */
  readonly notInstalled: readonly string[];
  /** The entries that mean several integrations. */
  readonly diagnostics: readonly Diagnostic[];
  /** The names and ids that `only` could have meant. */
  readonly names: readonly string[];
}

/** Writes an entry for each integration that no specific entry selects. The same server leads to the same text. */
export function pullEntries(input: PullInput): PulledEntries {
  const { existing, schema } = input;
  const live = input.live.filter(({ id }) => isPathSafe(id));
  const unsafe = input.live.filter((each) => !live.includes(each));
  const index = new LiveIndex(live);
  const specific = existing.filter((entry) => !isDefault(entry));
  const managed = new Set(specific.flatMap((entry) => index.found(selectorOf(entry))));
  const known = existing.map(({ name }) => name);
  const names = entryNames(index.all, managed, [...input.taken, ...known]);
  const isMeant = input.only === undefined ? () => true : globMatcher(input.only);
  const fresh = index.all.flatMap((each) => {
    const name = names.get(each.id);
    return name !== undefined && (isMeant(name) || isMeant(each.id)) ? [{ each, name }] : [];
  });
  const variables = new Variables(
    input.server,
    outsideReferences(existing).map(({ name }) => name),
  );
  const written = fresh.map(({ each, name }) => writtenEntry(each, name, index, variables));
  const { entries, leftOut, shown } = proven(written.filter(isManaging), existing, live, schema);
  return {
    files: [...entries]
      .sort((a, b) => compareText(a.name, b.name))
      .map((entry) => ({ name: entry.name, text: entryFile(entry, schema).text })),
    needed: entries.flatMap((entry) => neededBy(entry, shown)),
    shown,
    leftOut: [
      ...unsafe.map(({ id }) => ({ address: id, reason: UNSAFE })),
      ...leftOut,
      ...entries.flatMap(leftOutOf),
    ],
    managed: managed.size,
    ...unmetIn(existing, live, isMeant),
    names: [...names.values(), ...known, ...live.map(({ id }) => id)],
  };
}

/** The entries that are there and mean no integration, or several. */
function unmetIn(
  existing: LinkedConfig,
  live: readonly LiveIntegration[],
  isMeant: (name: string) => boolean,
): Pick<PulledEntries, 'notInstalled' | 'diagnostics'> {
  const { unmet } = matchEntries(resolveConfig(existing), live);
  const meant = unmet.filter(({ entry }) => isMeant(entry.name));
  const found = (code: string) => meant.filter(({ finding }) => finding.code === code);
  return {
    notInstalled: found('no-match').map(({ entry }) => entry.name),
    diagnostics: found('several-matches').map(({ finding }) => finding),
  };
}

const UNSAFE = 'its id cannot be a part of a path';

function writtenEntry(
  { id, autosubscribe, options }: LiveIntegration,
  name: string,
  index: LiveIndex,
  variables: Variables,
): WrittenEntry {
  const glob = globOfId(id);
  return {
    name,
    match: index.found({ id: glob }).length === 1 ? glob : id,
    ...present({ autosubscribe }),
    options: [...options.values()].map((option) =>
      writtenOption(option, () => variables.nameFor(name, option.key)),
    ),
  };
}

function neededBy({ name, options }: WrittenEntry, shown: Shown): NeededVariable[] {
  return options.flatMap(({ key, variable }) =>
    variable === undefined
      ? []
      : [{ variable, address: `${name}.options.${key}.value`, isShown: shown.get(variable) !== undefined }],
  );
}

function leftOutOf({ name, options }: WrittenEntry): LeftOut[] {
  return options.flatMap(({ key, notes }) =>
    notes.flatMap(({ field, text, isLeftOut }) =>
      isLeftOut ? [{ address: `${name}.options.${key}.${field}`, reason: text }] : [],
    ),
  );
}

/** A folder of configuration leaves out the file with this name. */
const RESERVED = 'setpoint';

/**
 * Names each integration that is not managed after the part of its id that outlasts an upgrade; copies are numbered in their
 * order. No name is taken already, or the id of another integration.
 */
function entryNames(
  all: readonly LiveIntegration[],
  managed: ReadonlySet<LiveIntegration>,
  taken: readonly string[],
): ReadonlyMap<string, string> {
  const used = new Set([RESERVED, ...taken.map((name) => name.toLowerCase())]);
  const owners = new Map(all.map(({ id }) => [id.toLowerCase(), id]));
  const names = new Map<string, string>();
  for (const integration of all.filter((each) => !managed.has(each))) {
    const { id } = integration;
    const isFree = (name: string) => !used.has(name) && (owners.get(name) ?? id) === id;
    const base = slug(baseOfId(id)) || 'integration';
    const name = isFree(base) ? base : numbered(base, isFree);
    used.add(name);
    names.set(id, name);
  }
  return names;
}

/** A text in small letters, digits and dashes. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}

function numbered(name: string, isFree: (name: string) => boolean): string {
  for (let number = 2; ; number += 1) if (isFree(`${name}-${number}`)) return `${name}-${number}`;
}

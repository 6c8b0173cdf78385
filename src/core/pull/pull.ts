import { isDefault, selectorOf, type WrittenConfig } from '../config/entry.ts';
import { outsideReferences } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { LiveIndex } from '../match/match.ts';
import { globMatcher } from '../model/glob.ts';
import { baseOfId, globOfId, isPathSafe } from '../model/ids.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { NeededVariable } from './dotenv.ts';
import { entryFile, isManaging, type WrittenEntry } from './entry.ts';
import { slug, uniquely, variableName } from './names.ts';
import { writtenOption } from './option.ts';
import { type LeftOut, proven, type Shown } from './proof.ts';

interface PullInput {
  readonly live: readonly LiveIntegration[];
  /** The configuration that the server has already. */
  readonly existing: WrittenConfig;
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
  /** The names and ids that `only` could have meant. */
  readonly names: readonly string[];
}

/** A folder of configuration leaves out the file with this name. */
const RESERVED = 'setpoint';

/** Writes an entry for each integration that no specific entry selects. The same server leads to the same text. */
export function pullEntries({ existing, schema, only = '*', ...input }: PullInput): PulledEntries {
  const live = input.live.filter(({ id }) => isPathSafe(id));
  const index = new LiveIndex(live);
  const specific = existing.entries
    .filter((entry) => !isDefault(entry))
    .map((entry) => ({ name: entry.name, found: index.found(selectorOf(entry)) }));
  const managed = new Set(specific.flatMap(({ found }) => found));
  const known = existing.entries.map(({ name }) => name);
  const free = uniquely([RESERVED, ...input.taken, ...known], '-');
  const named = index.all
    .filter((each) => !managed.has(each))
    .map((each) => ({ each, name: free(slug(baseOfId(each.id)) || 'integration') }));
  const isMeant = globMatcher(only);
  const meant = named.filter(({ each, name }) => isMeant(name) || isMeant(each.id));
  const variables = uniquely([...outsideReferences(existing).env.keys()], '_');
  const written = meant.map(({ each, name }) =>
    writtenEntry(each, name, index, (key) => variables(variableName([input.server ?? '', name, key]))),
  );
  const { entries, leftOut, shown } = proven(written.filter(isManaging), existing, live, schema);
  return {
    files: [...entries]
      .sort((a, b) => compareText(a.name, b.name))
      .map((entry) => ({ name: entry.name, text: entryFile(entry, schema).text })),
    needed: entries.flatMap((entry) => neededBy(entry, shown)),
    shown,
    leftOut: [
      ...input.live.flatMap(({ id }) => (isPathSafe(id) ? [] : [{ address: id, reason: UNSAFE }])),
      ...leftOut,
      ...entries.flatMap(leftOutOf),
    ],
    managed: managed.size,
    notInstalled: specific.flatMap(({ name, found }) => (found.length === 0 && isMeant(name) ? [name] : [])),
    names: [...named.map(({ name }) => name), ...known, ...live.map(({ id }) => id)],
  };
}

const UNSAFE = 'its id cannot be a part of a path';

function writtenEntry(
  { id, autosubscribe, options }: LiveIntegration,
  name: string,
  index: LiveIndex,
  variableFor: (key: string) => string,
): WrittenEntry {
  const glob = globOfId(id);
  return {
    name,
    match: index.found({ id: glob }).length === 1 ? glob : id,
    ...present({ autosubscribe }),
    options: [...options.values()].map((option) => writtenOption(option, () => variableFor(option.key))),
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

import { isDefault, selectorOf, type WrittenConfig } from '../config/entry.ts';
import { outsideReferences } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import { LiveIndex } from '../match/match.ts';
import { globMatcher } from '../model/glob.ts';
import { baseOfId, globOfId, isPathSafe } from '../model/ids.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isOwnCredential } from '../model/own-credential.ts';
import { entryFile, isManaging, type WrittenEntry, writtenOption } from './entry.ts';
import { proven } from './proof.ts';

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
export type PulledEntries = ReturnType<typeof pullEntries>;

/** A folder of configuration leaves out the file with this name. */
const RESERVED = 'setpoint';

/** Writes an entry for each integration that no specific entry selects. The same server leads to the same text. */
export function pullEntries({ live, existing, taken, server = '', only = '*', schema }: PullInput) {
  const index = new LiveIndex(live.filter(({ id }) => isPathSafe(id)));
  const known = existing.entries.map(({ name }) => name);
  const named = unmanagedIn(index, existing, uniquely([RESERVED, ...taken, ...known], '-'));
  const isMeant = globMatcher(only);
  const freeVariable = uniquely([...outsideReferences(existing).env.keys()], '_');
  const written = named
    .filter(({ each, name }) => isMeant(name) || isMeant(each.id))
    .map(({ each, name }) => {
      const variableOf = (key: string) => freeVariable(variableName([server, name, key]));
      return { name, ...contentOf(each, index, variableOf) };
    });
  const { entries, leftOut, shown } = proven(written.filter(isManaging), existing, index.all);
  const unsafe = live.filter(({ id }) => !isPathSafe(id));
  return {
    /** A file for each entry, ordered by name. */
    files: [...entries]
      .sort((a, b) => compareText(a.name, b.name))
      .map((entry) => ({ name: entry.name, text: entryFile(entry, schema).text })),
    /** The variables of the new entries, the fields that read them, and whether the server shows their values. */
    needed: entries
      .flatMap(neededBy)
      .map((each) => ({ ...each, isShown: shown.get(each.variable) !== undefined })),
    /** What the server shows of the variables of the whole configuration. */
    shown,
    /** Fields, options and integrations that are not written, and why. */
    leftOut: [
      ...unsafe.map(({ id }) => ({ address: id, reason: 'its id cannot be a part of a path' })),
      ...leftOut,
      ...entries.flatMap(leftOutOf),
    ],
    /** How many integrations the configuration manages already. */
    managed: index.all.length - named.length,
    /** The names and ids that `only` could have meant. */
    names: [...named.map(({ name }) => name), ...known, ...index.all.map(({ id }) => id)],
  };
}

/** The integrations that no specific entry selects, with the names of their new entries. */
function unmanagedIn(index: LiveIndex, existing: WrittenConfig, free: (name: string) => string) {
  const specific = existing.entries.filter((entry) => !isDefault(entry));
  const managed = new Set(specific.flatMap((entry) => index.found(selectorOf(entry))));
  return index.all
    .filter((each) => !managed.has(each))
    .map((each) => ({ each, name: free(slug(baseOfId(each.id)) || 'integration') }));
}

function contentOf(
  { id, autosubscribe, options }: LiveIntegration,
  index: LiveIndex,
  variableOf: (key: string) => string,
) {
  const glob = globOfId(id);
  return {
    match: index.found({ id: glob }).length === 1 ? glob : id,
    ...present({ autosubscribe }),
    options: [...options.values()].map((option) => writtenOption(option, () => variableOf(option.key))),
  };
}

function neededBy({ name, options }: WrittenEntry) {
  return options.flatMap(({ key, variable }) =>
    variable === undefined ? [] : [{ variable, address: `${name}.options.${key}.value` }],
  );
}

function leftOutOf({ name, options }: WrittenEntry) {
  return options.flatMap(({ key, notes }) =>
    notes
      .filter(({ isLeftOut }) => isLeftOut)
      .map(({ field, text }) => ({ address: `${name}.options.${key}.${field}`, reason: text })),
  );
}

/** Makes names unlike those that are taken, by a number. Letter case makes no difference. */
export function uniquely(taken: readonly string[], separator: string): (name: string) => string {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return (name) => {
    let free = name;
    for (let number = 2; used.has(free.toLowerCase()); number += 1) free = `${name}${separator}${number}`;
    used.add(free.toLowerCase());
    return free;
  };
}

/** A text in small letters, digits and dashes. */
function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}

/** The variable of an option: `SETPOINT_VIRUSTOTAL_API_KEY` for `apiKey` of `virustotal`. */
function variableName(names: readonly string[]): string {
  const words = names.map(shouted).filter((word) => word !== '');
  const name = ['SETPOINT', ...words].join('_');
  return isOwnCredential(name) ? ['SETPOINT', 'OPTION', ...words].join('_') : name;
}

/** Words of a name in capitals: `API_KEY` of `apiKey`. */
function shouted(name: string): string {
  return name
    .replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

import { parseConfig } from '../config/config.ts';
import { isDefault, selectorOf, type WrittenConfig } from '../config/entry.ts';
import { outsideReferences, resolveConfig } from '../config/resolve.ts';
import {
  compareText,
  type Diagnostic,
  FINDINGS,
} from '../findings/diagnostic.ts';
import { explain } from '../findings/explain.ts';
import { LiveIndex } from '../match/live-index.ts';
import { matchEntries } from '../match/match.ts';
import { type DesiredIntegration, managedOptions } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { baseOfId, globOfId, isPathSafe } from '../model/ids.ts';
import { grouped, present } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isOwnCredential } from '../model/own-credential.ts';
import { isSecret } from '../model/secrecy.ts';
import { hide, type Secret } from '../model/secret.ts';
import { contentOf } from '../model/side.ts';
import { canonicalText, isEmpty } from '../model/value.ts';
import { compareIntegration } from '../plan/compare.ts';
import { entryFile, isDeclared, leftOut, writtenOption } from './entry.ts';

type WrittenEntry = Parameters<typeof entryFile>[0];

/** Entries that are as desired, those that are not, and why. */
interface Proven {
  readonly entries: readonly WrittenEntry[];
  readonly gone: readonly {
    readonly address: string;
    readonly reason: string;
  }[];
  /** The variables of the configuration with their texts; undefined if the server does not show one. */
  readonly shown: ReadonlyMap<string, Secret<string> | undefined>;
}

/** A field, option or integration that is not written, and why. */
interface LeftOut {
  readonly address: string;
  readonly reason: string;
}

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

/** A folder of configuration leaves out the file with this name. */
const RESERVED = 'setpoint';

/** Writes an entry for each integration that no specific entry selects. The same server leads to the same text. */
export function pullEntries({
  live,
  existing,
  taken,
  server = '',
  only = '*',
  schema,
}: PullInput) {
  const index = new LiveIndex(live.filter(({ id }) => isPathSafe(id)));
  const known = existing.entries.map(({ name }) => name);
  const named = unmanagedIn(
    index,
    existing,
    uniquely([RESERVED, ...taken, ...known], '-'),
  );
  const isMeant = globMatcher(only);
  const freeVariable = uniquely(
    [...outsideReferences(existing).env.keys()],
    '_',
  );
  const meant = named.filter(
    ({ each, name }) => isMeant(name) || isMeant(each.id),
  );
  const written = meant.map(({ each, name }) => {
    const variableOf = (key: string) =>
      freeVariable(variableName([server, name, key]));
    return { name, ...partsOf(each, index, variableOf) };
  });
  const { entries, gone, shown } = proven(
    written.filter(isManaging),
    existing,
    index.all,
  );
  const unsafe = live.filter(({ id }) => !isPathSafe(id));
  return {
    /** A file for each entry, ordered by name. */
    files: [...entries]
      .sort((a, b) => compareText(a.name, b.name))
      .map((entry) => ({
        name: entry.name,
        text: entryFile(entry, schema).text,
      })),
    /** The variables of the new entries, the fields that read them, and whether the server shows their values. */
    needed: entries.flatMap(neededBy).map((each) => ({
      ...each,
      isShown: shown.get(each.variable) !== undefined,
    })),
    /** What the server shows of the variables of the whole configuration. */
    shown,
    /** Fields, options and integrations that are not written, and why. */
    leftOut: [
      ...unsafe.map(({ id }) => ({
        address: id,
        reason: 'its id cannot be a part of a path',
      })),
      ...gone,
      ...entries.flatMap(leftOutOf),
      ...meant.flatMap(unshownIn),
    ],
    /** The new secrets that read as empty, if the server shows no secret at all. */
    emptySecrets: emptySecretsIn(meant, index.all),
    /** The options that integrations of the configuration have, and no file declares. */
    undeclared: undeclaredIn(existing, index.all, named).filter(
      ({ name, id }) => isMeant(name) || isMeant(id),
    ),
    /** How many integrations the configuration manages already. */
    managed: index.all.length - named.length,
    /** The names and ids that `only` could have meant. */
    names: [
      ...named.map(({ name }) => name),
      ...known,
      ...index.all.map(({ id }) => id),
    ],
  };
}

/** The integrations that no specific entry selects, with the names of their new entries. */
function unmanagedIn(
  index: LiveIndex,
  existing: WrittenConfig,
  free: (name: string) => string,
) {
  const specific = existing.entries.filter((entry) => !isDefault(entry));
  const managed = new Set(
    specific.flatMap((entry) => index.found(selectorOf(entry))),
  );
  return index.all
    .filter((each) => !managed.has(each))
    .map((each) => ({
      each,
      name: free(slug(baseOfId(each.id)) || 'integration'),
    }));
}

/** An integration, and the name of its new entry. */
interface Named {
  readonly each: LiveIntegration;
  readonly name: string;
}

/** The options that the server lists, but shows nothing of. */
function unshownIn({ each, name }: Named): LeftOut[] {
  const unshown: LeftOut[] = [];
  for (const key of each.optionKeys) {
    if (each.options.has(key)) continue;
    const reason = 'the server lists them, but does not show them';
    unshown.push({ address: `${name}.options.${key}`, reason });
  }
  return unshown;
}

/** The addresses of secrets that read as empty; none if the server shows or masks any. */
function emptySecretsIn(
  meant: readonly Named[],
  live: readonly LiveIntegration[],
): string[] {
  const isShown = live.some(({ options }) =>
    [...options.values()].some(isHeldSecret),
  );
  if (isShown) return [];
  const addresses: string[] = [];
  for (const { each, name } of meant)
    for (const { key, type, permission } of each.options.values()) {
      const isOwn = permission === 'user-provides';
      if (isSecret({ key, type }) && !isOwn)
        addresses.push(`${name}.options.${key}.value`);
    }
  return addresses;
}

function isHeldSecret({ key, type, value }: LiveOption): boolean {
  const isSet = value.kind === 'hidden' || !isEmpty(contentOf(value));
  return isSet && isSecret({ key, type });
}

/** An integration of the configuration, and options of it. */
interface Undeclared {
  readonly name: string;
  readonly id: string;
  readonly options: readonly string[];
}

/** The options of integrations that the configuration manages, but for those that it declares; `added` are new to it. */
function undeclaredIn(
  existing: WrittenConfig,
  live: readonly LiveIntegration[],
  added: readonly Named[],
): Undeclared[] {
  const byId = new Map(live.map((each) => [each.id, each]));
  for (const { each } of added) byId.delete(each.id);
  const undeclared: Undeclared[] = [];
  const desired = matchEntries(resolveConfig(existing), live).value;
  for (const { id, name, settings } of desired) {
    const declared = new Set(managedOptions(settings));
    const keys = byId.get(id)?.optionKeys ?? [];
    const options = [...keys].filter((key) => !declared.has(key));
    if (options.length > 0) undeclared.push({ name, id, options });
  }
  return undeclared;
}

function partsOf(
  { id, autosubscribe, options }: LiveIntegration,
  index: LiveIndex,
  variableOf: (key: string) => string,
) {
  const glob = globOfId(id);
  return {
    match: index.found({ id: glob }).length === 1 ? glob : id,
    ...present({ autosubscribe }),
    options: [...options.values()].map((option) =>
      writtenOption(option, () => variableOf(option.key)),
    ),
  };
}

function neededBy({ name, options }: WrittenEntry) {
  return options.flatMap(({ key, variable }) =>
    variable === undefined
      ? []
      : [{ variable, address: `${name}.options.${key}.value` }],
  );
}

function leftOutOf({ name, options }: WrittenEntry) {
  return options.flatMap(({ key, notes }) =>
    notes
      .filter(({ isLeftOut }) => isLeftOut)
      .map(({ field, text }) => ({
        address: `${name}.options.${key}.${field}`,
        reason: text,
      })),
  );
}

/** Parses and plans the whole configuration, and comments out what is found or differs, until nothing is. */
function proven(
  entries: readonly WrittenEntry[],
  existing: WrittenConfig,
  live: readonly LiveIntegration[],
): Proven {
  const files = entries.map((entry) => ({
    path: entry.name,
    ...entryFile(entry, ''),
  }));
  const { value: config, diagnostics } = parseConfig([files]);
  const entriesOfAll = [...existing.entries, ...(config?.entries ?? [])];
  const { shown, found } = planned(
    { ...existing, entries: entriesOfAll },
    live,
  );
  // Only what stands in a new entry is a flaw of it.
  const flaws = [...diagnostics.flatMap(wrong), ...found].flatMap(
    ({ place, reason }) => {
      const file = files.find(({ path }) => path === place?.file);
      return file === undefined
        ? []
        : [{ name: file.path, key: file.keys[(place?.line ?? 0) - 1], reason }];
    },
  );
  if (flaws.length === 0) return { entries, gone: [], shown };
  const byName = grouped(flaws, ({ name }) => name);
  const mended = entries.map((entry) =>
    mend(entry, byName.get(entry.name) ?? []),
  );
  const next = proven(mended.filter(isManaging), existing, live);
  const gone = mended.filter((entry) => !isManaging(entry));
  const reasons = gone.map(({ name }) => ({
    address: name,
    reason: byName.get(name)?.[0].reason ?? '',
  }));
  return { ...next, gone: [...reasons, ...next.gone] };
}

/** Whether an entry declares anything. */
function isManaging({ autosubscribe, options }: WrittenEntry): boolean {
  return autosubscribe !== undefined || options.some(isDeclared);
}

/** An entry without the options that have flaws; without anything if a flaw is not in an option. */
function mend(
  { name, match, ...rest }: WrittenEntry,
  flaws: readonly {
    readonly key: string | undefined;
    readonly reason: string;
  }[],
): WrittenEntry {
  const reasons = new Map(flaws.map(({ key, reason }) => [key, reason]));
  if (reasons.has(undefined)) return { name, match, options: [] };
  const options = rest.options.map((option) => {
    const reason = reasons.get(option.key);
    return reason === undefined
      ? option
      : { key: option.key, notes: [leftOut('value', reason)] };
  });
  return { ...rest, name, match, options };
}

/** What keeps a part of a file from being valid and as desired. */
function wrong(found: Diagnostic) {
  const { title } = FINDINGS[found.code];
  const reason = /^[A-Z][a-z ]/.test(title)
    ? title.charAt(0).toLowerCase() + title.slice(1)
    : title;
  return explain(found).severity === 'note'
    ? []
    : [{ place: found.place, reason }];
}

/** Plans with references unread: a variable is as the server has it. */
function planned(config: WrittenConfig, live: readonly LiveIntegration[]) {
  const byId = new Map(live.map((each) => [each.id, each]));
  const { value, diagnostics } = matchEntries(resolveConfig(config), live);
  const diffs = value.flatMap((each) => {
    const installed = byId.get(each.id);
    return installed === undefined ? [] : [compareIntegration(each, installed)];
  });
  const differing = diffs
    .flatMap(({ comparisons }) => comparisons)
    .filter(({ state }) => state === 'differs')
    .map(({ setting }) => setting.place);
  return {
    shown: shownBy(value, byId),
    found: [
      ...[...diagnostics, ...diffs.flatMap((each) => each.diagnostics)].flatMap(
        wrong,
      ),
      ...differing.map((place) => ({
        place,
        reason: 'would not read back the same',
      })),
    ],
  };
}

/** The variables that are the whole value of an option. If two options hold different texts, none is shown. */
function shownBy(
  integrations: readonly DesiredIntegration[],
  live: ReadonlyMap<string, LiveIntegration>,
) {
  const read: { name: string; text: string | undefined }[] = [];
  for (const { id, settings } of integrations) {
    for (const { option, value: setting } of settings.options.values()) {
      const reference = setting?.reference ?? '';
      const [, name] = /^\$\{env:(SETPOINT_\w+)\}$/.exec(reference) ?? [];
      if (name === undefined) continue;
      const held = live.get(id)?.options.get(option)?.value;
      const value = held === undefined ? undefined : contentOf(held);
      const text = isEmpty(value) ? undefined : canonicalText(value);
      read.push({ name, text });
    }
  }
  return new Map(
    [...grouped(read, ({ name }) => name)].map(([name, all]) => {
      const [text, ...others] = new Set(all.map((each) => each.text));
      return [
        name,
        text === undefined || others.length > 0 ? undefined : hide(text),
      ];
    }),
  );
}

/** Makes names unlike those that are taken, by a number. Letter case makes no difference. */
export function uniquely(
  taken: readonly string[],
  separator: string,
): (name: string) => string {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return (name) => {
    let free = name;
    for (let number = 2; used.has(free.toLowerCase()); number += 1)
      free = `${name}${separator}${number}`;
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
  return isOwnCredential(name)
    ? ['SETPOINT', 'OPTION', ...words].join('_')
    : name;
}

/** Words of a name in capitals: `API_KEY` of `apiKey`. */
function shouted(name: string): string {
  return name
    .replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

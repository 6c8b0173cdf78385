import { parseConfig } from '../config/config.ts';
import { isDefault, selectorOf, type WrittenConfig } from '../config/entry.ts';
import { outsideReferences, resolveConfig } from '../config/resolve.ts';
import {
  compareText,
  type Diagnostic,
  FINDINGS,
} from '../findings/diagnostic.ts';
import { severityOf } from '../findings/explain.ts';
import { LiveIndex } from '../match/live-index.ts';
import { matchEntries } from '../match/match.ts';
import { type DesiredIntegration, managedOptions } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { baseOfId, globOfId, isPathSafe } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { isOwnCredential } from '../model/own-credential.ts';
import type { Place } from '../model/place.ts';
import { isSecret } from '../model/secrecy.ts';
import { hide, type Secret } from '../model/secret.ts';
import { contentOf } from '../model/side.ts';
import type { Subject } from '../model/subject.ts';
import { canonicalText, isEmpty } from '../model/value.ts';
import { compareIntegration } from '../plan/compare.ts';
import {
  entryFile,
  isDeclared,
  isManaging,
  leftOut,
  type WrittenEntry,
  writtenOption,
} from './entry.ts';

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
  /** The name that all variables begin with; absent for an only server. */
  readonly server?: string | undefined;
  /** A glob on ids and names. */
  readonly only?: string | undefined;
  /** The path of the schema from the folder of the new files. */
  readonly schema: string;
}

/** A folder of configuration leaves out the file with this name. */
const RESERVED = 'setpoint';

/** The new entries, and all that a person has to know of them. */
export interface PulledEntries {
  /** A file for each entry, ordered by name. */
  readonly files: readonly PulledFile[];
  /** How many options they declare. */
  readonly options: number;
  /** The variables of the new entries. */
  readonly needed: readonly NeededVariable[];
  /** The texts of the variables of the whole configuration. */
  readonly shown: ShownVariables;
  readonly leftOut: readonly LeftOut[];
  /** The new secrets that read as empty, if the server shows none at all. */
  readonly emptySecrets: readonly Subject[];
  /** The options of managed integrations that no file declares. */
  readonly undeclared: readonly Undeclared[];
  /** How many integrations the configuration manages already. */
  readonly managed: number;
  /** The names and ids that `only` could have meant. */
  readonly names: readonly string[];
}

interface PulledFile {
  readonly name: string;
  readonly text: string;
}

interface NeededVariable {
  readonly variable: string;
  /** The field that reads it. */
  readonly address: string;
  /** Whether the server shows its value. */
  readonly isShown: boolean;
}

/** Texts of variables; undefined if the server does not show one. */
type ShownVariables = ReadonlyMap<string, Secret<string> | undefined>;

/** An integration, and the name of its new entry. */
interface Named {
  readonly integration: LiveIntegration;
  readonly name: string;
}

/**
 * Writes an entry for each integration that no specific entry selects. The
 * same server leads to the same text.
 */
export function pullEntries(input: PullInput): PulledEntries {
  const { live, existing, schema } = input;
  const isMeant = globMatcher(input.only ?? '*');
  const index = new LiveIndex(live.filter(({ id }) => isPathSafe(id)));
  const named = unmanagedIn(index, input);
  const meant = named.filter(
    ({ name, integration }) => isMeant(name) || isMeant(integration.id),
  );
  const written = entriesOf(meant, index, input);
  const { entries, gone, shown } = proven(written, existing, index.all);
  const undeclared = undeclaredIn(existing, index.all, named);
  const leftOut = [
    ...unsafeIn(live),
    ...gone,
    ...leftOutOf(entries),
    ...unshownIn(meant),
  ];
  return {
    files: filesOf(entries, schema),
    options: declaredCount(entries),
    needed: neededBy(entries, shown),
    shown,
    leftOut,
    emptySecrets: emptySecretsIn(meant, index.all),
    undeclared: undeclared.filter(
      ({ name, id }) => isMeant(name) || isMeant(id),
    ),
    managed: index.all.length - named.length,
    names: [
      ...named.map(({ name }) => name),
      ...existing.entries.map(({ name }) => name),
      ...index.all.map(({ id }) => id),
    ],
  };
}

/** How many options entries declare. */
function declaredCount(entries: readonly WrittenEntry[]): number {
  let count = 0;
  for (const { options } of entries) count += options.filter(isDeclared).length;
  return count;
}

/** The integrations that no specific entry selects, with new names. */
function unmanagedIn(index: LiveIndex, input: PullInput): Named[] {
  const { entries } = input.existing;
  const managed = new Set<LiveIntegration>();
  for (const entry of entries) {
    if (isDefault(entry)) continue;
    for (const integration of index.found(selectorOf(entry)))
      managed.add(integration);
  }
  const known = entries.map(({ name }) => name);
  const freeName = uniquely([RESERVED, ...input.taken, ...known], '-');
  const named: Named[] = [];
  for (const integration of index.all) {
    if (managed.has(integration)) continue;
    const word = slug(baseOfId(integration.id)) || 'integration';
    named.push({ integration, name: freeName(word) });
  }
  return named;
}

/** The entries of integrations; one that would declare nothing is left out. */
function entriesOf(
  meant: readonly Named[],
  index: LiveIndex,
  input: PullInput,
): WrittenEntry[] {
  const { server = '', existing } = input;
  const variables = outsideReferences(existing).env.keys();
  const freeVariable = uniquely([...variables], '_');
  const entries: WrittenEntry[] = [];
  for (const { name, integration } of meant) {
    const entry = entryOf(name, integration, index, (key) =>
      freeVariable(variableName([server, name, key])),
    );
    if (isManaging(entry)) entries.push(entry);
  }
  return entries;
}

function entryOf(
  name: string,
  integration: LiveIntegration,
  index: LiveIndex,
  variableOf: (key: string) => string,
): WrittenEntry {
  const { id, autosubscribe } = integration;
  const glob = globOfId(id);
  const isUnique = index.found({ id: glob }).length === 1;
  const options = [...integration.options.values()].map((option) =>
    writtenOption(option, () => variableOf(option.key)),
  );
  return { name, match: isUnique ? glob : id, autosubscribe, options };
}

function filesOf(
  entries: readonly WrittenEntry[],
  schema: string,
): PulledFile[] {
  const byName = [...entries].sort((a, b) => compareText(a.name, b.name));
  return byName.map((entry) => {
    const { text } = entryFile(entry, schema);
    return { name: entry.name, text };
  });
}

function neededBy(
  entries: readonly WrittenEntry[],
  shown: ShownVariables,
): NeededVariable[] {
  const needed: NeededVariable[] = [];
  for (const { name, options } of entries)
    for (const { key, variable } of options) {
      if (variable === undefined) continue;
      const address = `${name}.options.${key}.value`;
      const isShown = shown.get(variable) !== undefined;
      needed.push({ variable, address, isShown });
    }
  return needed;
}

/** The integrations that no request can name. */
function unsafeIn(live: readonly LiveIntegration[]): LeftOut[] {
  const unsafe = live.filter(({ id }) => !isPathSafe(id));
  const reason = 'its id cannot be a part of a path';
  return unsafe.map(({ id }) => ({ address: id, reason }));
}

/** The fields that stand in comments of entries. */
function leftOutOf(entries: readonly WrittenEntry[]): LeftOut[] {
  const fields: LeftOut[] = [];
  for (const { name, options } of entries)
    for (const { key, notes } of options)
      for (const { field, text, isLeftOut } of notes) {
        if (!isLeftOut) continue;
        const address = `${name}.options.${key}.${field}`;
        fields.push({ address, reason: text });
      }
  return fields;
}

/** The options that the server lists, but shows nothing of. */
function unshownIn(meant: readonly Named[]): LeftOut[] {
  const reason = 'the server lists them, but does not show them';
  const unshown: LeftOut[] = [];
  for (const { integration, name } of meant)
    for (const key of integration.optionKeys) {
      if (integration.options.has(key)) continue;
      unshown.push({ address: `${name}.options.${key}`, reason });
    }
  return unshown;
}

/** The secrets that read as empty; none if the server shows or masks any. */
function emptySecretsIn(
  meant: readonly Named[],
  live: readonly LiveIntegration[],
): Subject[] {
  const isShown = live.some(({ options }) =>
    [...options.values()].some(isHeldSecret),
  );
  if (isShown) return [];
  const empty: Subject[] = [];
  for (const { integration, name } of meant)
    for (const { key, type, permission } of integration.options.values()) {
      const isOwn = permission === 'user-provides';
      if (isOwn || !isSecret({ key, type })) continue;
      empty.push({ kind: 'value', integration: name, option: key });
    }
  return empty;
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

/** The undeclared options of managed integrations, without those added. */
function undeclaredIn(
  existing: WrittenConfig,
  live: readonly LiveIntegration[],
  added: readonly Named[],
): Undeclared[] {
  const byId = new Map(live.map((each) => [each.id, each]));
  for (const { integration } of added) byId.delete(integration.id);
  const undeclared: Undeclared[] = [];
  const desired = matchEntries(resolveConfig(existing), live).integrations;
  for (const { id, name, settings } of desired) {
    const declared = new Set(managedOptions(settings));
    const keys = byId.get(id)?.optionKeys ?? [];
    const options = [...keys].filter((key) => !declared.has(key));
    if (options.length > 0) undeclared.push({ name, id, options });
  }
  return undeclared;
}

/** Entries that are as desired, and those that are not. */
interface Proven {
  readonly entries: readonly WrittenEntry[];
  readonly gone: readonly LeftOut[];
  /** The variables of the whole configuration. */
  readonly shown: ShownVariables;
}

/** A part of a file that is not valid, or not as desired. */
interface Flaw {
  readonly place: Place | undefined;
  readonly reason: string;
}

/** The flaws of an option of an entry; without a key, of another part of it. */
interface EntryFlaw {
  readonly name: string;
  readonly key: string | undefined;
  readonly reason: string;
}

/**
 * Parses and plans the whole configuration, and comments out the options with
 * flaws, until none is left.
 */
function proven(
  written: readonly WrittenEntry[],
  existing: WrittenConfig,
  live: readonly LiveIntegration[],
): Proven {
  const gone: LeftOut[] = [];
  let entries = written;
  for (;;) {
    const { flaws, shown } = examined(entries, existing, live);
    if (flaws.length === 0) return { entries, gone, shown };
    const byName = grouped(flaws, ({ name }) => name);
    const kept: WrittenEntry[] = [];
    for (const entry of entries) {
      const own: readonly EntryFlaw[] = byName.get(entry.name) ?? [];
      const mended = withoutFlawed(entry, own);
      if (isManaging(mended)) kept.push(mended);
      else gone.push({ address: entry.name, reason: own[0]?.reason ?? '' });
    }
    entries = kept;
  }
}

interface Examined {
  readonly flaws: readonly EntryFlaw[];
  readonly shown: ShownVariables;
}

/** Parses and plans new entries together with the existing ones. */
function examined(
  entries: readonly WrittenEntry[],
  existing: WrittenConfig,
  live: readonly LiveIntegration[],
): Examined {
  const files = entries.map((entry) => {
    const { text, keys } = entryFile(entry, '');
    return { path: entry.name, text, keys };
  });
  const { value, diagnostics } = parseConfig([files]);
  const all = [...existing.entries, ...(value?.entries ?? [])];
  const plan = planned({ ...existing, entries: all }, live);
  const keysOf = new Map(files.map(({ path, keys }) => [path, keys]));
  const flaws: EntryFlaw[] = [];
  for (const { place, reason } of [...flawsIn(diagnostics), ...plan.flaws]) {
    if (place === undefined) continue;
    const keys = keysOf.get(place.file);
    // A flaw of an entry that was there before stays as it is.
    if (keys === undefined) continue;
    flaws.push({ name: place.file, key: keys[place.line - 1], reason });
  }
  return { flaws, shown: plan.shown };
}

/** An entry with the options that have flaws as comments. */
function withoutFlawed(
  entry: WrittenEntry,
  flaws: readonly EntryFlaw[],
): WrittenEntry {
  const { name, match } = entry;
  const reasons = new Map(flaws.map(({ key, reason }) => [key, reason]));
  // Nothing can be kept if a flaw is not in an option.
  if (reasons.has(undefined)) return { name, match, options: [] };
  const options = entry.options.map((option) => {
    const reason = reasons.get(option.key);
    if (reason === undefined) return option;
    return { key: option.key, notes: [leftOut('value', reason)] };
  });
  return { ...entry, options };
}

/** Findings as flaws, with the title of each as the reason; notes are none. */
function flawsIn(diagnostics: readonly Diagnostic[]): Flaw[] {
  const flaws: Flaw[] = [];
  for (const finding of diagnostics) {
    if (severityOf(finding) === 'note') continue;
    const { title } = FINDINGS[finding.code];
    const reason = title.replace(/^[A-Z](?=[a-z ])/, (letter) =>
      letter.toLowerCase(),
    );
    flaws.push({ place: finding.place, reason });
  }
  return flaws;
}

interface PlannedPull {
  readonly flaws: readonly Flaw[];
  readonly shown: ShownVariables;
}

/** Plans with references unread: a variable is as the server has it. */
function planned(
  config: WrittenConfig,
  live: readonly LiveIntegration[],
): PlannedPull {
  const byId = new Map(
    live.map((integration) => [integration.id, integration]),
  );
  const matched = matchEntries(resolveConfig(config), live);
  const flaws = flawsIn(matched.diagnostics);
  const differing: Flaw[] = [];
  for (const desired of matched.integrations) {
    const installed = byId.get(desired.id);
    if (installed === undefined) continue;
    const compared = compareIntegration(desired, installed);
    flaws.push(...flawsIn(compared.diagnostics));
    for (const { state, setting } of compared.comparisons) {
      if (state !== 'differs') continue;
      const reason = 'would not read back the same';
      differing.push({ place: setting.place, reason });
    }
  }
  const shown = shownBy(matched.integrations, byId);
  return { flaws: [...flaws, ...differing], shown };
}

/** The variables that are whole values; none is shown for different texts. */
function shownBy(
  integrations: readonly DesiredIntegration[],
  live: ReadonlyMap<string, LiveIntegration>,
): ShownVariables {
  const readings = integrations.flatMap((integration) =>
    readingsIn(integration, live.get(integration.id)),
  );
  const shown = new Map<string, Secret<string> | undefined>();
  for (const [name, same] of grouped(readings, (reading) => reading.name)) {
    const texts = new Set(same.map(({ text }) => text));
    const [text] = texts;
    const isClear = text !== undefined && texts.size === 1;
    shown.set(name, isClear ? hide(text) : undefined);
  }
  return shown;
}

/** What a server shows of a variable that is the whole value of an option. */
interface Reading {
  readonly name: string;
  readonly text: string | undefined;
}

function readingsIn(
  { settings }: DesiredIntegration,
  live: LiveIntegration | undefined,
): Reading[] {
  const readings: Reading[] = [];
  for (const { option, value: setting } of settings.options.values()) {
    const reference = setting?.reference ?? '';
    const [, name] = /^\$\{env:(SETPOINT_\w+)\}$/.exec(reference) ?? [];
    if (name === undefined) continue;
    const held = live?.options.get(option)?.value;
    const value = held === undefined ? undefined : contentOf(held);
    const text = isEmpty(value) ? undefined : canonicalText(value);
    readings.push({ name, text });
  }
  return readings;
}

/** Makes names unlike those taken, by a number; letter case does not count. */
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
  const dashed = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return dashed.replace(/^-|-$/g, '').slice(0, 60);
}

/** The variable of an option, such as `SETPOINT_VIRUSTOTAL_API_KEY`. */
function variableName(names: readonly string[]): string {
  const words = names.map(shouted).filter((word) => word !== '');
  const name = ['SETPOINT', ...words].join('_');
  if (!isOwnCredential(name)) return name;
  return ['SETPOINT', 'OPTION', ...words].join('_');
}

/** Words of a name in capitals: `API_KEY` of `apiKey`. */
function shouted(name: string): string {
  return name
    .replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2_')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

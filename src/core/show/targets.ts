import {
  type Entry,
  isDefault,
  optionKeys,
  selectorOf,
  type WrittenConfig,
} from '../config/entry.ts';
import { LiveIndex } from '../match/live-index.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isNamedBy, type Subject } from '../model/subject.ts';

/** An integration on a server, or an entry that means none there. */
export interface Target {
  /** Its name in the configuration; its id if no entry names it. */
  readonly name: string;
  /** The entries that hold for it. */
  readonly entries: readonly Entry[];
  readonly installed?: LiveIntegration | undefined;
  /** The keys of its options: those that it has, and those that its entries declare. */
  readonly keys: readonly string[];
}

/** A target with those of its fields that a word names. */
export interface NamedTarget {
  readonly target: Target;
  readonly fields: readonly Subject[];
}

export interface FoundTargets {
  /** All targets of a server. */
  readonly all: readonly Target[];
  readonly named: readonly NamedTarget[];
}

/** Finds what a word names on a server: integrations by a name, an id or a glob, otherwise fields by an address. */
export function findTargets(
  word: string,
  config: WrittenConfig,
  live: readonly LiveIntegration[],
): FoundTargets {
  const all = targetsOf(config, live);
  const meant = all.filter((target) => isMeant(word, target));
  if (meant.length > 0) {
    const named = meant.map((target) => ({ target, fields: fieldsOf(target) }));
    return { all, named };
  }
  const named: NamedTarget[] = [];
  for (const target of all) {
    const id = target.installed?.id ?? target.name;
    const fields = fieldsOf(target).filter(
      (subject) =>
        isNamedBy(word, subject) ||
        isNamedBy(word, { ...subject, integration: id }),
    );
    if (fields.length > 0) named.push({ target, fields });
  }
  return { all, named };
}

/** All that a server has to show: what is installed, then the entries that mean nothing there. */
function targetsOf(
  { entries }: WrittenConfig,
  live: readonly LiveIntegration[],
): Target[] {
  const targets: Target[] = [];
  const named = new Set<string>();
  for (const [installed, own] of holdingBy(entries, live)) {
    const specific = own.filter((entry) => !isDefault(entry));
    const name = specific[0]?.name ?? installed.id;
    const keys = keysOf(specific, installed.optionKeys);
    targets.push({ name, entries: own, installed, keys });
    named.add(name);
  }
  for (const entry of entries) {
    if (named.has(entry.name)) continue;
    const around = entries.filter((defaults) => covers(defaults, entry));
    const own = [entry, ...around];
    targets.push({ name: entry.name, entries: own, keys: keysOf(own) });
  }
  return targets;
}

/** The entries that hold for each installed integration. */
function holdingBy(
  entries: readonly Entry[],
  live: readonly LiveIntegration[],
): ReadonlyMap<LiveIntegration, readonly Entry[]> {
  const index = new LiveIndex(live);
  const holding = new Map<LiveIntegration, Entry[]>();
  for (const integration of index.all) holding.set(integration, []);
  for (const entry of entries) {
    const found = index.found(selectorOf(entry));
    if (!isDefault(entry) && found.length !== 1) continue;
    for (const integration of found) holding.get(integration)?.push(entry);
  }
  return holding;
}

function keysOf(
  entries: readonly Entry[],
  known: Iterable<string> = [],
): string[] {
  const keys = new Set(known);
  for (const entry of entries) {
    for (const key of optionKeys(entry)) keys.add(key);
  }
  return [...keys].sort();
}

/** Whether the glob on ids of defaults covers that of a specific entry. */
function covers(defaults: Entry, entry: Entry): boolean {
  if (!isDefault(defaults) || isDefault(entry)) return false;
  const { id = '*', name, acronym } = selectorOf(defaults);
  if (name !== undefined || acronym !== undefined) return false;
  return globMatcher(id)(selectorOf(entry).id ?? '');
}

/** Whether a word is the name or id of a target, or its name on the server, or a glob that matches one; defaults go by their name alone. */
function isMeant(word: string, { name, installed, entries }: Target): boolean {
  const names = [name, installed?.id, installed?.name];
  if (names.includes(word)) return true;
  if (literalStart(word) === word) return false;
  const isOfDefaults = installed === undefined && entries.every(isDefault);
  if (isOfDefaults) return false;
  const matches = globMatcher(word);
  return names.some((known) => matches(known ?? ''));
}

/** The fields of a target, those of an option beside each other. */
function fieldsOf({ name: integration, keys }: Target): Subject[] {
  const fields: Subject[] = [{ kind: 'autosubscribe', integration }];
  for (const option of keys) {
    fields.push({ kind: 'value', integration, option });
    fields.push({ kind: 'permission', integration, option });
  }
  return fields;
}

/** The name, id or glob of integrations that a word begins with. Names may hold dots. */
export function integrationIn(
  word: string,
  { entries }: WrittenConfig,
): string {
  if (literalStart(word) !== word) return word;
  let longest = '';
  for (const { name } of entries) {
    const isOwn = word === name || word.startsWith(`${name}.`);
    if (isOwn && name.length > longest.length) longest = name;
  }
  return longest === '' ? word.replace(/\..*$/s, '') : longest;
}

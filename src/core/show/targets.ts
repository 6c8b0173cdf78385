import {
  type Entry,
  isDefault,
  optionKeys,
  selectorOf,
  stopOf,
  type WrittenConfig,
} from '../config/entry.ts';
import { LiveIndex } from '../match/live-index.ts';
import { globMatcher, isLiteral } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';
import { fieldsWith, isNamedBy, type Subject } from '../model/subject.ts';

/** An integration on a server, or an entry that means none there. */
export interface Target {
  /** Its name in the configuration; its id if no entry names it. */
  name: string;
  /** The entries that hold for it. */
  specific: readonly Entry[];
  defaults: readonly Entry[];
  installed?: LiveIntegration | undefined;
  /**
   * Its fields, of the options that it has and those that its entries declare;
   * or some of them.
   */
  fields: readonly Subject[];
}

/**
 * All that a server has to show: what is installed, then the entries that mean
 * nothing there.
 */
export function targetsOf(
  { entries }: WrittenConfig,
  live: readonly LiveIntegration[],
): Target[] {
  const index = new LiveIndex(live);
  const holding = new Map<LiveIntegration, Entry[]>();
  for (const integration of index.all) holding.set(integration, []);
  for (const entry of entries) {
    const found = index.found(selectorOf(entry));
    // A null may stop any number.
    const mayMeanAll = isDefault(entry) || stopOf(entry) !== undefined;
    if (!mayMeanAll && found.length !== 1) continue;
    for (const integration of found) holding.get(integration)?.push(entry);
  }
  const targets: Target[] = [];
  for (const [installed, own] of holding) {
    const specific = own.filter((entry) => !isDefault(entry));
    const keys = [...installed.optionKeys, ...specific.flatMap(optionKeys)];
    const name = specific[0]?.name ?? installed.id;
    targets.push({ ...targetOf(name, own, keys), installed });
  }
  const named = new Set(targets.map(({ name }) => name));
  for (const entry of entries) {
    if (named.has(entry.name)) continue;
    const around = entries.filter((defaults) => covers(defaults, entry));
    const own = [entry, ...around];
    targets.push(targetOf(entry.name, own, own.flatMap(optionKeys)));
  }
  return targets;
}

function targetOf(
  name: string,
  entries: readonly Entry[],
  keys: readonly string[],
): Target {
  return {
    name,
    specific: entries.filter((entry) => !isDefault(entry)),
    defaults: entries.filter(isDefault),
    fields: fieldsWith(name, [...new Set(keys)].sort()),
  };
}

/** Whether the glob on ids of defaults covers that of a specific entry. */
function covers(defaults: Entry, entry: Entry): boolean {
  if (!isDefault(defaults) || isDefault(entry)) return false;
  const { id = '*', name, acronym } = selectorOf(defaults);
  if (name !== undefined || acronym !== undefined) return false;
  return globMatcher(id)(selectorOf(entry).id ?? '');
}

/**
 * Finds what a word names: integrations by a name, an id or a glob, otherwise
 * some of their fields by an address.
 */
export function namedBy(word: string, targets: readonly Target[]): Target[] {
  const meant = targets.filter((target) => isMeant(word, target));
  if (meant.length > 0) return meant;
  const named: Target[] = [];
  for (const target of targets) {
    const integration = target.installed?.id ?? target.name;
    const fields = target.fields.filter(
      (subject) =>
        isNamedBy(word, subject) ||
        isNamedBy(word, { ...subject, integration }),
    );
    if (fields.length > 0) named.push({ ...target, fields });
  }
  return named;
}

/**
 * Whether a word is the name or id of a target, or its name on the server, or a
 * glob that matches one; defaults go by their name alone.
 */
function isMeant(word: string, { name, installed, specific }: Target): boolean {
  const names = [name, installed?.id, installed?.name];
  if (names.includes(word)) return true;
  if (isLiteral(word)) return false;
  if (installed === undefined && specific.length === 0) return false;
  const matches = globMatcher(word);
  return names.some((known) => matches(known ?? ''));
}

/**
 * The name, id or glob of integrations that a word begins with. Names may hold
 * dots.
 */
export function integrationIn(
  word: string,
  { entries }: WrittenConfig,
): string {
  if (!isLiteral(word)) return word;
  let longest = '';
  for (const { name } of entries) {
    const isOwn = word === name || word.startsWith(`${name}.`);
    if (isOwn && name.length > longest.length) longest = name;
  }
  return longest === '' ? word.replace(/\..*$/s, '') : longest;
}

import {
  type Entry,
  isDefault,
  selectorOf,
  type Template,
  type WrittenConfig,
} from '../config/entry.ts';
import type { WrittenLayers } from '../config/read-file.ts';
import { LiveIndex } from '../match/match.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';
import { isNamedBy, type Subject } from '../model/subject.ts';

/** An integration on a server, or an entry that means none there. */
export interface Target {
  /** Its name in the configuration; its id if no entry names it. */
  readonly name: string;
  /** The entries that hold for it. */
  readonly entries: readonly Entry<Template>[];
  readonly installed?: LiveIntegration;
  /** The keys of its options: those that it has, and those that its entries declare. */
  readonly keys: readonly string[];
}

/** All targets of a server, and what a word names of them: integrations by a name, an id or a glob, otherwise fields by an address. */
export function findTargets(
  word: string,
  config: WrittenConfig,
  live: readonly LiveIntegration[],
) {
  const all = targetsOf(config, live);
  const meant = all.filter((target) => isMeant(word, target));
  const named = (meant.length > 0 ? meant : all).map((target) => {
    const id = target.installed?.id ?? target.name;
    const isNamed = (subject: Subject) =>
      meant.length > 0 ||
      isNamedBy(word, subject) ||
      isNamedBy(word, { ...subject, integration: id });
    return { target, fields: fieldsOf(target).filter(isNamed) };
  });
  return { all, named: named.filter(({ fields }) => fields.length > 0) };
}

/** All that a server has to show: what is installed, then the entries that mean nothing there. */
function targetsOf(
  { entries }: WrittenConfig,
  live: readonly LiveIntegration[],
): readonly Target[] {
  const index = new LiveIndex(live);
  const holding = new Map(
    index.all.map((each): [LiveIntegration, Entry<Template>[]] => [each, []]),
  );
  for (const entry of entries) {
    const found = index.found(selectorOf(entry));
    if (isDefault(entry) || found.length === 1)
      for (const each of found) holding.get(each)?.push(entry);
  }
  const installed = [...holding].map(([each, own]): Target => {
    const specific = own.filter((entry) => !isDefault(entry));
    const name = specific[0]?.name ?? each.id;
    return {
      name,
      entries: own,
      installed: each,
      keys: keysOf(specific, each.optionKeys),
    };
  });
  const named = new Set(installed.map(({ name }) => name));
  const others = entries
    .filter(({ name }) => !named.has(name))
    .map((entry) => {
      const own = [entry, ...entries.filter((each) => covers(each, entry))];
      return { name: entry.name, entries: own, keys: keysOf(own) };
    });
  return [...installed, ...others];
}

function keysOf(
  entries: readonly Entry<Template>[],
  known: Iterable<string> = [],
): string[] {
  return [
    ...new Set([
      ...known,
      ...entries.flatMap(({ options }) => [...options.keys()]),
    ]),
  ].sort();
}

/** Whether the glob on ids of defaults covers that of a specific entry. */
function covers(defaults: Entry<Template>, entry: Entry<Template>): boolean {
  const { id = '*', name, acronym } = selectorOf(defaults);
  const isOnIds = name === undefined && acronym === undefined;
  const own = selectorOf(entry).id ?? '';
  return (
    isDefault(defaults) && !isDefault(entry) && isOnIds && globMatcher(id)(own)
  );
}

/** Whether a word is the name or id of a target, or a glob that matches one; defaults go by their name alone. */
function isMeant(word: string, { name, installed, entries }: Target): boolean {
  if (word === name || word === installed?.id) return true;
  if (literalStart(word) === word) return false;
  const isOfDefaults = installed === undefined && entries.every(isDefault);
  const matches = globMatcher(word);
  return !isOfDefaults && (matches(name) || matches(installed?.id ?? ''));
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
export function integrationIn(word: string, layers: WrittenLayers): string {
  if (literalStart(word) !== word) return word;
  const names = layers
    .flat()
    .flatMap(({ entries }) => entries.map(({ name }) => name));
  const own = names.filter(
    (name) => word === name || word.startsWith(`${name}.`),
  );
  return (
    own.sort((a, b) => b.length - a.length)[0] ?? word.replace(/\..*$/s, '')
  );
}

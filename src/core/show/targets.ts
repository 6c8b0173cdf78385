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
import { fieldAddress, namesField } from '../model/place.ts';

type FieldName = Parameters<typeof fieldAddress>[1];

/** An integration on a server, or an entry that means none there. */
interface Target {
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
    const { name, installed } = target;
    const names = [name, installed?.id ?? name];
    const isNamed = (field: FieldName) =>
      meant.length > 0 ||
      names.some((each) => namesField(word, each, fieldAddress(each, field)));
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

/** All fields of a target. */
function fieldsOf({ keys }: Target): readonly FieldName[] {
  const ofOptions = keys.flatMap((option) =>
    (['value', 'permission'] as const).map((field) => ({ field, option })),
  );
  return [{ field: 'autosubscribe' }, ...ofOptions];
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

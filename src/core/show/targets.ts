import { type Entry, isDefault, selectorOf } from '../config/entry.ts';
import { mergeLayers, type WrittenLayers } from '../config/layers.ts';
import { LiveIndex } from '../match/match.ts';
import { globMatcher, literalStart } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';
import { type FieldName, namesField } from '../model/place.ts';
import type { Holding } from './shown.ts';

/** An integration on a server, or an entry that means none there. */
export interface Target {
  /** Its name in the configuration; its id if no entry names it. */
  readonly name: string;
  readonly holding: readonly Holding[];
  readonly installed?: LiveIntegration;
  /** The keys of its options: those that it has, and those that its entries declare. */
  readonly keys: readonly string[];
}

type AnyEntry = Entry<unknown>;

/** All that a server has to show: what is installed, then the entries that mean nothing there. */
export function targetsOf(layers: WrittenLayers, live: readonly LiveIntegration[]): readonly Target[] {
  const { entries } = mergeLayers(layers).value;
  const index = new LiveIndex(live);
  const holding = new Map(index.all.map((each): [LiveIntegration, AnyEntry[]] => [each, []]));
  for (const entry of entries) {
    const found = index.found(selectorOf(entry));
    if (isDefault(entry) || found.length === 1) for (const each of found) holding.get(each)?.push(entry);
  }
  const installed = [...holding].map(([each, own]): Target => {
    const name = own.find((entry) => !isDefault(entry))?.name ?? each.id;
    return { ...heldBy(name, own, [...each.optionKeys]), installed: each };
  });
  const named = new Set(installed.map(({ name }) => name));
  const others = entries.filter(({ name }) => !named.has(name));
  return [...installed, ...others.map((entry) => heldBy(entry.name, [entry, ...defaultsOf(entry, entries)]))];
}

function heldBy(name: string, entries: readonly AnyEntry[], known?: readonly string[]): Target {
  const asking = entries.filter((entry) => known === undefined || !isDefault(entry));
  const keys = new Set([...(known ?? []), ...asking.flatMap(({ options }) => [...options.keys()])]);
  const holding = entries.map((entry) => ({ entry: entry.name, isDefault: isDefault(entry) }));
  return { name, holding, keys: [...keys].sort() };
}

/** The defaults whose glob on ids covers that of an entry. */
function defaultsOf(entry: AnyEntry, entries: readonly AnyEntry[]): readonly AnyEntry[] {
  if (isDefault(entry)) return [];
  const own = selectorOf(entry).id ?? '';
  return entries.filter((each) => {
    const { id = '*', name, acronym } = selectorOf(each);
    return isDefault(each) && name === undefined && acronym === undefined && globMatcher(id)(own);
  });
}

/** Whether a word is the name or id of a target, or a glob that matches one; defaults go by their name alone. */
export function isMeant(word: string, { name, installed, holding }: Target): boolean {
  if (word === name || word === installed?.id) return true;
  if (literalStart(word) === word) return false;
  const isOfDefaults = installed === undefined && holding.every((each) => each.isDefault);
  const matches = globMatcher(word);
  return !isOfDefaults && (matches(name) || matches(installed?.id ?? ''));
}

/** The fields of a target that a word is an address of. */
export function fieldsAt(word: string, target: Target): readonly FieldName[] {
  const names = [target.name, ...(target.installed === undefined ? [] : [target.installed.id])];
  if (!names.some((name) => word.startsWith(`${name}.`))) return [];
  return fieldsOf(target).filter((field) => names.some((name) => namesField(word, name, field)));
}

/** All fields of a target. */
export function fieldsOf({ keys }: Target): readonly FieldName[] {
  const ofOptions = keys.flatMap((option) =>
    (['value', 'permission'] as const).map((field) => ({ field, option })),
  );
  return [{ field: 'autosubscribe' }, ...ofOptions];
}

/** The name, id or glob of integrations that a word begins with. Names may hold dots. */
export function integrationIn(word: string, layers: WrittenLayers): string {
  if (literalStart(word) !== word) return word;
  const names = layers.flat().flatMap(({ entries }) => entries.map(({ name }) => name));
  const own = names.filter((name) => word === name || word.startsWith(`${name}.`));
  return own.sort((a, b) => b.length - a.length)[0] ?? word.replace(/\..*$/s, '');
}

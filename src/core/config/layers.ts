import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import {
  addressOf,
  type Entry,
  type Field,
  isDefault,
  OPTION_FIELDS,
  selectorOf,
  type WrittenConfig,
} from './entry.ts';
import type { WrittenFile } from './read-file.ts';
import type { Template } from './template.ts';

/** The files of each layer of a configuration, earliest layer first. */
export type WrittenLayers = readonly (readonly WrittenFile[])[];

/**
 * Merges layers field by field: a later layer overrides an earlier one, its null stops the management of a field. Within
 * one layer a field may be set once, in any file. The order of files and keys does not matter.
 */
export function mergeLayers(layers: WrittenLayers): {
  readonly value: WrittenConfig;
  readonly diagnostics: readonly Diagnostic[];
  /** Nulls that take nothing back, since no earlier layer and no default sets their fields. A key may be mistyped. */
  readonly idle: readonly Diagnostic[];
} {
  const values = new Map(layers.flatMap(inOrder).flatMap((file) => [...file.values]));
  const entries = new Map<string, Entry<Template>>();
  const nulls: { readonly name: string; readonly stop: Declaration }[] = [];
  for (const file of layers.flatMap(inOrder))
    for (const entry of file.entries) {
      const { name } = entry;
      const earlier = entries.get(name);
      nulls.push(...idleNulls(entry, earlier).map((stop) => ({ name, stop })));
      entries.set(name, earlier === undefined ? entry : override(earlier, entry));
    }
  const sorted = [...entries.values()].sort((a, b) => compareText(a.name, b.name));
  const defaults = nulls.length === 0 ? undefined : setPaths(sorted.filter(isDefault));
  const idle = nulls.flatMap(({ name, stop: { path, place } }) =>
    defaults?.has(pathKey(path))
      ? []
      : [diagnostic('idle-declaration', { of: 'null', name: addressOf(name, path) }, place)],
  );
  return { value: { values, entries: sorted }, diagnostics: layers.flatMap(clashesIn), idle };
}

function inOrder(files: readonly WrittenFile[]): WrittenFile[] {
  return [...files].sort((a, b) => compareText(a.path, b.path));
}

function override(earlier: Entry<Template>, later: Entry<Template>): Entry<Template> {
  const { stopped: _, ...base } = earlier;
  const options = new Map(later.optionsStopped === undefined ? base.options : []);
  for (const option of later.options.values()) {
    const below = option.stopped === undefined ? options.get(option.key) : undefined;
    options.set(option.key, { ...below, ...option });
  }
  return { ...base, ...later, place: base.place, options };
}

/** The nulls of an entry that stop nothing of what earlier layers set. */
function idleNulls(entry: Entry<unknown>, earlier: Entry<unknown> | undefined): Declaration[] {
  const nulls = declarationsOf(entry).filter(({ isNull }) => isNull);
  if (nulls.length === 0 || earlier === undefined) return nulls;
  const set = setPaths([earlier]);
  return nulls.filter(({ path }) => !set.has(pathKey(path)));
}

/** The paths that entries set, and all paths around them. */
function setPaths(entries: readonly Entry<unknown>[]): Set<string> {
  const set = entries.flatMap(declarationsOf).filter(({ isNull }) => !isNull);
  return new Set(set.flatMap(({ path }) => keysAround(path)));
}

/** A finding for each field that two files of a layer set, or that one sets and the other stops. */
function clashesIn(files: readonly WrittenFile[]): Diagnostic[] {
  const sorted = inOrder(files);
  const values = grouped(
    sorted.flatMap((file) => [...file.values]),
    ([name]) => name,
  );
  const entries = grouped(
    sorted.flatMap((file) => file.entries),
    ({ name }) => name,
  );
  return [
    ...[...values.values()].flatMap(([first, ...others]) =>
      others.flatMap(([name, { place }]) => duplicate(`values.${name}`, place, first?.[1].place)),
    ),
    ...[...entries.values()].flatMap((all) =>
      all.slice(1).flatMap((entry, index) => clashes(all.slice(0, index + 1), entry)),
    ),
  ];
}

function clashes(others: readonly Entry<unknown>[], entry: Entry<unknown>): Diagnostic[] {
  const taken = others.flatMap(allDeclared).toReversed();
  const at = new Map(taken.map(({ path, place }) => [pathKey(path), place]));
  const below = new Map(
    taken.flatMap(({ path, place }) => keysAround(path).map((key) => [key, place] as const)),
  );
  return allDeclared(entry).flatMap(({ path, place }) => {
    const around = keysAround(path).find((key) => at.has(key)) ?? '';
    return duplicate(addressOf(entry.name, path), place, at.get(around) ?? below.get(pathKey(path)));
  });
}

/** Everything that an entry declares. */
function allDeclared(entry: Entry<unknown>): Declaration[] {
  return [...declared(entry.match, 'match'), ...declared(entry.expect, 'expect'), ...declarationsOf(entry)];
}

/** Finds entries that select in the same words. A field that two of them set can never be applied. */
export function sameMatch(entries: readonly Entry<unknown>[]): Diagnostic[] {
  const groups = grouped(entries, (entry) =>
    JSON.stringify([isDefault(entry), Object.entries(selectorOf(entry)).sort()]),
  );
  return [...groups.values()].filter(({ length }) => length > 1).flatMap(clashesAmong);
}

/** A finding for each field that an earlier entry of the group sets too; for an entry without one, a finding for itself. */
function clashesAmong(group: readonly Entry<unknown>[]): Diagnostic[] {
  const places = new Map<string, Place>();
  const [first] = group;
  return group.flatMap((entry) => {
    const both = declarationsOf(entry).flatMap(({ path, place, isNull }) => {
      if (isNull) return [];
      const other = places.get(pathKey(path));
      places.set(pathKey(path), other ?? place);
      return duplicate(addressOf(entry.name, path), place, other);
    });
    if (first === undefined || entry === first || both.length > 0 || isDefault(entry)) return both;
    const facts = { name: first.name, other: first.place };
    return [diagnostic('same-match', facts, entry.match?.place ?? entry.place)];
  });
}

/** One managed field of an entry, or a null that covers every field below its path. */
interface Declaration {
  /** The address without the name of the entry: `autosubscribe`, or `options`, the key, the field. */
  readonly path: readonly string[];
  readonly place: Place;
  readonly isNull: boolean;
}

/** Everything that an entry manages. */
export function declarationsOf(entry: Entry<unknown>): Declaration[] {
  const { stopped, autosubscribe, optionsStopped, options } = entry;
  if (stopped !== undefined) return declared(stopped);
  return [
    ...declared(autosubscribe, 'autosubscribe'),
    ...declared(optionsStopped, 'options'),
    ...[...options.values()].flatMap((option) => [
      ...declared(option.stopped, 'options', option.key),
      ...OPTION_FIELDS.flatMap((name) => declared(option[name], 'options', option.key, name)),
    ]),
  ];
}

/** The declaration of a field; none where the field is absent. */
function declared(field: Field<unknown> | undefined, ...path: readonly string[]): Declaration[] {
  return field === undefined ? [] : [{ path, place: field.place, isNull: field.value === null }];
}

/** The finding for a field that has another place too. */
function duplicate(address: string, place: Place, other: Place | undefined): Diagnostic[] {
  return other === undefined ? [] : [diagnostic('duplicate-field', { address, other }, place)];
}

/** A path and all paths around it as keys of a map, the shortest first. */
function keysAround(path: readonly string[]): string[] {
  return [[], ...path.map((_, index) => path.slice(0, index + 1))].map(pathKey);
}

/** A path as the key of a map. */
function pathKey(path: readonly string[]): string {
  return path.join('\0');
}

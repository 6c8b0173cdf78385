import { type Diagnostic, diagnostic } from '../../findings/diagnostic.ts';
import { grouped } from '../../model/json.ts';
import type { Place } from '../../model/place.ts';
import {
  addressOf,
  allDeclared,
  type Declaration,
  declarationsOf,
  duplicate,
  keysAround,
  pathKey,
} from '../declaration.ts';
import { type Entry, isDefault, selectorOf, type WrittenConfig } from '../entry.ts';
import { namesIn, type Template } from '../template.ts';

/** Finds an entry with nothing but `match` and `expect`, and defaults that select only the id that is their name. */
export function idleEntry(entry: Entry<unknown>): Diagnostic[] {
  const { name, place, match, expect } = entry;
  if (declarationsOf(entry).length === 0)
    return [diagnostic('idle-declaration', { of: 'entry', name }, place)];
  return isDefault(entry) && match === undefined
    ? [diagnostic('idle-declaration', { of: 'any', name }, expect?.place)]
    : [];
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
    const own = setFields(entry);
    const both = own.flatMap(({ path, place }) =>
      duplicate(addressOf(entry.name, path), place, places.get(pathKey(path))),
    );
    for (const { path, place } of own) places.set(pathKey(path), places.get(pathKey(path)) ?? place);
    if (first === undefined || entry === first || both.length > 0 || isDefault(entry)) return both;
    const facts = { name: first.name, other: first.place };
    return [diagnostic('same-match', facts, entry.match?.place ?? entry.place)];
  });
}

/** The fields that an entry sets. A null sets nothing. */
function setFields(entry: Entry<unknown>): Declaration[] {
  return declarationsOf(entry).filter(({ isNull }) => !isNull);
}

/** Finds nulls that take nothing back, since no earlier layer and no default sets their fields. A key may be mistyped. */
export function idleNulls(
  layers: readonly (readonly WrittenConfig[])[],
  entries: readonly Entry<unknown>[],
): Diagnostic[] {
  const declared = layers.map((files) => files.flatMap((file) => file.entries.flatMap(allDeclared)));
  if (!declared.flat().some(({ isNull }) => isNull)) return [];
  const defaults = entries.filter(isDefault).flatMap(setFields);
  const byDefault = new Set(defaults.flatMap(({ path }) => keysAround(path)));
  const earlier = new Set<string>();
  return declared.flatMap((layer) => {
    const idle = layer.filter(
      ({ path, isNull }) => isNull && !earlier.has(pathKey(path)) && !byDefault.has(pathKey(path.slice(1))),
    );
    for (const { path, isNull } of layer) if (!isNull) for (const key of keysAround(path)) earlier.add(key);
    return idle.map(({ path, place }) =>
      diagnostic('idle-declaration', { of: 'null', name: path.join('.') }, place),
    );
  });
}

/** Finds named values that no value of any layer refers to. */
export function unusedValues({ values }: WrittenConfig, templates: readonly Template[]): Diagnostic[] {
  const used = new Set(templates.flatMap(namesIn));
  return [...values].flatMap(([name, { value, namePlace }]) =>
    value === null || used.has(name)
      ? []
      : [diagnostic('idle-declaration', { of: 'value', name }, namePlace)],
  );
}

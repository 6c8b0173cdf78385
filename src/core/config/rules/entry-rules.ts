import { type Diagnostic, diagnostic } from '../../findings/diagnostic.ts';
import {
  type Declaration,
  declarationsOf,
  declared,
  duplicates,
  keysAround,
  pathKey,
} from '../declaration.ts';
import { type Entry, isDefault, selectorOf, type WrittenConfig } from '../entry.ts';
import type { Template } from '../template.ts';
import { namesIn } from '../template.ts';
import type { Rule } from './rule.ts';

/** An entry with nothing but `match` and `expect`: its fields were forgotten, or commented out. */
const emptyEntry: Rule = ({ entries }) =>
  entries
    .filter((entry) => declarationsOf(entry).length === 0)
    .map(({ name, place }) => diagnostic('idle-declaration', { of: 'entry', name }, place));

/** Defaults without a `match`: they select only the integration whose id is the name of the entry. */
const anyWithoutMatch: Rule = ({ entries }) =>
  entries.flatMap((entry) =>
    isDefault(entry) && entry.match === undefined
      ? [diagnostic('idle-declaration', { of: 'any', name: entry.name }, entry.expect?.place)]
      : [],
  );

/** Entries that select in the same words. A field that two of them set can never be applied. */
const sameMatch: Rule = ({ entries }) => {
  const groups = new Map<string, Entry<Template>[]>();
  for (const entry of entries) {
    const selector = JSON.stringify([isDefault(entry), Object.entries(selectorOf(entry)).sort()]);
    const group = groups.get(selector);
    if (group === undefined) groups.set(selector, [entry]);
    else group.push(entry);
  }
  return [...groups.values()].flatMap(clashesAmong);
};

/** A finding for each field that an earlier entry of the group sets too; for an entry without one, a finding for itself. */
function clashesAmong([first, ...others]: readonly Entry<Template>[]): Diagnostic[] {
  if (first === undefined || others.length === 0) return [];
  const set = new Map(setFields(first).map(({ path, place }) => [pathKey(path), place]));
  return others.flatMap((entry) => {
    const own = setFields(entry);
    const both = duplicates(entry.name, own, (path) => set.get(pathKey(path)));
    for (const { path, place } of own) set.set(pathKey(path), set.get(pathKey(path)) ?? place);
    if (both.length > 0 || isDefault(entry)) return both;
    const facts = { name: first.name, other: first.place };
    return [diagnostic('same-match', facts, entry.match?.place ?? entry.place)];
  });
}

/** The fields that an entry sets. A null sets nothing. */
function setFields(entry: Entry<Template>) {
  return declarationsOf(entry).filter(({ isNull }) => !isNull);
}

/** A null that takes nothing back, since no earlier layer and no default sets its field. A key may be mistyped. */
const idleNull: Rule = ({ layers, entries }) => {
  const inValues = ({ values }: WrittenConfig) =>
    [...values].flatMap(([name, field]) => declared(field, 'values', name));
  const inEntries = (file: WrittenConfig) =>
    file.entries.flatMap((entry) =>
      declarationsOf(entry).map((each) => ({ ...each, path: [entry.name, ...each.path] })),
    );
  return [
    ...idleAmong(layers.map((files) => files.flatMap(inValues))),
    ...idleAmong(
      layers.map((files) => files.flatMap(inEntries)),
      entries.filter(isDefault),
    ),
  ];
};

function idleAmong(
  layers: readonly (readonly Declaration[])[],
  defaults: readonly Entry<Template>[] = [],
): Diagnostic[] {
  if (!layers.flat().some(({ isNull }) => isNull)) return [];
  const byDefault = new Set(defaults.flatMap(setFields).flatMap(({ path }) => keysAround(path)));
  const earlier = new Set<string>();
  return layers.flatMap((declarations) => {
    const idle = declarations.filter(
      ({ path, isNull }) => isNull && !earlier.has(pathKey(path)) && !byDefault.has(pathKey(path.slice(1))),
    );
    for (const { path, isNull } of declarations)
      if (!isNull) for (const key of keysAround(path)) earlier.add(key);
    return idle.map(({ path, place }) =>
      diagnostic('idle-declaration', { of: 'null', name: path.join('.') }, place),
    );
  });
}

/** A named value that no value of any layer refers to. */
const unusedValue: Rule = ({ values, written }) => {
  const used = new Set(written.flatMap(({ template }) => namesIn(template)));
  return [...values].flatMap(([name, { value, namePlace }]) =>
    value === null || used.has(name)
      ? []
      : [diagnostic('idle-declaration', { of: 'value', name }, namePlace)],
  );
};

/** Mistakes that only a whole configuration shows: what seems to be missing may be in a file that could not be read. */
export const ENTRY_RULES: readonly Rule[] = [emptyEntry, anyWithoutMatch, sameMatch, idleNull, unusedValue];

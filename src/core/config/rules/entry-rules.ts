import { type Diagnostic, diagnostic } from '../../findings/diagnostic.ts';
import { addressOf, declarationsOf, keysAround, pathKey } from '../declaration.ts';
import { type Entry, isDefault, selectorOf, type WrittenFile } from '../entry.ts';
import { namesIn } from '../link.ts';
import type { Template } from '../template.ts';
import type { Rule } from './rule.ts';

/** An entry with nothing but `match` and `expect`: what was to be managed was forgotten, or commented out. */
export const emptyEntry: Rule = ({ entries }) =>
  entries
    .filter((entry) => declarationsOf(entry).length === 0)
    .map(({ name, place }) => diagnostic('empty-entry', { name }, place));

/** Defaults that mean one integration only, the one whose id is the name of the entry: a `match` was forgotten. */
export const anyWithoutMatch: Rule = ({ entries }) =>
  entries.flatMap((entry) =>
    isDefault(entry) && entry.match === undefined
      ? [diagnostic('any-without-match', { name: entry.name }, entry.expect?.place)]
      : [],
  );

/** Entries that select in the same words. What two of them set can never be applied. */
export const sameMatch: Rule = ({ entries }) => {
  const groups = new Map<string, Entry<Template>[]>();
  for (const entry of entries) {
    const selector = JSON.stringify([isDefault(entry), Object.entries(selectorOf(entry)).sort()]);
    groups.set(selector, [...(groups.get(selector) ?? []), entry]);
  }
  return [...groups.values()].flatMap(clashesAmong);
};

/** A finding for each field that an earlier entry of the group sets too; where there is none, one for the entry itself. */
function clashesAmong([first, ...others]: readonly Entry<Template>[]): Diagnostic[] {
  if (first === undefined || others.length === 0) return [];
  const set = new Map(setFields(first).map(({ path, place }) => [pathKey(path), place]));
  return others.flatMap((entry) => {
    const own = setFields(entry);
    const both = own.flatMap(({ path, place }) => {
      const other = set.get(pathKey(path));
      const address = addressOf(entry.name, path);
      return other === undefined ? [] : [diagnostic('duplicate-field', { address, other }, place)];
    });
    for (const { path, place } of own) if (!set.has(pathKey(path))) set.set(pathKey(path), place);
    if (both.length > 0 || isDefault(entry)) return both;
    const facts = { name: first.name, other: first.place };
    return [diagnostic('same-match', facts, entry.match?.place ?? entry.place)];
  });
}

/** The fields that an entry sets. A null sets nothing. */
function setFields(entry: Entry<Template>) {
  return declarationsOf(entry).filter(({ isNull }) => !isNull);
}

/** A null that takes nothing back: no earlier layer and no default declares what it is about. A key may be mistyped. */
export const idleNull: Rule = ({ layers, entries }) => {
  if (!layers.flat().some(hasNull)) return [];
  const defaults = new Set(entries.filter(isDefault).flatMap(keysSetBy));
  const values = new Set<string>();
  const fields = new Map<string, Set<string>>();
  return layers.flatMap((files) => {
    const idle = files.flatMap((file) => [
      ...idleValues(file, values),
      ...file.entries.flatMap((entry) => idleFields(entry, defaults, fields.get(entry.name))),
    ]);
    for (const file of files) {
      for (const name of file.values.keys()) values.add(name);
      for (const entry of file.entries)
        fields.set(entry.name, new Set([...(fields.get(entry.name) ?? []), ...keysSetBy(entry)]));
    }
    return idle;
  });
};

function hasNull({ values, entries }: WrittenFile): boolean {
  const declarations = entries.flatMap(declarationsOf);
  return (
    declarations.some(({ isNull }) => isNull) || [...values.values()].some(({ value }) => value === null)
  );
}

function idleFields(
  entry: Entry<Template>,
  defaults: ReadonlySet<string>,
  known: ReadonlySet<string> | undefined,
): Diagnostic[] {
  return declarationsOf(entry).flatMap(({ path, place, isNull }) => {
    const isKnown = !isNull || defaults.has(pathKey(path)) || known?.has(pathKey(path));
    return isKnown ? [] : [diagnostic('idle-null', { address: addressOf(entry.name, path) }, place)];
  });
}

function idleValues({ values }: WrittenFile, known: ReadonlySet<string>): Diagnostic[] {
  return [...values].flatMap(([name, { value, place }]) =>
    value === null && !known.has(name) ? [diagnostic('idle-null', { address: `values.${name}` }, place)] : [],
  );
}

/** The keys of what an entry sets, and of all that is around it. */
function keysSetBy(entry: Entry<Template>): string[] {
  return setFields(entry).flatMap(({ path }) => keysAround(path));
}

/** A named value that no value of any layer refers to. */
export const unusedValue: Rule = ({ values, written }) => {
  const used = new Set(written.flatMap(({ template }) => namesIn(template)));
  return [...values].flatMap(([name, { value, namePlace }]) =>
    value === null || used.has(name) ? [] : [diagnostic('unused-value', { name }, namePlace)],
  );
};

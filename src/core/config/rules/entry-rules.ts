import { type Diagnostic, diagnostic } from '../../findings/diagnostic.ts';
import { isPermission } from '../../model/permission.ts';
import type { WrittenField } from '../entry.ts';
import { addressOf, isDefault, type MergedEntry } from '../layers.ts';
import { optionKeys } from './option-keys.ts';
import type { Rule } from './rule.ts';

/** An entry with nothing but `match` and `expect`: what was to be managed was forgotten, or commented out. */
export const emptyEntry: Rule = ({ wholeEntries }) =>
  wholeEntries
    .filter(({ fields }) => [...fields.keys()].every((path) => path === 'match' || path === 'expect'))
    .map(({ name, place }) => diagnostic('empty-entry', { name }, place));

/** Defaults that mean one integration only, the one whose id is the name of the entry: a `match` was forgotten. */
export const anyWithoutMatch: Rule = ({ wholeEntries }) =>
  wholeEntries.flatMap(({ name, fields }) => {
    const expect = fields.get('expect');
    return expect?.value === 'any' && !fields.has('match')
      ? [diagnostic('any-without-match', { name }, expect.place)]
      : [];
  });

/** Defaults that subscribe everybody to whatever they match, also to what is installed next year. */
export const subscribesByDefault: Rule = ({ config }) =>
  config.entries.filter(isDefault).flatMap(({ name, fields }) => {
    const field = fields.get('autosubscribe');
    return field?.value === true ? [diagnostic('subscribes-by-default', { name }, field.place)] : [];
  });

/** The word of a permission as the value of an option: `apiKey: lock-and-hide` is short for a value. */
export const permissionAsValue: Rule = ({ winning }) =>
  winning
    .filter(({ address, key }) => address.endsWith('.value') && !OWN_KEYS.has(key))
    .filter(({ field }) => isPermission(String(field.value)))
    .map(({ address, field }) =>
      diagnostic('permission-as-value', { address, word: String(field.value) }, field.place),
    );

/** A key of an entry, or of an option, where the keys of options stand: it is indented too far, or not far enough. */
export const misplacedKey: Rule = ({ layers }) =>
  layers
    .flat()
    .flatMap(({ entries }) => entries)
    .flatMap(({ fields }) => optionKeys(fields))
    .filter(({ word }) => OWN_KEYS.has(word))
    .map(({ word, place }) => diagnostic('misplaced-key', { key: word }, place));

/** Those of our keys that no integration was seen to have an option of. */
const OWN_KEYS = new Set(['autosubscribe', 'expect', 'options', 'permission', 'sensitive', 'integrations']);

/** Entries that select in the same words. What two of them set can never be applied; that there are two is odd in any case. */
export const sameMatch: Rule = ({ wholeEntries }) => {
  const groups = new Map<string, MergedEntry[]>();
  for (const entry of wholeEntries) {
    const selector = selectorOf(entry);
    groups.set(selector, [...(groups.get(selector) ?? []), entry]);
  }
  return [...groups.values()].flatMap(clashesAmong);
};

/** A finding for each field that an earlier entry of the group sets too; where there is none, one for the entry itself. */
function clashesAmong([first, ...others]: readonly MergedEntry[]): Diagnostic[] {
  const set = new Map([...(first?.fields ?? [])].filter(isSetField));
  return others.flatMap((entry) => {
    const own = [...entry.fields].filter(isSetField);
    const both = own.flatMap(([path, { place }]) => {
      const other = set.get(path)?.place;
      const address = addressOf(entry.name, path);
      return other === undefined ? [] : [diagnostic('duplicate-field', { address, other }, place)];
    });
    for (const [path, field] of own) if (!set.has(path)) set.set(path, field);
    if (both.length > 0 || first === undefined || isDefault(entry)) return both;
    const place = entry.fields.get('match')?.place ?? entry.place;
    return [diagnostic('same-match', { name: first.name, other: first.place }, place)];
  });
}

/** Whether a field is one that the entry sets. A null sets nothing. */
function isSetField([path, { value }]: readonly [string, WrittenField]): boolean {
  return path !== 'match' && path !== 'expect' && value !== null;
}

/** The words in which an entry selects, and whether it holds defaults. */
function selectorOf(entry: MergedEntry): string {
  const match = entry.fields.get('match')?.value ?? entry.name;
  const parts = typeof match === 'string' ? [['id', match]] : Object.entries(Object(match)).sort();
  return JSON.stringify([isDefault(entry), parts]);
}

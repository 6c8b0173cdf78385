import { type Diagnostic, diagnostic } from '../../diagnostic.ts';
import { addressOf, clashFinder, type MergedEntry } from '../layers.ts';
import type { Rule } from './rule.ts';

/** An entry with nothing but `match` and `expect`: what was to be managed was forgotten, or commented out. */
export const emptyEntry: Rule = ({ config }) =>
  config.entries
    .filter(({ fields }) => [...fields.keys()].every((path) => path === 'match' || path === 'expect'))
    .map(({ name, place }) => diagnostic('empty-entry', { name }, place));

/** Defaults that mean one integration only, the one whose id is the name of the entry: a `match` was forgotten. */
export const anyWithoutMatch: Rule = ({ config }) =>
  config.entries.flatMap(({ name, fields }) => {
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

/** A regular expression where a glob is read: `vt_.*` asks for a dot, which no id has. */
export const patternMatch: Rule = ({ config }) =>
  config.entries.flatMap(({ fields }) => {
    const field = fields.get('match');
    const globs = typeof field?.value === 'string' ? [field.value] : Object.values(Object(field?.value));
    return field !== undefined && globs.some((glob) => /\.\*|^\^|\$$|\\[dw]/.test(String(glob)))
      ? [diagnostic('match-is-no-glob', {}, field.place)]
      : [];
  });

/** Entries that select in the same words. What both set can never be applied; that there are two is odd in any case. */
export const sameMatch: Rule = ({ config }) => {
  const firsts = new Map<string, MergedEntry>();
  return config.entries.flatMap((entry) => {
    const selector = selectorOf(entry);
    const first = firsts.get(selector);
    if (first === undefined) firsts.set(selector, entry);
    return first === undefined ? [] : clashes(entry, first);
  });
};

function clashes(entry: MergedEntry, first: MergedEntry): Diagnostic[] {
  const clashWith = clashFinder(first.fields);
  const both = [...entry.fields].flatMap(([path, field]) => {
    const other = path === 'match' || path === 'expect' ? undefined : clashWith(path);
    if (other === undefined) return [];
    return [
      diagnostic(
        'duplicate-field',
        { address: addressOf(entry.name, path), other: other.place },
        field.place,
      ),
    ];
  });
  if (both.length > 0 || isDefault(entry)) return both;
  const place = entry.fields.get('match')?.place ?? entry.place;
  return [diagnostic('same-match', { name: first.name, other: first.place }, place)];
}

/** The words in which an entry selects, and whether it holds defaults. */
function selectorOf(entry: MergedEntry): string {
  const match = entry.fields.get('match')?.value ?? entry.name;
  const parts = typeof match === 'string' ? [['id', match]] : Object.entries(Object(match)).sort();
  return JSON.stringify([isDefault(entry), parts]);
}

function isDefault({ fields }: MergedEntry): boolean {
  return fields.get('expect')?.value === 'any';
}

import type { Diagnostic } from '../findings/diagnostic.ts';
import { at } from '../findings/words.ts';
import type { FieldName } from '../model/address.ts';
import { globMatcher } from '../model/glob.ts';
import { baseOfId } from '../model/integration-id.ts';
import { nearNames } from '../model/near-names.ts';
import type { KnownServer, Target, Targets } from './known.ts';
import type { TracedConfig } from './traced.ts';

/** What a person asks for: integrations by a name, an id or a glob, or fields of one of them. */
export type Subject =
  | { readonly kind: 'integration'; readonly word: string }
  | { readonly kind: 'field'; readonly word: string; readonly field: FieldName };

/** A server and what it has to show. */
export interface Shelf {
  readonly server: KnownServer;
  readonly targets: Targets;
}

/** What a word of the command line means; none where it names nothing. Names and keys may hold dots: addresses are composed, never split. */
export function subjectsOf(word: string, shelves: readonly Shelf[]): readonly Subject[] {
  if (shelves.some(({ targets }) => targets.of(word).length > 0)) return [{ kind: 'integration', word }];
  const names = wordsOf(shelves).filter((name) => word.startsWith(`${name}.`));
  return names.flatMap((name) => fieldsAt(name, word.slice(name.length + 1), shelves));
}

function fieldsAt(name: string, path: string, shelves: readonly Shelf[]): Subject[] {
  const subject = (field: FieldName): Subject => ({ kind: 'field', word: name, field });
  if (path === 'autosubscribe') return [subject({ field: 'autosubscribe' })];
  const keys = keysOf(name, shelves);
  return OPTION_FIELDS.flatMap((field) => {
    const [whole, own] = ['', `.${field}`].map((end) =>
      keys.find((option) => path === `options.${option}${end}`),
    );
    const option = whole ?? own;
    return option === undefined ? [] : [subject({ field, option })];
  });
}

const OPTION_FIELDS = ['value', 'permission'] as const;

/** The names and addresses that are written nearly like a word, best first. */
export function nearSubjects(word: string, shelves: readonly Shelf[]): readonly string[] {
  const words = wordsOf(shelves);
  const name = words.find((each) => word.startsWith(`${each}.`));
  if (name !== undefined) {
    const paths = keysOf(name, shelves).flatMap((key) => FIELD_ENDS.map((end) => `options.${key}${end}`));
    const near = nearNames(word.slice(name.length + 1), ['autosubscribe', ...paths]);
    return near.map((path) => `${name}.${path}`);
  }
  const globs = words.flatMap((each) => (baseOfId(each) === each ? [] : [`${baseOfId(each)}_*`]));
  const [first = '', ...rest] = word.split('.');
  const near = nearNames(first, [...words, ...globs]);
  return rest.length === 0 ? near : near.map((each) => [each, ...rest].join('.'));
}

/** All names and ids that servers have to show. */
export function wordsOf(shelves: readonly Shelf[]): readonly string[] {
  return [...new Set(shelves.flatMap(({ targets }) => targets.words))];
}

function keysOf(name: string, shelves: readonly Shelf[]): readonly string[] {
  const found = shelves.flatMap(({ server, targets }) =>
    targets.of(name).flatMap((target) => optionKeys(target, server)),
  );
  return [...new Set(found)].sort();
}

/** What to read of the integrations that words name: all options, or those of the addresses. */
export function wantedFor(words: readonly string[], { server, targets }: Shelf) {
  const asked = words.flatMap((word) => {
    const whole = targets.of(word).map((target) => ({ target, path: '' }));
    if (whole.length > 0) return whole;
    return targets.words
      .filter((name) => word.startsWith(`${name}.`))
      .flatMap((name) => targets.of(name).map((target) => ({ target, path: word.slice(name.length + 1) })));
  });
  return asked.flatMap(({ target, path }) => {
    const { installed } = target;
    if (installed === undefined) return [];
    const all = optionKeys(target, server);
    const named = all.filter((key) => FIELD_ENDS.some((end) => path === `options.${key}${end}`));
    const keys = path === 'autosubscribe' ? [] : named.length > 0 ? named : all;
    // Where a list shows no key at all, there may be options all the same.
    const unlisted = installed.optionKeys.size === 0 && path !== 'autosubscribe' ? ['*'] : [];
    return [{ id: installed.id, keys: [...keys, ...unlisted], autosubscribe: true }];
  });
}

const FIELD_ENDS = ['', '.value', '.permission'] as const;

/** Those findings of a matching that are about what words ask for. */
export function askedFindings(
  words: readonly string[],
  found: readonly Diagnostic[],
  { merged }: TracedConfig,
): readonly Diagnostic[] {
  const isAsked = (name: string) =>
    words.some((word) => word === name || word.startsWith(`${name}.`) || globMatcher(word)(name));
  const asked = merged.entries.filter(({ name }) => isAsked(name));
  const places = new Set(asked.map(({ match, place }) => at(match?.place ?? place)));
  return found.filter((each) => {
    if (each.code === 'duplicate-field')
      return asked.some(({ name }) => each.facts.address.startsWith(`${name}.`));
    return each.place !== undefined && places.has(at(each.place));
  });
}

/** The keys of an integration's options: those that it has, and those that entries ask for; where it is known, none that only defaults ask for. */
export function optionKeys({ holding, installed }: Target, { config }: KnownServer): readonly string[] {
  const asking = holding.filter(({ isDefault }) => installed === undefined || !isDefault);
  const asked = asking.flatMap(({ entry }) =>
    config.layers.flatMap((entries) =>
      (entries.get(entry) ?? []).flatMap(({ options }) => [...options.keys()]),
    ),
  );
  return [...new Set([...(installed?.optionKeys ?? []), ...asked])].sort();
}

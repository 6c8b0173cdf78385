import { type Diagnostic, diagnostic } from '../../findings/diagnostic.ts';
import { baseOfId } from '../../model/integration-id.ts';
import { nearNames } from '../../model/near-names.ts';
import type { WrittenEntry, WrittenField, WrittenFile } from '../entry.ts';
import { addressOf, isDefault, type MergedEntry, pathsAbove } from '../layers.ts';
import { optionKeys, type Word } from './option-keys.ts';
import type { Rule, RuleInput } from './rule.ts';
import { folded, isSwapped, isTypo } from './slip.ts';

/** A null that takes nothing back: no earlier layer and no default declares what it is about. A key may be mistyped. */
export const idleNull: Rule = ({ layers, config }) => {
  if (!layers.flat().some(hasNull)) return [];
  const known = new KnownPaths(config.entries.filter(isDefault));
  return layers.flatMap((files) => {
    const idle = files.flatMap((file) => idleNullsOf(file, known));
    for (const file of files) known.add(file);
    return idle;
  });
};

/**
 * A named value that no value of any layer refers to. In a later layer, under a name that is nearly one of an earlier layer,
 * it was to override that one.
 */
export const unusedValue: Rule = ({ config, layers, written }) => {
  const used = new Set(written.flatMap(({ references }) => references.map(({ name }) => name)));
  const unused = [...config.values].filter(([name]) => !used.has(name));
  return unused.map(([name, { key, place }], index) => {
    const near = index < MOST_COMPARED ? overriddenBy(name, used, layers) : undefined;
    return near === undefined
      ? diagnostic('unused-value', { name }, key ?? place)
      : diagnostic('stray-value', { name, near }, key ?? place);
  });
};

/** The name, among those that are used, which an earlier layer than that of a value declares, and which is nearly its name. */
function overriddenBy(
  name: string,
  used: ReadonlySet<string>,
  layers: RuleInput['layers'],
): string | undefined {
  const first = layers.findIndex((files) => files.some(({ values }) => values.has(name)));
  const earlier = layers
    .slice(0, first)
    .flatMap((files) => files.flatMap(({ values }) => [...values.keys()]));
  return nearest(
    name,
    earlier.filter((other) => used.has(other)),
  );
}

/** Keys of one entry, or names, that seem to be one word written in two ways: keys are compared letter by letter. */
export const alikeKeys: Rule = ({ config }) => [
  ...alike(
    config.entries.map(({ name, place }) => ({ word: name, place })),
    false,
  ),
  ...config.entries.flatMap((entry) => alike(optionKeys(entry.fields), true)),
  ...alike(
    [...config.values].map(([word, { key, place }]) => ({ word, place: key ?? place })),
    false,
  ),
];

/** An entry of a later layer that selects nothing itself, and that is named nearly like one that does: a mistyped override. */
export const strayEntry: Rule = ({ layers, config }) => {
  const selecting = new Set(
    config.entries.flatMap(({ name, fields }) => (fields.has('match') ? [name] : [])),
  );
  const earlier = new Set<string>();
  return layers.flatMap((files) => {
    const own = files.flatMap(({ entries }) => entries);
    const before = new Set(earlier);
    const known = [...earlier].filter((name) => selecting.has(name));
    for (const { name } of own) earlier.add(name);
    return own
      .filter(({ name }) => !selecting.has(name) && !before.has(name) && baseOfId(name) === name)
      .slice(0, MOST_COMPARED)
      .flatMap(({ name, place }) => {
        const near = nearest(name, known);
        return near === undefined ? [] : [diagnostic('stray-entry', { name, near }, place)];
      });
  });
};

/** A file that is part of two layers: what lies between them is overridden by what it was to override. */
export const fileTwice: Rule = ({ layers }) => {
  const seen = new Set<string>();
  return layers.flatMap((files) => {
    const again = files.filter(({ path }) => seen.has(path));
    for (const { path } of files) seen.add(path);
    return again.map(({ path }) => diagnostic('file-twice', {}, { file: path, line: 1, column: 1 }));
  });
};

/** The name that is written most nearly like another. In short names, two letters that changed places are not near otherwise. */
function nearest(name: string, known: readonly string[]): string | undefined {
  return nearNames(name, known)[0] ?? known.find((other) => isSwapped(name, other));
}

function hasNull({ values, entries }: WrittenFile): boolean {
  const fields = [values, ...entries.map((entry) => entry.fields)];
  return fields.some((each) => [...each.values()].some(({ value }) => value === null));
}

/** What was declared so far, each path with all paths above it. */
class KnownPaths {
  readonly #values = new Set<string>();
  readonly #entries = new Map<string, Set<string>>();
  readonly #defaults = new Set<string>();

  constructor(defaults: readonly MergedEntry[]) {
    for (const { fields } of defaults) for (const path of declared(fields)) this.#defaults.add(path);
  }

  add({ values, entries }: WrittenFile): void {
    for (const name of values.keys()) this.#values.add(name);
    for (const { name, fields } of entries) {
      this.#entries.set(name, new Set([...(this.#entries.get(name) ?? []), ...declared(fields)]));
    }
  }

  hasValue(name: string): boolean {
    return this.#values.has(name);
  }

  hasField({ name }: WrittenEntry, path: string): boolean {
    return this.#defaults.has(path) || (this.#entries.get(name)?.has(path) ?? false);
  }
}

function declared(fields: ReadonlyMap<string, WrittenField>): string[] {
  return [...fields].flatMap(([path, { value }]) => (value === null ? [] : [path, ...pathsAbove(path)]));
}

function idleNullsOf({ values, entries }: WrittenFile, known: KnownPaths): Diagnostic[] {
  const named = [...values].flatMap(([name, { value, place }]) =>
    value === null && !known.hasValue(name)
      ? [diagnostic('idle-null', { address: `values.${name}` }, place)]
      : [],
  );
  const fields = entries.flatMap((entry) =>
    [...entry.fields].flatMap(([path, { value, place }]) =>
      value === null && !known.hasField(entry, path)
        ? [diagnostic('idle-null', { address: addressOf(entry.name, path) }, place)]
        : [],
    ),
  );
  return [...named, ...fields];
}

/** So many words at most are compared with each other for slips of the keyboard. */
const MOST_COMPARED = 100;

function alike(words: readonly Word[], withSlips: boolean): Diagnostic[] {
  const firsts = new Map<string, Word>();
  const compares = withSlips && words.length <= MOST_COMPARED;
  return words.flatMap(({ word, place }) => {
    const key = folded(word);
    const first = firsts.get(key) ?? (compares ? slipOf(word, firsts.values()) : undefined);
    if (!firsts.has(key)) firsts.set(key, { word, place });
    return first === undefined
      ? []
      : [diagnostic('alike-keys', { key: word, other: first.word, at: first.place }, place)];
  });
}

function slipOf(word: string, others: Iterable<Word>): Word | undefined {
  return [...others].find((other) => isTypo(word, other.word));
}

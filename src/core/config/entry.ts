import type { Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import type { Template } from './template.ts';

/** One declared field. null means: from this layer on it is not managed. */
export interface Field<T> {
  readonly value: T | null;
  readonly place: Place;
  readonly comment?: string;
}

/** The globs by which an entry selects integrations; all that are given must hold. */
export interface Selector {
  readonly id?: string;
  readonly name?: string;
  readonly acronym?: string;
}

/** What an entry declares of one option; `Value` is how far its values are resolved. */
export interface OptionEntry<Value> {
  readonly key: string;
  /** Where its key is. */
  readonly place: Place;
  /** Present where the whole option is null. */
  readonly stopped?: Field<never>;
  readonly value?: Field<Value>;
  readonly permission?: Field<Permission>;
  readonly sensitive?: Field<boolean>;
  /** The day on which its secret was replaced last: `2026-11-21`. */
  readonly rotated?: Field<string>;
}

/** The fields of an option. */
export const OPTION_FIELDS = ['value', 'permission', 'sensitive', 'rotated'] as const;

/** One entry: as a file writes it, or as all layers together make it. */
export interface Entry<Value> {
  /** The logical name: the key in the YAML. */
  readonly name: string;
  readonly place: Place;
  readonly match?: Field<Selector>;
  /** How many integrations the entry may match. */
  readonly expect?: Field<'one' | 'optional' | 'any'>;
  readonly autosubscribe?: Field<boolean>;
  /** Present where the whole entry is null; its options and autosubscribe are null with it. */
  readonly stopped?: Field<never>;
  /** Present where all options are null. */
  readonly optionsStopped?: Field<never>;
  readonly options: ReadonlyMap<string, OptionEntry<Value>>;
}

/** A named value and where its name is. */
interface NamedValue extends Field<Template> {
  readonly namePlace: Place;
}

/** What one file declares, or all layers together: then entries are ordered by name. */
export interface WrittenConfig {
  readonly values: ReadonlyMap<string, NamedValue>;
  readonly entries: readonly Entry<Template>[];
}

/** Whether an entry holds defaults, which specific entries override. */
export function isDefault({ expect }: Entry<unknown>): boolean {
  return expect?.value === 'any';
}

/** How an entry selects integrations: by its match, else by its name as an id. */
export function selectorOf({ match, name }: Entry<unknown>): Selector {
  return match?.value ?? { id: name };
}

/** A selector as people read it: the glob on the id, or all globs by name. */
export function selectorText({ id, ...others }: Selector): string {
  const texts = Object.entries(others).map(([attribute, glob]) => `${attribute}: ${glob}`);
  if (id === undefined) return texts.join(', ');
  return texts.length === 0 ? id : [`id: ${id}`, ...texts].join(', ');
}

/** The values that an entry sets. */
export function valuesIn<Value>({ options }: Entry<Value>): Value[] {
  return [...options.values()].flatMap(({ value }) => value?.value ?? []);
}

/** The same entry with its values in another form; a value without one is left out. */
export function withValues<A, B>(entry: Entry<A>, change: (value: A) => B | undefined): Entry<B> {
  const options = [...entry.options].map(([key, { value: field, ...rest }]): [string, OptionEntry<B>] => {
    if (field === undefined) return [key, rest];
    const value = field.value === null ? null : change(field.value);
    return [key, value === undefined ? rest : { ...rest, value: { ...field, value } }];
  });
  return { ...entry, options: new Map(options) };
}

/** The field address of a path: `virustotal.options.apiKey.value`. */
export function addressOf(name: string, path: readonly string[]): string {
  return [name, ...path].join('.');
}

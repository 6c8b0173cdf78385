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

/** How many integrations an entry may match. */
export type Expect = 'one' | 'optional' | 'any';

/** What an entry declares of one option; `Value` is how far its values are resolved. */
export interface OptionEntry<Value> {
  readonly key: string;
  /** Where its key is. */
  readonly place: Place;
  /** Where the whole option is null. */
  readonly stopped?: Place;
  readonly value?: Field<Value>;
  readonly permission?: Field<Permission>;
  readonly sensitive?: Field<boolean>;
}

/** The fields of an option. */
export const OPTION_FIELDS = ['value', 'permission', 'sensitive'] as const;

export type OptionField = (typeof OPTION_FIELDS)[number];

/** One entry: as a file writes it, or as all layers together make it. */
export interface Entry<Value> {
  /** The logical name: the key in the YAML. */
  readonly name: string;
  readonly place: Place;
  readonly match?: Field<Selector>;
  readonly expect?: Field<Expect>;
  readonly autosubscribe?: Field<boolean>;
  /** Where the whole entry is null; its options and autosubscribe are null with it. */
  readonly stopped?: Place;
  /** Where all options are null. */
  readonly optionsStopped?: Place;
  readonly options: ReadonlyMap<string, OptionEntry<Value>>;
}

/** A named value and where its name is. */
export interface NamedValue extends Field<Template> {
  readonly namePlace: Place;
}

/** What one file declares. */
export interface WrittenFile {
  readonly path: string;
  readonly values: ReadonlyMap<string, NamedValue>;
  readonly entries: readonly Entry<Template>[];
}

/** Whether an entry holds defaults, which specific entries override. */
export function isDefault({ expect }: Entry<unknown>): boolean {
  return expect?.value === 'any';
}

/** What an entry says of a field of an option: undefined where it is silent, a null where it stops management. */
export function optionField<Value, Name extends OptionField>(
  { options, optionsStopped }: Entry<Value>,
  key: string,
  name: Name,
): NonNullable<OptionEntry<Value>[Name]> | StoppedField | undefined {
  const option = options.get(key);
  const stopped = option?.stopped ?? optionsStopped;
  return option?.[name] ?? (stopped === undefined ? undefined : { value: null, place: stopped });
}

interface StoppedField {
  readonly value: null;
  readonly place: Place;
}

/** The values that an entry sets. */
export function valuesIn<Value>({ options }: Entry<Value>): Value[] {
  return [...options.values()].flatMap(({ value }) => value?.value ?? []);
}

/** The same entry with its values in another form; where there is none, the field is left out. */
export function withValues<A, B>(entry: Entry<A>, change: (value: A) => B | undefined): Entry<B> {
  const options = [...entry.options].map(([key, { value: field, ...rest }]): [string, OptionEntry<B>] => {
    if (field === undefined) return [key, rest];
    const value = field.value === null ? null : change(field.value);
    return [key, value === undefined ? rest : { ...rest, value: { ...field, value } }];
  });
  return { ...entry, options: new Map(options) };
}

/** How an entry selects integrations: by its match, else by its name as an id. */
export function selectorOf({ match, name }: Entry<unknown>): Selector {
  return match?.value ?? { id: name };
}

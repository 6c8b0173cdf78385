import type { Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import type { WrittenValue } from '../model/value.ts';

/** One declared field. null means: from this layer on it is not managed. */
export interface Field<T> {
  readonly value: T | null;
  readonly place: Place;
  readonly comment?: string;
}

/** A value as a file writes it: its texts may hold references. */
export interface Template extends Field<WrittenValue> {
  /** Where the members of a list are. */
  readonly members?: readonly Place[];
}

/** The globs by which an entry selects integrations; all that are given must hold. */
interface Selector {
  readonly id?: string;
  readonly name?: string;
  readonly acronym?: string;
}

/** What an entry declares of one option; `Value` is how far its values are resolved. */
export interface OptionEntry<Value extends Field<unknown> = Field<unknown>> {
  readonly key: string;
  /** `virustotal.options.apiKey`. */
  readonly address: string;
  /** Where its key is. */
  readonly place: Place;
  /** Present where the whole option is null. */
  readonly stopped?: Field<never>;
  readonly value?: Value;
  readonly permission?: Field<Permission>;
  readonly sensitive?: Field<boolean>;
  /** The day on which its secret was replaced last: `2026-11-21`. */
  readonly rotated?: Field<string>;
}

/** The fields of an option. */
const OPTION_FIELDS = ['value', 'permission', 'sensitive', 'rotated'] as const;

/** One entry: as a file writes it, or as all layers together make it. */
export interface Entry<Value extends Field<unknown> = Field<unknown>> {
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

/** What one file declares, or all layers together: then entries are ordered by name. */
export interface WrittenConfig {
  /** The named values, and where their names are. */
  readonly values: ReadonlyMap<
    string,
    Template & { readonly namePlace: Place }
  >;
  readonly entries: readonly Entry<Template>[];
}

/** Whether an entry holds defaults, which specific entries override. */
export function isDefault({ expect }: Entry): boolean {
  return expect?.value === 'any';
}

/** How an entry selects integrations: by its match, else by its name as an id. */
export function selectorOf({ match, name }: Entry): Selector {
  return match?.value ?? { id: name };
}

/** Equal for entries that select the same integrations in the same words, as defaults or as specific entries. */
export function selectionKey(entry: Entry): string {
  const globs = Object.entries(selectorOf(entry)).sort();
  return JSON.stringify([isDefault(entry), globs]);
}

/** A selector as people read it: the glob on the id, or all globs by name. */
export function selectorText({ id, ...others }: Selector): string {
  const texts = Object.entries(others).map(
    ([attribute, glob]) => `${attribute}: ${glob}`,
  );
  if (id === undefined) return texts.join(', ');
  return texts.length === 0 ? id : [`id: ${id}`, ...texts].join(', ');
}

/** The options of all entries. */
export function optionsIn<Value extends Field<unknown>>(
  entries: readonly Entry<Value>[],
): OptionEntry<Value>[] {
  return entries.flatMap(({ options }) => [...options.values()]);
}

/** What an entry says of a field of an option: itself, or by a null around it. */
export function fieldIn<
  Value extends Field<unknown>,
  Name extends 'value' | 'permission' | 'sensitive',
>(
  { options, optionsStopped }: Entry<Value>,
  key: string,
  name: Name,
): OptionEntry<Value>[Name] | Field<never> | undefined {
  const option = options.get(key);
  return option?.[name] ?? option?.stopped ?? optionsStopped;
}

/** One managed field of an entry, or a null that covers every field below its path. */
interface Declaration {
  readonly address: string;
  /** The address without the name of the entry: `autosubscribe`, or `options`, the key, the field. */
  readonly path: readonly string[];
  readonly place: Place;
  readonly isNull: boolean;
}

/** Everything that an entry manages. */
export function declarationsOf(entry: Entry): Declaration[] {
  const { name, stopped, autosubscribe, optionsStopped, options } = entry;
  const declared = (
    field: Field<unknown> | undefined,
    ...path: readonly string[]
  ): Declaration[] =>
    field === undefined
      ? []
      : [
          {
            address: [name, ...path].join('.'),
            path,
            place: field.place,
            isNull: field.value === null,
          },
        ];
  if (stopped !== undefined) return declared(stopped);
  return [
    ...declared(autosubscribe, 'autosubscribe'),
    ...declared(optionsStopped, 'options'),
    ...[...options.values()].flatMap((option) => [
      ...declared(option.stopped, 'options', option.key),
      ...OPTION_FIELDS.flatMap((field) =>
        declared(option[field], 'options', option.key, field),
      ),
    ]),
  ];
}

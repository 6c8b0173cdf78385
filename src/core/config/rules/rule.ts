import type { Diagnostic } from '../../diagnostic.ts';
import type { Place } from '../../model.ts';
import { optionKeysOf, optionPath, type WrittenField, type WrittenFile } from '../entry.ts';
import { addressOf, type MergedConfig, type MergedEntry } from '../layers.ts';
import type { ResolvedValue } from '../resolve.ts';

/** What rules look at: the files as they were written, layer by layer, and what they come to. */
export interface RuleInput {
  readonly layers: readonly (readonly WrittenFile[])[];
  readonly config: MergedConfig;
  /** The managed values as far as the configuration alone tells them. */
  readonly resolved: ReadonlyMap<WrittenField, ResolvedValue>;
}

/** Looks at a whole configuration for one kind of mistake. */
export type Rule = (input: RuleInput) => readonly Diagnostic[];

/** A value that a rule looks at: that of an option, or a named one. */
export interface Subject {
  readonly address: string;
  /** The key of the option, or the name of the value. */
  readonly key: string;
  readonly field: WrittenField;
}

/** The values that count after all layers: those of the options, and the named ones. */
export function winningValues({ config }: RuleInput): Subject[] {
  return [...config.entries.flatMap(optionValues), ...namedValues(config.values)];
}

/** The values of all layers, also those that a later layer overrides: they are in the files all the same. */
export function writtenValues({ layers }: RuleInput): Subject[] {
  const files = layers.flat();
  return files.flatMap((file) => [...file.entries.flatMap(optionValues), ...namedValues(file.values)]);
}

/** What tells one choice of a list from another. */
export function choiceText(choice: unknown): string {
  const isLong = typeof choice === 'object' && choice !== null && 'value' in choice;
  return String(isLong ? choice.value : choice);
}

/** Each text inside a value that is no display of a choice, with the place that can be told for it. */
export function textsIn(field: WrittenField): { readonly text: string; readonly place: Place }[] {
  const { value, place, members } = field;
  if (Array.isArray(value))
    return value.flatMap((item, index) => textsIn({ value: item, place: members?.[index] ?? place }));
  const text = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  return typeof text === 'string' ? [{ text, place }] : [];
}

/** A key or name, and where it stands. */
export interface Word {
  readonly word: string;
  readonly place: Place;
}

/** The keys of an entry's options, each with its place. */
export function optionKeys(fields: ReadonlyMap<string, WrittenField>): Word[] {
  const places = new Map([...fields].map(([path, { key }]) => [path.split('/').slice(0, 2).join('/'), key]));
  return optionKeysOf(fields.keys()).flatMap((word) => {
    const place = places.get(optionPath(word));
    return place === undefined ? [] : [{ word, place }];
  });
}

function optionValues({ name, fields }: Pick<MergedEntry, 'name' | 'fields'>): Subject[] {
  return [...fields].flatMap(([path, field]) => {
    if (!path.startsWith('options/') || !path.endsWith('/value') || field.value === null) return [];
    const address = addressOf(name, path);
    return [{ address, key: address.slice(`${name}.options.`.length, -'.value'.length), field }];
  });
}

function namedValues(values: ReadonlyMap<string, WrittenField>): Subject[] {
  return [...values].flatMap(([name, field]) =>
    field.value === null ? [] : [{ address: `values.${name}`, key: name, field }],
  );
}

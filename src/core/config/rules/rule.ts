import type { Diagnostic } from '../../findings/diagnostic.ts';
import type { Place } from '../../model/place.ts';
import { isChoice, isChoiceList } from '../../model/value.ts';
import type { Entry, OptionEntry, WrittenConfig } from '../entry.ts';
import type { Linked, Template } from '../template.ts';

/** Looks at a value for mistakes. */
export type ValueRule = (value: RuledValue) => readonly Diagnostic[];

/** A value that rules look at: that of an option, or a named one. */
export interface RuledValue {
  readonly address: string;
  /** The key of the option, or the name of the value. */
  readonly key: string;
  readonly place: Place;
  /** What its option says with `sensitive:` after all layers. */
  readonly mark: boolean | undefined;
  readonly template: Template;
  /** Puts its named values in; undefined where one is missing. */
  readonly link: () => Linked | undefined;
  /** Each text and number in it, with references as written; displays of choices are left out. */
  readonly texts: readonly { readonly text: string; readonly place: Place }[];
}

/** Makes a function that gathers the values of a file, or of a configuration; `merged` says which are marked. */
export function valuesFor(merged: WrittenConfig, link: (template: Template) => Linked | undefined) {
  const marks = new Map(
    optionsOf(merged.entries).map(({ address, option }) => [`${address}.value`, option.sensitive?.value]),
  );
  const ruled = (address: string, key: string, template: Template | null | undefined): RuledValue[] => {
    if (!template) return [];
    const { place } = template;
    const mark = marks.get(address) ?? undefined;
    return [{ address, key, place, mark, template, link: () => link(template), texts: textsIn(template) }];
  };
  return ({ values, entries }: WrittenConfig): RuledValue[] => [
    ...optionsOf(entries).flatMap(({ address, option: { key, value } }) =>
      ruled(`${address}.value`, key, value?.value),
    ),
    ...[...values].flatMap(([name, { value }]) => ruled(`values.${name}`, name, value)),
  ];
}

/** The options of entries, each with its address. */
export function optionsOf<Value>(
  entries: readonly Entry<Value>[],
): { readonly address: string; readonly option: OptionEntry<Value> }[] {
  return entries.flatMap(({ name, options }) =>
    [...options.values()].map((option) => ({ address: `${name}.options.${option.key}`, option })),
  );
}

function textsIn({ value, place, members }: Template): RuledValue['texts'] {
  if (isChoiceList(value))
    return value.flatMap((item, index) => textsIn({ value: item, place: members?.[index] ?? place }));
  return [{ text: String(isChoice(value) ? value.value : value), place }];
}

import type { Diagnostic } from '../../findings/diagnostic.ts';
import type { Place } from '../../model/place.ts';
import type { Entry, OptionEntry, WrittenConfig } from '../entry.ts';
import type { Linked, Template } from '../template.ts';

/** Looks at a whole configuration for one kind of mistake. */
export type Rule = (input: RuleInput) => readonly Diagnostic[];

/** What rules look at: the files as written, layer by layer, and the configuration that they make. */
interface RuleInput extends WrittenConfig {
  readonly layers: readonly (readonly WrittenConfig[])[];
  /** The values of all files, also those that a later layer overrides. */
  readonly written: readonly Subject[];
  /** The values that count after all layers. */
  readonly winning: readonly Subject[];
}

/** A value that a rule looks at: that of an option, or a named one. */
export interface Subject {
  readonly address: string;
  /** The key of the option, or the name of the value. */
  readonly key: string;
  readonly place: Place;
  /** What its option says with `sensitive:` after all layers. */
  readonly mark: boolean | undefined;
  readonly template: Template;
  /** With its named values put in; undefined where one is missing. */
  readonly linked: Linked | undefined;
  /** Each text in it, with references as written; displays of choices are left out. */
  readonly texts: readonly { readonly text: string; readonly place: Place }[];
}

/** Gathers what rules look at, once for all of them. */
export function ruleInput(
  layers: RuleInput['layers'],
  merged: WrittenConfig,
  link: (template: Template) => Linked | undefined,
): RuleInput {
  const marks = new Map(
    optionsOf(merged.entries).map(({ address, option }) => [`${address}.value`, option.sensitive?.value]),
  );
  const subject = (address: string, key: string, template: Template | null | undefined): Subject[] => {
    if (!template) return [];
    const { place } = template;
    return [
      {
        address,
        key,
        place,
        mark: marks.get(address) ?? undefined,
        template,
        linked: link(template),
        texts: textsIn(template),
      },
    ];
  };
  const subjectsOf = ({ values, entries }: WrittenConfig) => [
    ...optionsOf(entries).flatMap(({ address, option: { key, value } }) =>
      subject(`${address}.value`, key, value?.value),
    ),
    ...[...values].flatMap(([name, { value }]) => subject(`values.${name}`, name, value)),
  ];
  return { ...merged, layers, written: layers.flat().flatMap(subjectsOf), winning: subjectsOf(merged) };
}

/** The options of entries, each with its address. */
export function optionsOf<Value>(
  entries: readonly Entry<Value>[],
): { readonly address: string; readonly option: OptionEntry<Value> }[] {
  return entries.flatMap(({ name, options }) =>
    [...options.values()].map((option) => ({ address: `${name}.options.${option.key}`, option })),
  );
}

function textsIn(template: Template): Subject['texts'] {
  if (template.kind === 'list') return template.items.flatMap(textsIn);
  if (template.kind === 'choice') return textsIn(template.value);
  const text = template.kind === 'text' ? template.source : template.value;
  return typeof text === 'string' ? [{ text, place: template.place }] : [];
}

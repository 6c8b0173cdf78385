import type { Diagnostic } from '../../findings/diagnostic.ts';
import type { Place } from '../../model/place.ts';
import type { Entry, NamedValue, WrittenFile } from '../entry.ts';
import type { MergedConfig } from '../layers.ts';
import type { Linked } from '../link.ts';
import type { Template } from '../template.ts';

/** Looks at a whole configuration for one kind of mistake. */
export type Rule = (input: RuleInput) => readonly Diagnostic[];

/** What rules look at: the files as written, layer by layer, and the configuration that they make. */
export interface RuleInput extends MergedConfig {
  readonly layers: readonly (readonly WrittenFile[])[];
  /** The values of all layers: one that a later layer overrides is in its file all the same. */
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
  readonly template: Template;
  /** With its named values put in; undefined where one is missing. */
  readonly linked: Linked | undefined;
  /** Each text in it that is no display of a choice, references as written. */
  readonly texts: readonly PlacedText[];
}

interface PlacedText {
  readonly text: string;
  readonly place: Place;
}

type Link = (template: Template) => Linked | undefined;

/** Gathers what rules look at, once for all of them. */
export function ruleInput(
  layers: readonly (readonly WrittenFile[])[],
  merged: MergedConfig,
  link: Link,
): RuleInput {
  const written = layers.flat().flatMap(({ values, entries }) => subjectsOf(values, entries, link));
  return { ...merged, layers, written, winning: subjectsOf(merged.values, merged.entries, link) };
}

function subjectsOf(
  values: ReadonlyMap<string, NamedValue>,
  entries: readonly Entry<Template>[],
  link: Link,
): Subject[] {
  const subject = (
    path: readonly string[],
    key: string,
    template: Template | null | undefined,
  ): Subject[] => {
    if (!template) return [];
    const [address, place] = [path.join('.'), template.place];
    return [{ address, key, place, template, linked: link(template), texts: textsIn(template) }];
  };
  return [
    ...entries.flatMap(({ name, options }) =>
      [...options.values()].flatMap(({ key, value }) =>
        subject([name, 'options', key, 'value'], key, value?.value),
      ),
    ),
    ...[...values].flatMap(([name, { value }]) => subject(['values', name], name, value)),
  ];
}

function textsIn(template: Template): PlacedText[] {
  if (template.kind === 'list') return template.items.flatMap(textsIn);
  if (template.kind === 'choice') return textsIn(template.value);
  const text = template.kind === 'text' ? template.source : template.value;
  return typeof text === 'string' ? [{ text, place: template.place }] : [];
}

import { addressOf } from '../declaration.ts';
import type { Entry, NamedValue, WrittenFile } from '../entry.ts';
import type { MergedConfig } from '../layers.ts';
import type { Linked } from '../link.ts';
import type { Template } from '../template.ts';
import type { PlacedText, RuleInput, Subject } from './rule.ts';

type Link = (template: Template) => Linked | undefined;

/** Gathers what rules look at, once for all of them. */
export function ruleInput(
  layers: readonly (readonly WrittenFile[])[],
  merged: MergedConfig,
  link: Link,
): RuleInput {
  return {
    layers,
    merged,
    entries: merged.entries,
    written: layers.flat().flatMap(({ values, entries }) => subjectsOf(values, entries, link)),
    winning: subjectsOf(merged.values, merged.entries, link),
    marked: new Set(merged.entries.flatMap(markedIn)),
  };
}

function subjectsOf(
  values: ReadonlyMap<string, NamedValue>,
  entries: readonly Entry<Template>[],
  link: Link,
): Subject[] {
  const named = [...values].flatMap(([name, { value }]) =>
    value === null ? [] : [subject(`values.${name}`, name, value, link)],
  );
  const options = entries.flatMap((entry) =>
    [...entry.options.values()].flatMap(({ key, value }) =>
      value?.value ? [subject(addressOf(entry.name, ['options', key, 'value']), key, value.value, link)] : [],
    ),
  );
  return [...options, ...named];
}

function subject(address: string, key: string, template: Template, link: Link): Subject {
  const { place } = template;
  return { address, key, place, template, linked: link(template), texts: textsIn(template) };
}

function textsIn(template: Template): PlacedText[] {
  if (template.kind === 'list') return template.items.flatMap(textsIn);
  if (template.kind === 'choice') return textsIn(template.value);
  const text = template.kind === 'text' ? template.source : template.value;
  return typeof text === 'string' ? [{ text, place: template.place }] : [];
}

function markedIn({ name, options }: Entry<Template>): string[] {
  return [...options.values()].flatMap(({ key, sensitive }) =>
    sensitive?.value === true ? [addressOf(name, ['options', key, 'value'])] : [],
  );
}

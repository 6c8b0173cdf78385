import {
  optionKeysOf,
  optionPath,
  type WrittenEntry,
  type WrittenField,
  type WrittenFile,
} from '../entry.ts';
import type { Gaps } from '../gaps.ts';
import { addressOf, fieldOf, type MergedConfig, type MergedEntry } from '../layers.ts';
import { referencesIn } from '../reference.ts';
import type { ResolvedValue } from '../resolve.ts';
import type { OptionFields, PlacedText, RuleInput, Subject } from './rule.ts';

/** Gathers what rules look at, once for all of them. */
export function ruleInput(
  layers: readonly (readonly WrittenFile[])[],
  config: MergedConfig,
  resolved: ReadonlyMap<WrittenField, ResolvedValue>,
  gaps: Gaps,
): RuleInput {
  const written = layers.flat().flatMap(subjectsOf);
  const winners = new Set([
    ...config.entries.flatMap(({ fields }) => [...fields.values()]),
    ...config.values.values(),
  ]);
  const options = config.entries.flatMap(optionsOf);
  return {
    layers,
    config,
    wholeEntries: gaps.anyEntry ? [] : config.entries.filter(({ name }) => !gaps.entries.has(name)),
    written,
    winning: written.filter(({ field }) => winners.has(field)),
    options,
    marked: new Set(options.flatMap(({ address, sensitive }) => (sensitive ? [`${address}.value`] : []))),
    resolved,
  };
}

function subjectsOf({ entries, values }: WrittenFile): Subject[] {
  const named = [...values].map(([name, field]) => subject(`values.${name}`, name, field));
  return [...entries.flatMap(optionValues), ...named].filter(({ field }) => field.value !== null);
}

function optionValues({ name, fields }: WrittenEntry): Subject[] {
  return [...fields].flatMap(([path, field]) => {
    if (!path.startsWith('options/') || !path.endsWith('/value')) return [];
    const address = addressOf(name, path);
    return [subject(address, address.slice(`${name}.options.`.length, -'.value'.length), field)];
  });
}

function subject(address: string, key: string, field: WrittenField): Subject {
  return { address, key, field, texts: textsIn(field), references: referencesIn(field.value) };
}

function textsIn({ value, place, members }: WrittenField): PlacedText[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => textsIn({ value: item, place: members?.[index] ?? place }));
  const text = typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
  return typeof text === 'string' ? [{ text, place }] : [];
}

/** The options of which something beside a value is said. */
function optionsOf(entry: MergedEntry): OptionFields[] {
  const paths = [...entry.fields.keys()].filter((path) => /\/(sensitive|permission)$/.test(path));
  return optionKeysOf(paths).map((key) => {
    const path = optionPath(key);
    return {
      address: addressOf(entry.name, path),
      sensitive: fieldOf(entry, `${path}/sensitive`)?.value === true,
      value: fieldOf(entry, `${path}/value`),
      permission: fieldOf(entry, `${path}/permission`),
    };
  });
}

import type { FieldName } from '../model/address.ts';
import { grouped } from '../model/grouped.ts';
import type { Entry, Field, NamedValue } from './entry.ts';
import type { WrittenLayers } from './layers.ts';
import { namesIn, type Template } from './template.ts';

/** An entry that holds for an integration. */
export interface Holding {
  readonly entry: string;
  /** Whether it holds defaults, over which specific entries go. */
  readonly isDefault: boolean;
  /** True where only what is installed tells whether its selector means the integration. */
  readonly isUncertain?: true;
}

/** A declaration that sets a field, or a null at it or around it that stops its management. */
export interface Origin<Value> extends Holding {
  /** The position of its layer, from 0. */
  readonly layer: number;
  readonly field: Field<Value | string | boolean>;
  /** Whether this one counts. */
  readonly wins: boolean;
}

/** The entries of each layer by their names, earliest layer first: each file of a layer may have one of the name. */
export type EntryLayers<Value> = readonly ReadonlyMap<string, readonly Entry<Value>[]>[];

/**
 * All declarations of one field of an integration, in the order in which they override each other: defaults before specific
 * entries, earlier layers before later ones. What is certain to hold can win.
 */
export function originsOf<Value>(
  layers: EntryLayers<Value>,
  holding: readonly Holding[],
  name: FieldName,
): readonly Origin<Value>[] {
  const byRank = [true, false].flatMap((isDefault) => holding.filter((each) => each.isDefault === isDefault));
  const found = byRank.flatMap((each) =>
    layers.flatMap((entries, layer) =>
      (entries.get(each.entry) ?? [])
        .flatMap((entry) => fieldIn(entry, name) ?? [])
        .map((field) => ({ ...each, layer, field })),
    ),
  );
  const winner = winnerOf(found);
  return found.map((each) => ({ ...each, wins: each === winner }));
}

/**
 * The last word of each entry counts; those of specific entries hide those of defaults. Among equal ones nulls count for
 * nothing: that two of them set a field is refused.
 */
function winnerOf<Value, Found extends Omit<Origin<Value>, 'wins'>>(
  found: readonly Found[],
): Found | undefined {
  const certain = found.filter(({ isUncertain }) => isUncertain !== true);
  const words = [...grouped(certain, ({ entry }) => entry).values()].flatMap((all) => all.at(-1) ?? []);
  const specific = words.filter(({ isDefault }) => !isDefault);
  const rank = specific.length > 0 ? specific : words;
  return rank.find(({ field }) => field.value !== null) ?? rank.at(-1);
}

/** What one entry of one file says of a field: its declaration, or the null around it. */
function fieldIn<Value>(
  { stopped, autosubscribe, optionsStopped, options }: Entry<Value>,
  name: FieldName,
): Field<Value | string | boolean> | undefined {
  if (stopped !== undefined || name.field === 'autosubscribe') return stopped ?? autosubscribe;
  const option = options.get(name.option);
  return optionsStopped ?? option?.stopped ?? option?.[name.field];
}

/** A definition of a named value in one layer; the last one counts. */
interface NamedOrigin {
  readonly name: string;
  readonly layer: number;
  readonly value: NamedValue;
  readonly wins: boolean;
}

/** All definitions of the named values that a value leads to, each name once: those that it names before those behind them. */
export function namedOrigins(layers: WrittenLayers, template: Template): readonly NamedOrigin[] {
  const names = new Set(namesIn(template));
  const origins: NamedOrigin[] = [];
  // A set tells also what is added while it is gone through.
  for (const name of names) {
    const found = definitionsOf(layers, name);
    const winner = found.at(-1);
    origins.push(...found.map((each) => ({ ...each, wins: each === winner })));
    for (const next of winner?.value.value ? namesIn(winner.value.value) : []) names.add(next);
  }
  return origins;
}

function definitionsOf(layers: WrittenLayers, name: string) {
  return layers.flatMap((files, layer) =>
    files.flatMap(({ values }) => {
      const value = values.get(name);
      return value === undefined ? [] : [{ name, layer, value }];
    }),
  );
}

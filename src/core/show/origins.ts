import type { Entry, Field } from '../config/entry.ts';
import type { WrittenLayers } from '../config/layers.ts';
import type { Template } from '../config/template.ts';
import { grouped } from '../model/json.ts';
import type { FieldName } from '../model/place.ts';
import type { Holding } from './shown.ts';

/** A declaration that sets a field, or a null at it or around it that stops its management. */
export interface Origin extends Holding {
  /** The position of its layer, from 0. */
  readonly layer: number;
  readonly field: Field<Template | string | boolean>;
  /** Whether this one counts. */
  readonly wins: boolean;
}

/**
 * All declarations of one field of an integration, in the order in which they override each other: defaults before specific
 * entries, earlier layers before later ones.
 */
export function originsOf(
  layers: WrittenLayers,
  holding: readonly Holding[],
  name: FieldName,
): readonly Origin[] {
  const byRank = [true, false].flatMap((isDefault) => holding.filter((each) => each.isDefault === isDefault));
  const found = byRank.flatMap((each) =>
    layers.flatMap((files, layer) =>
      files
        .flatMap(({ entries }) => entries.filter((entry) => entry.name === each.entry))
        .flatMap((entry) => fieldOf(entry, name) ?? [])
        .map((field) => ({ ...each, layer, field })),
    ),
  );
  const winner = winnerOf(found);
  return found.map((each) => ({ ...each, wins: each === winner }));
}

/** The last declaration of each entry counts, and those of specific entries before defaults. A null counts if it is alone. */
function winnerOf<Found extends Omit<Origin, 'wins'>>(found: readonly Found[]): Found | undefined {
  const last = [...grouped(found, ({ entry }) => entry).values()].flatMap((all) => all.at(-1) ?? []);
  const specific = last.filter(({ isDefault }) => !isDefault);
  const rank = specific.length > 0 ? specific : last;
  return rank.find(({ field }) => field.value !== null) ?? rank.at(-1);
}

/** What one entry of one file says of a field: its declaration, or the null around it. */
function fieldOf(entry: Entry<Template>, name: FieldName): Origin['field'] | undefined {
  const { stopped, autosubscribe, optionsStopped, options } = entry;
  if (stopped !== undefined || name.field === 'autosubscribe') return stopped ?? autosubscribe;
  const option = options.get(name.option);
  return optionsStopped ?? option?.stopped ?? option?.[name.field];
}

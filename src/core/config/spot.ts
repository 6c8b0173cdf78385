import type { Place } from '../model/place.ts';
import type { WrittenField } from './entry.ts';

/** A value or a part of one, by its pointer in the field that holds it, and where it stands. */
export interface Spot {
  readonly field: WrittenField;
  readonly pointer: string;
  readonly place: Place;
}

/** The whole value of a field. */
export function spotOf(field: WrittenField): Spot {
  return { field, pointer: '', place: field.place };
}

/** A part of a value: a member of a list, or the display or value of a choice. */
export function partOf({ field, pointer, place }: Spot, key: string | number): Spot {
  const below = `${pointer}/${key}`;
  return { field, pointer: below, place: field.parts?.get(below) ?? place };
}

import type { Place } from '../../model/place.ts';
import { unescapeKey, type WrittenField } from '../entry.ts';

/** A key or name, and where it stands. */
export interface Word {
  readonly word: string;
  readonly place: Place;
}

/** The keys of an entry's options, each with its place, in the order in which they are written. */
export function optionKeys(fields: ReadonlyMap<string, WrittenField>): Word[] {
  const places = new Map<string, Place>();
  for (const [path, { key }] of fields) {
    const [, part] = key === undefined ? [] : path.split('/', 2);
    if (key !== undefined && part !== undefined && !places.has(part)) places.set(part, key);
  }
  return [...places].map(([part, place]) => ({ word: unescapeKey(part), place }));
}

import type { Place } from '../model/place.ts';
import { referencesIn } from './reference.ts';
import { pointerPart } from './schema-problem.ts';

/**
 * Where the members of a list stand, and where all parts of a list or choice with references do, by their pointers in it.
 * Findings are there; lists without references have none below their members.
 */
export function partPlaces(
  value: unknown,
  placeAt: (pointer: string) => Place,
): { readonly members?: readonly Place[]; readonly parts?: ReadonlyMap<string, Place> } {
  if (typeof value !== 'object' || value === null) return {};
  return {
    ...(Array.isArray(value) ? { members: value.map((_, index) => placeAt(`/${index}`)) } : {}),
    ...(referencesIn(value).length > 0 ? { parts: new Map(placesBelow(value, '', placeAt)) } : {}),
  };
}

function placesBelow(
  value: unknown,
  pointer: string,
  placeAt: (pointer: string) => Place,
): [string, Place][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]): [string, Place][] => {
    const below = `${pointer}/${pointerPart(key)}`;
    return [[below, placeAt(below)], ...placesBelow(child, below, placeAt)];
  });
}

import { addressOf, isDefault } from '../config/entry.ts';
import { declarationsOf } from '../config/layers.ts';
import type { Place } from '../model/place.ts';
import { valueText } from '../yaml/value-text.ts';
import type { DriftedField } from './editing.ts';
import type { Reading } from './reading.ts';

/** A field or declaration that has its value from a line. */
export interface User {
  readonly server: string;
  readonly address: string;
  /** Absent for a declaration of nothing that is installed, as far as is known. */
  readonly key?: string;
}

/** Finds all users of a line, on all servers. */
export function usersOf(
  readings: readonly Reading[],
  keyOf: (place: Place) => string,
): (place: Place) => readonly User[] {
  const users = new Map<string, User[]>();
  const add = (place: Place, user: User) => {
    const key = keyOf(place);
    users.set(key, [...(users.get(key) ?? []), user]);
  };
  for (const { server, config, asked } of readings) {
    const known = new Set(asked.map(({ place }) => keyOf(place)));
    for (const { key, address, place } of asked) add(place, { server: server.name, address, key });
    for (const entry of config.entries)
      for (const { path, place } of declarationsOf(entry))
        if (!known.has(keyOf(place)))
          add(place, { server: server.name, address: addressOf(entry.name, path) });
  }
  return (place) => users.get(keyOf(place)) ?? [];
}

/** The lines that override a field for one server only, and that server's file to add them to. */
export function overrideOf(
  field: DriftedField,
  readings: readonly Reading[],
  keyOf: (place: Place) => string,
): { readonly lines: string; readonly file?: string } {
  const own = readings.find(({ server }) => server.name === field.server);
  const entry = own?.config.entries.find((each) =>
    declarationsOf(each).some(({ place }) => keyOf(place) === keyOf(field.place)),
  );
  const name = entry === undefined || isDefault(entry) ? field.id : entry.name;
  const value = valueText(field.written, { indent: '', isInFlow: true });
  const lines = [name, ...field.path].reduceRight((inner, key, index) => {
    const pair = `${valueText(key, { indent: '', isInFlow: true })}: ${inner}`;
    return index === 0 ? pair : `{ ${pair} }`;
  }, value);
  const last = own?.server.layers.at(-1)?.at(-1);
  const isShared = readings.some(
    ({ server }) => server !== own?.server && server.layers.flat().some(({ real }) => real === last?.real),
  );
  return last === undefined || isShared ? { lines } : { lines, file: last.path };
}

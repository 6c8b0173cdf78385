import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { type Entry, type Field, OPTION_FIELDS } from './entry.ts';

/** One managed field of an entry, or a null that covers every field below its path. */
export interface Declaration {
  /** The address without the name of the entry: `autosubscribe`, or `options`, the key, the field. */
  readonly path: readonly string[];
  readonly place: Place;
  readonly isNull: boolean;
}

/** Everything that an entry declares, without `match` and `expect`. */
export function declarationsOf(entry: Entry<unknown>): Declaration[] {
  const { stopped, autosubscribe, optionsStopped, options } = entry;
  if (stopped !== undefined) return declared(stopped);
  return [
    ...declared(autosubscribe, 'autosubscribe'),
    ...declared(optionsStopped, 'options'),
    ...[...options.values()].flatMap((option) => [
      ...declared(option.stopped, 'options', option.key),
      ...OPTION_FIELDS.flatMap((name) => declared(option[name], 'options', option.key, name)),
    ]),
  ];
}

/** Everything that an entry declares, by whole addresses. */
export function allDeclared(entry: Entry<unknown>): Declaration[] {
  const { name, match, expect } = entry;
  const all = [...declared(match, 'match'), ...declared(expect, 'expect'), ...declarationsOf(entry)];
  return all.map((each) => ({ ...each, path: [name, ...each.path] }));
}

/** The declaration of a field; none where the field is absent. */
function declared(field: Field<unknown> | undefined, ...path: readonly string[]): Declaration[] {
  return field === undefined ? [] : [{ path, place: field.place, isNull: field.value === null }];
}

/** The finding for a field that has another place too. */
export function duplicate(address: string, place: Place, other: Place | undefined): Diagnostic[] {
  return other === undefined ? [] : [diagnostic('duplicate-field', { address, other }, place)];
}

/** The field address of a path: `virustotal.options.apiKey.value`. */
export function addressOf(name: string, path: readonly string[]): string {
  return [name, ...path].join('.');
}

/** A path as the key of a map. */
export function pathKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** The keys of a path and of all paths around it, the shortest first. */
export function keysAround(path: readonly string[]): string[] {
  return [[], ...path.map((_, index) => path.slice(0, index + 1))].map(pathKey);
}

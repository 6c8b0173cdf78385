import type { Place } from '../model/place.ts';
import { type Entry, OPTION_FIELDS } from './entry.ts';

/** One managed field of an entry, or a null for all that its path is the beginning of. */
export interface Declaration {
  /** The parts of the address behind the name of the entry: `autosubscribe`, or `options`, the key, the field. */
  readonly path: readonly string[];
  readonly place: Place;
  readonly isNull: boolean;
}

/** Everything that an entry declares beside `match` and `expect`, in the order of the fields. */
export function declarationsOf(entry: Entry<unknown>): Declaration[] {
  const { stopped, autosubscribe, optionsStopped, options } = entry;
  if (stopped !== undefined) return [nullAt(stopped)];
  return [
    ...(autosubscribe === undefined ? [] : [declaration(autosubscribe, 'autosubscribe')]),
    ...(optionsStopped === undefined ? [] : [nullAt(optionsStopped, 'options')]),
    ...[...options.values()].flatMap((option) => [
      ...(option.stopped === undefined ? [] : [nullAt(option.stopped, 'options', option.key)]),
      ...OPTION_FIELDS.flatMap((name) => {
        const field = option[name];
        return field === undefined ? [] : [declaration(field, 'options', option.key, name)];
      }),
    ]),
  ];
}

/** The field address of a path: `virustotal.options.apiKey.value`. */
export function addressOf(name: string, path: readonly string[]): string {
  return [name, ...path].join('.');
}

/** A path as the key of a map. */
export function pathKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

/** The keys of all paths that are the beginning of a path, itself included. */
export function keysAround(path: readonly string[]): string[] {
  return [[], ...path.map((_, index) => path.slice(0, index + 1))].map(pathKey);
}

function nullAt(place: Place, ...path: readonly string[]): Declaration {
  return { path, place, isNull: true };
}

function declaration(
  { value, place }: { readonly value: unknown; readonly place: Place },
  ...path: readonly string[]
): Declaration {
  return { path, place, isNull: value === null };
}

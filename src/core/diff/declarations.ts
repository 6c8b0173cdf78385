import { addressOf } from '../config/declaration.ts';
import { type Entry, type Field, OPTION_FIELDS, type Selector, selectorOf } from '../config/entry.ts';
import type { ResolvedValue } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';

/** One field that an entry declares. */
export interface Declaration {
  readonly field: 'match' | 'expect' | 'autosubscribe' | (typeof OPTION_FIELDS)[number];
  /** The key of its option. */
  readonly option?: string;
  readonly content: ResolvedValue | string | boolean;
  readonly place: Place;
  readonly comment?: string;
}

type Declared = readonly [
  Declaration['field'],
  Field<Declaration['content']> | undefined,
  ...option: readonly string[],
];

/** The declarations of an entry by their addresses; none without an entry. */
export function declarationsIn(entry: Entry<ResolvedValue> | undefined): ReadonlyMap<string, Declaration> {
  if (entry === undefined) return new Map();
  const { name, place, match, expect, autosubscribe, options } = entry;
  const all: readonly Declared[] = [
    ['match', { ...(match ?? { place }), value: selectorText(selectorOf(entry)) }],
    ['expect', expect],
    ['autosubscribe', autosubscribe],
    ...[...options.values()].flatMap((option) =>
      OPTION_FIELDS.map((field): Declared => [field, option[field], option.key]),
    ),
  ];
  return new Map(
    all.flatMap(([field, declared, option]): [string, Declaration][] => {
      if (declared === undefined || declared.value === null) return [];
      const { value: content, place: at, comment } = declared;
      const path = option === undefined ? [field] : ['options', option, field];
      return [[addressOf(name, path), { field, content, place: at, ...present({ option, comment }) }]];
    }),
  );
}

/** A selector as people read it: the glob on the id, or all globs by name. */
function selectorText(selector: Selector): string {
  const globs = Object.entries(selector).sort(([a], [b]) => compareText(a, b));
  if (globs.every(([attribute]) => attribute === 'id')) return selector.id ?? '';
  return globs.map(([attribute, glob]) => `${attribute}: ${glob}`).join(', ');
}

import { addressOf } from '../config/declaration.ts';
import { type Entry, type OptionEntry, type Selector, selectorOf } from '../config/entry.ts';
import type { ResolvedValue } from '../config/resolve.ts';
import { compareText } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { present } from '../model/present.ts';

/** One field that an entry declares. */
export interface Declaration {
  readonly field: 'match' | 'expect' | 'autosubscribe' | 'value' | 'permission' | 'sensitive' | 'rotated';
  /** The key of its option. */
  readonly option?: string;
  readonly content: ResolvedValue | string | boolean;
  readonly place: Place;
  readonly comment?: string;
}

/** The declarations of an entry by their addresses; none without an entry. */
export function declarationsIn(entry: Entry<ResolvedValue> | undefined): ReadonlyMap<string, Declaration> {
  if (entry === undefined) return new Map();
  const { name, place, match, expect, autosubscribe, options } = entry;
  const selector = { ...(match ?? { place }), value: selectorText(selectorOf(entry)) };
  const all = [
    ...declared('match', selector),
    ...declared('expect', expect),
    ...declared('autosubscribe', autosubscribe),
    ...[...options.values()].flatMap(optionDeclarations),
  ];
  return new Map(all.map((each) => [addressOf(name, pathOf(each)), each]));
}

function pathOf({ field, option }: Declaration): string[] {
  return option === undefined ? [field] : ['options', option, field];
}

function optionDeclarations({ key, ...fields }: OptionEntry<ResolvedValue>): Declaration[] {
  const { value, permission, sensitive, rotated } = fields;
  return [
    ...declared('value', value, key),
    ...declared('permission', permission, key),
    ...declared('sensitive', sensitive, key),
    ...declared('rotated', rotated, key),
  ];
}

function declared(
  field: Declaration['field'],
  declaration:
    | {
        readonly value: Declaration['content'] | null;
        readonly place: Place;
        readonly comment?: string;
      }
    | undefined,
  option?: string,
): Declaration[] {
  if (declaration === undefined || declaration.value === null) return [];
  const { value: content, place, comment } = declaration;
  return [{ field, content, place, ...present({ option, comment }) }];
}

/** A selector as people read it: the glob on the id, or all globs by name. */
function selectorText(selector: Selector): string {
  const globs = Object.entries(selector).sort(([a], [b]) => compareText(a, b));
  if (globs.every(([attribute]) => attribute === 'id')) return selector.id ?? '';
  return globs.map(([attribute, glob]) => `${attribute}: ${glob}`).join(', ');
}

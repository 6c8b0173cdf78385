import type { Place } from '../model/place.ts';
import type { WantedField } from './editing.ts';

/** Fields that are declared at one place. */
export interface Group {
  readonly key: string;
  readonly fields: readonly WantedField[];
  readonly place: Place;
}

/** Whether fields are to hold the same. */
export function hasOneValue(fields: readonly WantedField[]): boolean {
  return new Set(fields.map(({ written }) => JSON.stringify(written))).size === 1;
}

/** The value of fields that have one. */
function onlyValue({ fields }: Group): string {
  return JSON.stringify(fields[0]?.written);
}

/**
 * Which fields can be edited where they are, since all aliases of their value are taken back too (`isFree`), and which of those
 * aliases stay as they are, since they mean the right value then (`joined`, by their keys).
 */
export function withAliases(
  all: readonly Group[],
  isAlone: (group: Group) => boolean,
  aliasesOf: (group: Group) => readonly string[],
): { readonly joined: ReadonlyMap<string, Group>; readonly isFree: ReadonlySet<string> } {
  const own = new Map(all.flatMap((group) => (isAlone(group) ? [[group.key, group] as const] : [])));
  const named = [...own.values()].flatMap((group) => {
    const aliases = aliasesOf(group).map((each) => own.get(each));
    const known = aliases.flatMap((each) => each ?? []);
    return known.length === aliases.length ? [{ group, aliases: known }] : [];
  });
  const joined = named
    .filter(({ group, aliases }) => aliases.every((alias) => onlyValue(alias) === onlyValue(group)))
    .flatMap(({ group, aliases }) => aliases.map((alias) => [alias.key, group] as const));
  return { joined: new Map(joined), isFree: new Set(named.map(({ group }) => group.key)) };
}

import { addressOf, declarationsOf } from '../config/declaration.ts';
import { type Entry, selectorOf } from '../config/entry.ts';
import { LiveIndex } from '../match/live-index.ts';
import type { DesiredField, DesiredValue } from '../model/desired.ts';
import type { Place } from '../model/place.ts';
import { isSameWritten } from '../model/written.ts';
import { type AskedField, askedFields, placeKey, type ReadServer, realPaths } from './reading.ts';

/** What the value of a place is for: a field of an installed integration, or a declaration that is for none of these. */
export interface Fed {
  readonly server: string;
  readonly address: string;
  readonly key: string;
}

/** What an entry declares. */
interface DeclaredField {
  readonly key: string;
  readonly address: string;
  readonly place: Place;
  readonly field: unknown;
  /** Whether installed integrations have a field from it, which then stands for it. */
  readonly isAsked: boolean;
}

/**
 * All that the entries of a server declare, whether what they mean is installed or not: it may be tomorrow, and a server that was
 * not read has nothing that is known to be.
 */
function declaredFields({ server: { name, planned }, reading }: ReadServer): DeclaredField[] {
  const asked = new Map<string, Set<string>>();
  for (const { id, path, field } of askedFields(name, reading)) {
    const key = JSON.stringify([path, field.place]);
    asked.set(key, (asked.get(key) ?? new Set()).add(id));
  }
  const index = new LiveIndex(planned?.live ?? []);
  return reading.config.flatMap((entry) => {
    const meant = index.found(selectorOf(entry));
    return declarationsOf(entry).map(({ path, place }): DeclaredField => {
      const ids = asked.get(JSON.stringify([path, place]));
      return {
        key: JSON.stringify({ server: name, entry: entry.name, path }),
        address: addressOf(entry.name, path),
        place,
        field: fieldAt(entry, path),
        isAsked: ids !== undefined && meant.some(({ id }) => ids.has(id)),
      };
    });
  });
}

/** What each place of the configurations feeds, on all servers. */
export function fedBy(servers: readonly ReadServer[]): (place: Place) => readonly Fed[] {
  const fed = new Map<string, Fed[]>();
  const reals = realPaths(servers.map(({ server }) => server));
  const keyOf = (place: Place) => placeKey(place, reals(place.file));
  const feed = (place: Place, each: Fed) => {
    const known = fed.get(keyOf(place));
    if (known === undefined) fed.set(keyOf(place), [each]);
    else known.push(each);
  };
  for (const each of servers) {
    const server = each.server.name;
    for (const { key, address, field } of askedFields(server, each.reading))
      feed(field.place, { server, address, key });
    for (const { key, address, place, isAsked } of declaredFields(each))
      if (!isAsked) feed(place, { server, address, key });
  }
  return (place) => fed.get(keyOf(place)) ?? [];
}

/** A field that an edit changes; it may make it, or take it away. */
export interface ChangedField extends Fed {
  readonly isMadeOrGone: boolean;
}

/** What means something else on a server by edited files: its fields, and the declarations that are for none of these. */
export function changedFields(before: ReadServer, after: ReadServer): ChangedField[] {
  const server = before.server.name;
  const [was, is] = [declaredFields(before), declaredFields(after)];
  const asked = new Set([...was, ...is].flatMap(({ key, isAsked }) => (isAsked ? [key] : [])));
  const changed = [
    ...differing(askedFields(server, before.reading), askedFields(server, after.reading), isSameAsked),
    ...differing(
      was.filter(({ key }) => !asked.has(key)),
      is.filter(({ key }) => !asked.has(key)),
      (one, other) => contentText(one.field) === contentText(other.field),
    ),
  ];
  return changed.map((each) => ({ server, ...each }));
}

function differing<Each extends Omit<Fed, 'server'>>(
  before: readonly Each[],
  after: readonly Each[],
  isSame: (one: Each, other: Each) => boolean,
): Omit<ChangedField, 'server'>[] {
  const was = new Map(before.map((each) => [each.key, each]));
  const is = new Map(after.map((each) => [each.key, each]));
  const made = after.filter(({ key }) => !was.has(key));
  return [...before, ...made].flatMap(({ key, address }) => {
    const [one, other] = [was.get(key), is.get(key)];
    const isMadeOrGone = one === undefined || other === undefined;
    return isMadeOrGone || !isSame(one, other) ? [{ key, address, isMadeOrGone }] : [];
  });
}

function isSameAsked({ field: one }: AskedField, { field: other }: AskedField): boolean {
  return isValue(one) && isValue(other) ? isSameWritten(one, other) : one.value === other.value;
}

/** Whether a field is the value of an option. */
export function isValue(field: DesiredField<unknown>): field is DesiredValue {
  return 'isFromOutside' in field;
}

function fieldAt(entry: Entry<unknown>, [part, key = '', name]: readonly string[]): unknown {
  if (part === 'autosubscribe') return entry.autosubscribe;
  const { stopped, ...fields } = entry.options.get(key) ?? {};
  return name === undefined ? stopped : Object.entries(fields).find(([each]) => each === name)?.[1];
}

/** Whether each entry selects what it did, and expects as much. */
export function hasSameEntries(before: ReadServer, after: ReadServer): boolean {
  const now = new Map(after.reading.config.map((entry) => [entry.name, entry]));
  return before.reading.config.every(({ name, match, expect }) => {
    const entry = now.get(name);
    return contentText([match, expect]) === contentText([entry?.match, entry?.expect]);
  });
}

/** What a part of an entry says, wherever it stands. */
function contentText(part: unknown): string | undefined {
  return JSON.stringify(part, (key, value: unknown) => (UNCOMPARED.has(key) ? undefined : value));
}

const UNCOMPARED: ReadonlySet<string> = new Set(['place', 'comment', 'source', 'aliased']);

import {
  type Checked,
  compareText,
  type Diagnostic,
  diagnostic,
  withPlaces,
} from '../findings/diagnostic.ts';
import { baseOfId } from '../model/ids.ts';
import { grouped } from '../model/lists.ts';
import type { Place } from '../model/place.ts';
import type { Declaration, Template } from './declaration.ts';
import {
  declaredAddress,
  type Entry,
  isDefault,
  joinParts,
  managesAnything,
  selectionKey,
  settersOf,
  type WrittenConfig,
} from './entry.ts';
import type { WrittenFile } from './parse-file.ts';

/**
 * Merges layers: an entry gets the declarations of all, earlier layers first;
 * the last one of a field counts, and a null stops its management. Of a named
 * value only the last one stays. Within one layer a field may be set once, in
 * any file. The order of files and keys does not matter.
 */
export function mergeLayers(
  given: readonly (readonly WrittenFile[])[],
): Required<Checked<WrittenConfig>> {
  const layers = given.map((files) =>
    files.toSorted((a, b) => compareText(a.path, b.path)),
  );
  const files = layers.flat();
  const parts = grouped(
    files.flatMap((file) => file.entries),
    (part) => part.name,
  );
  const entries = [...parts.values()].map(joinParts);
  entries.sort((a, b) => compareText(a.name, b.name));
  const values = new Map<string, Template>();
  for (const [name, named] of files.flatMap((file) => [...file.values])) {
    if (named.value === null) values.delete(name);
    else values.set(name, named);
  }
  const diagnostics = [
    ...layers.flatMap(clashesIn),
    ...idleNulls(entries),
    ...clashesAmong(entries),
    ...orphans(layers, entries),
  ];
  return { value: { values, entries }, diagnostics };
}

/**
 * Finds fields that two files of a layer set, or that one sets and the other
 * stops.
 */
function clashesIn(files: readonly WrittenFile[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  const values = files.flatMap((file) => [...file.values]);
  for (const [name, same] of grouped(values, ([key]) => key)) {
    const [[, { place: other }], ...rivals] = same;
    const facts = { address: `values.${name}`, integration: undefined, other };
    for (const [, { place }] of rivals)
      found.push(diagnostic('duplicate-field', facts, place));
  }
  const parts = files.flatMap((file) => file.entries);
  for (const same of grouped(parts, ({ name }) => name).values()) {
    if (same.length === 1) continue;
    found.push(...clashes(same.flatMap(({ declarations }) => declarations)));
  }
  return found;
}

/** Finds fields that two entries set which select in the same words. */
function clashesAmong(entries: readonly Entry[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const alike of grouped(entries, selectionKey).values()) {
    if (alike.length > 1) found.push(...clashes(alike.flatMap(settersOf)));
  }
  return found;
}

/**
 * Finds declarations of what an earlier one declares. Entries are small: each
 * is compared with itself.
 */
function clashes(declarations: readonly Declaration[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [index, declaration] of declarations.entries()) {
    const rival = declarations.find(
      (other, at) =>
        at < index &&
        (covers(other, declaration) || covers(declaration, other)),
    );
    if (rival === undefined) continue;
    const { place, entry: integration } = declaration;
    const address = declaredAddress(declaration);
    const facts = { address, integration, other: rival.place };
    found.push(diagnostic('duplicate-field', facts, place));
  }
  return found;
}

/** Whether a declaration speaks of all that another one does. */
function covers(around: Declaration, inside: Declaration): boolean {
  switch (around.field) {
    case 'entry':
      return true;
    case 'options':
      return inside.option !== undefined || inside.field === 'options';
    case 'option':
      return inside.option === around.option;
    default:
      return inside.field === around.field && inside.option === around.option;
  }
}

/**
 * Finds nulls that stop nothing: no earlier layer and no default sets their
 * fields. A key may be mistyped.
 */
function idleNulls(entries: readonly Entry[]): Diagnostic[] {
  const byDefaults = entries.filter(isDefault).flatMap(settersOf);
  const found: Diagnostic[] = [];
  for (const { declarations } of entries) {
    let set: Declaration[] = [];
    for (const declaration of declarations) {
      const { field, place, value } = declaration;
      if (value !== null) {
        // No null stops the selection of an entry.
        if (field !== 'match' && field !== 'expect') set.push(declaration);
        continue;
      }
      const isStopped = (other: Declaration) => covers(declaration, other);
      const isIdle = !set.some(isStopped) && !byDefaults.some(isStopped);
      set = set.filter((other) => !isStopped(other));
      if (!isIdle) continue;
      const facts = { of: 'null', name: declaredAddress(declaration) } as const;
      found.push(diagnostic('idle-declaration', facts, place));
    }
  }
  return found;
}

/**
 * Finds the entries of later layers that refine nothing, and may have refined
 * an earlier one that was renamed: it has all their fields, and no other
 * refinement. One whose name has the form of an id means that.
 */
function orphans(
  layers: readonly (readonly WrittenFile[])[],
  entries: readonly Entry[],
): Diagnostic[] {
  const names = layers.map((files) => {
    const parts = files.flatMap((file) => file.entries);
    return new Set(parts.map(({ name }) => name));
  });
  const found: Diagnostic[] = [];
  for (const entry of entries) {
    const { name, match, place } = entry;
    const layer = names.findIndex((known) => known.has(name));
    if (layer === 0 || isDefault(entry) || baseOfId(name) !== name) continue;
    // After an upgrade, an overlay may have nothing but a match.
    if (match !== undefined && managesAnything(entry)) continue;
    const later = names.slice(layer);
    const renamed = entries.filter(
      (other) =>
        !later.some((known) => known.has(other.name)) &&
        !isDefault(other) &&
        declaresAllOf(other, entry),
    );
    if (renamed.length === 0) continue;
    const facts = {
      selector: name,
      candidates: [],
      total: 0,
      renamed: renamed.map((other) => other.name),
    };
    found.push(diagnostic('no-match', facts, place));
  }
  return found;
}

function declaresAllOf(
  other: Entry,
  { options, autosubscribe }: Entry,
): boolean {
  if (autosubscribe.length > 0 && other.autosubscribe.length === 0)
    return false;
  return [...options.keys()].every((key) => other.options.has(key));
}

/** A layer as setpoint.yaml or a flag names it. */
export interface NamedLayer {
  text: string;
  /** Absolute, with forward slashes. */
  path: string;
  place?: Place | undefined;
}

/**
 * Finds layers inside of others, or named twice, by server. Servers may share
 * whole layers.
 */
export function overlappingLayers(
  servers: readonly (readonly NamedLayer[])[],
): Diagnostic[] {
  const layers = servers.flat();
  const overlaps: { outer: NamedLayer; inner: NamedLayer }[] = [];
  for (const own of servers)
    for (const [at, inner] of own.entries()) {
      const outer =
        layers.find(({ path }) =>
          inner.path.startsWith(`${path.replace(/\/$/, '')}/`),
        ) ?? own.find(({ path }, index) => index < at && path === inner.path);
      if (outer !== undefined) overlaps.push({ outer, inner });
    }
  const found: Diagnostic[] = [];
  for (const pairs of grouped(overlaps, ({ outer }) => outer.path).values()) {
    const [{ outer }] = pairs;
    const inner = new Set(pairs.map((pair) => pair.inner.text));
    const places = pairs.flatMap((pair) => pair.inner.place ?? []);
    const facts = { outer: outer.text, inner: [...inner] };
    const finding = diagnostic('layers-overlap', facts, places[0]);
    found.push(withPlaces(finding, places));
  }
  return found;
}

import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { baseOfId } from '../model/ids.ts';
import { grouped } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { type Declaration, isSetter, type Stop } from './declaration.ts';
import {
  declaredAddress,
  type Entry,
  isDefault,
  joinParts,
  type NamedValue,
  pathOf,
  selectionKey,
  settersOf,
  type WrittenConfig,
} from './entry.ts';
import type { WrittenFile, WrittenLayers } from './read-file.ts';

/** The configuration that layers make, with what is wrong among them. */
export interface MergedLayers {
  readonly value: WrittenConfig;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Merges layers: a later one overrides an earlier one field by field, and its
 * null stops the management of a field. Within one layer a field may be set
 * once, in any file. The order of files and keys does not matter.
 */
export function mergeLayers(given: WrittenLayers): MergedLayers {
  const layers = given.map((files) =>
    [...files].sort((a, b) => compareText(a.path, b.path)),
  );
  const files = layers.flat();
  const parts = grouped(
    files.flatMap((file) => file.entries),
    (part) => part.name,
  );
  const entries = [...parts.values()].map(joinParts);
  entries.sort((a, b) => compareText(a.name, b.name));
  const values = new Map<string, NamedValue>();
  for (const file of files) {
    for (const [name, value] of file.values) values.set(name, value);
  }
  const diagnostics = [
    ...layers.flatMap(clashesIn),
    ...idleNulls(entries),
    ...sameMatch(entries),
    ...orphans(layers, entries),
  ];
  return { value: { values, entries }, diagnostics };
}

/** Finds what two files of a layer set, or what one sets and the other stops. */
function clashesIn(files: readonly WrittenFile[]): Diagnostic[] {
  const parts = files.flatMap((file) => file.entries);
  const byName = grouped(parts, (part) => part.name);
  const found = [...byName.values()].flatMap((alike) =>
    clashesAmong(alike, (part) => part.declarations),
  );
  return [...clashingValues(files), ...found];
}

function clashingValues(files: readonly WrittenFile[]): Diagnostic[] {
  const placeOf = new Map<string, Place>();
  const found: Diagnostic[] = [];
  for (const file of files) {
    for (const [name, { place }] of file.values) {
      const other = placeOf.get(name);
      if (other === undefined) {
        placeOf.set(name, place);
        continue;
      }
      const address = `values.${name}`;
      const facts = { address, integration: undefined, other };
      found.push(diagnostic('duplicate-field', facts, place));
    }
  }
  return found;
}

/** Finds fields that are set by two entries which select in the same words: they can never be applied. */
function sameMatch(entries: readonly Entry[]): Diagnostic[] {
  const bySelection = grouped(entries, selectionKey);
  return [...bySelection.values()].flatMap((alike) =>
    clashesAmong(alike, settersOf),
  );
}

/**
 * Finds the entries of later layers that refine nothing, and may have refined
 * an earlier one that was renamed: it has all their options, and no other
 * refinement. One without a match may also mean an id, which has its form.
 */
function orphans(
  layers: WrittenLayers,
  entries: readonly Entry[],
): Diagnostic[] {
  const first = new Map<string, number>();
  const last = new Map<string, number>();
  for (const [index, files] of layers.entries())
    for (const { name } of files.flatMap((file) => file.entries)) {
      if (!first.has(name)) first.set(name, index);
      last.set(name, index);
    }
  const found: Diagnostic[] = [];
  for (const entry of entries) {
    const { name, match, place, options } = entry;
    const layer = first.get(name) ?? 0;
    const isPlain = match === undefined && baseOfId(name) === name;
    if (layer === 0 || !isPlain || options.size === 0) continue;
    const renamed = entries.filter(
      (other) =>
        (last.get(other.name) ?? layer) < layer &&
        !isDefault(other) &&
        [...options.keys()].every((key) => other.options.has(key)),
    );
    if (renamed.length === 0) continue;
    const names = renamed.map((other) => other.name);
    const facts = { selector: name, candidates: [], total: 0, renamed: names };
    found.push(diagnostic('no-match', facts, place));
  }
  return found;
}

function clashesAmong<Part>(
  parts: readonly Part[],
  declaredBy: (part: Part) => readonly Declaration[],
): Diagnostic[] {
  return parts.length < 2 ? [] : clashes(parts.flatMap(declaredBy));
}

/** Finds declarations of what was declared before, or of what is around or below it. */
function clashes(declarations: readonly Declaration[]): Diagnostic[] {
  const at = new Map<string, Place>();
  const below = new Map<string, Place>();
  const found: Diagnostic[] = [];
  for (const declaration of declarations) {
    const { place } = declaration;
    const path = pathOf(declaration);
    const own = keyOf(path);
    const around = keysAround(path);
    const widest = around.find((key) => at.has(key)) ?? own;
    const other = at.get(widest) ?? below.get(own);
    if (!at.has(own)) at.set(own, place);
    for (const key of around) {
      if (!below.has(key)) below.set(key, place);
    }
    if (other === undefined) continue;
    const address = declaredAddress(declaration);
    const facts = { address, integration: declaration.entry, other };
    found.push(diagnostic('duplicate-field', facts, place));
  }
  return found;
}

/** A path and all paths around it as keys of a map, the shortest first. */
function keysAround(path: readonly string[]): string[] {
  const keys = [keyOf([])];
  for (let length = 1; length <= path.length; length += 1) {
    keys.push(keyOf(path.slice(0, length)));
  }
  return keys;
}

/** A path as the key of a map. */
function keyOf(path: readonly string[]): string {
  return path.join('\0');
}

/** The fields that are set so far, by their option; undefined has those of the entry itself. */
type SetFields = Map<string | undefined, Set<Declaration['field']>>;

/** Finds nulls that take back nothing of what earlier layers or defaults set. A key may be mistyped. */
function idleNulls(entries: readonly Entry[]): Diagnostic[] {
  const idle = entries.flatMap(idleIn);
  if (idle.length === 0) return [];
  const byDefaults: SetFields = new Map();
  for (const entry of entries.filter(isDefault)) {
    for (const setter of settersOf(entry)) addTo(byDefaults, setter);
  }
  const found: Diagnostic[] = [];
  for (const stop of idle) {
    if (takesBack(stop, byDefaults)) continue;
    const facts = { of: 'null', name: declaredAddress(stop) } as const;
    found.push(diagnostic('idle-declaration', facts, stop.place));
  }
  return found;
}

/** The nulls of an entry that take back nothing of what the entry set before. */
function idleIn({ declarations }: Entry): Stop[] {
  const idle: Stop[] = [];
  if (declarations.every(isSetter)) return idle;
  const set: SetFields = new Map();
  for (const declaration of declarations) {
    if (isSetter(declaration)) {
      addTo(set, declaration);
      continue;
    }
    if (takesBack(declaration, set)) removeFrom(set, declaration);
    else idle.push(declaration);
  }
  return idle;
}

/** Adds a field, unless it says what an entry selects: no null takes that back. */
function addTo(set: SetFields, { field, option }: Declaration): void {
  if (field === 'match' || field === 'expect') return;
  const fields = set.get(option) ?? new Set();
  set.set(option, fields.add(field));
}

function takesBack({ field, option }: Stop, set: SetFields): boolean {
  switch (field) {
    case 'entry':
      return set.size > 0;
    case 'options':
      return set.size > (set.has(undefined) ? 1 : 0);
    case 'option':
      return set.has(option);
    default:
      return set.get(option)?.has(field) === true;
  }
}

function removeFrom(set: SetFields, { field, option }: Stop): void {
  const own = set.get(undefined);
  const fields = set.get(option);
  switch (field) {
    case 'entry':
      set.clear();
      break;
    case 'options':
      set.clear();
      if (own !== undefined) set.set(undefined, own);
      break;
    case 'option':
      set.delete(option);
      break;
    default:
      fields?.delete(field);
      if (fields?.size === 0) set.delete(option);
  }
}

import {
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
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
    const around = keysAround(pathOf(declaration));
    const own = keyOf(declaration);
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

/** The keys of a path and of all paths around it, the shortest first. */
function keysAround(path: readonly string[]): string[] {
  const keys = [''];
  for (const word of path) keys.push(`${keys.at(-1)}${word}\0`);
  return keys;
}

/** A path as a text with which the keys of all paths below it begin. */
function keyOf(declaration: Declaration): string {
  return keysAround(pathOf(declaration)).at(-1) ?? '';
}

/** Finds nulls that take back nothing of what earlier layers or defaults set. A key may be mistyped. */
function idleNulls(entries: readonly Entry[]): Diagnostic[] {
  const idle = entries.flatMap(idleIn);
  if (idle.length === 0) return [];
  const byDefaults = entries.filter(isDefault).flatMap(settersOf).map(keyOf);
  const found: Diagnostic[] = [];
  for (const stop of idle) {
    const key = keyOf(stop);
    if (byDefaults.some((field) => field.startsWith(key))) continue;
    const facts = { of: 'null', name: declaredAddress(stop) } as const;
    found.push(diagnostic('idle-declaration', facts, stop.place));
  }
  return found;
}

/** The nulls of an entry that take back nothing of what the entry set before. */
function idleIn({ declarations }: Entry): Stop[] {
  const idle: Stop[] = [];
  if (declarations.every(isSetter)) return idle;
  let set: string[] = [];
  for (const declaration of declarations) {
    const key = keyOf(declaration);
    if (isSetter(declaration)) {
      // No null takes back what an entry selects.
      const { field } = declaration;
      if (field !== 'match' && field !== 'expect') set.push(key);
      continue;
    }
    const kept = set.filter((field) => !field.startsWith(key));
    if (kept.length === set.length) idle.push(declaration);
    set = kept;
  }
  return idle;
}

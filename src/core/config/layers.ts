import {
  type Checked,
  compareText,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import {
  declarationsOf,
  type Entry,
  isDefault,
  selectionKey,
  type WrittenConfig,
} from './entry.ts';
import type { WrittenLayers } from './read-file.ts';

type WrittenEntry = WrittenConfig['entries'][number];
type Declaration = ReturnType<typeof declarationsOf>[number];
type Declared = Omit<Declaration, 'isNull'>;

/**
 * Merges layers field by field: a later layer overrides an earlier one, its null stops the management of a field. Within
 * one layer a field may be set once, in any file. The order of files and keys does not matter.
 */
export function mergeLayers(
  given: WrittenLayers,
): Required<Checked<WrittenConfig>> {
  const layers = given.map((files) =>
    [...files].sort((a, b) => compareText(a.path, b.path)),
  );
  const merged = new Map<string, WrittenEntry>();
  const nulls: Declaration[] = [];
  for (const entry of layers.flat().flatMap((file) => file.entries)) {
    const earlier = merged.get(entry.name);
    nulls.push(...idleNulls(entry, earlier));
    merged.set(
      entry.name,
      earlier === undefined ? entry : override(earlier, entry),
    );
  }
  const entries = [...merged.values()].sort((a, b) =>
    compareText(a.name, b.name),
  );
  const byDefault = setPaths(
    nulls.length === 0 ? [] : entries.filter(isDefault),
  );
  const idle = nulls
    .filter(({ path }) => !byDefault.has(keyOf(path)))
    .map(({ address: name, place }) =>
      diagnostic('idle-declaration', { of: 'null', name }, place),
    );
  return {
    value: {
      values: new Map(layers.flat().flatMap((file) => [...file.values])),
      entries,
    },
    diagnostics: [...layers.flatMap(clashesIn), ...idle, ...sameMatch(entries)],
  };
}

function override(earlier: WrittenEntry, later: WrittenEntry): WrittenEntry {
  const { stopped: _, ...base } = earlier;
  const options = new Map(
    later.optionsStopped === undefined ? base.options : [],
  );
  for (const option of later.options.values()) {
    const below =
      option.stopped === undefined ? options.get(option.key) : undefined;
    options.set(option.key, { ...below, ...option });
  }
  return { ...base, ...later, place: base.place, options };
}

/** The nulls of an entry that take back nothing of what earlier layers set. A key may be mistyped. */
function idleNulls(entry: Entry, earlier: Entry | undefined): Declaration[] {
  const nulls = declarationsOf(entry).filter(({ isNull }) => isNull);
  if (nulls.length === 0 || earlier === undefined) return nulls;
  const set = setPaths([earlier]);
  return nulls.filter(({ path }) => !set.has(keyOf(path)));
}

/** The paths that entries set, and all paths around them. */
function setPaths(entries: readonly Entry[]): Set<string> {
  return new Set(
    entries.flatMap(setBy).flatMap(({ path }) => keysAround(path)),
  );
}

function setBy(entry: Entry): Declaration[] {
  return declarationsOf(entry).filter(({ isNull }) => !isNull);
}

/** Finds what two files of a layer set, or what one sets and the other stops. */
function clashesIn(files: WrittenLayers[number]): Diagnostic[] {
  const values = files.flatMap((file) => [...file.values]);
  const entries = files.flatMap((file) => file.entries);
  return [
    ...clashes(
      values.map(([name, { place }]) => ({
        address: `values.${name}`,
        path: [name],
        place,
      })),
    ),
    ...clashesOfAlike(entries, ({ name }) => name, allDeclared),
  ];
}

/** Everything that an entry declares. */
function allDeclared(entry: Entry): Declared[] {
  const { name, match, expect } = entry;
  return [
    ...(match === undefined
      ? []
      : [{ address: `${name}.match`, path: ['match'], place: match.place }]),
    ...(expect === undefined
      ? []
      : [{ address: `${name}.expect`, path: ['expect'], place: expect.place }]),
    ...declarationsOf(entry),
  ];
}

/** Finds fields that are set by two entries which select in the same words: they can never be applied. */
function sameMatch(entries: readonly Entry[]): Diagnostic[] {
  return clashesOfAlike(entries, selectionKey, setBy);
}

/** Finds clashes among the declarations of entries with the same key. */
function clashesOfAlike(
  entries: readonly Entry[],
  key: (entry: Entry) => string,
  declared: (entry: Entry) => readonly Declared[],
): Diagnostic[] {
  const groups = [...grouped(entries, key).values()];
  return groups.flatMap((all) =>
    all.length < 2 ? [] : clashes(all.flatMap(declared)),
  );
}

/** Finds declarations of what was declared before, or of what is around or below it. */
function clashes(declarations: readonly Declared[]): Diagnostic[] {
  const at = new Map<string, Place>();
  const below = new Map<string, Place>();
  return declarations.flatMap(({ address, path, place }) => {
    const own = keyOf(path);
    const around = keysAround(path);
    const other =
      at.get(around.find((key) => at.has(key)) ?? own) ?? below.get(own);
    at.set(own, at.get(own) ?? place);
    for (const key of around) below.set(key, below.get(key) ?? place);
    return other === undefined
      ? []
      : [diagnostic('duplicate-field', { address, other }, place)];
  });
}

/** A path and all paths around it as keys of a map, the shortest first. */
function keysAround(path: readonly string[]): string[] {
  return [[], ...path.map((_, index) => path.slice(0, index + 1))].map(keyOf);
}

/** A path as the key of a map. */
function keyOf(path: readonly string[]): string {
  return path.join('\0');
}

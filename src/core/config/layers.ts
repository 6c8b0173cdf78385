import { type Checked, compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { grouped } from '../model/json.ts';
import type { Place } from '../model/place.ts';
import { declarationsOf, type Entry, isDefault, selectorOf, type WrittenConfig } from './entry.ts';
import type { WrittenLayers } from './read-file.ts';

type WrittenEntry = WrittenConfig['entries'][number];
type Declaration = ReturnType<typeof declarationsOf>[number];
type Declared = Pick<Declaration, 'path' | 'place'>;

/**
 * Merges layers field by field: a later layer overrides an earlier one, its null stops the management of a field. Within
 * one layer a field may be set once, in any file. The order of files and keys does not matter.
 */
export function mergeLayers(layers: WrittenLayers): Required<Checked<WrittenConfig>> {
  const files = layers.flatMap(inOrder);
  const values = new Map(files.flatMap((file) => [...file.values]));
  const merged = new Map<string, WrittenEntry>();
  const nulls: { readonly name: string; readonly stop: Declaration }[] = [];
  for (const entry of files.flatMap((file) => file.entries)) {
    const { name } = entry;
    const earlier = merged.get(name);
    nulls.push(...idleNulls(entry, earlier).map((stop) => ({ name, stop })));
    merged.set(name, earlier === undefined ? entry : override(earlier, entry));
  }
  const entries = [...merged.values()].sort((a, b) => compareText(a.name, b.name));
  const byDefault = nulls.length === 0 ? undefined : setPaths(entries.filter(isDefault));
  const idle = nulls
    .filter(({ stop }) => byDefault?.has(keyOf(stop.path)) === false)
    .map(({ name, stop: { path, place } }) =>
      diagnostic('idle-declaration', { of: 'null', name: [name, ...path].join('.') }, place),
    );
  const diagnostics = [...layers.flatMap(clashesIn), ...idle, ...sameMatch(entries)];
  return { value: { values, entries }, diagnostics };
}

function inOrder(files: WrittenLayers[number]) {
  return [...files].sort((a, b) => compareText(a.path, b.path));
}

function override(earlier: WrittenEntry, later: WrittenEntry): WrittenEntry {
  const { stopped: _, ...base } = earlier;
  const options = new Map(later.optionsStopped === undefined ? base.options : []);
  for (const option of later.options.values()) {
    const below = option.stopped === undefined ? options.get(option.key) : undefined;
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
  return new Set(entries.flatMap(setBy).flatMap(({ path }) => keysAround(path)));
}

function setBy(entry: Entry): Declaration[] {
  return declarationsOf(entry).filter(({ isNull }) => !isNull);
}

/** Finds fields that two files of a layer set, or that one sets and the other stops. */
function clashesIn(files: WrittenLayers[number]): Diagnostic[] {
  const sorted = inOrder(files);
  const values = clashFinder();
  const entries = grouped(
    sorted.flatMap((file) => file.entries),
    ({ name }) => name,
  );
  return [
    ...sorted.flatMap((file) =>
      [...file.values].flatMap(([name, { place }]) => values('values', [{ path: [name], place }])),
    ),
    ...[...entries.values()].flatMap((all) => {
      const clashes = clashFinder();
      return all.length < 2 ? [] : all.flatMap((entry) => clashes(entry.name, allDeclared(entry)));
    }),
  ];
}

/** Everything that an entry declares. */
function allDeclared(entry: Entry): Declared[] {
  const own = (['match', 'expect'] as const).map((name) => ({ path: [name], place: entry[name]?.place }));
  return [...own.flatMap(({ path, place }) => (place ? { path, place } : [])), ...declarationsOf(entry)];
}

/** Makes a function that finds declarations of what was declared before, or of what is around or below it. */
function clashFinder(): (name: string, declarations: readonly Declared[]) => Diagnostic[] {
  const at = new Map<string, Place>();
  const below = new Map<string, Place>();
  return (name, declarations) => {
    const found = declarations.flatMap(({ path, place }) => {
      const around = keysAround(path).find((key) => at.has(key)) ?? '';
      const other = at.get(around) ?? below.get(keyOf(path));
      return other === undefined
        ? []
        : [diagnostic('duplicate-field', { address: [name, ...path].join('.'), other }, place)];
    });
    for (const { path, place } of declarations) {
      at.set(keyOf(path), at.get(keyOf(path)) ?? place);
      for (const key of keysAround(path)) below.set(key, below.get(key) ?? place);
    }
    return found;
  };
}

/** Finds fields that are set by two entries which select in the same words: they can never be applied. */
function sameMatch(entries: readonly Entry[]): Diagnostic[] {
  const groups = grouped(entries, (entry) =>
    JSON.stringify([isDefault(entry), Object.entries(selectorOf(entry)).sort()]),
  );
  return [...groups.values()].flatMap((all) => {
    const clashes = clashFinder();
    return all.length < 2 ? [] : all.flatMap((entry) => clashes(entry.name, setBy(entry)));
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

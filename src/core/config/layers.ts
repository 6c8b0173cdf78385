import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { declarationsOf, declared, duplicates, keysAround, pathKey } from './declaration.ts';
import type { Entry, NamedValue, WrittenConfig } from './entry.ts';
import type { WrittenFile } from './read-file.ts';
import type { Template } from './template.ts';

/** The files of each layer of a configuration, earliest layer first. */
export type WrittenLayers = readonly (readonly WrittenFile[])[];

/**
 * Merges layers field by field: a later layer overrides an earlier one, its null stops the management of a field. Within
 * one layer a field may be set once, in any file. The order of files and keys does not matter.
 */
export function mergeLayers(layers: WrittenLayers): {
  readonly value: WrittenConfig;
  readonly diagnostics: readonly Diagnostic[];
} {
  const joined = layers.map(joinFiles);
  const entries = new Map<string, Entry<Template>>();
  for (const entry of joined.flatMap((layer) => [...layer.entries.values()])) {
    const earlier = entries.get(entry.name);
    entries.set(entry.name, earlier === undefined ? entry : override(earlier, entry));
  }
  return {
    value: {
      values: new Map(joined.flatMap(({ values }) => [...values])),
      entries: [...entries.values()].sort((a, b) => compareText(a.name, b.name)),
    },
    diagnostics: joined.flatMap(({ diagnostics }) => diagnostics),
  };
}

function override({ stopped: _, ...earlier }: Entry<Template>, later: Entry<Template>): Entry<Template> {
  const options = new Map(later.optionsStopped === undefined ? earlier.options : []);
  for (const option of later.options.values()) {
    const base = option.stopped === undefined ? options.get(option.key) : undefined;
    options.set(option.key, { ...base, ...option });
  }
  return { ...earlier, ...later, place: earlier.place, options };
}

/** The files of one layer as one. */
interface Layer {
  readonly values: Map<string, NamedValue>;
  readonly entries: Map<string, Entry<Template>>;
  readonly diagnostics: Diagnostic[];
}

function joinFiles(files: readonly WrittenFile[]): Layer {
  const layer: Layer = { values: new Map(), entries: new Map(), diagnostics: [] };
  for (const { values, entries } of [...files].sort((a, b) => compareText(a.path, b.path))) {
    for (const [name, field] of values) {
      const known = layer.values.get(name);
      layer.diagnostics.push(...duplicates('values', declared(field, name), () => known?.place));
      layer.values.set(name, known ?? field);
    }
    for (const entry of entries) {
      const known = layer.entries.get(entry.name);
      if (known !== undefined) layer.diagnostics.push(...clashes(known, entry));
      layer.entries.set(entry.name, known === undefined ? entry : joinEntries(known, entry));
    }
  }
  return layer;
}

/** One entry of two files; where both set a field, the first one counts. */
function joinEntries(known: Entry<Template>, entry: Entry<Template>): Entry<Template> {
  const options = new Map(known.options);
  for (const option of entry.options.values())
    options.set(option.key, { ...option, ...options.get(option.key) });
  return { ...entry, ...known, options };
}

/** A finding for each field that both set, or that one sets and the other stops. */
function clashes(known: Entry<Template>, entry: Entry<Template>): Diagnostic[] {
  const { name, match, expect } = entry;
  return [
    ...duplicates(name, declared(match, 'match'), () => known.match?.place),
    ...duplicates(name, declared(expect, 'expect'), () => known.expect?.place),
    ...duplicates(name, declarationsOf(entry), overlapFinder(known)),
  ];
}

/** Finds the declaration of an entry that overlaps a path: around it, at the path itself, or below it. */
function overlapFinder(entry: Entry<Template>): (path: readonly string[]) => Place | undefined {
  const declarations = declarationsOf(entry);
  const at = new Map(declarations.map(({ path, place }) => [pathKey(path), place]));
  const below = new Map(
    declarations.flatMap(({ path, place }) => keysAround(path).map((key) => [key, place] as const)),
  );
  return (path) => {
    const around = keysAround(path).find((key) => at.has(key)) ?? '';
    return at.get(around) ?? below.get(pathKey(path));
  };
}

import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { addressOf, declarationsOf, keysAround, pathKey } from './declaration.ts';
import type { Entry, NamedValue, OptionEntry, WrittenFile } from './entry.ts';
import type { Template } from './template.ts';

/** The configuration of one server after all layers, entries ordered by name. A named value that is null was taken back. */
export interface MergedConfig {
  readonly values: ReadonlyMap<string, NamedValue>;
  readonly entries: readonly Entry<Template>[];
}

/**
 * Merges layers field by field: a later layer overrides an earlier one, its null stops the management of a field. Within
 * one layer a field may be set once, in whatever file. The order of files and keys does not matter.
 */
export function mergeLayers(layers: readonly (readonly WrittenFile[])[]): {
  readonly value: MergedConfig;
  readonly diagnostics: readonly Diagnostic[];
} {
  const joined = layers.map(joinFiles);
  const names = [...new Set(joined.flatMap(({ entries }) => [...entries.keys()]))].sort(compareText);
  const entries = names.flatMap((name) => {
    const [first, ...later] = joined.flatMap((layer) => layer.entries.get(name) ?? []);
    return first === undefined ? [] : [later.reduce(override, first)];
  });
  return {
    value: { values: new Map(joined.flatMap(({ values }) => [...values])), entries },
    diagnostics: joined.flatMap(({ diagnostics }) => diagnostics),
  };
}

function override(earlier: Entry<Template>, later: Entry<Template>): Entry<Template> {
  const options = new Map(later.optionsStopped === undefined ? earlier.options : []);
  for (const option of later.options.values())
    options.set(option.key, overrideOption(options.get(option.key), option));
  const { stopped: _, ...base } = earlier;
  const { stopped: __, ...fields } = later;
  return { ...base, ...fields, place: earlier.place, options };
}

function overrideOption(
  earlier: OptionEntry<Template> | undefined,
  later: OptionEntry<Template>,
): OptionEntry<Template> {
  return later.stopped === undefined ? { ...earlier, ...later } : later;
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
      const other = layer.values.get(name);
      if (other === undefined) layer.values.set(name, field);
      else layer.diagnostics.push(duplicate(`values.${name}`, field.place, other.place));
    }
    for (const entry of entries) {
      const known = layer.entries.get(entry.name);
      layer.entries.set(entry.name, known === undefined ? entry : joinEntries(known, entry));
      if (known !== undefined) layer.diagnostics.push(...clashes(known, entry));
    }
  }
  return layer;
}

/** Two files of one layer that speak of one entry; where both set a field, the first one counts. */
function joinEntries(known: Entry<Template>, entry: Entry<Template>): Entry<Template> {
  const options = new Map(known.options);
  for (const option of entry.options.values())
    options.set(option.key, { ...option, ...options.get(option.key) });
  return { ...entry, ...known, options };
}

/** A finding for each field that both set, or that one sets and the other stops. */
function clashes(known: Entry<Template>, entry: Entry<Template>): Diagnostic[] {
  const find = clashFinder(known);
  const managed = declarationsOf(entry).flatMap(({ path, place }) => {
    const other = find(path);
    return other === undefined ? [] : [duplicate(addressOf(entry.name, path), place, other)];
  });
  const selecting = (['match', 'expect'] as const).flatMap((key) => {
    const [own, other] = [entry[key]?.place, known[key]?.place];
    return own === undefined || other === undefined
      ? []
      : [duplicate(addressOf(entry.name, [key]), own, other)];
  });
  return [...selecting, ...managed];
}

/** Finds the declaration of an entry that speaks of a path: at the path itself, around it, or below it. */
function clashFinder(entry: Entry<Template>): (path: readonly string[]) => Place | undefined {
  const declared = declarationsOf(entry);
  const at = new Map(declared.map(({ path, place }) => [pathKey(path), place]));
  const below = new Map(
    declared.flatMap(({ path, place }) => keysAround(path).map((key) => [key, place] as const)),
  );
  return (path) => {
    const around = keysAround(path).find((key) => at.has(key));
    return around === undefined ? below.get(pathKey(path)) : at.get(around);
  };
}

function duplicate(address: string, place: Place, other: Place): Diagnostic {
  return diagnostic('duplicate-field', { address, other }, place);
}

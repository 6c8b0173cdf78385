import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { allDeclared, duplicate, keysAround, pathKey } from './declaration.ts';
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
  const values = new Map<string, NamedValue>();
  const entries = new Map<string, Entry<Template>>();
  const sorted = layers.map((files) => [...files].sort((a, b) => compareText(a.path, b.path)));
  for (const files of sorted) {
    const layer = new Map<string, Entry<Template>>();
    for (const file of files) {
      for (const [name, field] of file.values) values.set(name, field);
      for (const entry of file.entries) layer.set(entry.name, joined(layer.get(entry.name), entry));
    }
    for (const entry of layer.values()) entries.set(entry.name, override(entries.get(entry.name), entry));
  }
  return {
    value: { values, entries: [...entries.values()].sort((a, b) => compareText(a.name, b.name)) },
    diagnostics: sorted.flatMap((files) => [...setTwice(files, 'values'), ...setTwice(files, 'entries')]),
  };
}

/** One entry of two files of a layer. */
function joined(known: Entry<Template> | undefined, entry: Entry<Template>): Entry<Template> {
  if (known === undefined) return entry;
  const options = new Map(known.options);
  for (const option of entry.options.values())
    options.set(option.key, { ...option, ...options.get(option.key) });
  return { ...entry, ...known, options };
}

function override(earlier: Entry<Template> | undefined, later: Entry<Template>): Entry<Template> {
  if (earlier === undefined) return later;
  const { stopped: _, ...base } = earlier;
  const options = new Map(later.optionsStopped === undefined ? base.options : []);
  for (const option of later.options.values()) {
    const below = option.stopped === undefined ? options.get(option.key) : undefined;
    options.set(option.key, { ...below, ...option });
  }
  return { ...base, ...later, place: base.place, options };
}

/** A finding for each field that two files of a layer set, or that one sets and the other stops. */
function setTwice(files: readonly WrittenFile[], of: 'entries' | 'values'): Diagnostic[] {
  if (files.length < 2) return [];
  const [at, below] = [new Map<string, Place>(), new Map<string, Place>()];
  return files.flatMap((file) => {
    const own = allDeclared(file, of);
    const found = own.flatMap(({ path, place }) => {
      const around = keysAround(path).find((key) => at.has(key)) ?? '';
      return duplicate(path.join('.'), place, at.get(around) ?? below.get(pathKey(path)));
    });
    for (const { path, place } of own) {
      at.set(pathKey(path), place);
      for (const key of keysAround(path)) below.set(key, place);
    }
    return found;
  });
}

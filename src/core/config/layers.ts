import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
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
  const diagnostics: Diagnostic[] = [];
  for (const files of layers) {
    const layer = joinFiles(files, diagnostics);
    for (const [name, field] of layer.values) values.set(name, field);
    for (const entry of layer.entries) entries.set(entry.name, override(entries.get(entry.name), entry));
  }
  const sorted = [...entries.values()].sort((a, b) => compareText(a.name, b.name));
  return { value: { values, entries: sorted }, diagnostics };
}

/** The files of one layer as one; where two set a field, the first one counts. */
function joinFiles(files: readonly WrittenFile[], diagnostics: Diagnostic[]): WrittenConfig {
  const values = new Map<string, NamedValue>();
  const entries = new Map<string, Entry<Template>>();
  for (const file of [...files].sort((a, b) => compareText(a.path, b.path))) {
    for (const [name, field] of file.values) {
      const known = values.get(name);
      diagnostics.push(...duplicate(`values.${name}`, field.place, known?.place));
      values.set(name, known ?? field);
    }
    for (const entry of file.entries) {
      const known = entries.get(entry.name);
      if (known !== undefined) diagnostics.push(...clashes(known, entry));
      entries.set(entry.name, known === undefined ? entry : joined(known, entry));
    }
  }
  return { values, entries: [...entries.values()] };
}

function joined(known: Entry<Template>, entry: Entry<Template>): Entry<Template> {
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

/** A finding for each field that both set, or that one sets and the other stops. */
function clashes(known: Entry<Template>, entry: Entry<Template>): Diagnostic[] {
  const declared = allDeclared(known);
  const at = new Map(declared.map(({ path, place }) => [pathKey(path), place]));
  const below = new Map(
    declared.flatMap(({ path, place }) => keysAround(path).map((key) => [key, place] as const)),
  );
  return allDeclared(entry).flatMap(({ path, place }) => {
    const around = keysAround(path).find((key) => at.has(key)) ?? '';
    return duplicate(path.join('.'), place, at.get(around) ?? below.get(pathKey(path)));
  });
}

import { compareText, type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import { unescapeKey, type WrittenEntry, type WrittenField, type WrittenFile } from './entry.ts';

/** One entry after all layers: for each field path the declaration that won. A null stands for all fields below its path. */
export interface MergedEntry {
  readonly name: string;
  readonly place: Place;
  readonly fields: ReadonlyMap<string, WrittenField>;
}

/** The whole configuration of one server after all layers, ordered by name. */
export interface MergedConfig {
  readonly values: ReadonlyMap<string, WrittenField>;
  /** The names of the values that the last layer which speaks of them takes back. */
  readonly nullValues: ReadonlySet<string>;
  readonly entries: readonly MergedEntry[];
}

/**
 * Merges layers field by field: a later layer overrides an earlier one, its null stops the management of a field.
 * In one layer a field may be set once, in whatever file. The order of files and keys does not matter.
 */
export function mergeLayers(layers: readonly (readonly WrittenFile[])[]) {
  const flat = layers.map(flattenLayer);
  const values = new Map(flat.flatMap((layer) => [...layer.values]));
  const names = [...new Set(flat.flatMap((layer) => [...layer.entries.keys()]))].sort(compareText);
  const entries = names.map((name) => mergeEntry(flat.flatMap((layer) => layer.entries.get(name) ?? [])));
  const value: MergedConfig = {
    values: present(values),
    nullValues: new Set([...values].flatMap(([name, field]) => (field.value === null ? [name] : []))),
    entries,
  };
  return {
    value,
    diagnostics: flat.flatMap((layer) => layer.diagnostics),
  };
}

/** What an entry says of one field: the declaration, null where it stops management, undefined where it is silent. */
export function fieldOf(entry: MergedEntry, path: string): WrittenField | undefined {
  const exact = entry.fields.get(path);
  if (exact !== undefined || path === '') return exact;
  if (path === 'match' || path === 'expect') return undefined;
  return fieldOf(entry, path.slice(0, Math.max(0, path.lastIndexOf('/'))));
}

/** Whether an entry holds defaults, which stand back behind specific entries. */
export function isDefault({ fields }: MergedEntry): boolean {
  return fields.get('expect')?.value === 'any';
}

interface FlatLayer {
  readonly values: Map<string, WrittenField>;
  readonly entries: Map<string, WrittenEntry>;
  readonly diagnostics: Diagnostic[];
}

/** The files of one layer as one, with a finding for each field that is set twice. */
function flattenLayer(files: readonly WrittenFile[]): FlatLayer {
  const layer: FlatLayer = { values: new Map(), entries: new Map(), diagnostics: [] };
  for (const file of [...files].sort((a, b) => compareText(a.path, b.path))) {
    for (const [name, field] of file.values) {
      const other = layer.values.get(name);
      if (other === undefined) layer.values.set(name, field);
      else
        layer.diagnostics.push(
          diagnostic('duplicate-field', { address: `values.${name}`, other: other.place }, field.place),
        );
    }
    for (const entry of file.entries) layer.entries.set(entry.name, joinEntries(layer, entry));
  }
  return layer;
}

function joinEntries(layer: FlatLayer, entry: WrittenEntry): WrittenEntry {
  const known = layer.entries.get(entry.name);
  if (known === undefined) return entry;
  const clashWith = clashFinder(known.fields);
  const fields = new Map(known.fields);
  for (const [path, field] of entry.fields) {
    const clash = clashWith(path);
    const address = addressOf(entry.name, path);
    if (clash === undefined) fields.set(path, field);
    else layer.diagnostics.push(diagnostic('duplicate-field', { address, other: clash.place }, field.place));
  }
  return { ...known, fields };
}

/** Finds a declaration that speaks of the same field as one at a path: at the path itself, above it, or below it. */
function clashFinder(fields: ReadonlyMap<string, WrittenField>): (path: string) => WrittenField | undefined {
  const below = new Map(
    [...fields].flatMap(([path, field]) => pathsAbove(path).map((above) => [above, field] as const)),
  );
  return (path) => {
    const above = [path, ...pathsAbove(path)].find((each) => fields.has(each));
    return above === undefined ? below.get(path) : fields.get(above);
  };
}

/** The shorter paths whose null would speak of a field too. `match` and `expect` are no managed fields. */
export function pathsAbove(path: string): string[] {
  if (path === '' || path === 'match' || path === 'expect') return [];
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, index).join('/'));
}

/** `layers` holds what each layer says of one name, earliest first; it is never empty. */
function mergeEntry(layers: readonly WrittenEntry[]): MergedEntry {
  const fields = new Map<string, WrittenField>();
  for (const [path, field] of layers.flatMap((layer) => [...layer.fields])) {
    if (field.value === null) removeBelow(fields, path);
    fields.set(path, field);
  }
  const name = layers[0]?.name ?? '';
  return { name, place: layers[0]?.place ?? { file: '', line: 1, column: 1 }, fields };
}

/** What a null in a later layer takes back. Of an option there are few fields: they are named, not looked for. */
function removeBelow(fields: Map<string, WrittenField>, path: string): void {
  const parts = path === '' ? 0 : path.split('/').length;
  if (parts === 2) for (const attribute of OPTION_ATTRIBUTES) fields.delete(`${path}/${attribute}`);
  if (parts > 1) return;
  for (const other of [...fields.keys()]) if (pathsAbove(other).includes(path)) fields.delete(other);
}

/** The fields of an option, in the order in which they are looked at. */
export const OPTION_ATTRIBUTES = ['value', 'permission', 'sensitive'] as const;

function present(values: ReadonlyMap<string, WrittenField>): Map<string, WrittenField> {
  return new Map([...values].filter(([, field]) => field.value !== null));
}

/** The field address of a path: `virustotal.options.apiKey.value`. */
export function addressOf(name: string, path: string): string {
  const parts = path === '' ? [] : path.split('/').map(unescapeKey);
  return [name, ...parts].join('.');
}

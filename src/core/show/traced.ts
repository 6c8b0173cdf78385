import { type Entry, type WrittenConfig, withValues } from '../config/entry.ts';
import { mergeLayers, type WrittenLayers } from '../config/layers.ts';
import { linkConfig } from '../config/link.ts';
import { secretNames } from '../config/named-secrets.ts';
import type { EntryLayers } from '../config/origins.ts';
import {
  type ReferenceTable,
  type ResolvedConfig,
  type ResolvedValue,
  resolveConfig,
  resolveValue,
} from '../config/resolve.ts';
import { namesIn, type Template } from '../config/template.ts';
import { grouped } from '../model/grouped.ts';

/** A value as written, with its references open, and with them resolved; the last two where its named values fit. */
export interface TracedValue {
  readonly template: Template;
  readonly open?: ResolvedValue;
  readonly resolved?: ResolvedValue;
}

/** The configuration of one server, with all that it is made of. */
export interface TracedConfig {
  readonly written: WrittenLayers;
  readonly layers: EntryLayers<TracedValue>;
  readonly merged: WrittenConfig;
  readonly resolved: ResolvedConfig;
  readonly table: ReferenceTable;
  /** The keys of options that any entry marks as sensitive. */
  readonly marked: ReadonlySet<string>;
}

/** Puts what a configuration declares beside what it comes to, layer by layer. */
export function traceConfig(written: WrittenLayers, table: ReferenceTable): TracedConfig {
  const merged = mergeLayers(written).value;
  const { value: linked, link } = linkConfig(merged);
  const marked = markedKeys(written.flat());
  const secrets = secretsOf(merged, written, marked);
  const trace = (template: Template): TracedValue => {
    const found = link(template);
    if (found === undefined) return { template };
    const isOfSecret = namesIn(template).some((name) => secrets.has(name));
    const linked = isOfSecret ? { ...found, isOfSecret } : found;
    return { template, open: resolveValue(linked, undefined), resolved: resolveValue(linked, table) };
  };
  const traced = (entry: Entry<Template>) => withValues(entry, trace);
  return {
    written,
    layers: written.map((files) =>
      grouped(
        files.flatMap(({ entries }) => entries.map(traced)),
        ({ name }) => name,
      ),
    ),
    merged,
    resolved: resolveConfig(linked, table),
    table,
    marked,
  };
}

/** The named values that are or hold secrets, also those that only overridden declarations name. */
function secretsOf(
  merged: WrittenConfig,
  written: WrittenLayers,
  marked: ReadonlySet<string>,
): ReadonlySet<string> {
  const overridden = written.flat().flatMap(({ entries }) => entries);
  const ofMarked = overridden.flatMap(({ options }) =>
    [...options.values()].flatMap(({ key, value }) =>
      marked.has(key) && value?.value ? namesIn(value.value) : [],
    ),
  );
  const { values, entries } = merged;
  return secretNames({ values, entries: [...entries, ...overridden] }, ofMarked);
}

function markedKeys(files: readonly WrittenConfig[]): ReadonlySet<string> {
  const options = files.flatMap(({ entries }) => entries.flatMap((entry) => [...entry.options.values()]));
  return new Set(options.flatMap(({ key, sensitive }) => (sensitive?.value === true ? [key] : [])));
}

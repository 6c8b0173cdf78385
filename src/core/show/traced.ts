import { type Entry, type WrittenConfig, withValues } from '../config/entry.ts';
import { mergeLayers, type WrittenLayers } from '../config/layers.ts';
import { linkConfig } from '../config/link.ts';
import type { EntryLayers } from '../config/origins.ts';
import {
  type ReferenceTable,
  type ResolvedConfig,
  type ResolvedValue,
  resolveConfig,
  resolveValue,
} from '../config/resolve.ts';
import type { Template } from '../config/template.ts';
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
  const trace = (template: Template): TracedValue => {
    const found = link(template);
    if (found === undefined) return { template };
    return { template, open: resolveValue(found, undefined), resolved: resolveValue(found, table) };
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

function markedKeys(files: readonly WrittenConfig[]): ReadonlySet<string> {
  const options = files.flatMap(({ entries }) => entries.flatMap((entry) => [...entry.options.values()]));
  return new Set(options.flatMap(({ key, sensitive }) => (sensitive?.value === true ? [key] : [])));
}

import type { Checked, Diagnostic } from '../findings/diagnostic.ts';
import type { SourceFile } from '../yaml/tree.ts';
import type { WrittenConfig } from './entry.ts';
import { mergeLayers, type WrittenLayers } from './layers.ts';
import { type LinkedConfig, linkConfig } from './link.ts';
import { parseFile, type WrittenFile } from './read-file.ts';
import { idleEntry, idleNulls, sameMatch, unusedValues } from './rules/entry-rules.ts';
import { type RuledValue, valuesFor } from './rules/rule.ts';
import { permissionMistakes, placeholder, SECRET_RULES } from './rules/secret-rules.ts';
import { hiddenInEntry, TEXT_RULES } from './rules/text-rules.ts';

interface ParsedConfig extends Checked<LinkedConfig> {
  /** What its files declare, layer by layer; absent where there is no configuration. */
  readonly written?: WrittenLayers;
}

/** Makes one configuration of layers of files, earliest first; finds all problems of all files. */
export function parseConfig(layers: readonly (readonly SourceFile[])[]): ParsedConfig {
  return joinFiles(
    layers.map((files) => files.map(parseFile)),
    false,
  );
}

/**
 * Makes one configuration of parsed files. One with an error is left out: then there is no configuration, and problems across
 * files are not looked for. `unread` says that more files exist, which could not be read.
 */
export function joinFiles(read: readonly (readonly Checked<WrittenFile>[])[], unread: boolean): ParsedConfig {
  const all = read.flat();
  const isWhole = !unread && all.every(({ value }) => value !== undefined);
  const layers = read.map((files) => files.flatMap(({ value }) => value ?? []));
  const merged = mergeLayers(layers);
  const { value, link, diagnostics } = linkConfig(merged.value);
  const valuesOf = valuesFor(merged.value, link);
  const written = layers.flat().flatMap(valuesOf);
  return {
    ...(isWhole ? { value, written: layers } : {}),
    diagnostics: [
      ...all.flatMap((file) => file.diagnostics),
      ...(isWhole ? [...merged.diagnostics, ...diagnostics] : []),
      ...mistakesIn(merged.value, written, valuesOf(merged.value)),
      ...(isWhole ? mistakesAcross(merged.value, written, layers) : []),
    ],
  };
}

/** Mistakes in any part of a configuration. Secrets are looked for in all layers, other mistakes in the values that count. */
function mistakesIn(
  { entries }: WrittenConfig,
  written: readonly RuledValue[],
  winning: readonly RuledValue[],
): Diagnostic[] {
  return [
    ...SECRET_RULES.flatMap((rule) => written.flatMap(rule)),
    ...[placeholder, ...TEXT_RULES].flatMap((rule) => winning.flatMap(rule)),
    ...permissionMistakes(entries),
    ...entries.flatMap(hiddenInEntry),
  ];
}

/** Mistakes that only a whole configuration shows: what seems to be missing may be in a file that could not be read. */
function mistakesAcross(
  merged: WrittenConfig,
  written: readonly RuledValue[],
  layers: WrittenLayers,
): Diagnostic[] {
  return [
    ...merged.entries.flatMap(idleEntry),
    ...sameMatch(merged.entries),
    ...idleNulls(layers, merged.entries),
    ...unusedValues(
      merged,
      written.map(({ template }) => template),
    ),
  ];
}

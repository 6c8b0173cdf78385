import type { Checked, Diagnostic } from '../findings/diagnostic.ts';
import type { SourceText } from '../model/place.ts';
import type { SourceFile } from '../yaml/tree.ts';
import type { WrittenFile } from './entry.ts';
import { mergeLayers } from './layers.ts';
import { type LinkedConfig, linkConfig } from './link.ts';
import { readFile } from './read-file.ts';
import { ruleInput } from './rules/rule.ts';
import { checkRules } from './rules.ts';

/** A configuration, and what an excerpt of each of its files must not show, by path. */
export interface ParsedConfig extends Checked<LinkedConfig> {
  readonly hidden: ReadonlyMap<string, SourceText['hidden']>;
}

/**
 * Layers of files, earliest first, to one configuration; finds all problems of all files. A file with an error is left out:
 * then there is no configuration, what the other files show by themselves is found, and what spans files waits. `unread`
 * tells that there are more files, which could not be read.
 */
export function parseConfig(layers: readonly (readonly SourceFile[])[], unread = false): ParsedConfig {
  const read = layers.map((files) => files.map((file) => ({ path: file.path, ...readFile(file) })));
  const isWhole = !unread && read.flat().every(({ value }) => value !== undefined);
  const files = read.map((layer) =>
    layer.flatMap(({ value }): WrittenFile[] => (value === undefined ? [] : [value])),
  );
  const { config, diagnostics } = composeFiles(files, isWhole);
  const found: readonly Diagnostic[] = [...read.flat().flatMap((file) => file.diagnostics), ...diagnostics];
  return {
    ...(isWhole ? { value: config } : {}),
    diagnostics: found,
    hidden: new Map(read.flat().map(({ path, hidden }) => [path, hidden])),
  };
}

function composeFiles(files: readonly (readonly WrittenFile[])[], isWhole: boolean) {
  const merged = mergeLayers(files);
  const linked = linkConfig(merged.value);
  const spanning = isWhole ? [...merged.diagnostics, ...linked.diagnostics] : [];
  const ruled = checkRules(ruleInput(files, merged.value, linked.link), isWhole);
  return { config: linked.value, diagnostics: [...spanning, ...ruled] };
}

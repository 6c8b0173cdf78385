import type { Checked } from '../findings/diagnostic.ts';
import { globMatcher } from '../model/glob.ts';
import type { SourceFile } from '../yaml/tree.ts';
import { parseFile, type WrittenFile } from './entry.ts';
import { type Gaps, isWhole, joinGaps, UNREAD } from './gaps.ts';
import { isDefault, type MergedConfig, type MergedEntry, mergeLayers } from './layers.ts';
import { checkRules } from './rules.ts';

/**
 * Layers of files, earliest first, to one configuration. Finds all problems of all files, and what the rules find.
 * `unread` tells that there are more files, which could not be read. Where something was refused, the value holds what can
 * be relied on all the same.
 */
export function parseConfig(
  layers: readonly (readonly SourceFile[])[],
  unread = false,
): Checked<MergedConfig> {
  const { files, config, diagnostics, ...merged } = mergeFiles(layers);
  const gaps = unread ? joinGaps([merged.gaps, UNREAD]) : merged.gaps;
  return {
    value: knownEntries(config, gaps),
    diagnostics: [...diagnostics, ...checkRules(files, config, gaps)],
  };
}

/** The configuration that files come to, as far as they can be read, before any rule is asked. */
export function mergeFiles(layers: readonly (readonly SourceFile[])[]) {
  const parsed = layers.map((files) => files.map(parseFile));
  const files = parsed.map((layer) =>
    layer.flatMap(({ value }): WrittenFile[] => (value === undefined ? [] : [value])),
  );
  const merged = mergeLayers(files);
  return {
    files,
    config: merged.value,
    gaps: joinGaps(parsed.flat().map(({ value }) => value?.gaps ?? UNREAD)),
    diagnostics: [...parsed.flat().flatMap((each) => each.diagnostics), ...merged.diagnostics],
  };
}

/** A configuration without the entries of which nobody can tell what they select. */
function knownEntries(config: MergedConfig, gaps: Gaps): MergedConfig {
  const isKnown = ({ name, fields }: MergedEntry) =>
    !gaps.selectors.has(name) && (fields.has('match') || !gaps.anyEntry);
  return isWhole(gaps) ? config : { ...config, entries: config.entries.filter(isKnown) };
}

/** The entries that a glob is known to select before any id is: those of that name, and the defaults that may apply. */
export function selectEntries(config: MergedConfig, only: string): MergedConfig {
  const matches = globMatcher(only);
  const entries = config.entries.filter((entry) => matches(entry.name) || isDefault(entry));
  return { ...config, entries };
}

import type { Checked } from '../diagnostic.ts';
import { parseFile, type WrittenFile } from './entry.ts';
import { globMatcher } from './glob.ts';
import { isDefault, type MergedConfig, mergeLayers } from './layers.ts';
import { checkRules } from './rules.ts';
import type { SourceFile } from './yaml-tree.ts';

/** Layers of files, earliest first, to one configuration. Finds all problems of all files, and what the rules find. */
export function parseConfig(layers: readonly (readonly SourceFile[])[]): Checked<MergedConfig> {
  const { files, isWhole, config, diagnostics } = mergeFiles(layers);
  return { value: config, diagnostics: [...diagnostics, ...checkRules(files, config, isWhole)] };
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
    isWhole: parsed.flat().every(({ value }) => value !== undefined),
    diagnostics: [...parsed.flat().flatMap((each) => each.diagnostics), ...merged.diagnostics],
  };
}

/** The entries that a glob is known to select before any id is: those of that name, and the defaults that may apply. */
export function selectEntries(config: MergedConfig, only: string): MergedConfig {
  const matches = globMatcher(only);
  const entries = config.entries.filter((entry) => matches(entry.name) || isDefault(entry));
  return { ...config, entries };
}

import { type Checked, diagnostic } from '../diagnostic.ts';
import type { DesiredState } from '../model.ts';
import { parseFile, type WrittenFile } from './entry.ts';
import { globMatcher } from './glob.ts';
import { type MergedConfig, mergeLayers } from './layers.ts';
import type { SourceFile } from './yaml-tree.ts';

/** Layers of files, earliest first, to one configuration. Finds all problems of all files; a value only without errors. */
export function parseConfig(layers: readonly (readonly SourceFile[])[]): Checked<MergedConfig> {
  const parsed = layers.map((files) => files.map(parseFile));
  const files = parsed.map((layer) =>
    layer.flatMap(({ value }): WrittenFile[] => (value === undefined ? [] : [value])),
  );
  const merged = mergeLayers(files);
  const diagnostics = [...parsed.flat().flatMap((each) => each.diagnostics), ...merged.diagnostics];
  return merged.value === undefined ? { diagnostics } : { value: merged.value, diagnostics };
}

/** Narrows to the entries whose names match a glob, and the defaults that may apply to them. */
export function selectEntries(config: MergedConfig, only: string): MergedConfig {
  const matches = globMatcher(only);
  const entries = config.entries.filter(
    (entry) => matches(entry.name) || entry.fields.get('expect')?.value === 'any',
  );
  return { ...config, entries };
}

/** Narrows to the integrations whose names or ids match a glob; a finding where none does. */
export function selectIntegrations(desired: DesiredState, only: string): Checked<DesiredState> {
  const matches = globMatcher(only);
  const integrations = desired.integrations.filter(({ name, id }) => matches(name) || matches(id));
  if (integrations.length === 0) return { diagnostics: [diagnostic('only-matches-nothing', { glob: only })] };
  return { value: { integrations }, diagnostics: [] };
}

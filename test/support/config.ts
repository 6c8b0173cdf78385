import { mergeFiles, parseConfig } from '../../src/core/config/config.ts';
import type { MergedConfig } from '../../src/core/config/layers.ts';
import type { ReferenceTable } from '../../src/core/config/resolve.ts';
import { resolveValues } from '../../src/core/config/resolve.ts';
import type { Diagnostic } from '../../src/core/findings/diagnostic.ts';
import { hasErrors } from '../../src/core/findings/explain.ts';
import { matchEntries } from '../../src/core/match/match.ts';
import type { DesiredState } from '../../src/core/model/desired.ts';
import type { LiveIntegration } from '../../src/core/model/live.ts';

/** One file of one layer, as the parser takes it. */
export function file(text: string, path = 'a.yaml') {
  return { path, text };
}

/** A configuration file with these entries. */
export function entries(yaml: string): string {
  return `version: 1\nintegrations:\n${yaml.replace(/^/gm, '  ')}\n`;
}

/** The findings of one file as `code line:column`, in the order of their places. */
export function found(text: string): string[] {
  return parseConfig([[file(text)]])
    .diagnostics.map(brief)
    .sort(byPlace);
}

/** A finding without its words. */
export function brief({ code, place }: Diagnostic): string {
  return place === undefined ? code : `${code} ${place.line}:${place.column}`;
}

function byPlace(a: string, b: string): number {
  const [lineA = 0, columnA = 0] = (a.split(' ')[1] ?? '').split(':').map(Number);
  const [lineB = 0, columnB = 0] = (b.split(' ')[1] ?? '').split(':').map(Number);
  return lineA - lineB || columnA - columnB || (a < b ? -1 : 1);
}

/** A configuration that is known to be readable; what rules say of it does not count. */
export function validConfig(...layers: readonly string[]): MergedConfig {
  const sources = layers.map((text, index) => [file(text, `layer${index}.yaml`)]);
  const { config, diagnostics } = mergeFiles(sources);
  if (diagnostics.length > 0) throw new Error(`not valid: ${diagnostics.map(brief).join(', ')}`);
  return config;
}

export const NO_REFERENCES: ReferenceTable = { env: new Map(), file: new Map() };

/** What a configuration asks of these integrations; throws where it does not fit them. */
export function desiredOf(
  config: MergedConfig,
  live: readonly LiveIntegration[],
  table = NO_REFERENCES,
): DesiredState {
  const resolved = resolveValues(config, table);
  const { value, diagnostics } = matchEntries(config, resolved.value, live);
  const all = [...resolved.diagnostics, ...diagnostics];
  if (value === undefined || hasErrors(all)) throw new Error(`no match: ${all.map(brief).join(', ')}`);
  return value;
}

import {
  parseConfig,
  referenceFindings,
} from '../../src/core/config/config.ts';
import type { WrittenConfig } from '../../src/core/config/entry.ts';
import { sourceText as sourceOfFile } from '../../src/core/config/hidden.ts';
import { mergeLayers } from '../../src/core/config/layers.ts';
import { parseFile } from '../../src/core/config/parse-file.ts';
import {
  type referenceTable,
  resolveConfig,
} from '../../src/core/config/resolve.ts';
import type { Diagnostic } from '../../src/core/findings/diagnostic.ts';
import { hasErrors } from '../../src/core/findings/explain.ts';
import { type Matched, matchEntries } from '../../src/core/match/match.ts';
import type { DesiredIntegration } from '../../src/core/model/desired.ts';
import type { LiveIntegration } from '../../src/core/model/live.ts';
import type { SourceText } from '../../src/core/model/place.ts';

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
  const [lineA = 0, columnA = 0] = (a.split(' ')[1] ?? '')
    .split(':')
    .map(Number);
  const [lineB = 0, columnB = 0] = (b.split(' ')[1] ?? '')
    .split(':')
    .map(Number);
  return lineA - lineB || columnA - columnB || (a < b ? -1 : 1);
}

/** The layers of a configuration that is known to be readable, merged; what rules find does not count. */
export function merged(
  layers: readonly (readonly {
    readonly path: string;
    readonly text: string;
  }[])[],
) {
  const files = layers.map((layer) =>
    layer.map((source) => {
      const { value, diagnostics } = parseFile(source);
      if (value === undefined)
        throw new Error(`not valid: ${diagnostics.map(brief).join(', ')}`);
      return value;
    }),
  );
  return mergeLayers(files);
}

/** The same of one file a layer; references that are missing are no matter. */
export function validConfig(...layers: readonly string[]): WrittenConfig {
  const { value, diagnostics } = merged(
    layers.map((text, index) => [file(text, `layer${index}.yaml`)]),
  );
  if (hasErrors(diagnostics))
    throw new Error(`not valid: ${diagnostics.map(brief).join(', ')}`);
  return value;
}

export const NO_REFERENCES: ReturnType<typeof referenceTable> = new Map();

/** What a configuration asks of these integrations, and everything that was found. */
export function matchedWith(
  config: WrittenConfig,
  live: readonly LiveIntegration[],
  only?: string,
  table = NO_REFERENCES,
): Matched {
  return matchEntries(resolveConfig(config, table), live, only);
}

/** What a configuration asks of these integrations; throws where it does not fit them. */
export function desiredOf(
  config: WrittenConfig,
  live: readonly LiveIntegration[],
  table = NO_REFERENCES,
  digests?: ReadonlyMap<string, string>,
): readonly DesiredIntegration[] {
  const resolved = resolveConfig(config, table, digests);
  const missing = referenceFindings(resolved);
  const { integrations, diagnostics } = matchEntries(resolved, live);
  const all = [...missing, ...diagnostics];
  if (hasErrors(all)) throw new Error(`no match: ${all.map(brief).join(', ')}`);
  return integrations;
}

/** A file as excerpts of it are made: its text, and what they must not show. */
export function sourceText(text: string): SourceText {
  return sourceOfFile(file(text));
}

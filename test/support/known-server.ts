import type { WrittenLayers } from '../../src/core/config/layers.ts';
import { readFile } from '../../src/core/config/read-file.ts';
import type { ReferenceTable } from '../../src/core/config/resolve.ts';
import { matchEntries } from '../../src/core/match/match.ts';
import type { LiveIntegration } from '../../src/core/model/live.ts';
import type { Inventory, KnownServer } from '../../src/core/show/known.ts';
import { show } from '../../src/core/show/show.ts';
import type { ShownFieldOn, ShownOrigin } from '../../src/core/show/shown.ts';
import { type TracedConfig, traceConfig } from '../../src/core/show/traced.ts';
import { brief, NO_REFERENCES } from './config.ts';

/** The files of each layer, by their paths. */
export type LayerFiles = readonly Readonly<Record<string, string>>[];

interface Wish {
  readonly name?: string;
  readonly table?: ReferenceTable;
  /** What is installed; undefined where nobody was asked. */
  readonly installed?: readonly LiveIntegration[];
  readonly live?: KnownServer['live'];
}

/** What files declare, layer by layer; throws where one of them is not valid. */
function written(layers: LayerFiles): WrittenLayers {
  return layers.map((files) =>
    Object.entries(files).map(([path, text]) => {
      const { value, diagnostics } = readFile({ path, text });
      if (value === undefined) throw new Error(`not valid: ${diagnostics.map(brief).join(', ')}`);
      return value;
    }),
  );
}

/** A server with a configuration of these files; each layer is named by its first file. */
export function knownServer(layers: LayerFiles, wish: Wish = {}): KnownServer {
  const { name = 's', table = NO_REFERENCES, installed } = wish;
  const config = traceConfig(written(layers), table);
  const live = wish.live ?? (installed === undefined ? 'not-asked' : 'read');
  const known = { name, live, layerNames: layers.map((files) => Object.keys(files)[0] ?? ''), config };
  return installed === undefined ? known : { ...known, inventory: inventoryOf(config, installed) };
}

function inventoryOf({ resolved }: TracedConfig, installed: readonly LiveIntegration[]): Inventory {
  const { value, unmet } = matchEntries(resolved, installed);
  return { installed, desired: value.integrations, unmet };
}

/** What there is to show of one field on each server, without findings. */
export function fieldOn(servers: readonly KnownServer[], address: string): readonly ShownFieldOn[] {
  const { value, diagnostics } = show(servers, { words: [address], uses: [] });
  if (diagnostics.length > 0) throw new Error(`found: ${diagnostics.map(brief).join(', ')}`);
  return value.fields.flatMap((field) => field.on);
}

/** An origin by its kind, whether it wins, and its place. */
export function originText({ kind, wins, source: { file, line, column } }: ShownOrigin): string {
  return `${wins ? '> ' : ''}${kind} ${file}:${line}:${column}`;
}

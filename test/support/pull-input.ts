import { parse } from 'node:path';
import type { LiveIntegration } from '../../src/core/model/live.ts';
import type { SourceFile } from '../../src/core/model/place.ts';
import { pullEntries } from '../../src/core/pull/pull.ts';
import type { PullInput } from '../../src/core/pull/state.ts';

export type Layers = readonly (readonly SourceFile[])[];

/** How a server is pulled into its last layer: without others, with its first overlay, or later. */
export type Turn = 'alone' | 'first' | 'later';

/** A pull of a server into the last of some layers, which others share but for that one. */
export function pulledInto(
  live: readonly LiveIntegration[],
  layers: Layers,
  turn: Turn,
  more: Partial<PullInput> = {},
) {
  const layer = layers.length - 1;
  const path = turn === 'alone' ? 'integrations/' : 'servers/second/';
  const taken = (layers[layer] ?? []).map((file) => parse(file.path).name);
  const folder = { path, layer, taken };
  const { report, files, ...known } = pullEntries({
    live,
    layers: layers.map((each, index) => ({
      files: each,
      isShared: turn !== 'alone' && index < layer,
    })),
    base: folder,
    own: folder,
    isFirst: turn === 'first',
    others: [],
    table: new Map(),
    schema: 'schema.json',
    ...more,
  });
  const named = files.map((file) => ({ ...file, name: parse(file.path).name }));
  return { ...report, ...known, files: named };
}

export type PulledInto = ReturnType<typeof pulledInto>;

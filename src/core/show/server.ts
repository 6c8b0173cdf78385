import type { WrittenConfig } from '../config/entry.ts';
import { mergeLayers, type WrittenLayers } from '../config/layers.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Planned } from '../plan/plan-server.ts';
import { type Target, targetsOf } from './targets.ts';

/** A server with its configuration, and what was read of it. */
export interface ServerToShow {
  readonly name: string;
  readonly url: string;
  readonly layers: WrittenLayers;
  /** The layers as the configuration names them. */
  readonly layerNames: readonly string[];
  /** Absent if the server was not read. */
  readonly live?: LiveSide | undefined;
}

/** What is installed, compared with the configuration. */
interface LiveSide {
  readonly installed: readonly LiveIntegration[];
  readonly planned: Pick<Planned, 'plan' | 'desired'>;
}

/** The same with its layers merged. */
export interface KnownServer extends ServerToShow {
  readonly merged: WrittenConfig;
  readonly targets: readonly Target[];
}

/** Merges the layers of a server, and finds all that it has to show. */
export function knownServer(server: ServerToShow): KnownServer {
  const merged = mergeLayers(server.layers).value;
  return { ...server, merged, targets: targetsOf(server.layers, server.live?.installed ?? []) };
}

import type { LiveIntegration } from '../../core/model/live.ts';
import { liveOf } from '../../core/snapshot/read.ts';
import { findingsOf } from '../failure.ts';
import type { Server } from './server.ts';
import { labeller, type ServerResult } from './sessions.ts';

/** What a snapshot has in place of a session. */
export interface OpenSnapshot {
  readonly live: readonly LiveIntegration[];
}

/** Runs a body with the snapshot of each server, as `onServers` does with sessions: nothing is sent, and nobody logs in. */
export function onSnapshots<S extends Server, T>(
  servers: readonly S[],
  body: (open: OpenSnapshot, server: S) => Promise<T>,
): Promise<readonly ServerResult<S, T>[]> {
  return Promise.all(
    servers.map(async (server): Promise<ServerResult<S, T>> => {
      const live = server.snapshot === undefined ? [] : liveOf(server.snapshot);
      try {
        return {
          server,
          value: await body({ live }, server),
          diagnostics: [],
        };
      } catch (thrown) {
        return { server, diagnostics: findingsOf(thrown).map(labeller(server, servers.length)) };
      }
    }),
  );
}

import type { LiveIntegration } from '../../core/model/live.ts';
import { liveOf } from '../../core/snapshot/read.ts';
import { findingsOf } from '../failure.ts';
import type { Run } from '../run.ts';
import type { Server } from './server.ts';
import { labeller, type OpenServer, type ServerResult } from './sessions.ts';

/** What a snapshot has in place of a session. */
export interface OpenSnapshot extends Omit<OpenServer, 'api'> {
  readonly live: readonly LiveIntegration[];
}

/** Runs a body with the snapshot of each server, as `onServers` does with sessions: nothing is sent, and nobody logs in. */
export async function onSnapshots<S extends Server, T>(
  run: Run,
  servers: readonly S[],
  body: (open: OpenSnapshot, server: S) => Promise<T>,
): Promise<readonly ServerResult<S, T>[]> {
  const secrets = run.secrets.texts;
  return Promise.all(
    servers.map(async (server): Promise<ServerResult<S, T>> => {
      const { snapshot } = server;
      const live = snapshot === undefined ? [] : liveOf(snapshot);
      try {
        return { server, value: await body({ live, secrets }, server), diagnostics: [] };
      } catch (thrown) {
        return { server, diagnostics: findingsOf(thrown).map(labeller(server, servers.length)) };
      }
    }),
  );
}

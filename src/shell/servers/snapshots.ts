import type { LiveIntegration } from '../../core/model/live.ts';
import { fingerprinter } from '../../core/plan/fingerprint.ts';
import { liveOf } from '../../core/snapshot/read.ts';
import { findingsOf } from '../failure.ts';
import type { Run } from '../run.ts';
import { fingerprintKey, ownFingerprintKey, readCredentials } from './credentials.ts';
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
  const opened = await Promise.all(
    servers.map(async (server) => ({ server, fingerprints: await fingerprintsOf(run, server) })),
  );
  const secrets = run.secrets.texts;
  return Promise.all(
    opened.map(async ({ server, fingerprints }): Promise<ServerResult<S, T>> => {
      const { snapshot } = server;
      const live = snapshot === undefined ? [] : liveOf(snapshot, fingerprints?.key());
      try {
        return { server, value: await body({ live, fingerprints, secrets }, server), diagnostics: [] };
      } catch (thrown) {
        return { server, diagnostics: findingsOf(thrown).map(labeller(server, servers.length)) };
      }
    }),
  );
}

/** Fingerprints under the key that a session with the server would have; undefined where nothing here makes one. */
async function fingerprintsOf(run: Run, { credentialsName, url }: Server) {
  const own = ownFingerprintKey(run);
  const found = await readCredentials(run, credentialsName).catch((thrown: unknown) => {
    findingsOf(thrown);
    return undefined;
  });
  const credentials = found?.credentials ?? { kind: 'none' as const };
  const key = fingerprintKey(own, credentials, url.origin);
  return key && fingerprinter(key);
}

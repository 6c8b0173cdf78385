import { plainAddress } from '../../core/config/server-url.ts';
import type { ServerState } from '../../core/diff/compare-servers.ts';
import {
  type Checked,
  type Diagnostic,
  distinct,
} from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { fail, failUsage } from '../failure.ts';
import type { Api } from '../http/api.ts';
import type { Run } from '../run.ts';
import { findingsOn } from '../servers/results.ts';
import { findServers, type Server } from '../servers/server.ts';
import { onServers } from '../servers/sessions.ts';
import { readSnapshot } from '../sources/saved.ts';
import { readLive } from './live.ts';

/**
 * Reads servers side by side, whole. A word of the command line is an address,
 * the path of a snapshot, or else a server of `setpoint.yaml`. A server that
 * cannot be read is undefined.
 */
export async function readServers(
  run: Run,
  words: readonly string[],
): Promise<Checked<readonly (ServerState | undefined)[]>> {
  const compared: (Server | ServerState)[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const word of words) {
    const isAddress = /^https?:\/\//i.test(word);
    // The name of a server has neither dots nor slashes.
    if (!isAddress && /[./\\]/.test(word)) {
      const { server, takenAt, live } = await readSnapshot(run, word);
      const read = { live, unread: new Set<string>(), reads: 0 };
      compared.push({
        name: word,
        url: server.url,
        snapshot: { takenAt },
        ...read,
      });
      continue;
    }
    const choice = isAddress ? { url: word } : { server: [word] };
    const found = await findServers(run, { ...run.options, ...choice });
    diagnostics.push(...found.diagnostics);
    if (found.servers.length > 1) {
      const names = found.servers.map(({ name }) => name).join(', ');
      failUsage(
        `${word} means several servers: ${names}.`,
        'Name one of them.',
      );
    }
    for (const server of found.servers) {
      compared.push({ ...server, isInFleet: true });
    }
  }
  if (hasErrors(diagnostics)) fail(...distinct(diagnostics));
  const servers = compared.filter((server) => 'layers' in server);
  const results = await onServers(run, servers, readServer);
  diagnostics.push(...findingsOn(results));
  const value = compared.map((server) =>
    'layers' in server ? results[servers.indexOf(server)]?.value : server,
  );
  return { value, diagnostics: distinct(diagnostics) };
}

/**
 * Reads all that a server holds, with the findings on integrations that could
 * not be read.
 */
async function readServer(
  api: Api,
  server: Server,
): Promise<ServerState & { readonly diagnostics: readonly Diagnostic[] }> {
  const { name, url, hidesSecrets } = server;
  const { live, unread, reads } = await readLive(api, {
    hidesSecrets,
    config: [],
    also: (listed) =>
      listed.map(({ id }) => ({ id, keys: ['*'], autosubscribe: true })),
  });
  return {
    name,
    url: plainAddress(url.href),
    live,
    unread: new Set(unread.keys()),
    reads,
    diagnostics: [...unread.values()],
  };
}

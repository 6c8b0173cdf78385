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
 * A side of a comparison: a server to read, or what a snapshot holds of one.
 */
type ComparedSide = Server | ServerState;

/**
 * Reads servers side by side, whole. A word of the command line is an address,
 * the path of a snapshot, or else a server of `setpoint.yaml`. A server that
 * cannot be read is undefined.
 */
export async function readServers(
  run: Run,
  words: readonly string[],
): Promise<Checked<readonly (ServerState | undefined)[]>> {
  const sides: ComparedSide[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const word of words) {
    const isAddress = /^https?:\/\//i.test(word);
    // The name of a server has neither dots nor slashes.
    if (!isAddress && /[./\\]/.test(word)) {
      sides.push(await snapshotState(run, word));
      continue;
    }
    const choice = isAddress ? { url: word } : { server: [word] };
    const found = await findServers(run, { ...run.options, ...choice });
    diagnostics.push(...found.diagnostics);
    sides.push(...onlyServer(word, found.servers));
  }
  if (hasErrors(diagnostics)) fail(...distinct(diagnostics));
  const servers = sides.filter(isServer);
  const results = await onServers(run, servers, readServer);
  diagnostics.push(...findingsOn(results));
  const value = sides.map((side) => {
    return isServer(side) ? results[servers.indexOf(side)]?.value : side;
  });
  return { value, diagnostics: distinct(diagnostics) };
}

function isServer(side: ComparedSide): side is Server {
  return 'layers' in side;
}

async function snapshotState(run: Run, path: string): Promise<ServerState> {
  const { server, takenAt, live } = await readSnapshot(run, path);
  const read = { live, unread: new Set<string>(), reads: 0 };
  return { name: path, url: server.url, snapshot: { takenAt }, ...read };
}

/**
 * The server that a word means; findings name it, since there are two. Fails if
 * it means several.
 */
function onlyServer(word: string, servers: readonly Server[]): Server[] {
  if (servers.length > 1) {
    const names = servers.map(({ name }) => name).join(', ');
    failUsage(`${word} means several servers: ${names}.`, 'Name one of them.');
  }
  return servers.map((server) => ({ ...server, isInFleet: true }));
}

/**
 * Reads all that a server holds, with the findings on integrations that could
 * not be read.
 */
async function readServer(
  api: Api,
  server: Server,
): Promise<ServerState & { diagnostics: readonly Diagnostic[] }> {
  const { name, url, hidesSecrets } = server;
  const { live, unread, reads } = await readLive(api, {
    hidesSecrets,
    config: [],
    whole: (listed) => listed.map(({ id }) => id),
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

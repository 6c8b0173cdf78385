import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { plainAddress } from '../../core/config/server-url.ts';
import type { ServerState } from '../../core/diff/compare-servers.ts';
import {
  type Checked,
  type Diagnostic,
  distinct,
} from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import type { Run } from '../run.ts';
import { findingsOn } from '../servers/results.ts';
import { findServers, type Server } from '../servers/server.ts';
import { onServers } from '../servers/sessions.ts';
import { findProject } from '../sources/project.ts';
import { readSnapshot } from '../sources/saved.ts';
import { readLive } from './live.ts';

/** A server to read, or one that a snapshot holds. */
type ComparedServer = Server | ServerState;

/**
 * Reads servers side by side, whole: those that the words of a command line
 * name. One that cannot be read is undefined.
 */
export async function readServers(
  run: Run,
  options: Options,
  words: readonly string[],
): Promise<Checked<readonly (ServerState | undefined)[]>> {
  const compared: ComparedServer[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const word of words) {
    const { value, diagnostics: own } = await findServer(run, options, word);
    diagnostics.push(...own);
    if (value !== undefined) compared.push(value);
  }
  if (hasErrors(diagnostics)) fail(...distinct(diagnostics));
  const servers = compared.filter(isServer);
  const results = await onServers(run, options, servers, readServer);
  diagnostics.push(...findingsOn(results));
  const value = compared.map((server) =>
    isServer(server) ? results[servers.indexOf(server)]?.value : server,
  );
  return { value, diagnostics: distinct(diagnostics) };
}

function isServer(server: ComparedServer): server is Server {
  return !('live' in server);
}

/**
 * Finds what a word means: a server of `setpoint.yaml`, an address, or the file
 * of a snapshot.
 */
async function findServer(
  run: Run,
  options: Options,
  word: string,
): Promise<Checked<ComparedServer>> {
  const project = await findProject(run);
  const servers = project?.project.servers ?? [];
  const isAddress = /^https?:\/\//i.test(word);
  const selecting = isAddress
    ? { ...options, url: word }
    : { ...options, server: [word] };
  if (!isAddress && !servers.some(({ name }) => name === word)) {
    if (word.endsWith('.json') || (await isFile(run, word))) {
      return { value: await stateIn(run, word), diagnostics: [] };
    }
    if (project === undefined) {
      return failUsage(
        `${word} is no address and no snapshot, and there is no setpoint.yaml.`,
        'Name two servers of setpoint.yaml, addresses (https://…) or snapshots.',
      );
    }
  }
  const found = await findServers(run, selecting);
  const { diagnostics } = found;
  const [server, ...others] = found.servers;
  if (others.length > 0) {
    const names = found.servers.map(({ name }) => name).join(', ');
    failUsage(`${word} means several servers: ${names}.`, 'Name one of them.');
  }
  if (server === undefined) return { diagnostics };
  return { value: { ...server, isInFleet: true }, diagnostics };
}

/** Whether a path leads to anything but a folder. */
async function isFile({ runtime }: Run, path: string): Promise<boolean> {
  const found = await stat(resolve(runtime.cwd, path)).catch(() => undefined);
  return found !== undefined && !found.isDirectory();
}

/** Returns the server in a snapshot, named by its file. */
async function stateIn(run: Run, path: string): Promise<ServerState> {
  const { server, takenAt, live } = await readSnapshot(run, path);
  const read = { live, unread: new Set<string>(), reads: 0 };
  return { name: path, url: server.url, snapshot: { takenAt }, ...read };
}

/** A server that was read, and the findings on integrations that were not. */
interface ReadServer extends ServerState {
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads all that a server holds. */
async function readServer(api: Api, server: Server): Promise<ReadServer> {
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

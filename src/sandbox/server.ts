import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { globMatcher } from '../core/model/glob.ts';
import { createApp } from './app.ts';
import { readCatalog } from './catalog.ts';
import { SandboxError, systemCode } from './read-file.ts';
import { createSessions, type SandboxOptions } from './service.ts';
import { openSnapshot } from './snapshot.ts';
import { installed, Store } from './state.ts';

export interface RunningSandbox {
  /** Such as `http://127.0.0.1:4711`, without a slash at the end. */
  readonly url: string;
  /** Accepts no more requests, answers those in flight, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** How many milliseconds requests in flight may still take once the server closes. */
const GRACE = 5000;

/** Starts the service and resolves when it listens. Rejects with a SandboxError for reasons that a user can fix. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { settings, now, tokenLifetime = 86_400, raiseErrors = false, host, port } = options;
  const store = await createStore(options);
  const sessions = createSessions(now, tokenLifetime);
  const app = createApp({ store, settings, sessions, now, raiseErrors }, options);
  // Node's own server: the other kinds of the adapter need options that are not given.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new SandboxError(`it cannot listen on ${host}, port ${port} (${systemCode(error)})`);
  });
  return { url: urlOf(server, host), close: () => close(server) };
}

/** The integrations of the catalog with the changes in the data file. */
async function createStore(options: SandboxOptions): Promise<Store> {
  const { dataFile, read, stopped = [] } = options;
  const catalog = await readCatalog(options);
  const globs = stopped.map(globMatcher);
  const snapshot = dataFile === undefined ? undefined : await openSnapshot(dataFile, read);
  const integrations = catalog.map((entry) => {
    const isStopped = globs.some((matches) => matches(entry.fileName) || matches(entry.id));
    const fresh = installed(entry, isStopped ? 'stopped' : 'running');
    return snapshot?.restored(fresh) ?? fresh;
  });
  return new Store(integrations, async (after) => snapshot?.save(after));
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), GRACE).unref();
  await once(server, 'close');
}

import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { globMatcher } from '../core/model/glob.ts';
import { Sessions } from './access/sessions.ts';
import { createApp, type Surroundings } from './app.ts';
import { type CatalogEntry, type CatalogSource, readCatalog } from './catalog/catalog.ts';
import { SandboxError, systemCode } from './sandbox-error.ts';
import type { Settings } from './settings.ts';
import { installed } from './state/integration.ts';
import { Snapshot } from './state/snapshot.ts';
import { Store } from './state/store.ts';

export interface SandboxOptions extends CatalogSource, Surroundings {
  /** A folder with `*.json` or `<integration>/config/config.json`. */
  readonly catalog: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly settings: Settings;
  /** The file that keeps the state; without it, the state ends with the process. */
  readonly dataFile?: string;
  /** Globs on names and ids: integrations that are not running and refuse changes of their options. */
  readonly stopped?: readonly string[];
  /** Whether each integration reports an error after a change. */
  readonly raiseErrors?: boolean;
  /** Seconds for which a token is valid. */
  readonly tokenLifetime?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface RunningSandbox {
  /** Such as `http://127.0.0.1:4711`, without a slash at the end. */
  readonly url: string;
  /** Accepts no more requests, answers those in flight, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/** The default lifetime of a token, in seconds. */
const TOKEN_LIFETIME = 24 * 60 * 60;

/** How many milliseconds requests in flight may still take once the server closes. */
const GRACE = 5000;

/** Starts the service and resolves when it listens. Rejects with a SandboxError for reasons that a user can fix. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { settings, now, tokenLifetime = TOKEN_LIFETIME, raiseErrors = false, host, port } = options;
  const store = await createStore(options, await readCatalog(options.catalog, options));
  const sessions = new Sessions(now, tokenLifetime);
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
async function createStore(options: SandboxOptions, catalog: readonly CatalogEntry[]): Promise<Store> {
  const { dataFile, read, stopped = [] } = options;
  const globs = stopped.map(globMatcher);
  const snapshot = dataFile === undefined ? undefined : await Snapshot.open(dataFile, read);
  const integrations = catalog.map((entry) => {
    const isStopped = globs.some((matches) => matches(entry.name) || matches(entry.id));
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
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE);
  await closed;
  clearTimeout(timer);
}

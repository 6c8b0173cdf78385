import { once } from 'node:events';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { createApp } from './app.ts';
import { readCatalog } from './catalog.ts';
import { SandboxError } from './refusal.ts';
import type { SandboxOptions } from './service.ts';
import { openStore } from './store.ts';

/** How many milliseconds requests in flight may still take once the server closes. */
const GRACE = 5000;

/**
 * Starts the service and resolves when it listens, with its address (without a slash at the end). `close` answers the
 * requests in flight. Rejects with a SandboxError for reasons that a user can fix.
 */
export async function startSandbox(options: SandboxOptions) {
  const { host, port, dataFile } = options;
  const store = await openStore(await readCatalog(options), dataFile);
  const app = createApp({ ...options, store, sessions: new Map() });
  // Node's own server: the other kinds of the adapter need options that are not given.
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new SandboxError(`it cannot listen on ${host}, port ${port}`, error);
  });
  return { url: urlOf(server, host), close: () => close(server) };
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

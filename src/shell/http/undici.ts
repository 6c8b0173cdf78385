// The parts of undici that are used, as a module of its own: it is loaded late, when a request is near. Its index would load
// fetch, WebSocket, mocks and caches as well, half of all that a plan loads.
/// <reference path="./undici-parts.d.ts" />
import type { Dispatcher } from 'undici';
import api from 'undici/lib/api/index.js';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Base from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';

// As the index does: proxies connect by it.
Object.assign(Base.prototype, api);

export { Agent, buildConnector, EnvHttpProxyAgent, Pool };

/** Sends a request to an absolute URL through a dispatcher. */
export function request(
  url: string,
  { dispatcher, ...options }: Omit<Dispatcher.RequestOptions, 'origin' | 'path'> & { dispatcher: Dispatcher },
): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url);
  return dispatcher.request({ ...options, origin, path: `${pathname}${search}` });
}

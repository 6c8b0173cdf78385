import { type ResolvedConfig, resolveConfig } from '../../core/config/resolve.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import type { Api } from '../http/api.ts';
import type { Run } from '../run.ts';
import { findServers, type Server, type ServerOptions } from '../servers/server.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import { readConfigs } from './preparation.ts';

/** A server with its configuration, if it has one; references stay as they are written. */
export interface Configured extends Server {
  readonly config?: ResolvedConfig | undefined;
}

/** The servers of a run with their configurations. */
export async function configuredServers(run: Run, options: ServerOptions): Promise<Configured[]> {
  const { configured } = await readConfigs(run, await findServers(run, options));
  return configured.map(({ server, config }) => ({
    ...server,
    config: server.layers.length === 0 ? undefined : resolveConfig(config),
  }));
}

/** What a command lists of one server. */
interface Listed<T> {
  readonly shown: T;
  readonly diagnostics: readonly Diagnostic[];
}

/** Lists something of each server, side by side; a server that cannot be read is left out. */
export async function listEach<S extends Server, T extends object>(
  run: Run,
  options: ServerOptions,
  servers: readonly S[],
  read: (api: Api, server: S) => Promise<Listed<T>>,
) {
  const results = await onServers(run, { ...options, mode: 'read' }, servers, ({ api }, server) =>
    read(api, server),
  );
  const listings = results.flatMap(({ value, server: { name, url } }) =>
    value === undefined ? [] : [{ name, url: url.origin, ...value.shown }],
  );
  return { servers: listings, diagnostics: findingsOn(results) };
}

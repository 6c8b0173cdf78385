import { type Diagnostic, onServer } from '../core/findings/diagnostic.ts';
import { type ConnectionOptions, withServer } from './connection.ts';
import { findingsOf } from './failure.ts';
import type { Api } from './http/api.ts';
import type { Run } from './run.ts';
import type { Server } from './targets.ts';

/** What came of each server, in the order in which they were given; a server that failed has only its findings. */
export interface ServerResult<S extends Server, T> {
  readonly server: S;
  readonly value?: T;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Opens a session with every server at once and runs a body in each. The failure of one does not stop the others; with
 * several servers each finding says which one it is about.
 */
export async function onServers<S extends Server, T>(
  run: Run,
  options: ConnectionOptions,
  mode: 'read' | 'write',
  servers: readonly S[],
  body: (api: Api, server: S) => Promise<T>,
): Promise<readonly ServerResult<S, T>[]> {
  return Promise.all(
    servers.map(async (server): Promise<ServerResult<S, T>> => {
      const { target, credentials } = server;
      const connection = {
        url: target.url,
        credentials,
        mode,
        name: servers.length > 1 ? target.name : undefined,
      };
      try {
        const value = await withServer(run, { ...options, caFile: target.caFile }, connection, (api) =>
          body(api, server),
        );
        return { server, value, diagnostics: [] };
      } catch (thrown) {
        return { server, diagnostics: named(findingsOf(thrown), connection.name) };
      }
    }),
  );
}

/** All that was found on servers, in their order; with several each finding says which one it is about. */
export function findingsOn<S extends Server, T extends { readonly diagnostics: readonly Diagnostic[] }>(
  results: readonly ServerResult<S, T>[],
): readonly Diagnostic[] {
  return results.flatMap(({ server, value, diagnostics }) => [
    ...diagnostics,
    ...named(value?.diagnostics ?? [], results.length > 1 ? server.target.name : undefined),
  ]);
}

/** Findings of one server among several, with its name. */
function named(findings: readonly Diagnostic[], name: string | undefined): readonly Diagnostic[] {
  return name === undefined ? findings : findings.map((found) => onServer(found, name));
}

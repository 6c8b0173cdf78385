import { plainAddress } from '../../core/config/server-url.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { uniquely } from '../../core/pull/names.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { findServers, layersOf, type Server } from '../servers/server.ts';
import type { FoundProject } from '../sources/project.ts';

/** The one server that flags or the project name. */
export interface PulledServer {
  readonly server: Server;
  /** Whether the project lists it. */
  readonly isListed: boolean;
  readonly warnings: readonly Diagnostic[];
}

/** Finds the server of a pull. Fails if flags name none, or several. */
export async function pulledServer(
  run: Run,
  options: Options,
  folder: string,
  project: FoundProject | undefined,
): Promise<PulledServer> {
  const { server: names = [] } = options;
  const url = options.url ?? variableUrl(run, project);
  if (url === undefined && project === undefined) {
    failUsage('Name the server: --url https://integrations.example.com');
  }
  const selecting =
    url === undefined ? options : { ...options, url, server: [] };
  const { servers, diagnostics: warnings } = await findServers(
    run,
    selecting,
    folder,
  );
  if (hasErrors(warnings)) fail(...warnings);
  const [server] = servers;
  const isAmbiguous =
    servers.length > 1 || (url !== undefined && names.length > 1);
  if (server === undefined || isAmbiguous) {
    return failUsage(
      'pull reads one server at a time.',
      'Name it with --server.',
    );
  }
  if (url === undefined) {
    return { server, isListed: true, warnings };
  }
  const [name] = names;
  const listed = listedServer(server, name, project);
  const isListed = listed !== undefined;
  return {
    server: listed ?? unlistedServer(server, name, project),
    isListed,
    warnings,
  };
}

/** The address of `SETPOINT_URL`, which counts only without a project. */
function variableUrl(
  run: Run,
  project: FoundProject | undefined,
): string | undefined {
  if (project !== undefined) return undefined;
  return run.runtime.env['SETPOINT_URL'] || undefined;
}

/**
 * A server of `--url`, with the name and the layers that a project has for it;
 * undefined if it does not list it.
 */
function listedServer(
  server: Server,
  name: string | undefined,
  project: FoundProject | undefined,
): Server | undefined {
  if (name !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    failUsage(
      'With --url, --server takes a name of letters, digits, underscores and dashes.',
    );
  }
  if (project === undefined) return undefined;
  const address = plainAddress(server.url.href);
  const projectServers = project.project.servers;
  const listed = projectServers.find(({ name: listedName, url }) =>
    name === undefined
      ? plainAddress(url.text) === address
      : listedName === name,
  );
  if (listed === undefined) return undefined;
  if (plainAddress(listed.url.text) !== address) {
    failUsage(
      'setpoint.yaml has another address for the server of --server.',
      'Leave out --url.',
    );
  }
  return {
    ...server,
    name: listed.name,
    credentialsName: listed.name,
    projectServers,
    layers: layersOf(listed, project),
  };
}

/**
 * A server of `--url` that no project lists, with a name from its flag or its
 * address.
 */
function unlistedServer(
  server: Server,
  name: string | undefined,
  project: FoundProject | undefined,
): Server {
  const projectServers = project?.project.servers ?? [];
  const taken = projectServers.map((listed) => listed.name);
  const [host = ''] = server.url.hostname.split('.');
  const hostName = /^[a-z][a-z0-9-]*$/i.test(host) ? host : 'server';
  return {
    ...server,
    name: name ?? uniquely(taken, '-')(hostName),
    // A name made of an address must not choose the credentials that are sent
    // there.
    credentialsName: name,
    projectServers,
    layers: [],
  };
}

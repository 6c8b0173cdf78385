import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { Failure, failUsage } from '../failure.ts';
import type { Run } from '../run.ts';
import { findServers, layersOf, type Server, type ServerOptions } from '../servers/server.ts';
import type { FoundProject } from '../sources/project.ts';

/** The server of a pull. */
export interface PullServer {
  readonly server: Server;
  /** Whether the project has it. */
  readonly isNamed: boolean;
  readonly warnings: readonly Diagnostic[];
}

/** The one server that flags or the project name. */
export async function pullServer(
  run: Run,
  options: ServerOptions,
  folder: string,
  project: FoundProject | undefined,
): Promise<PullServer> {
  const { url, server: names = [] } = options;
  if (url === undefined && project === undefined)
    failUsage('Name the server: --url https://integrations.example.com');
  if (url !== undefined && names.length > 1) failUsage('One server has one name.');
  const selected = url === undefined ? options : { ...options, server: [] };
  const { servers, diagnostics: warnings } = await findServers(run, selected, folder);
  if (hasErrors(warnings)) throw new Failure(warnings);
  const [server, second] = servers;
  if (server === undefined || second !== undefined)
    return failUsage('pull reads one server at a time.', 'Name it with --server.');
  return { ...(url === undefined ? { server, isNamed: true } : named(server, names[0], project)), warnings };
}

/** A server of flags, with the name and the layers that a project has for it. */
function named(
  server: Server,
  name: string | undefined,
  project: FoundProject | undefined,
): Omit<PullServer, 'warnings'> {
  const href = (text: string) => (URL.canParse(text) ? new URL(text).href.replace(/\/$/, '') : text);
  const isMeant = (text: string) => href(text) === href(server.url.href);
  const known = project?.project.servers ?? [];
  const own = known.find((each) => (name === undefined ? isMeant(each.url.text) : each.name === name));
  if (own !== undefined && !isMeant(own.url.text))
    failUsage('setpoint.yaml has another address for the server of --server.', 'Leave out --url.');
  // A name that is made of an address must not choose the credentials that it gets.
  const credentialsName = own?.name ?? name;
  const layers = own === undefined || project === undefined ? [] : layersOf(own, project);
  return {
    server: { ...server, name: credentialsName ?? nameOf(server.url, known), credentialsName, layers },
    isNamed: own !== undefined,
  };
}

/** A name for a server: the first part of its host, with a number where another server has that name. */
function nameOf({ hostname }: URL, known: readonly { readonly name: string }[]): string {
  const [first = ''] = hostname.split('.');
  const name = /^[a-z][a-z0-9-]*$/i.test(first) ? first : 'server';
  const isTaken = (text: string) => known.some((each) => each.name === text);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!isTaken(free)) return free;
  }
}

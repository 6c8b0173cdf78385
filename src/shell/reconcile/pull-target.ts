import { basename, join, resolve } from 'node:path';
import type { LinkedConfig } from '../../core/config/link.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { Failure, failUsage } from '../failure.ts';
import { isOfGit } from '../report-target.ts';
import type { Run } from '../run.ts';
import {
  findServers,
  layersOf,
  type Server,
  type ServerOptions,
  urlOfEnvironment,
} from '../servers/server.ts';
import { type NamedFile, readConfig } from '../sources/config.ts';
import { type FoundProject, findProject } from '../sources/project.ts';
import { WORK_TREE } from '../sources/work-tree.ts';
import { isInLayers, pullPlace, yamlIn } from './pull-place.ts';

export interface PullOptions extends ServerOptions {
  readonly out?: string | undefined;
  readonly only?: string | undefined;
  readonly secretsFile?: string | undefined;
}

/** The server of a pull, the folder to write to, and the configuration that is there. */
export interface PullTarget extends PulledServer {
  readonly folder: string;
  /** Undefined without a `setpoint.yaml`. */
  readonly project: FoundProject | undefined;
  readonly existing: LinkedConfig;
  /** The folder of new entries, from `folder` and with a slash at its end. */
  readonly into: string;
  /** The names of the files in it, without their extension. */
  readonly taken: readonly string[];
  /** Whether `setpoint.yaml` has it among the layers of the server. */
  readonly isRead: boolean;
}

interface PulledServer {
  readonly server: Server;
  /** Whether the project has it. */
  readonly isListed: boolean;
  /** Whether its name tells it from other servers: then its variables begin with it. */
  readonly isNamed: boolean;
  readonly warnings: readonly Diagnostic[];
}

/** Finds the server, and reads the configuration that there is for it. Fails with all that is wrong, before any request. */
export async function pullTarget(run: Run, options: PullOptions): Promise<PullTarget> {
  const folder = resolve(run.runtime.cwd, options.out ?? '.');
  if (isOfGit(folder)) failUsage('--out is in a folder of git itself.');
  const project = await findProject(run, WORK_TREE, folder);
  const found = await pulledServer(run, options, folder, project);
  const { server, isNamed } = found;
  const own = server.layers;
  const others = (project?.project.servers ?? [])
    .filter(({ name }) => !found.isListed || name !== server.name)
    .flatMap((each) => (project === undefined ? [] : layersOf(each, project)));
  const into = pullPlace({ folder, name: server.name, isNamed, own, others });
  const isRead = isInLayers(own, join(folder, into, 'a.yaml'));
  const layers = await withFiles([...own, ...(isRead ? [] : [{ path: into, base: folder }])]);
  const { value: existing = [], diagnostics } = await readConfig(run, layers);
  const warnings = [...found.warnings, ...diagnostics];
  if (hasErrors(warnings)) throw new Failure(warnings);
  const taken = (await yamlIn(join(folder, into))).map((name) => basename(name).replace(/\.ya?ml$/i, ''));
  return { ...found, warnings, folder, project, existing, into, taken, isRead };
}

/** The layers that have files: a folder may be empty so far. */
async function withFiles(layers: readonly NamedFile[]): Promise<readonly NamedFile[]> {
  const counts = await Promise.all(
    layers.map(async ({ path, base }) => {
      const absolute = resolve(base, path);
      return (await WORK_TREE.kindOf(absolute)) === 'file' ? 1 : (await yamlIn(absolute)).length;
    }),
  );
  return layers.filter(({ path }, at) => path.includes('*') || counts[at] !== 0);
}

/** The one server that flags or the project name. */
async function pulledServer(
  run: Run,
  options: PullOptions,
  folder: string,
  project: FoundProject | undefined,
): Promise<PulledServer> {
  const { server: names = [] } = options;
  const url = options.url ?? (project === undefined ? urlOfEnvironment(run) : undefined);
  if (url === undefined && project === undefined)
    failUsage('Name the server: --url https://integrations.example.com');
  const selected = url === undefined ? options : { ...options, url, server: [] };
  const { servers, diagnostics: warnings } = await findServers(run, selected, folder);
  if (hasErrors(warnings)) throw new Failure(warnings);
  const [server, second] = servers;
  if (server === undefined || second !== undefined || (url !== undefined && names.length > 1))
    return failUsage('pull reads one server at a time.', 'Name it with --server.');
  const listed = project?.project.servers ?? [];
  if (url === undefined) return { server, isListed: true, isNamed: listed.length > 1, warnings };
  return { ...named(server, names[0], project), warnings };
}

/** A server of `--url`, with the name and the layers that a project has for it. */
function named(
  server: Server,
  name: string | undefined,
  project: FoundProject | undefined,
): Omit<PulledServer, 'warnings'> {
  if (name !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    failUsage('With --url, --server takes a name of letters, digits, underscores and dashes.');
  const href = (text: string) => (URL.canParse(text) ? new URL(text).href.replace(/\/$/, '') : text);
  const isMeant = (text: string) => href(text) === href(server.url.href);
  const known = project?.project.servers ?? [];
  const own = known.find((each) => (name === undefined ? isMeant(each.url.text) : each.name === name));
  if (own !== undefined && !isMeant(own.url.text))
    failUsage('setpoint.yaml has another address for the server of --server.', 'Leave out --url.');
  // A name made of an address must not choose the credentials that are sent there.
  const credentialsName = own?.name ?? name;
  const layers = own === undefined || project === undefined ? [] : layersOf(own, project);
  const given = credentialsName ?? nameOf(server.url, new Set(known.map((each) => each.name)));
  const isNamed = name !== undefined || known.some((each) => each !== own);
  return {
    server: { ...server, name: given, credentialsName, layers },
    isListed: own !== undefined,
    isNamed,
  };
}

/** The first part of the host, numbered if another server has that name. */
function nameOf({ hostname }: URL, taken: ReadonlySet<string>): string {
  const [first = ''] = hostname.split('.');
  const name = /^[a-z][a-z0-9-]*$/i.test(first) ? first : 'server';
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!taken.has(free)) return free;
  }
}

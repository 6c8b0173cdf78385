import { basename, join, resolve } from 'node:path';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { plainAddress } from '../../core/config/project.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { uniquely } from '../../core/pull/names.ts';
import { Failure, failUsage } from '../failure.ts';
import { isInside, isOfGit } from '../paths.ts';
import type { Run } from '../run.ts';
import {
  findServers,
  layersOf,
  type Server,
  type ServerOptions,
  urlOfEnvironment,
} from '../servers/server.ts';
import { type FoundProject, findProject, type NamedFile, readConfig } from '../sources/config.ts';
import { shownPath, WORK_TREE } from '../sources/files.ts';

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
  readonly existing: WrittenConfig;
  /** The folder of new entries, from `folder` and with a slash at its end. */
  readonly into: string;
  /** The names of the files in it, without their extension. */
  readonly taken: readonly string[];
  /** Whether `setpoint.yaml` has it among the layers of the server. */
  readonly isRead: boolean;
  readonly warnings: readonly Diagnostic[];
}

interface PulledServer {
  readonly server: Server;
  /** Whether the project has it. */
  readonly isListed: boolean;
  /** Whether its name tells it from other servers: then its variables begin with it. */
  readonly isNamed: boolean;
}

/** Finds the server, and reads the configuration that there is for it. Fails with all that is wrong, before any request. */
export async function pullTarget(run: Run, options: PullOptions): Promise<PullTarget> {
  const folder = resolve(run.runtime.cwd, options.out ?? '.');
  if (isOfGit(folder)) failUsage('--out is in a folder of git itself.');
  const project = await findProject(run, WORK_TREE, folder);
  const { warnings: found, ...pulled } = await pulledServer(run, options, folder, project);
  const into = folderFor(folder, pulled, project);
  const { layers: own } = pulled.server;
  const isRead = isInLayers(own, join(folder, into));
  const layers = await withFiles(isRead ? own : [...own, { path: into, base: folder }]);
  const { value: existing, diagnostics } = await readConfig(run, layers);
  const warnings = [...found, ...diagnostics];
  if (existing === undefined || hasErrors(warnings)) throw new Failure(warnings);
  const taken = (await yamlIn(join(folder, into))).map((name) => basename(name).replace(/\.ya?ml$/i, ''));
  return { ...pulled, warnings, folder, project, existing, into, taken, isRead };
}

/** The folder for new entries: one that the server reads already and no other does, or else a new one. */
function folderFor(
  folder: string,
  { server: { name, layers }, isNamed, isListed }: PulledServer,
  project: FoundProject | undefined,
): string {
  const others = (project?.project.servers ?? [])
    .filter((each) => !isListed || each.name !== name)
    .flatMap((each) => (project === undefined ? [] : layersOf(each, project)));
  const free = ['integrations/', `integrations/${name}/`, `${name}/`].filter(
    (path) => !isInLayers(others, join(folder, path)),
  );
  return (
    free.find((path) => isInLayers(layers, join(folder, path))) ??
    free.find((path) => !isNamed || path !== 'integrations/') ??
    failUsage('Another server reads all that a pull would write here.', 'Name another folder with --out.')
  );
}

/** Whether layers take in the files of a folder. */
function isInLayers(layers: readonly NamedFile[], folder: string): boolean {
  const file = join(folder, 'a.yaml');
  return layers.some(({ path, base }) => {
    const absolute = resolve(base, path);
    if (path.includes('*')) return globMatcher(path.replace(/^\.\//, ''))(shownPath(file, base));
    return absolute === file || isInside(absolute, file);
  });
}

/** The layers that have files: a folder may be empty so far. */
async function withFiles(layers: readonly NamedFile[]): Promise<readonly NamedFile[]> {
  const filled = await Promise.all(
    layers.map(async ({ path, base }) => {
      const absolute = resolve(base, path);
      return (await WORK_TREE.kindOf(absolute)) === 'file' || (await yamlIn(absolute)).length > 0;
    }),
  );
  return layers.filter(({ path }, at) => path.includes('*') || filled[at]);
}

/** The YAML files in a folder and below; none if it is not there. */
async function yamlIn(folder: string): Promise<readonly string[]> {
  const listed = await WORK_TREE.yamlIn(folder, folder, true);
  return 'reason' in listed ? [] : listed;
}

/** The one server that flags or the project name. */
async function pulledServer(
  run: Run,
  options: PullOptions,
  folder: string,
  project: FoundProject | undefined,
): Promise<PulledServer & { readonly warnings: readonly Diagnostic[] }> {
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
  if (url !== undefined) return { ...named(server, names[0], project), warnings };
  const isNamed = project !== undefined && project.project.servers.length > 1;
  return { server, isListed: true, isNamed, warnings };
}

/** A server of `--url`, with the name and the layers that a project has for it. */
function named(server: Server, name: string | undefined, project: FoundProject | undefined): PulledServer {
  if (name !== undefined && !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    failUsage('With --url, --server takes a name of letters, digits, underscores and dashes.');
  const isMeant = (text: string) => plainAddress(text) === plainAddress(server.url.href);
  const known = project?.project.servers ?? [];
  const own = known.find((each) => (name === undefined ? isMeant(each.url.text) : each.name === name));
  if (own !== undefined && !isMeant(own.url.text))
    failUsage('setpoint.yaml has another address for the server of --server.', 'Leave out --url.');
  // A name made of an address must not choose the credentials that are sent there.
  const credentialsName = own?.name ?? name;
  const layers = own === undefined || project === undefined ? [] : layersOf(own, project);
  const [host = ''] = server.url.hostname.split('.');
  const free = uniquely(
    known.map((each) => each.name),
    '-',
  );
  const made = credentialsName ?? free(/^[a-z][a-z0-9-]*$/i.test(host) ? host : 'server');
  return {
    server: { ...server, name: made, credentialsName, layers },
    isListed: own !== undefined,
    isNamed: name !== undefined || known.some((each) => each !== own),
  };
}

import { join, parse, resolve } from 'node:path';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { mayOverlap, takesIn } from '../../core/config/layer-overlap.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { SourceFile } from '../../core/model/place.ts';
import { uniquely } from '../../core/pull/pull.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { isInside, isOfGit } from '../paths.ts';
import type { Run } from '../run.ts';
import { findServers, layersOf, type Server } from '../servers/server.ts';
import { configReader, layerPath, type NamedFile } from '../sources/config.ts';
import { WORK_TREE } from '../sources/files.ts';
import { type FoundProject, findProject } from '../sources/project.ts';

/** The server of a pull, and the folder that it fills. */
export interface PullTarget {
  readonly server: Server;
  /** Whether the project lists the server. */
  readonly isListed: boolean;
  /** The folder to write to. */
  readonly folder: string;
  /** The folder of new entries, from there, with a slash at its end. */
  readonly into: string;
  /** Undefined without a `setpoint.yaml`. */
  readonly project: FoundProject | undefined;
  /** Whether the layers of the server take in the folder of new entries. */
  readonly isRead: boolean;
  /** The configuration that is there. */
  readonly existing: WrittenConfig;
  /**
   * The names of the files in the folder of new entries, without their
   * extension.
   */
  readonly taken: readonly string[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * Finds the server, and reads the configuration that there is for it. Fails
 * with all that is wrong, before any request.
 */
export async function pullTarget(
  run: Run,
  options: Options,
): Promise<PullTarget> {
  const { cwd } = run.runtime;
  const folder = resolve(cwd, options.out ?? '.');
  if (isOfGit(folder)) failUsage('--out is in a folder of git itself.');
  const project = await findProject(run, WORK_TREE, folder);
  const pulled = await pulledServer(run, options, folder, project);
  const { server, isListed } = pulled;
  const others = layersOfOthers(pulled, project);
  const into = folderFor(folder, pulled, others);
  const entriesFolder = join(folder, into);
  const isRead = isInLayers(server.layers, entriesFolder);
  const layers = [...server.layers];
  if (!isRead) layers.push({ path: into, base: folder });
  const config = await existingConfig(run, layers);
  const warnings = [...pulled.warnings, ...config.warnings];
  if (config.value === undefined || hasErrors(warnings)) {
    return fail(...warnings);
  }
  return {
    server,
    isListed,
    folder,
    into,
    project,
    isRead,
    existing: config.value,
    taken: fileNamesIn(entriesFolder, config.files, cwd),
    warnings,
  };
}

/** The configuration that there is, as far as it can be read. */
interface ExistingConfig {
  readonly value?: WrittenConfig | undefined;
  readonly files: readonly (readonly SourceFile[])[];
  readonly warnings: readonly Diagnostic[];
}

async function existingConfig(
  run: Run,
  layers: readonly NamedFile[],
): Promise<ExistingConfig> {
  const read = await configReader(run)(layers.map(mayBeEmpty));
  // A pull is about to fill it.
  const warnings = read.diagnostics.filter(
    ({ code }) => code !== 'nothing-managed',
  );
  return { value: read.value, files: read.files, warnings };
}

/** The names of the files in a folder, without their extension. */
function fileNamesIn(
  folder: string,
  layers: readonly (readonly SourceFile[])[],
  cwd: string,
): string[] {
  const names: string[] = [];
  for (const { path } of layers.flat()) {
    const absolute = resolve(cwd, path);
    if (isInside(folder, absolute)) names.push(parse(absolute).name);
  }
  return names;
}

function mayBeEmpty(layer: NamedFile): NamedFile {
  return { ...layer, mayBeEmpty: true };
}

/**
 * The layers of the other servers of a project; undefined if it lists no other.
 */
function layersOfOthers(
  { server, isListed }: PulledServer,
  project: FoundProject | undefined,
): readonly NamedFile[] | undefined {
  if (project === undefined) return undefined;
  const others = project.project.servers.filter(
    ({ name }) => !isListed || name !== server.name,
  );
  if (others.length === 0) return undefined;
  return others.flatMap((other) => layersOf(other, project));
}

/**
 * The folder for new entries: one that the server reads already and no other
 * does, or else a new one.
 */
function folderFor(
  folder: string,
  { server, isNamed }: PulledServer,
  others: readonly NamedFile[] | undefined,
): string {
  const { name, layers } = server;
  const paths = ['integrations/', `integrations/${name}/`, `${name}/`];
  const otherLayers = others ?? [];
  for (const path of paths) {
    const absolute = join(folder, path);
    const isOwn = isInLayers(layers, absolute);
    if (isOwn && !isInLayers(otherLayers, absolute)) return path;
  }
  const needsName = isNamed || others !== undefined;
  const known = [...layers, ...otherLayers].map(layerPath);
  for (const path of paths) {
    if (needsName && path === 'integrations/') continue;
    // A new folder must not share a file with any layer.
    const layer = layerPath({ path, base: folder });
    if (!known.some((other) => mayOverlap(layer, other))) return path;
  }
  return failUsage(
    'Another server reads all that a pull would write here.',
    'Name another folder with --out.',
  );
}

/** True if layers take in the files of a folder. */
function isInLayers(layers: readonly NamedFile[], folder: string): boolean {
  const file = layerPath({ path: 'a.yaml', base: folder });
  return layers.some((layer) => takesIn(layerPath(layer), file));
}

/** The one server that flags or the project name. */
interface PulledServer {
  readonly server: Server;
  /** Whether the project lists it. */
  readonly isListed: boolean;
  /** Whether a flag gives it a name, with which its variables begin. */
  readonly isNamed: boolean;
  readonly warnings: readonly Diagnostic[];
}

async function pulledServer(
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
    return { server, isListed: true, isNamed: false, warnings };
  }
  const [name] = names;
  const listed = listedServer(server, name, project);
  const isListed = listed !== undefined;
  return {
    server: listed ?? unlistedServer(server, name, project),
    isListed,
    isNamed: name !== undefined,
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

import { parse, resolve } from 'node:path';
import type { ProjectServer } from '../../core/config/project.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { SourceFile } from '../../core/model/place.ts';
import type { PullFolder, PullInput } from '../../core/pull/state.ts';
import { projectSchema } from '../../generated/project-schema.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import { isInside, isOfGit } from '../paths.ts';
import type { Run } from '../run.ts';
import { findServers, type Server } from '../servers/server.ts';
import {
  configReader,
  isAround,
  layerPath,
  type NamedFile,
  takesIn,
} from '../sources/config.ts';
import { WORK_TREE } from '../sources/files.ts';
import {
  type FoundProject,
  findProject,
  layersOf,
} from '../sources/project.ts';
import { SCHEMA } from '../sources/pulled-schema.ts';
import { readReferences } from '../sources/references.ts';

/** The server of a pull. */
export interface PulledServer {
  server: Server;
  /** What `setpoint.yaml` has for it; undefined if it does not list it. */
  listed: ProjectServer | undefined;
  /** Undefined without a `setpoint.yaml`. */
  project: FoundProject | undefined;
  /** The folder to write to, which the others are in. */
  folder: string;
  warnings: readonly Diagnostic[];
}

/** The layers of a pull. */
export interface PullLayers {
  /** Those of the other servers of the project. */
  others: readonly NamedFile[];
  /**
   * Those that `setpoint.yaml` has for the server, or is to get from others.
   */
  known: readonly NamedFile[];
  /** Where new entries go. */
  base: NamedFile;
  /** Where a server has what others have otherwise. */
  own: NamedFile;
  /** All of the server, the folders included. */
  layers: readonly NamedFile[];
  /** The name that variables begin with, in a copy for the server alone. */
  prefix: string | undefined;
}

/** The server of a pull, its folders, and what it reads by now. */
export interface PullSite extends PulledServer, PullLayers {
  input: Omit<PullInput, 'live'>;
  /** The folder that `${file:}` references stay in. */
  root: string;
}

/**
 * Finds the server and its folders, and reads the configuration that there is.
 * Fails with all that is wrong, before any request.
 */
export async function pullSite(run: Run, options: Options): Promise<PullSite> {
  const found = await pulledServer(run, options);
  const pullLayers = layersOfPull(found, options.separate === true);
  const { base, own, others, layers } = pullLayers;
  const readConfig = configReader(run);
  const mayBeEmpty = true;
  const { value, files, diagnostics } = await readConfig(
    layers.map((layer) => ({ ...layer, mayBeEmpty })),
  );
  // A pull is about to fill it.
  const warnings = [...found.warnings, ...diagnostics].filter(
    ({ code }) => code !== 'nothing-managed',
  );
  if (value === undefined || hasErrors(warnings)) return fail(...warnings);
  const root = found.project?.folder ?? found.folder;
  const unread = others.filter((layer) => !isNamedIn(layers, layer));
  const ofOthers = base === own ? [] : (await readConfig(unread)).files;
  const { cwd } = run.runtime;
  const input = {
    ...inputOf(found, pullLayers, files, cwd),
    only: options.only,
    others: ofOthers.flat(),
    // As for a server whose variables are not set yet.
    table: await readReferences(run, value, {
      allowEnv: ['*'],
      variables: {},
      root,
      masksAll: true,
    }),
  };
  return { ...found, ...pullLayers, warnings, input, root };
}

/**
 * Finds the layers of a pull, and the two that it may write to. What is new
 * goes to the folder of all servers if the server is the first one that reads
 * it, else to its own.
 */
export function layersOfPull(
  pulled: PulledServer,
  isSeparate: boolean,
): PullLayers {
  const { server, listed, project, folder } = pulled;
  const servers = project?.project.servers ?? [];
  const others = layersOfOthers(pulled);
  const known = knownLayers(pulled, isSeparate);
  const common: NamedFile = { path: 'integrations/', base: folder };
  const own: NamedFile = { path: `servers/${server.name}/`, base: folder };
  const sharesAny = known.some((layer) => isNamedIn(others, layer));
  const isCopy = isRead(own, known) && !isRead(common, known) && !sharesAny;
  const [first = servers[0]] = servers.filter(
    (each) => project && isRead(common, layersOf(each, project)),
  );
  const isFirst =
    others.length === 0 || (listed !== undefined && first === listed);
  const mayUse = (folder: NamedFile): boolean =>
    isRead(folder, known) ||
    ![...known, ...others].some((layer) => isAround(folder, layer));
  const isOwn = !isFirst || isCopy || isSeparate || !mayUse(common);
  const base = isOwn ? own : common;
  if (!mayUse(base))
    failUsage(
      'Another server reads all that a pull would write here.',
      'Name another folder with --out.',
    );
  const layers = [...known];
  if (!isOwn && !isRead(common, known)) layers.unshift(common);
  if (!isRead(own, known)) layers.push(own);
  const isCopied = isOwn && others.length > 0 && !sharesAny;
  const prefix = isCopied ? server.name : undefined;
  return { others, known, base, own, layers, prefix };
}

/** What the layers of a pull tell of it, given the files of each. */
export function inputOf(
  { listed }: PulledServer,
  { others, known, base, own, layers, prefix }: PullLayers,
  files: readonly (readonly SourceFile[])[],
  cwd: string,
): Omit<PullInput, 'live' | 'others' | 'table'> {
  const pullLayers = layers.map((layer, index) => ({
    files: files[index] ?? [],
    isShared: known.includes(layer) && isNamedIn(others, layer),
  }));
  const isBare = pullLayers.every(
    (layer) => layer.isShared || layer.files.length === 0,
  );
  const paths = files.flat().map(({ path }) => resolve(cwd, path));
  const folderOf = (layer: NamedFile): PullFolder => ({
    path: layer.path,
    layer: layers.findIndex((each) => isRead(layer, [each])),
    taken: paths
      .filter((path) => isInside(resolve(layer.base, layer.path), path))
      .map((path) => parse(path).name),
  });
  const sharesAny = pullLayers.some((layer) => layer.isShared);
  return {
    layers: pullLayers,
    base: folderOf(base),
    own: folderOf(own),
    // Later, what waits for an apply must not be taken for a difference.
    isFirst: sharesAny && (!listed || (isBare && isRead(own, known))),
    prefix,
    schema: SCHEMA,
  };
}

/** The layers of the other servers of a project. */
function layersOfOthers({ listed, project }: PulledServer): NamedFile[] {
  if (project === undefined) return [];
  const others = project.project.servers.filter((each) => each !== listed);
  return others.flatMap((other) => layersOf(other, project));
}

/**
 * The layers of a listed server. A new one gets those that servers share, or
 * those of the first one but its overlay.
 */
function knownLayers(
  { listed, project }: PulledServer,
  isSeparate: boolean,
): readonly NamedFile[] {
  if (project === undefined) return [];
  if (listed !== undefined) return layersOf(listed, project);
  if (isSeparate) return [];
  const common = project.project.servers.map((other) =>
    layersOf(other, project).filter(
      ({ path }) => path !== `servers/${other.name}/`,
    ),
  );
  const [first = [], ...others] = common.filter((layers) => layers.length > 0);
  const shared = first.filter((layer) => isNamedIn(others.flat(), layer));
  return shared.length > 0 ? shared : first;
}

function isNamedIn(layers: readonly NamedFile[], layer: NamedFile): boolean {
  const path = layerPath(layer);
  return layers.some((other) => layerPath(other) === path);
}

/** Whether layers take in the files of a folder. */
function isRead(folder: NamedFile, layers: readonly NamedFile[]): boolean {
  const file = `${layerPath(folder)}/a.yaml`;
  return layers.some((layer) => takesIn(layerPath(layer), file));
}

/** Finds the one server of flags or the project. Fails if they name several. */
async function pulledServer(run: Run, options: Options): Promise<PulledServer> {
  const { runtime } = run;
  const { out = '.', server: names = [] } = options;
  const folder = resolve(runtime.cwd, out);
  if (isOfGit(folder)) failUsage('--out is in a folder of git itself.');
  const project = await findProject(run, WORK_TREE, folder);
  // The variable counts only without a project.
  const variable = project ? undefined : runtime.env['SETPOINT_URL'];
  const url = options.url ?? (variable || undefined);
  if (url === undefined && project === undefined)
    failUsage('Name the server: --url https://integrations.example.com');
  const { servers, diagnostics: warnings } = await findServers(
    run,
    url === undefined ? options : { ...options, url, server: [] },
    folder,
  );
  if (hasErrors(warnings)) fail(...warnings);
  const [server, ...more] = servers;
  const isAmbiguous =
    more.length > 0 || (url !== undefined && names.length > 1);
  if (server === undefined || isAmbiguous)
    return failUsage(
      'pull reads one server at a time.',
      'Name it with --server.',
    );
  const found = { project, folder, warnings };
  if (url !== undefined)
    return { ...found, ...serverAt(server, names[0], project) };
  const { servers: known = [] } = project?.project ?? {};
  const listed = known.find(({ name }) => name === server.name);
  return { ...found, server, listed };
}

const SERVER_NAME = new RegExp(projectSchema.definitions.name.pattern);

/**
 * A server of `--url`, with the name and the layers that a project has for it.
 */
function serverAt(
  server: Server,
  name: string | undefined,
  project: FoundProject | undefined,
): Pick<PulledServer, 'server' | 'listed'> {
  if (name !== undefined && !SERVER_NAME.test(name))
    failUsage(
      'With --url, --server takes a name of letters, digits, underscores and dashes.',
    );
  const projectServers = project?.project.servers ?? [];
  const address = plainAddress(server.url.href);
  const isThere = ({ url }: ProjectServer): boolean =>
    plainAddress(url.text) === address;
  const [host = ''] = server.url.hostname.split('.');
  const hostName = /^[a-z][a-z0-9-]*$/i.test(host) ? host : 'server';
  const known = name ?? projectServers.find(isThere)?.name;
  const ownName = known ?? hostName;
  const listed = projectServers.find((each) => each.name === ownName);
  if (listed !== undefined && !isThere(listed))
    failUsage(
      `setpoint.yaml has another address for the server ${ownName}.`,
      'Leave out --url, or name a new server with --server.',
    );
  // A name made of an address must not choose the credentials sent there.
  const named = { name: ownName, credentialsName: known };
  return { server: { ...server, ...named }, listed };
}

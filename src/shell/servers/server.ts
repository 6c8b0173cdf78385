import { resolve } from 'node:path';
import { type ProjectServer, selectServers, waiversFor } from '../../core/config/project.ts';
import { checkServerUrl, refusedOrigins } from '../../core/config/server-url.ts';
import { type Checked, type Diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { Place } from '../../core/model/place.ts';
import type { Waiver } from '../../core/model/waiver.ts';
import type { Policy } from '../../core/plan/risk.ts';
import { pairSnapshots } from '../../core/snapshot/snapshot.ts';
import { allOrFail, Failure, fail, failUsage } from '../failure.ts';
import type { Run, RunOptions } from '../run.ts';
import { type FoundProject, failWithoutProject, findProject, type NamedFile } from '../sources/config.ts';
import { configRoot, readRegularFile, unreadable } from '../sources/files.ts';
import { type NamedSnapshot, readSnapshot } from '../sources/saved.ts';

/** A server, as `setpoint.yaml` or flags name it and as its session takes it. */
export interface Server {
  readonly name: string;
  readonly url: URL;
  /** Where `setpoint.yaml` writes its address; absent where a flag did. */
  readonly urlPlace?: Place | undefined;
  /** What stands for it, in a run that asks no server. */
  readonly snapshot?: NamedSnapshot | undefined;
  /** Its configuration, earliest layer first; empty if none was named. */
  readonly layers: readonly NamedFile[];
  /** The folder that `${file:}` references stay in. */
  readonly root: string;
  /** The certificates that it may be signed by, beside the usual ones. */
  readonly ca?: string | undefined;
  /** The name by which the environment has credentials of its own for it. */
  readonly credentialsName?: string | undefined;
  /** Days after which its project asks for secrets to be replaced. */
  readonly secretMaxAge?: number | undefined;
  /** How its project treats risks. */
  readonly policy: Policy;
  /** Whether it shows every secret as empty. */
  readonly hidesSecrets?: boolean | undefined;
  /** Which of its differences its project allows; none where flags name the server. */
  readonly waivers: readonly Waiver[];
}

/** The options of every command that speaks to servers; times are in seconds. */
export interface ServerOptions extends RunOptions {
  readonly file?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly server?: readonly string[] | undefined;
  /** Files of snapshots, in place of the servers themselves. */
  readonly live?: readonly string[] | undefined;
  readonly caFile?: string | undefined;
  readonly insecure?: boolean | undefined;
  /** Whether the servers show every secret as empty. */
  readonly hidesSecrets?: boolean | undefined;
  readonly timeout?: number | undefined;
  readonly concurrency?: number | undefined;
}

/** The servers of a run without those that cannot be used, the layers of all of them, and what is wrong. */
export interface FoundServers {
  readonly servers: readonly Server[];
  readonly layers: readonly (readonly NamedFile[])[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the servers of a run; fails with all that is wrong with them. */
export async function requireServers(run: Run, options: ServerOptions): Promise<readonly Server[]> {
  const { servers, diagnostics } = await findServers(run, options);
  if (hasErrors(diagnostics)) throw new Failure(diagnostics);
  return servers;
}

/** Finds the servers of a run; none if credentials may not go to one. `start` is where a `setpoint.yaml` is looked for. */
export async function findServers(run: Run, options: ServerOptions, start?: string): Promise<FoundServers> {
  const found = await namedServers(run, options, start);
  const refused = options.live === undefined ? refusedOrigins(found.servers, run.runtime.env) : [];
  return refused.length === 0
    ? found
    : { ...found, servers: [], diagnostics: [...found.diagnostics, ...refused] };
}

/** Finds the servers of a run that sends nothing. */
export async function namedServers(run: Run, options: ServerOptions, start?: string): Promise<FoundServers> {
  const { file = [], live, server } = options;
  if (live !== undefined) return snapshotServers(run, options, live);
  const isBare = options.url === undefined && file.length === 0;
  const project = isBare ? await findProject(run, undefined, start) : undefined;
  if (project !== undefined) return serversOfProject(run, project, options);
  const url = options.url ?? (server === undefined ? urlOfEnvironment(run) : undefined);
  if (url !== undefined) {
    const { value, diagnostics } = checkServerUrl(url);
    return serverOfFlags(run, value ?? fail(...diagnostics), file, options);
  }
  if (file.length > 0) failUsage('No server was named.', 'Pass --url https://integrations.example.com');
  return serversOfProject(run, await failWithoutProject(run), options);
}

/** The default of `--url`. */
export function urlOfEnvironment({ runtime }: Run): string | undefined {
  return runtime.env['SETPOINT_URL'] || undefined;
}

/** The servers of a run that asks none, each with its snapshot where one is named. */
async function snapshotServers(
  run: Run,
  options: ServerOptions,
  paths: readonly string[],
): Promise<FoundServers> {
  if (options.url !== undefined) failUsage('--url cannot be combined with --live, which asks no server.');
  const { file = [], server = [] } = options;
  const snapshots = await allOrFail(paths.map((path) => readSnapshot(run, path)));
  const project = file.length > 0 ? undefined : await findProject(run);
  const [first] = snapshots;
  if (first === undefined || (project === undefined && (snapshots.length > 1 || server.length > 0)))
    failUsage('Several snapshots, and --server, need a setpoint.yaml, which says what each server is to be.');
  const { servers, layers, diagnostics } =
    project === undefined
      ? await serverOfFlags(run, new URL(first.server.url), file, { name: first.server.name })
      : await serversOfProject(run, project, options);
  const paired = pairSnapshots(servers, snapshots);
  const kept = servers.map((each) => paired.value.has(each));
  if (server.length > 0 && kept.includes(false) && paired.diagnostics.length === 0)
    failUsage('--server selects a server without a snapshot.', 'Pass --live for each of them.');
  return {
    servers: servers
      .map((each) => ({ ...each, snapshot: paired.value.get(each) }))
      .filter((_, index) => kept[index]),
    layers: layers.filter((_, index) => kept[index]),
    // A server that cannot be used may be that of a snapshot.
    diagnostics: [...diagnostics, ...(hasErrors(diagnostics) ? [] : paired.diagnostics)],
  };
}

/** The flags of one server, and its name if it is not the host of its address. */
type FlagsOfServer = Pick<ServerOptions, 'caFile' | 'hidesSecrets'> & { readonly name?: string };

async function serverOfFlags(
  run: Run,
  url: URL,
  files: readonly string[],
  { caFile, hidesSecrets, name = url.host }: FlagsOfServer,
): Promise<FoundServers> {
  const { cwd } = run.runtime;
  const layers = files.map((path) => ({ path, base: cwd }));
  const root = await configRoot(resolve(cwd, files[0] ?? '.'));
  const { value: ca, diagnostics } = await readCa(run, caFile);
  // The policy of the project here holds whichever way a server is named.
  const here = await findProject(run);
  const { policy = {}, secretMaxAge } = here?.project ?? {};
  return {
    servers: [{ name, url, layers, root, ca, hidesSecrets, policy, secretMaxAge, waivers: [] }],
    layers: [layers],
    diagnostics: [...(here?.diagnostics ?? []), ...diagnostics],
  };
}

async function serversOfProject(
  run: Run,
  found: FoundProject,
  options: ServerOptions,
): Promise<FoundServers> {
  const { value: selected = [], diagnostics: unmet } = selectServers(found.project, options.server ?? []);
  const made = await Promise.all(selected.map((each) => serverOfProject(run, each, found, options)));
  return {
    servers: made.flatMap(({ value }) => value ?? []),
    layers: selected.map((each) => layersOf(each, found)),
    // A server that is not found may be one that was refused.
    diagnostics: distinct([
      ...found.diagnostics,
      ...(hasErrors(found.diagnostics) ? [] : unmet),
      ...made.flatMap((each) => each.diagnostics),
    ]),
  };
}

/** A server of a project, if its address can be used. */
async function serverOfProject(
  run: Run,
  server: ProjectServer,
  found: FoundProject,
  flags: ServerOptions,
): Promise<Checked<Server>> {
  const { name, caFile, hidesSecrets } = server;
  const { folder: root, project } = found;
  const { value: url, diagnostics } = checkServerUrl(server.url.text, server.url.place);
  const ca = await readCa(run, flags.caFile, caFile && placed(caFile, found));
  const all = [...diagnostics, ...ca.diagnostics];
  if (url === undefined) return { diagnostics: all };
  const { policy, secretMaxAge } = project;
  return {
    value: {
      name,
      url,
      urlPlace: server.url.place,
      layers: layersOf(server, found),
      root,
      ca: ca.value,
      credentialsName: name,
      policy,
      secretMaxAge,
      hidesSecrets: hidesSecrets ?? flags.hidesSecrets,
      waivers: waiversFor(project, server),
    },
    diagnostics: all,
  };
}

/** The layers of a server of a project. */
export function layersOf(
  { config }: ProjectServer,
  found: Pick<FoundProject, 'folder' | 'root'>,
): NamedFile[] {
  return config.map((each) => placed(each, found));
}

function placed(
  { text, place }: ProjectServer['url'],
  { folder, root }: Pick<FoundProject, 'folder' | 'root'>,
): NamedFile {
  return { path: text, base: folder, root, place };
}

/** Reads the certificates that a flag names, else those of `setpoint.yaml`. */
async function readCa(run: Run, flag: string | undefined, own?: NamedFile): Promise<Checked<string>> {
  const file: NamedFile | undefined = flag === undefined ? own : { path: flag, base: run.runtime.cwd };
  if (file === undefined) return { diagnostics: [] };
  const { path, base, root, place } = file;
  const content = await readRegularFile(run, resolve(base, path), { most: LARGEST_CA_FILE, root });
  return 'reason' in content
    ? { diagnostics: [unreadable(path, content, place)] }
    : { value: content.bytes.toString(), diagnostics: [] };
}

/** In bytes; the certificates of all public authorities have some hundred kilobytes. */
export const LARGEST_CA_FILE = 8 * 1024 * 1024;

import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { hasErrors } from '../core/catalogue.ts';
import { type Project, type ProjectServer, parseProject, selectServers } from '../core/config/project.ts';
import { type Checked, type Diagnostic, diagnostic, distinct } from '../core/diagnostic.ts';
import type { Policy } from '../core/plan/plan.ts';
import { configRoot, gitRoot, type NamedLayers, readConfigFile } from './config-source.ts';
import { type Credentials, readCredentials } from './credentials.ts';
import { Failure, fail, findingsOf } from './failure.ts';
import { parseServerUrl } from './http/server-url.ts';
import type { Run } from './run.ts';

/** Which servers a command is for: one by its address, or those of `setpoint.yaml`. */
export interface TargetOptions {
  readonly file?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly server?: readonly string[] | undefined;
  readonly caFile?: string | undefined;
}

/** One server that a command is for, with its layers of configuration; none where none were named. */
export interface Target {
  readonly name: string;
  readonly url: URL;
  readonly config: NamedLayers;
  /** The folder that `${file:}` references stay in. */
  readonly root: string;
  readonly caFile: string | undefined;
  /** The name under which the environment has credentials for it. */
  readonly credentialsName: string | undefined;
  /** How the project wants risks to be treated. */
  readonly policy: Policy;
}

/** A target and the account to use there. */
export interface Server {
  readonly target: Target;
  readonly credentials: Credentials;
}

/** The name of the file that names the servers of a configuration repository. */
export const PROJECT_FILE = 'setpoint.yaml';

/** The servers that a command is for, from its flags or from `setpoint.yaml`; fails before anything is sent. */
export async function selectTargets(run: Run, options: TargetOptions): Promise<readonly Target[]> {
  if (options.url !== undefined) return [await targetOfFlags(run, options)];
  if ((options.file ?? []).length > 0) parseServerUrl(undefined);
  const { servers, ...found } = await projectServers(run, options.server ?? []);
  return servers.map((server) => targetOfProject(server, found, options));
}

/** The servers of the project that selectors mean, all without one; fails where there is no project, or no such server. */
export async function projectServers(run: Run, selectors: readonly string[]) {
  const found = await findProject(run);
  if (found === undefined) fail(diagnostic('no-configuration', {}));
  return { ...found, servers: valid(selectServers(found.project, selectors)) };
}

/** A project, the folder that it is in, and what is odd about it. */
export interface FoundProject {
  readonly project: Project;
  readonly folder: string;
  readonly warnings: readonly Diagnostic[];
}

/** The project file of this folder or of one above it, inside the git work tree; undefined where there is none. */
export async function findProject(run: Run): Promise<FoundProject | undefined> {
  const { cwd } = run.runtime;
  const root = (await gitRoot(cwd)) ?? cwd;
  const folder = await folderWith(PROJECT_FILE, cwd, root);
  if (folder === undefined) return undefined;
  const parsed = parseProject(await readConfigFile(run, join(folder, PROJECT_FILE)));
  return { project: valid(parsed), folder, warnings: parsed.diagnostics };
}

/** The layers of a server of a project. */
export function layersOf(server: ProjectServer, folder: string): NamedLayers {
  return { layers: server.config, base: folder };
}

/** Each target with its credentials. */
export function withCredentials(targets: readonly Target[], credentials: readonly Credentials[]): Server[] {
  return targets.flatMap((target, index) => {
    const own = credentials[index];
    return own === undefined ? [] : [{ target, credentials: own }];
  });
}

/** The credentials of each target, in order; all that are missing are found at once. */
export async function credentialsOf(run: Run, targets: readonly Target[]): Promise<readonly Credentials[]> {
  const read = await Promise.allSettled(
    targets.map(({ credentialsName }) => readCredentials(run, credentialsName)),
  );
  const missing = read.flatMap((each): readonly Diagnostic[] =>
    each.status === 'fulfilled' ? [] : findingsOf(each.reason),
  );
  if (missing.length > 0) throw new Failure(distinct(missing));
  return read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

async function targetOfFlags(run: Run, options: TargetOptions): Promise<Target> {
  if ((options.server ?? []).length > 0) {
    fail(
      diagnostic('usage', {
        problem: '--server is for the servers of setpoint.yaml; it cannot go with --url.',
      }),
    );
  }
  const url = parseServerUrl(options.url);
  const config = { layers: options.file ?? [], base: run.runtime.cwd };
  const root = await configRoot(config);
  return {
    name: url.host,
    url,
    config,
    root,
    caFile: options.caFile,
    credentialsName: undefined,
    policy: {},
  };
}

/** A server of a project as the target of a run. */
export function targetOfProject(
  server: ProjectServer,
  { folder, project: { policy } }: { readonly folder: string; readonly project: Project },
  { caFile }: TargetOptions,
): Target {
  return {
    name: server.name,
    url: parseServerUrl(server.url, server.urlPlace),
    config: layersOf(server, folder),
    root: folder,
    caFile: caFile ?? (server.caFile === undefined ? undefined : resolve(folder, server.caFile)),
    credentialsName: server.name,
    policy,
  };
}

async function folderWith(name: string, folder: string, root: string): Promise<string | undefined> {
  if ((await stat(join(folder, name)).catch(() => undefined)) !== undefined) return folder;
  return folder === root ? undefined : folderWith(name, resolve(folder, '..'), root);
}

function valid<T>({ value, diagnostics }: Checked<T>): T {
  if (value === undefined || hasErrors(diagnostics)) throw new Failure(diagnostics);
  return value;
}

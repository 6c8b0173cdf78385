import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Project, type ProjectServer, parseProject, selectServers } from '../core/config/project.ts';
import { type Diagnostic, diagnostic, distinct } from '../core/findings/diagnostic.ts';
import { hasErrors } from '../core/findings/explain.ts';
import { present } from '../core/model/present.ts';
import type { Policy } from '../core/plan/risk.ts';
import {
  configRoot,
  gitRoot,
  type NamedLayers,
  PROJECT_FILE,
  readConfigFile,
  shownPath,
} from './config-source.ts';
import { type Credentials, readCredentials } from './credentials.ts';
import { Failure, fail, findingsOf } from './failure.ts';
import { checkServerUrl, parseServerUrl } from './http/server-url.ts';
import { isInside, readRegularFile } from './regular-file.ts';
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

/** The servers that a command is for as far as they can be used, and the layers of all of them. */
export interface FoundTargets {
  readonly targets: readonly Target[];
  readonly configs: readonly NamedLayers[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The servers that a command is for, from its flags or from `setpoint.yaml`; fails before anything is sent. */
export async function selectTargets(run: Run, options: TargetOptions): Promise<readonly Target[]> {
  const { targets, diagnostics } = await findTargets(run, options);
  if (hasErrors(diagnostics)) throw new Failure(diagnostics);
  return targets;
}

/** The same, with what is wrong of them: their configuration can be wrong as well, and is to be looked at together. */
export async function findTargets(run: Run, options: TargetOptions): Promise<FoundTargets> {
  if (options.url !== undefined) {
    const target = await targetOfFlags(run, options);
    return { targets: [target], configs: [target.config], diagnostics: [] };
  }
  if ((options.file ?? []).length > 0) refuseFiles(options);
  const found = await findProject(run);
  if (found === undefined) {
    const near = await nearProject(run.runtime.cwd);
    return fail(diagnostic('no-configuration', present({ near })));
  }
  return targetsIn(found, options);
}

/** The servers of a project that are selected, all without a selection, and what is wrong of them. */
export async function targetsIn(found: FoundProject, options: TargetOptions): Promise<FoundTargets> {
  const selected = selectServers(found.project, options.server ?? []);
  // A server that is not found may be one that was refused.
  const unmet = hasErrors(found.diagnostics) ? [] : selected.diagnostics;
  const checked = await checkServers(selected.value ?? [], found.folder, options.caFile);
  return {
    targets: checked.flatMap(({ server, url }) =>
      url === undefined ? [] : [targetOfProject(server, url, found, options)],
    ),
    configs: checked.map(({ server }) => layersOf(server, found.folder)),
    diagnostics: [...found.diagnostics, ...unmet, ...checked.flatMap((each) => each.diagnostics)],
  };
}

/** Files were named without the address of a server. */
function refuseFiles({ server = [] }: TargetOptions): void {
  if (server.length === 0) parseServerUrl(undefined);
  const problem =
    '--server selects from setpoint.yaml, which names the files; it cannot be combined with -f.';
  fail(diagnostic('usage', { problem, hint: 'Drop -f, or pass --url instead of --server.' }));
}

/** A project as far as it can be relied on, the folder that it is in, and what is wrong or odd about it. */
interface FoundProject {
  readonly project: Project;
  readonly folder: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The project file of this folder or of one above it, inside the git work tree; undefined where there is none. */
export async function findProject(run: Run): Promise<FoundProject | undefined> {
  const { cwd } = run.runtime;
  const root = (await gitRoot(cwd)) ?? cwd;
  const folder = await folderWith(PROJECT_FILE, cwd, root);
  if (folder === undefined) return undefined;
  const source = await readConfigFile(run, join(folder, PROJECT_FILE));
  const { value, diagnostics, hidden } = parseProject(source);
  run.sources.set(source.path, { text: source.text, hidden });
  return value === undefined ? fail(...diagnostics) : { project: value, folder, diagnostics };
}

/** A file here or above, up to the git root, whose name is nearly that of a project. */
async function nearProject(cwd: string): Promise<string | undefined> {
  const root = (await gitRoot(cwd)) ?? cwd;
  const lookIn = async (folder: string): Promise<string | undefined> => {
    const names = await readdir(folder).catch(() => []);
    const near = names.find((name) => /^setpoint\.ya?ml$/i.test(name));
    if (near !== undefined) return shownPath(join(folder, near), cwd);
    return folder === root ? undefined : lookIn(resolve(folder, '..'));
  };
  return lookIn(cwd);
}

interface CheckedServer {
  readonly server: ProjectServer;
  readonly url: URL | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Looks at what can be told of servers without asking them: their addresses, and the files that their certificates need. */
function checkServers(
  servers: readonly ProjectServer[],
  folder: string,
  caFile: string | undefined,
): Promise<CheckedServer[]> {
  return Promise.all(
    servers.map(async (server) => {
      const address = checkServerUrl(server.url.text, server.url.place);
      const problem = caFile === undefined ? await caFileProblem(server, folder) : [];
      return { server, url: address.value, diagnostics: [...address.diagnostics, ...problem] };
    }),
  );
}

/** A file of certificates that is missing in the repository; one elsewhere need not be on every machine. */
async function caFileProblem({ caFile }: ProjectServer, folder: string): Promise<readonly Diagnostic[]> {
  if (caFile === undefined || !isInside(folder, resolve(folder, caFile.text))) return [];
  const content = await readRegularFile(resolve(folder, caFile.text), LARGEST_CA_FILE);
  if ('bytes' in content) return [];
  return [diagnostic('file-unreadable', { path: caFile.text, reason: content.reason }, caFile.place)];
}

/** The certificates of all public authorities have some hundred kilobytes. */
const LARGEST_CA_FILE = 8 * 1024 * 1024;

function layersOf({ config }: ProjectServer, folder: string): NamedLayers {
  return { layers: config.map(({ text }) => text), places: config.map(({ place }) => place), base: folder };
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
        problem: '--server selects from setpoint.yaml; it cannot be combined with --url.',
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

function targetOfProject(
  server: ProjectServer,
  url: URL,
  { folder, project: { policy } }: { readonly folder: string; readonly project: Project },
  { caFile }: TargetOptions,
): Target {
  return {
    name: server.name,
    url,
    config: layersOf(server, folder),
    root: folder,
    caFile: caFile ?? (server.caFile === undefined ? undefined : resolve(folder, server.caFile.text)),
    credentialsName: server.name,
    policy,
  };
}

async function folderWith(name: string, folder: string, root: string): Promise<string | undefined> {
  if ((await stat(join(folder, name)).catch(() => undefined)) !== undefined) return folder;
  return folder === root ? undefined : folderWith(name, resolve(folder, '..'), root);
}

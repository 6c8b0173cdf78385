import { resolve } from 'node:path';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { selectServers, type Waiver } from '../../core/config/project.ts';
import { checkServerUrl } from '../../core/config/server-url.ts';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  distinct,
} from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { listed } from '../../core/findings/words.ts';
import { forServer } from '../../core/model/per-server.ts';
import type { Place, SourceFile } from '../../core/model/place.ts';
import type { Policy } from '../../core/plan/risk.ts';
import type { TakenServer } from '../../core/snapshot/snapshot.ts';
import { allOrFail, fail, failUsage } from '../failure.ts';
import { isPerServer, type Options } from '../flags.ts';
import type { Run } from '../run.ts';
import {
  configReader,
  layersOfFlags,
  type NamedFile,
} from '../sources/config.ts';
import { flagRoot, readTextFile, unreadable } from '../sources/files.ts';
import {
  type FoundProject,
  findProject,
  layersOf,
  placed,
} from '../sources/project.ts';
import { readSnapshot } from '../sources/saved.ts';
import {
  keepFromReferences,
  readVariables,
  type Variables,
  withSecretsFile,
} from '../sources/variables.ts';
import { ownPart } from './shard.ts';

/**
 * A server, as `setpoint.yaml` or flags name it and as its session takes it.
 */
export interface Server {
  name: string;
  url: URL;
  /** Where `setpoint.yaml` writes its address; absent if a flag did. */
  urlPlace?: Place | undefined;
  /**
   * Whether the run is about several servers, those of other shards included.
   */
  isInFleet: boolean;
  /** The snapshot that stands for it in a run that asks no server. */
  snapshot?: TakenServer | undefined;
  /** Its configuration, earliest layer first; empty if none was named. */
  layers: readonly NamedFile[];
  /** The folder that `${file:}` references stay in. */
  root: string;
  /**
   * The certificates that it may be signed by, in addition to the usual ones.
   */
  ca?: string | undefined;
  /** What its references and its login read. */
  variables: Variables;
  /** The name by which variables have credentials of its own for it. */
  credentialsName?: string | undefined;
  /** Days after which its project asks for secrets to be replaced. */
  secretMaxAge?: number | undefined;
  policy: Policy;
  hidesSecrets?: boolean | undefined;
  waivers: readonly Waiver[];
}

/** The servers of a run. */
export interface FoundServers {
  /** Those that can be used. */
  servers: readonly Server[];
  /** The layers of all of them, those that cannot be used included. */
  layers: readonly (readonly NamedFile[])[];
  diagnostics: readonly Diagnostic[];
}

/**
 * Finds the servers of a run; `start` is the folder where the search for a
 * `setpoint.yaml` begins.
 */
export async function findServers(
  run: Run,
  options: Options,
  start?: string,
): Promise<FoundServers> {
  const { file = [], live, shard, url } = options;
  const isOfFlags = url !== undefined || file.length > 0;
  const project = isOfFlags
    ? undefined
    : await findProject(run, undefined, start);
  if (shard !== undefined && project === undefined) {
    failUsage('--shard needs a setpoint.yaml, whose servers it deals out.');
  }
  const found =
    project === undefined
      ? await serverAt(run, options)
      : await serversOfProject(run, project, options);
  return live === undefined ? found : withSnapshots(run, found, live);
}

/** Finds the server at the address of a flag, a snapshot or a variable. */
async function serverAt(run: Run, options: Options): Promise<FoundServers> {
  const { file = [], live, server, url } = options;
  const taken =
    live === undefined ? undefined : (await readSnapshot(run, live)).server;
  const ofVariable =
    server === undefined ? run.runtime.env['SETPOINT_URL'] : undefined;
  const address = url ?? taken?.url ?? ofVariable ?? '';
  if (address !== '') {
    const { value, diagnostics } = checkServerUrl(address);
    if (value === undefined) return fail(...diagnostics);
    return serverOfFlags(run, value, options, taken?.name);
  }
  if (file.length > 0) {
    failUsage(
      'Files on the command line need the URL of their server.',
      'Pass --url https://integrations.example.com, or no file to use the servers of setpoint.yaml: --server NAME selects one.',
    );
  }
  return fail(diagnostic('no-configuration', {}));
}

/**
 * Finds the server that a snapshot stands for, in a run that asks none; with
 * `{server}` in the path, one for each server.
 */
async function withSnapshots(
  run: Run,
  found: FoundServers,
  path: string,
): Promise<FoundServers> {
  // A server that cannot be used may be that of the snapshot.
  if (hasErrors(found.diagnostics)) return { ...found, servers: [] };
  const isForEach = isPerServer(path, '--live');
  const reading = isForEach
    ? found.servers.map((server) =>
        withSnapshot(run, [server], forServer(path, server.name)),
      )
    : [withSnapshot(run, found.servers, path)];
  const servers: Server[] = [];
  for (const server of await allOrFail(reading)) {
    servers.push({ ...server, isInFleet: isForEach && server.isInFleet });
  }
  return { ...found, servers, layers: servers.map(({ layers }) => layers) };
}

/**
 * Returns the server that a snapshot stands for: the one at its address, or of
 * several there the one of its name. Fails if there is none.
 */
async function withSnapshot(
  run: Run,
  servers: readonly Server[],
  file: string,
): Promise<Server> {
  const snapshot = await readSnapshot(run, file);
  const { name, url: origin } = snapshot.server;
  const there = servers.filter(({ url }) => url.origin === origin);
  const [server] =
    there.length > 1 ? there.filter((each) => each.name === name) : there;
  if (server !== undefined) return { ...server, snapshot };
  const known = servers.map((each) => `${each.name} at ${each.url.origin}`);
  const problem = `it is of ${name} at ${origin}, not of ${listed(known, 3)}`;
  const hint =
    'Take one of a server of this run, or name its files with -f alone.';
  return fail(diagnostic('file-unusable', { file, problem, hint }));
}

/** A server with the declarations of its files. */
export interface ConfiguredServer extends Server {
  written: WrittenConfig;
  /** The files of its layers. */
  files: readonly (readonly SourceFile[])[];
}

/** The servers of a run, with their configuration. */
export interface ReadConfigs {
  configured: readonly ConfiguredServer[];
  warnings: readonly Diagnostic[];
}

/**
 * Reads the configuration of each server. Fails with all that is wrong with
 * servers and configurations.
 */
export async function readConfigs(
  run: Run,
  { servers, layers, diagnostics }: FoundServers,
): Promise<ReadConfigs> {
  const configs = await Promise.all(layers.map(configReader(run)));
  const ofConfigs = configs.flatMap((config) => config.diagnostics);
  const warnings = distinct([...diagnostics, ...ofConfigs]);
  if (hasErrors(warnings)) fail(...warnings);
  const configured: ConfiguredServer[] = [];
  // Layers of servers that cannot be used follow: their errors ended the run.
  for (const [index, server] of servers.entries()) {
    const { value: written, files = [] } = configs[index] ?? {};
    if (written !== undefined) configured.push({ ...server, written, files });
  }
  return { configured, warnings };
}

async function serverOfFlags(
  run: Run,
  url: URL,
  options: Options,
  name = url.host,
): Promise<FoundServers> {
  const { file = [], caFile, hidesSecrets } = options;
  const layers = layersOfFlags(run, file);
  const root = flagRoot(run.runtime.cwd, file[0] ?? '.');
  const ca = await readCa(run, caFile);
  const variables = await readVariables(run, options.secretsFile ?? []);
  // The policy of the project here holds whichever way a server is named.
  const project = await findProject(run);
  const server: Server = {
    name,
    url,
    isInFleet: false,
    layers,
    root,
    ca: ca.value,
    variables,
    hidesSecrets,
    policy: project?.project.policy ?? {},
    secretMaxAge: project?.project.secretMaxAge,
    waivers: [],
  };
  const diagnostics = [...(project?.diagnostics ?? []), ...ca.diagnostics];
  return { servers: [server], layers: [layers], diagnostics };
}

async function serversOfProject(
  run: Run,
  found: FoundProject,
  options: Options,
): Promise<FoundServers> {
  const { project, folder } = found;
  const { policy, secretMaxAge, waivers } = project;
  const { value: selected = [], diagnostics: unmet } = selectServers(
    project,
    options.server ?? [],
  );
  const isInFleet = selected.length > 1;
  const own = await ownPart(run, selected, found);
  const common = await readVariables(run, options.secretsFile ?? []);
  const checking = own.map(async (server): Promise<Checked<Server>> => {
    const { name, caFile, secretsFile } = server;
    const { hidesSecrets = options.hidesSecrets } = server;
    const { text, place: urlPlace } = server.url;
    const url = checkServerUrl(text, urlPlace);
    const ownCa = caFile && placed(caFile, found);
    const ca = await readCa(run, options.caFile, ownCa);
    const secrets = secretsFile
      ? await withSecretsFile(run, common, placed(secretsFile, found))
      : { value: common, diagnostics: [] };
    const checked = [url, ca, secrets];
    const diagnostics = checked.flatMap((each) => each.diagnostics);
    if (url.value === undefined) return { diagnostics };
    const value: Server = {
      name,
      url: url.value,
      urlPlace,
      isInFleet,
      layers: layersOf(server, found),
      root: folder,
      ca: ca.value,
      variables: secrets.value ?? common,
      credentialsName: name,
      secretMaxAge,
      policy,
      hidesSecrets,
      waivers: waivers.filter((waiver) => waiver.servers.includes(name)),
    };
    return { value, diagnostics };
  });
  const diagnostics = [...found.diagnostics];
  // A server that is not found may be one that was refused.
  if (!hasErrors(found.diagnostics)) diagnostics.push(...unmet);
  const servers: Server[] = [];
  for (const checked of await Promise.all(checking)) {
    if (checked.value !== undefined) servers.push(checked.value);
    diagnostics.push(...checked.diagnostics);
  }
  for (const { secretsFile } of project.servers) {
    if (secretsFile === undefined) continue;
    keepFromReferences(run, resolve(folder, secretsFile.text));
  }
  const layers = own.map((server) => layersOf(server, found));
  return { servers, layers, diagnostics: distinct(diagnostics) };
}

/**
 * Reads the certificates that a flag names, else those of `setpoint.yaml`, with
 * those that Node trusts besides its own.
 */
async function readCa(
  run: Run,
  flag: string | undefined,
  own?: NamedFile,
): Promise<Checked<string>> {
  const { cwd, env } = run.runtime;
  const file: NamedFile | undefined =
    flag === undefined ? own : { path: flag, base: cwd };
  if (file === undefined) return { diagnostics: [] };
  const { path, base, root, place } = file;
  const content = await readTextFile(run, resolve(base, path), { root });
  // A certificate in binary form is no text.
  const isBinary = 'reason' in content && content.code === 'EILSEQ';
  if ('reason' in content && !isBinary) {
    return { diagnostics: [unreadable(path, content, place)] };
  }
  const text = 'text' in content ? content.text : '';
  if (!hasCertificates(text)) {
    const reason = 'it holds no certificate in PEM form, or a damaged one';
    const hint =
      'Name a file with the certificate of the authority in PEM form; openssl x509 -inform der, or openssl pkcs7 -print_certs, writes it.';
    return { diagnostics: [unreadable(path, { reason, hint }, place)] };
  }
  const extraPath = env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (extraPath === '') return { value: text, diagnostics: [] };
  // Reading ends at one that is damaged, which can only be one of these: Node
  // itself warns if it cannot read them.
  const extra = await readTextFile(run, resolve(cwd, extraPath));
  const extraText = 'text' in extra ? extra.text : '';
  return { value: `${text}\n${extraText}`, diagnostics: [] };
}

/** Whether a text holds certificates, none of them damaged. */
function hasCertificates(text: string): boolean {
  const [, ...blocks] = text.split(/-----BEGIN (?:X509 )?CERTIFICATE-----/);
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  try {
    for (const block of blocks) {
      new X509Certificate(`-----BEGIN CERTIFICATE-----${block}`);
    }
    return blocks.length > 0;
  } catch {
    return false;
  }
}

import { resolve } from 'node:path';
import { type Project, selectServers } from '../../core/config/project.ts';
import { checkServerUrl } from '../../core/config/server-url.ts';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
  distinct,
} from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { Place } from '../../core/model/place.ts';
import type { Policy } from '../../core/plan/risk.ts';
import { fail, failUsage } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { layersOfFlags, type NamedFile } from '../sources/config.ts';
import { flagRoot, readTextFile, unreadable } from '../sources/files.ts';
import { failWithoutProject, findProject } from '../sources/project.ts';
import { readSnapshot } from '../sources/saved.ts';
import { notePart, ownPart } from './shard.ts';

type FoundProject = NonNullable<Awaited<ReturnType<typeof findProject>>>;
type ProjectServer = Project['servers'][number];
type Snapshot = Awaited<ReturnType<typeof readSnapshot>>;

/** A server, as `setpoint.yaml` or flags name it and as its session takes it. */
export interface Server {
  readonly name: string;
  readonly url: URL;
  /** Where `setpoint.yaml` writes its address; absent if a flag did. */
  readonly urlPlace?: Place | undefined;
  /** What stands for it in a run that asks no server. */
  readonly snapshot?: Snapshot | undefined;
  /** Its configuration, earliest layer first; empty if none was named. */
  readonly layers: readonly NamedFile[];
  /** The folder that `${file:}` references stay in. */
  readonly root: string;
  /** The certificates that it may be signed by, beside the usual ones. */
  readonly ca?: string | undefined;
  /** The name by which the environment has credentials of its own for it. */
  readonly credentialsName?: string | undefined;
  /** All servers of its project, for which there may be credentials too. */
  readonly projectServers?: readonly { readonly name: string }[] | undefined;
  /** Days after which its project asks for secrets to be replaced. */
  readonly secretMaxAge?: number | undefined;
  readonly policy: Policy;
  readonly hidesSecrets?: boolean | undefined;
  readonly waivers: Project['waivers'];
}

/** The servers of a run without those that cannot be used, the layers of all of them, and what is wrong. */
export interface FoundServers {
  readonly servers: readonly Server[];
  readonly layers: readonly (readonly NamedFile[])[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the servers of a run; `start` is the folder where the search for a `setpoint.yaml` begins. */
export async function findServers(
  run: Run,
  options: Options,
  start?: string,
): Promise<FoundServers> {
  const { file = [], live, server, shard, url } = options;
  if (live !== undefined) return serverOfSnapshot(run, options, live);
  if (shard !== undefined) notePart(run, options);
  const project =
    url === undefined && file.length === 0
      ? await findProject(run, undefined, start)
      : undefined;
  if (project !== undefined) return serversOfProject(run, project, options);
  if (shard !== undefined)
    failUsage('--shard needs a setpoint.yaml, whose servers it deals out.');
  const address =
    url ??
    (server === undefined ? run.runtime.env['SETPOINT_URL'] : undefined) ??
    '';
  if (address !== '') {
    const checked = checkServerUrl(address);
    return serverOfFlags(
      run,
      checked.value ?? fail(...checked.diagnostics),
      options,
    );
  }
  if (file.length > 0)
    failUsage(
      'Files on the command line need the URL of their server.',
      'Pass --url https://integrations.example.com, or no file to use the servers of setpoint.yaml.',
    );
  return failWithoutProject(run);
}

/** The server that a snapshot stands for, in a run that asks none. */
async function serverOfSnapshot(
  run: Run,
  options: Options,
  path: string,
): Promise<FoundServers> {
  const { file = [], server: named, shard, url } = options;
  if (shard !== undefined)
    failUsage(
      '--shard cannot be combined with --live, which is about one server.',
    );
  if (url !== undefined)
    failUsage('--url cannot be combined with --live, which asks no server.');
  const snapshot = await readSnapshot(run, path);
  const { name, url: origin } = snapshot.server;
  const project = file.length > 0 ? undefined : await findProject(run);
  if (project === undefined && named !== undefined)
    failUsage(
      '--server needs a setpoint.yaml, which says what each server is to be.',
    );
  const found =
    project === undefined
      ? await serverOfFlags(run, new URL(origin), options, name)
      : await serversOfProject(run, project, options);
  // A server that cannot be used may be that of the snapshot.
  if (hasErrors(found.diagnostics)) return { ...found, servers: [] };
  const there = found.servers.filter((each) => each.url.origin === origin);
  // Servers that differ only in their paths are matched by name.
  const server =
    there.length === 1 ? there[0] : there.find((each) => each.name === name);
  const problem = `it is of ${name} at ${origin}, which is no server of this run`;
  const hint = 'Take one of a server of this run, or name its files with -f.';
  if (server === undefined)
    return fail(diagnostic('snapshot-unusable', { path, problem, hint }));
  return {
    ...found,
    servers: [{ ...server, snapshot }],
    layers: [server.layers],
  };
}

async function serverOfFlags(
  run: Run,
  url: URL,
  { file = [], caFile, hidesSecrets }: Options,
  name = url.host,
): Promise<FoundServers> {
  const { cwd } = run.runtime;
  const layers = layersOfFlags(run, file);
  const root = await flagRoot(cwd, file[0] ?? '.');
  const { value: ca, diagnostics } = await readCa(run, caFile);
  // The policy of the project here holds whichever way a server is named.
  const here = await findProject(run);
  const { policy = {}, secretMaxAge } = here?.project ?? {};
  return {
    servers: [
      {
        name,
        url,
        layers,
        root,
        ca,
        hidesSecrets,
        policy,
        secretMaxAge,
        waivers: [],
      },
    ],
    layers: [layers],
    diagnostics: [...(here?.diagnostics ?? []), ...diagnostics],
  };
}

async function serversOfProject(
  run: Run,
  found: FoundProject,
  options: Options,
): Promise<FoundServers> {
  const { value: all = [], diagnostics: unmet } = selectServers(
    found.project,
    options.server ?? [],
  );
  const layers = all.flatMap((each) => layersOf(each, found));
  const selected = await ownPart(run, all, found.project, layers);
  const made = await Promise.all(
    selected.map((each) => serverOfProject(run, each, found, options)),
  );
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
  flags: Options,
): Promise<Checked<Server>> {
  const { name, caFile, hidesSecrets = flags.hidesSecrets } = server;
  const { value: url, diagnostics } = checkServerUrl(
    server.url.text,
    server.url.place,
  );
  const ca = await readCa(run, flags.caFile, caFile && placed(caFile, found));
  const all = [...diagnostics, ...ca.diagnostics];
  if (url === undefined) return { diagnostics: all };
  const { folder: root, project } = found;
  const { policy, secretMaxAge } = project;
  return {
    value: {
      ...{
        name,
        url,
        root,
        policy,
        secretMaxAge,
        hidesSecrets,
        urlPlace: server.url.place,
      },
      layers: layersOf(server, found),
      ca: ca.value,
      credentialsName: name,
      projectServers: project.servers,
      waivers: project.waivers.filter(({ servers }) => servers.includes(name)),
    },
    diagnostics: all,
  };
}

/** The layers of a server of a project. */
export function layersOf(
  { config }: ProjectServer,
  found: FoundProject,
): NamedFile[] {
  return config.map((each) => placed(each, found));
}

function placed(
  { text, place }: ProjectServer['url'],
  { folder, root }: FoundProject,
): NamedFile {
  return { path: text, base: folder, root, place };
}

/** In bytes; the certificates of all public authorities have some hundred kilobytes. */
const LARGEST_CA_FILE = { most: 8 * 1024 * 1024 };

/** Reads the certificates that a flag names, else those of `setpoint.yaml`; with them those that Node trusts besides its own. */
async function readCa(
  run: Run,
  flag: string | undefined,
  own?: NamedFile,
): Promise<Checked<string>> {
  const { cwd, env } = run.runtime;
  const file = flag === undefined ? own : { path: flag, base: cwd };
  if (file === undefined) return { diagnostics: [] };
  const { path, base, root, place }: NamedFile = file;
  const content = await readTextFile(run, resolve(base, path), {
    ...LARGEST_CA_FILE,
    root,
    mayBePipe: root === undefined,
  });
  if ('reason' in content)
    return { diagnostics: [unreadable(path, content, place)] };
  const extra = env['NODE_EXTRA_CA_CERTS'] ?? '';
  // Node itself warns if it cannot read these.
  const more =
    extra === ''
      ? content
      : await readTextFile(run, resolve(cwd, extra), LARGEST_CA_FILE);
  return {
    value: ['text' in more ? more.text : '', content.text].join('\n'),
    diagnostics: [],
  };
}

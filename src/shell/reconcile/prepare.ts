import {
  agedSecrets,
  missingReferences,
  oddReferences,
} from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { isOver, type Project } from '../../core/config/project.ts';
import {
  type ResolvedConfig,
  resolveConfig,
  withoutMissing,
} from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { branchBehind, type Fork } from '../../core/diff/behind.ts';
import {
  type Diagnostic,
  diagnostic,
  distinct,
} from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { wantedBy } from '../../core/live/sources.ts';
import { globMatcher } from '../../core/model/glob.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { SourceFile } from '../../core/model/place.ts';
import type { ServerDocument } from '../../core/plan/plan.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import { allOrFail, fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import {
  type FoundServers,
  findServers,
  type Server,
} from '../servers/server.ts';
import { openBase } from '../sources/commit.ts';
import { configReader } from '../sources/config.ts';
import { PROJECT_FILE } from '../sources/files.ts';
import { digestFiles, readReferences } from '../sources/references.ts';
import {
  type Revision,
  type RevisionServer,
  readRevision,
} from './revision.ts';

/** What the base of a branch declares for a server. */
interface Comparison {
  readonly base: ServerDocument['base'];
  readonly before: ResolvedConfig;
  /** What the ref itself declares, if it is not the merge base. */
  readonly tip: ResolvedConfig | undefined;
}

/** A server, and all of its configuration that can be known before the first request. */
export interface Prepared extends Server {
  readonly config: ResolvedConfig;
  /** Which integrations to plan, and which hidden fields to write. */
  readonly only?: Options['only'] | undefined;
  readonly writeHidden?: Options['writeHidden'] | undefined;
  /** What to read of listed integrations in addition to what is managed. */
  readonly also?:
    | ((
        listed: readonly LiveIntegration[],
      ) => readonly ReturnType<typeof wantedBy>[])
    | undefined;
  /** The files of its layers. */
  readonly files: readonly (readonly SourceFile[])[];
  /** What the base of this branch declares, with its references as written; undefined without a base. */
  readonly comparison?: Comparison | undefined;
  /** The plan that was reviewed. */
  readonly reviewed?: ServerDocument | undefined;
}

/** All servers of a run with their configuration, the names of all their entries, and what is odd. */
export interface Preparation {
  readonly servers: readonly Prepared[];
  readonly names: readonly string[];
  readonly warnings: readonly Diagnostic[];
}

/**
 * Reads configuration and references of all servers, or of those of a
 * reviewed plan with its choices. Fails with all that is wrong, before
 * anything is sent.
 */
export async function prepare(
  run: Run,
  options: Options,
  plans?: readonly ServerDocument[],
): Promise<Preparation> {
  const found = await serversToPrepare(run, options, plans);
  const { configured, warnings: odd } = await readConfigs(run, found);
  const base = await readBase(run, configured, options);
  const warnings = distinct([
    ...odd,
    ...agedIn(run, configured),
    ...expired(run, configured),
    ...(base?.lacking ?? []),
  ]);
  if (hasErrors(warnings)) fail(...warnings);
  const open = configOpener(run, options, base !== undefined);
  const servers = await allOrFail(
    configured.map(async (server): Promise<Prepared> => {
      const config = await open(server);
      const reviewed = plans?.find(({ name }) => name === server.name);
      return preparedServer(server, config, options, base, reviewed);
    }),
  );
  const names = servers.flatMap(({ config }) => config.map(({ name }) => name));
  return {
    servers,
    names,
    warnings: distinct([...warnings, ...oddIn(servers)]),
  };
}

/** The warnings of what the references of servers hold. */
function oddIn(servers: readonly Prepared[]): Diagnostic[] {
  return servers.flatMap(({ config, only }) =>
    oddReferences(config, globMatcher(only ?? '*')),
  );
}

/** Finds the servers of flags or of a reviewed plan. Fails if one of them has no plan, or no configuration. */
async function serversToPrepare(
  run: Run,
  options: Options,
  plans: readonly ServerDocument[] | undefined,
): Promise<FoundServers> {
  if (plans === undefined) return withLayers(await findServers(run, options));
  const { file = [], server, url } = options;
  const isNamed = server !== undefined || url !== undefined || file.length > 0;
  const planned = plans.map(({ name }) => name);
  const found = await findServers(
    run,
    isNamed ? options : { ...options, server: planned },
  );
  const others = otherServers(found.servers, plans);
  if (others.length > 0) fail(...others);
  return withLayers(found);
}

function withLayers(found: FoundServers): FoundServers {
  const isBare = found.layers.some((layers) => layers.length === 0);
  return isBare ? fail(diagnostic('no-configuration', {})) : found;
}

/** The warnings of secrets that should be replaced by now. */
function agedIn(
  { runtime }: Run,
  configured: readonly ConfiguredServer[],
): Diagnostic[] {
  const aged: Diagnostic[] = [];
  for (const { secretMaxAge, linked } of configured) {
    if (secretMaxAge === undefined) continue;
    aged.push(...agedSecrets(linked.entries, secretMaxAge, runtime.now()));
  }
  return aged;
}

/**
 * Makes the reader of references. Servers of a project share its folder, and a
 * snapshot stands for one server, so equal configurations have equal values and
 * are opened once.
 */
function configOpener(
  run: Run,
  { allowEnv = [] }: Options,
  hasBase: boolean,
): (server: ConfiguredServer) => Promise<ResolvedConfig> {
  const opened = new Map<WrittenConfig, Promise<ResolvedConfig>>();
  const open = async ({ linked, root, snapshot }: ConfiguredServer) => {
    const reading = { allowEnv, root, hasBase };
    const table = await readReferences(run, linked, reading);
    const digests = hasBase ? await digestFiles(run, linked, root) : undefined;
    // Whatever is compared with a snapshot is applied elsewhere.
    const known = snapshot === undefined ? table : withoutMissing(table);
    return resolveConfig(linked, known, digests);
  };
  return (server) => {
    const opening = opened.get(server.linked) ?? open(server);
    opened.set(server.linked, opening);
    return opening;
  };
}

/** A server with its configuration and its choices. Fails if a reference that is needed is missing. */
function preparedServer(
  { linked: _, ...server }: ConfiguredServer,
  config: ResolvedConfig,
  options: Options,
  base: Base | undefined,
  reviewed: ServerDocument | undefined,
): Prepared {
  const { only, writeHidden } =
    reviewed === undefined ? options : { only: reviewed.only, writeHidden: [] };
  const missing = missingReferences(config, globMatcher(only ?? '*'));
  if (missing.length > 0) fail(...missing);
  const policy = strictest([
    server.policy,
    base?.policy ?? {},
    reviewed?.policy ?? {},
  ]);
  const comparison = base && {
    base: base.base,
    before: base.before(server.name)?.config ?? [],
    tip: base.tip && (base.tip(server.name)?.config ?? []),
  };
  return { ...server, policy, only, writeHidden, config, comparison, reviewed };
}

/** What the base of a branch declares, its policy, and what it lacks. */
interface Base {
  readonly base: NonNullable<ServerDocument['base']>;
  readonly policy: Policy;
  /** What the merge base declares for a server. */
  readonly before: (name: string) => RevisionServer | undefined;
  /** What the ref itself declares for a server; undefined if it is the merge base. */
  readonly tip: ((name: string) => RevisionServer | undefined) | undefined;
  readonly lacking: readonly Diagnostic[];
}

/** Reads the base that `--base` names; undefined without one. Fails if it has errors. */
async function readBase(
  run: Run,
  configured: readonly ConfiguredServer[],
  { base: ref, file = [] }: Options,
): Promise<Base | undefined> {
  if (ref === undefined) return undefined;
  const names = new Set(configured.map(({ name }) => name));
  const select = (project: Project) =>
    project.servers.filter(({ name }) => names.has(name));
  const asked = { file, select };
  const commits = await openBase(run, file, { ref });
  const mergeBase = await readRevision(run, asked, commits.mergeBase);
  const tip = commits.tip && (await readRevision(run, asked, commits.tip));
  // Files that flags name are the same for all servers.
  const serverIn = (revision: Revision) => (name: string) =>
    revision.servers.find((server) => file.length > 0 || server.name === name);
  const base = {
    base: commits.mergeBase.base,
    policy: strictest([
      mergeBase.project?.policy ?? {},
      tip?.project?.policy ?? {},
    ]),
    before: serverIn(mergeBase),
    tip: tip && serverIn(tip),
  };
  const { source } = commits.mergeBase;
  const incomplete = [...names].flatMap((name) => {
    const path =
      mergeBase.project === undefined ? PROJECT_FILE : `The server ${name}`;
    return incompleteIn(base.before(name), source.ref ?? ref, path);
  });
  const behind = await behindOf(run, configured, base);
  return { ...base, lacking: [...incomplete, ...behind] };
}

/** The findings of what a revision lacks of a server; `path` names it if it lacks all. */
function incompleteIn(
  server: RevisionServer | undefined,
  ref: string,
  path: string,
): Diagnostic[] {
  if (server === undefined)
    return [diagnostic('revision-incomplete', { ref, path })];
  return server.diagnostics.filter(
    ({ code }) => code === 'revision-incomplete',
  );
}

/** A finding if the ref has changes that the work tree lacks. */
async function behindOf(
  run: Run,
  configured: readonly ConfiguredServer[],
  { base, before, tip }: Omit<Base, 'lacking'>,
): Promise<Diagnostic[]> {
  if (tip === undefined) return [];
  const forks: Fork[] = [];
  for (const { name, linked, root } of configured) {
    const digests = await digestFiles(run, linked, root);
    forks.push({
      mergeBase: before(name)?.config ?? [],
      tip: tip(name)?.config ?? [],
      branch: resolveConfig(linked, undefined, digests),
    });
  }
  const behind = branchBehind(base.ref, forks);
  return behind === undefined ? [] : [behind];
}

/** A finding for each server of which a reviewed plan has none, or one for another address. */
function otherServers(
  servers: readonly Server[],
  plans: readonly ServerDocument[],
): Diagnostic[] {
  return servers.flatMap(({ name, url }) => {
    const planned = plans.find((each) => each.name === name)?.url;
    const now = plainAddress(url.href);
    const problem = `it was made for ${planned ?? 'other servers'}, not for ${now}`;
    return planned === now
      ? []
      : [
          diagnostic('plan-unusable', {
            plan: `The plan for ${name}`,
            problem,
          }),
        ];
  });
}

/** A warning for each waiver whose last day is over. */
function expired({ runtime }: Run, servers: readonly Server[]): Diagnostic[] {
  const over = servers.flatMap(({ waivers }) =>
    waivers.filter((each) => isOver(each, runtime.now())),
  );
  return over.map(({ address, until, place }) =>
    diagnostic('waiver-over', { address, until }, place),
  );
}

/** A server with what its files declare. */
interface ConfiguredServer extends Server {
  readonly linked: WrittenConfig;
  readonly files: readonly (readonly SourceFile[])[];
}

interface ReadConfigs {
  readonly configured: readonly ConfiguredServer[];
  readonly warnings: readonly Diagnostic[];
}

/** Reads the configuration of each server; fails with all that is wrong with servers and configurations. */
export async function readConfigs(
  run: Run,
  { servers, layers, diagnostics }: FoundServers,
): Promise<ReadConfigs> {
  const read = await Promise.all(layers.map(configReader(run)));
  const warnings = distinct([
    ...diagnostics,
    ...read.flatMap((each) => each.diagnostics),
  ]);
  if (hasErrors(warnings)) fail(...warnings);
  const configured = servers.flatMap((server, index) => {
    const { value: linked, files = [] } = read[index] ?? {};
    return linked === undefined ? [] : [{ ...server, linked, files }];
  });
  return { configured, warnings };
}

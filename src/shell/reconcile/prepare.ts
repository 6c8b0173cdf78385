import { agedSecrets, missingReferences } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { isOver, type Project } from '../../core/config/project.ts';
import { type ResolvedConfig, resolveConfig, withoutMissing } from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { wantedBy } from '../../core/live/sources.ts';
import { globMatcher } from '../../core/model/glob.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { SourceFile } from '../../core/model/place.ts';
import type { ServerDocument } from '../../core/plan/plan.ts';
import { strictest } from '../../core/plan/risk.ts';
import { allOrFail, fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { type FoundServers, findServers, type Server } from '../servers/server.ts';
import { openCommit } from '../sources/commit.ts';
import { configReader } from '../sources/config.ts';
import { PROJECT_FILE } from '../sources/files.ts';
import { digestFiles, readReferences } from '../sources/references.ts';
import { readRevision } from './revision.ts';

/** A server, and all of its configuration that can be known before the first request. */
interface Prepared extends Server {
  readonly config: ResolvedConfig;
  /** Which integrations to plan, and which hidden fields to write. */
  readonly only?: Options['only'] | undefined;
  readonly writeHidden?: Options['writeHidden'] | undefined;
  /** What to read of listed integrations in addition to what is managed. */
  readonly also?:
    | ((listed: readonly LiveIntegration[]) => readonly ReturnType<typeof wantedBy>[])
    | undefined;
  /** The files of its layers. */
  readonly files: readonly (readonly SourceFile[])[];
  /** What the base of this branch declares, with its references as written; undefined without a base. */
  readonly comparison?:
    | { readonly base: ServerDocument['base']; readonly before: ResolvedConfig }
    | undefined;
  /** The plan that was reviewed. */
  readonly reviewed?: ServerDocument | undefined;
}

/**
 * Reads configuration and references of all servers, or of those of a reviewed plan, with its choices; also the names of all
 * entries, and what is odd. Fails with all that is wrong, before anything is sent.
 */
export async function prepare(run: Run, options: Options, plans?: readonly ServerDocument[]) {
  const { allowEnv = [], base: ref, file = [], server: named, url } = options;
  const isNamed = plans === undefined || named !== undefined || url !== undefined || file.length > 0;
  const found = await findServers(
    run,
    isNamed ? options : { ...options, server: plans.map(({ name }) => name) },
  );
  const others = plans === undefined ? [] : otherServers(found.servers, plans);
  if (others.length > 0) fail(...others);
  if (found.layers.some((layers) => layers.length === 0)) fail(diagnostic('no-configuration', {}));
  const { configured, warnings: odd } = await readConfigs(run, found);
  const aged = configured.flatMap(({ secretMaxAge, linked }) =>
    secretMaxAge === undefined ? [] : agedSecrets(linked.entries, secretMaxAge, run.runtime.now()),
  );
  const base = ref === undefined ? undefined : await readBase(run, configured, file, ref);
  const warnings = distinct([...odd, ...aged, ...expired(run, configured), ...(base?.lacking ?? [])]);
  if (hasErrors(warnings)) fail(...warnings);
  const open = async (linked: WrittenConfig, { root, snapshot }: Server) => {
    const table = await readReferences(run, linked, { allowEnv, root, hasBase: base !== undefined });
    // Whatever is compared with a snapshot is applied elsewhere.
    const digests = base && (await digestFiles(run, linked, root));
    return resolveConfig(linked, snapshot === undefined ? table : withoutMissing(table), digests);
  };
  // Servers of a project share its folder, and a snapshot stands for one server: equal configurations have equal values.
  const opened = new Map<WrittenConfig, Promise<ResolvedConfig>>();
  const servers = await allOrFail(
    configured.map(async ({ linked, written: _, files, ...server }): Promise<Prepared> => {
      const { name } = server;
      const reviewed = plans?.find((each) => each.name === name);
      const { only, writeHidden } =
        reviewed === undefined ? options : { only: reviewed.only, writeHidden: [] };
      const opening = opened.get(linked) ?? open(linked, server);
      opened.set(linked, opening);
      const config = await opening;
      const missing = missingReferences(config, globMatcher(only ?? '*'));
      if (missing.length > 0) fail(...missing);
      const policy = strictest([server.policy, base?.policy ?? {}, reviewed?.policy ?? {}]);
      const comparison = base && { base: base.base, before: base.before(name)?.config ?? [] };
      return { ...server, policy, only, writeHidden, config, files, comparison, reviewed };
    }),
  );
  const names = servers.flatMap(({ config }) => config.map(({ name }) => name));
  return { servers, names, warnings };
}

/** Reads what the base declares for servers, its policy, and what it lacks. Fails if it has errors. */
async function readBase(run: Run, servers: readonly Server[], file: readonly string[], ref: string) {
  const names = new Set(servers.map(({ name }) => name));
  const select = (all: Project) => all.servers.filter(({ name }) => names.has(name));
  const commit = await openCommit(run, file, ref);
  const { project, servers: declared } = await readRevision(run, { file, select }, commit);
  // Files that flags name are the same for all servers.
  const before = (name: string) => declared.find((each) => file.length > 0 || each.name === name);
  const lacking = [...names].flatMap((name) => {
    const path = project === undefined ? PROJECT_FILE : `The server ${name}`;
    const found = before(name)?.diagnostics ?? [diagnostic('revision-incomplete', { ref, path })];
    return found.filter(({ code }) => code === 'revision-incomplete');
  });
  return { base: commit.base, policy: project?.policy ?? {}, before, lacking };
}

/** A finding for each server of which a reviewed plan has none, or one for another address. */
function otherServers(servers: readonly Server[], plans: readonly ServerDocument[]): Diagnostic[] {
  return servers.flatMap(({ name, url }) => {
    const planned = plans.find((each) => each.name === name)?.url;
    const now = plainAddress(url.href);
    const problem = `it was made for ${planned ?? 'other servers'}, not for ${now}`;
    return planned === now ? [] : [diagnostic('plan-unusable', { plan: `The plan for ${name}`, problem })];
  });
}

/** A warning for each waiver whose last day is over. */
function expired({ runtime }: Run, servers: readonly Server[]): Diagnostic[] {
  const over = servers.flatMap(({ waivers }) => waivers.filter((each) => isOver(each, runtime.now())));
  return over.map(({ address, until, place }) => diagnostic('waiver-over', { address, until }, place));
}

/** Reads the configuration of each server; fails with all that is wrong with servers and configurations. */
export async function readConfigs(run: Run, { servers, layers, diagnostics }: FoundServers) {
  const read = await Promise.all(layers.map(configReader(run)));
  const warnings = distinct([...diagnostics, ...read.flatMap((each) => each.diagnostics)]);
  if (hasErrors(warnings)) fail(...warnings);
  const configured = servers.flatMap((server, index) => {
    const { value: linked, written = [], files = [] } = read[index] ?? {};
    return linked === undefined ? [] : [{ ...server, linked, written, files }];
  });
  return { configured, warnings };
}

import { agedSecrets } from '../../core/config/config.ts';
import {
  missingReferences,
  type ResolvedConfig,
  resolveConfig,
  withoutMissing,
} from '../../core/config/resolve.ts';
import { type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { dayOf } from '../../core/model/waiver.ts';
import { strictest } from '../../core/plan/risk.ts';
import type { Choice } from '../../core/plan/write-choice.ts';
import type { SourceFile } from '../../core/yaml/compose.ts';
import { allOrFail, Failure, fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { type FoundServers, findServers, type Server, type ServerOptions } from '../servers/server.ts';
import { readConfig } from '../sources/config.ts';
import { readReferences } from '../sources/references.ts';
import { type BaseComparison, readBase } from './base.ts';

/** The options of the commands that compare a configuration with servers. */
export interface PlanningOptions extends ServerOptions, Choice {
  /** The git ref of the configuration that the labels compare with. */
  readonly base?: string | undefined;
  readonly allowEnv?: readonly string[] | undefined;
  /** Whether an integration that cannot be planned stops all others. */
  readonly failFast?: boolean | undefined;
}

/** A server, and all of its configuration that can be known before the first request. */
export interface Prepared extends Server, Choice {
  readonly config: ResolvedConfig;
  /** The files of its layers. */
  readonly files: readonly (readonly SourceFile[])[];
  readonly failFast: boolean;
  /** What this branch has changed; undefined without a base. */
  readonly comparison?: BaseComparison | undefined;
}

/** The names of all entries of their configurations. */
export function namesOf(servers: readonly Prepared[]): string[] {
  return servers.flatMap(({ config }) => config.map(({ name }) => name));
}

/** The servers of a run, prepared, and what is odd about their configuration. */
export interface Preparation {
  readonly servers: readonly Prepared[];
  readonly warnings: readonly Diagnostic[];
}

/** Reads configuration and references of all servers; fails with all that is wrong, before anything is sent. */
export async function prepare(run: Run, options: PlanningOptions): Promise<Preparation> {
  return prepareServers(run, await findServers(run, options), options, () => options);
}

/** The same for servers that were found already, each with a choice of its own. */
export async function prepareServers(
  run: Run,
  found: FoundServers,
  { allowEnv = [], failFast = false, base: ref }: PlanningOptions,
  choose: (server: Server) => Choice,
): Promise<Preparation> {
  if (found.layers.some((layers) => layers.length === 0)) fail(diagnostic('no-configuration', {}));
  const { configured, warnings: odd } = await readConfigs(run, found);
  const aged = configured.flatMap(({ server: { secretMaxAge }, config }) =>
    secretMaxAge === undefined ? [] : agedSecrets(config.entries, secretMaxAge, run.runtime.now()),
  );
  const base = ref === undefined ? undefined : await readBase(run, configured, ref);
  const warnings = distinct([...odd, ...aged, ...expired(run, found), ...(base?.diagnostics ?? [])]);
  if (hasErrors(warnings)) throw new Failure(warnings);
  const servers = await allOrFail(
    configured.map(async ({ server, config: linked, files }): Promise<Prepared> => {
      // Whoever chooses may hand over all flags: `--url` is no part of a choice.
      const { only, writeHidden } = choose(server);
      const table = await readReferences(run, linked, {
        allowEnv,
        root: server.root,
        hasBase: base !== undefined,
      });
      // Whatever is compared with a snapshot is applied elsewhere.
      const config = resolveConfig(linked, server.snapshot === undefined ? table : withoutMissing(table));
      const missing = missingReferences(config, only);
      if (missing.length > 0) throw new Failure(missing);
      const policy = strictest(base === undefined ? [server.policy] : [server.policy, base.policy]);
      const comparison = base?.comparisons.get(server.name);
      return { ...server, policy, only, writeHidden, config, files, failFast, comparison };
    }),
  );
  return { servers, warnings };
}

/** A warning for each waiver whose last day is over. */
function expired({ runtime }: Run, { servers }: FoundServers): Diagnostic[] {
  const today = dayOf(runtime.now());
  const over = servers.flatMap(({ waivers }) => waivers).filter(({ until }) => until < today);
  return over.map(({ address, until, place }) => diagnostic('waiver-over', { address, until }, place));
}

/** Reads the configuration of each server; fails with all that is wrong with servers and configurations. */
export async function readConfigs(run: Run, { servers, layers, diagnostics }: FoundServers) {
  const read = await Promise.all(layers.map((each) => readConfig(run, each)));
  const warnings = distinct([...diagnostics, ...read.flatMap((each) => each.diagnostics)]);
  if (hasErrors(warnings)) throw new Failure(warnings);
  const configured = servers.flatMap((server, index) => {
    const { value: config, written = [], files = [] } = read[index] ?? {};
    return config === undefined ? [] : [{ server, config, written, files }];
  });
  return { configured, warnings };
}

import {
  missingReferences,
  outsideReferences,
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { agedSecrets } from '../../core/config/rotation.ts';
import { type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { strictest } from '../../core/plan/risk.ts';
import { allOrFail, Failure, fail } from '../failure.ts';
import type { Run } from '../run.ts';
import { type FoundServers, findServers, type Server, type ServerOptions } from '../servers/server.ts';
import { readConfig } from '../sources/config.ts';
import { readReferences } from '../sources/references.ts';
import { governing } from './governing.ts';

/** The options of the commands that compare a configuration with servers. */
export interface PlanningOptions extends ServerOptions {
  readonly only?: string | undefined;
  /** Which unreadable values to write: `all`, or field addresses. */
  readonly writeSecrets?: readonly string[] | undefined;
  /** Which permissions to write whose flags are not shown: `all`, or field addresses. */
  readonly writeFlags?: readonly string[] | undefined;
  readonly allowEnv?: readonly string[] | undefined;
  /** Whether an integration that cannot be planned stops all others. */
  readonly failFast?: boolean | undefined;
}

/** Which integrations of a server to plan, and which unreadable fields to write. */
type Choice = Pick<PlanningOptions, 'only' | 'writeSecrets' | 'writeFlags'>;

/** A server, and all of its configuration that can be known before the first request. */
export interface Prepared extends Server, Choice {
  readonly config: ResolvedConfig;
  readonly failFast: boolean;
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
  { allowEnv = [], failFast = false }: PlanningOptions,
  choose: (server: Server) => Choice,
): Promise<Preparation> {
  if (found.layers.some((layers) => layers.length === 0))
    fail(diagnostic('no-configuration', { given: 'url' }));
  const { configured, warnings: odd } = await readConfigs(run, found);
  const here = await governing(run);
  const aged = configured.flatMap(({ server, config }) => {
    const days = Math.min(here.secretMaxAge, server.secretMaxAge ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(days) ? agedSecrets(config, days, run.runtime.now()) : [];
  });
  const warnings = distinct([...odd, ...aged]);
  if (hasErrors(warnings)) throw new Failure(warnings);
  const servers = await allOrFail(
    configured.map(async ({ server, config: linked }): Promise<Prepared> => {
      const { only, writeSecrets, writeFlags } = choose(server);
      const table = await readReferences(run, outsideReferences(linked), allowEnv, server.root);
      const config = resolveConfig(linked, table);
      const missing = missingReferences(config, only);
      if (missing.length > 0) throw new Failure(missing);
      const policy = strictest([here.policy, server.policy]);
      return { ...server, policy, only, writeSecrets, writeFlags, config, failFast };
    }),
  );
  return { servers, warnings };
}

/** Reads the configuration of each server; fails with all that is wrong with servers and configurations. */
export async function readConfigs(run: Run, { servers, layers, diagnostics }: FoundServers) {
  const read = await Promise.all(layers.map((each) => readConfig(run, each)));
  const warnings = distinct([...diagnostics, ...read.flatMap((each) => each.diagnostics)]);
  if (hasErrors(warnings)) throw new Failure(warnings);
  const configured = servers.flatMap((server, index) => {
    const config = read[index]?.value;
    return config === undefined ? [] : [{ server, config }];
  });
  return { configured, warnings };
}

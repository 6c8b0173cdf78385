import { agedSecrets } from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { isOver } from '../../core/config/project.ts';
import type { WrittenLayers } from '../../core/config/read-file.ts';
import { type ResolvedConfig, resolveConfig, withoutMissing } from '../../core/config/resolve.ts';
import { missingReferences } from '../../core/config/selected.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { SourceFile } from '../../core/model/place.ts';
import type { Choice } from '../../core/plan/choice.ts';
import { strictest } from '../../core/plan/risk.ts';
import { allOrFail, fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { type FoundServers, findServers, type Server } from '../servers/server.ts';
import { readConfig } from '../sources/config.ts';
import { readReferences } from '../sources/references.ts';
import type { ReviewedPlans } from '../sources/saved.ts';
import { type Comparison, readBase } from './revision.ts';

/** A server, and all of its configuration that can be known before the first request. */
export interface Prepared extends Server, Choice {
  readonly config: ResolvedConfig;
  /** The files of its layers. */
  readonly files: readonly (readonly SourceFile[])[];
  /** What this branch has changed; undefined without a base. */
  readonly comparison?: Comparison | undefined;
}

/**
 * Reads configuration and references of all servers, or of those of a reviewed plan, with its choices; also the names of all
 * entries, and what is odd. Fails with all that is wrong, before anything is sent.
 */
export async function prepare(run: Run, options: Options, reviewed?: ReviewedPlans) {
  const { allowEnv = [], base: ref, file = [], server: named, url } = options;
  const isNamed = reviewed === undefined || named !== undefined || url !== undefined || file.length > 0;
  const found = await findServers(run, isNamed ? options : { ...options, server: [...reviewed.keys()] });
  const others = reviewed === undefined ? [] : otherServers(found.servers, reviewed);
  if (others.length > 0) fail(...others);
  if (found.layers.some((layers) => layers.length === 0)) fail(diagnostic('no-configuration', {}));
  const { configured, warnings: odd } = await readConfigs(run, found);
  const aged = configured.flatMap(({ secretMaxAge, linked }) =>
    secretMaxAge === undefined ? [] : agedSecrets(linked.entries, secretMaxAge, run.runtime.now()),
  );
  const base = ref === undefined ? undefined : await readBase(run, configured, file, ref);
  const warnings = distinct([...odd, ...aged, ...expired(run, configured), ...(base?.diagnostics ?? [])]);
  if (hasErrors(warnings)) fail(...warnings);
  const servers = await allOrFail(
    configured.map(async ({ linked, written: _, files, ...server }): Promise<Prepared> => {
      const { name, root, snapshot } = server;
      const plan = reviewed?.get(name);
      const { only, writeHidden } = plan === undefined ? options : { only: plan.only, writeHidden: [] };
      const table = await readReferences(run, linked, { allowEnv, root, hasBase: base !== undefined });
      // Whatever is compared with a snapshot is applied elsewhere.
      const config = resolveConfig(linked, snapshot === undefined ? table : withoutMissing(table));
      const missing = missingReferences(config, only);
      if (missing.length > 0) fail(...missing);
      const reviewing = plan === undefined ? [] : [plan.policy ?? {}];
      const policy = strictest([server.policy, ...(base === undefined ? [] : [base.policy]), ...reviewing]);
      const comparison = base?.comparisons.get(name);
      return { ...server, policy, only, writeHidden, config, files, comparison };
    }),
  );
  const names = servers.flatMap(({ config }) => config.map(({ name }) => name));
  return { servers, names, warnings };
}

/** A finding for each server of which a reviewed plan has none, or one for another address. */
function otherServers(servers: readonly Server[], reviewed: ReviewedPlans): Diagnostic[] {
  return servers.flatMap(({ name, url }) => {
    const planned = reviewed.get(name)?.url;
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

/** A server with its configuration, as it is written and with its references still closed. */
export interface Configured extends Server {
  readonly linked: WrittenConfig;
  readonly written: WrittenLayers;
  readonly files: Prepared['files'];
}

/** Reads the configuration of each server; fails with all that is wrong with servers and configurations. */
export async function readConfigs(run: Run, { servers, layers, diagnostics }: FoundServers) {
  const read = await Promise.all(layers.map((each) => readConfig(run, each)));
  const warnings = distinct([...diagnostics, ...read.flatMap((each) => each.diagnostics)]);
  if (hasErrors(warnings)) fail(...warnings);
  const configured = servers.flatMap((server, index): Configured[] => {
    const { value: linked, written = [], files = [] } = read[index] ?? {};
    return linked === undefined ? [] : [{ ...server, linked, written, files }];
  });
  return { configured, warnings };
}

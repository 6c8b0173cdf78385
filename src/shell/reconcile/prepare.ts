import {
  agedSecrets,
  referenceFindings,
  secretsWithoutDay,
} from '../../core/config/config.ts';
import type { WrittenConfig } from '../../core/config/entry.ts';
import { isOver } from '../../core/config/project.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import {
  type Diagnostic,
  diagnostic,
  distinct,
} from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { globMatcher } from '../../core/model/glob.ts';
import type { SourceFile } from '../../core/model/place.ts';
import type {
  Document,
  ReviewedServer,
  ServerDocument,
} from '../../core/plan/plan.ts';
import { type Risk, strictest } from '../../core/plan/risk.ts';
import { allOrFail, fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import { named } from '../servers/results.ts';
import { findServers, type Server } from '../servers/server.ts';
import { unreadFiles } from '../sources/project.ts';
import { digestFiles, readReferences } from '../sources/references.ts';
import type { Variables } from '../sources/variables.ts';
import { type Base, type BaseConfig, readBase } from './base.ts';
import { type ConfiguredServer, readConfigs } from './configs.ts';
import type { LiveParts } from './live.ts';
import { findSavedServers } from './saved-servers.ts';

/**
 * A server, and all of its configuration that can be known before the first
 * request.
 */
export interface Prepared extends Server, LiveParts {
  /** The hidden fields to write. */
  readonly writeHidden?: readonly string[] | undefined;
  /** How many integrations may change at most, over all servers. */
  readonly allowedChanges?: number | undefined;
  /** The risks that a person has agreed to. */
  readonly allowedRisks?: readonly Risk[] | undefined;
  /** The files of its layers. */
  readonly files: readonly (readonly SourceFile[])[];
  /** The declarations of the base of this branch; undefined without a base. */
  readonly baseConfig?: BaseConfig | undefined;
  /** The plan that was reviewed. */
  readonly reviewed?: ReviewedServer | undefined;
  /** The report of the apply to take back, instead of planning what `config` asks. */
  readonly applied?: ServerDocument | undefined;
}

/** All servers of a run with their configuration. */
export interface Preparation {
  readonly servers: readonly Prepared[];
  /**
   * Whether the run is about several servers, those of other shards included.
   */
  readonly isFleet: boolean;
  /** The names of all entries. */
  readonly names: readonly string[];
  readonly warnings: readonly Diagnostic[];
  /** The report that is taken back, in an undo. */
  readonly undone?: Document['undone'];
}

/**
 * Reads configuration and references of all servers, or of those of a reviewed
 * plan with its choices. Fails with all that is wrong, before any request.
 */
export async function prepare(
  run: Run,
  options: Options,
  plans?: readonly ReviewedServer[],
): Promise<Preparation> {
  const found =
    plans === undefined
      ? await findServers(run, options)
      : await findSavedServers(run, options, plans);
  const isBare = found.layers.some((layers) => layers.length === 0);
  if (isBare) fail(diagnostic('no-configuration', {}));
  const { configured, warnings: ofConfigs } = await readConfigs(run, found);
  const base = await readBase(run, configured, options);
  const warnings = distinct([
    ...ofConfigs,
    ...datedIn(run, configured),
    ...(base?.warnings ?? []),
    ...(plans === undefined ? await unreadFiles(run, options) : []),
  ]);
  if (hasErrors(warnings)) fail(...warnings);
  const open = configOpener(run, options, base !== undefined);
  const prepareServer = async (server: ConfiguredServer): Promise<Prepared> => {
    const config = await open(server);
    const reviewed = plans?.find(({ name }) => name === server.name);
    return preparedServer(server, options, { config, base, reviewed });
  };
  const servers = await allOrFail(configured.map(prepareServer));
  return {
    servers,
    isFleet: servers.some(({ isInFleet }) => isInFleet),
    names: servers.flatMap(({ config }) => config.map(({ name }) => name)),
    warnings: distinct([
      ...warnings,
      ...servers.flatMap(({ config, only }) => oddIn(config, only)),
    ]),
  };
}

/**
 * Warns of secrets that should be replaced by now and of each waiver whose last
 * day is over, and notes secrets of unknown age.
 */
function datedIn(
  { runtime }: Run,
  configured: readonly ConfiguredServer[],
): Diagnostic[] {
  const now = runtime.now();
  const findings: Diagnostic[] = [];
  for (const server of configured) {
    const { secretMaxAge, linked } = server;
    if (secretMaxAge === undefined) continue;
    findings.push(...agedSecrets(linked.entries, secretMaxAge, now));
    findings.push(...named(server, secretsWithoutDay(linked)));
  }
  for (const waiver of configured.flatMap(({ waivers }) => waivers)) {
    if (!isOver(waiver, now)) continue;
    const { address, until, place } = waiver;
    const facts = { address, integration: undefined, until };
    findings.push(diagnostic('waiver-over', facts, place));
  }
  return findings;
}

/** Finds what is odd or wrong in the texts of references. */
function oddIn(config: ResolvedConfig, only = '*'): Diagnostic[] {
  return referenceFindings(config, globMatcher(only));
}

/**
 * Makes the reader of references. Servers of a project share its folder, so
 * equal configurations with the same variables have equal values and are opened
 * once.
 */
function configOpener(
  run: Run,
  options: Options,
  hasBase: boolean,
): (server: ConfiguredServer) => Promise<ResolvedConfig> {
  const { allowEnv } = options;
  const opened = new Map<
    Variables,
    Map<WrittenConfig, Promise<ResolvedConfig>>
  >();
  const open = async (server: ConfiguredServer): Promise<ResolvedConfig> => {
    const { linked, root, variables } = server;
    const reading = { allowEnv, variables, root, masksAll: hasBase };
    const table = await readReferences(run, linked, reading);
    const digested = hasBase ? await digestFiles(run, linked, root) : undefined;
    return resolveConfig(linked, table, digested?.digests);
  };
  return (server) => {
    const { linked, variables } = server;
    const known = opened.get(variables) ?? new Map();
    opened.set(variables, known);
    const opening = known.get(linked) ?? open(server);
    known.set(linked, opening);
    return opening;
  };
}

/** What is known of a server beside its files. */
interface ServerParts {
  readonly config: ResolvedConfig;
  readonly base: Base | undefined;
  readonly reviewed: ReviewedServer | undefined;
}

/**
 * Joins a server with its configuration and its choices. Fails if a reference
 * cannot be used.
 */
function preparedServer(
  { linked: _linked, ...server }: ConfiguredServer,
  options: Options,
  { config, base, reviewed }: ServerParts,
): Prepared {
  const { only, writeHidden } =
    reviewed === undefined ? options : { only: reviewed.only, writeHidden: [] };
  const findings = oddIn(config, only);
  if (hasErrors(findings)) fail(...findings);
  const baseConfig = base?.configs.get(server.name);
  const policies = [server.policy];
  for (const other of [baseConfig, reviewed])
    policies.push(other?.policy ?? {});
  return {
    ...server,
    policy: strictest(policies),
    ...{ only, writeHidden, config, reviewed },
    allowedChanges: fewest(options.allowChanges, reviewed?.allowedChanges),
    allowedRisks: agreedTo(options.allow, reviewed?.allowedRisks),
    baseConfig,
  };
}

/** The risks of flags and of a review; undefined if there are none. */
function agreedTo(
  flags: readonly Risk[] = [],
  reviewed: readonly Risk[] = [],
): readonly Risk[] | undefined {
  const risks = new Set([...flags, ...reviewed]);
  return risks.size === 0 ? undefined : [...risks];
}

/** The smaller number: a flag does not widen what was reviewed. */
function fewest(
  flag: number | undefined,
  reviewed: number | undefined,
): number | undefined {
  if (flag === undefined || reviewed === undefined) return flag ?? reviewed;
  return Math.min(flag, reviewed);
}

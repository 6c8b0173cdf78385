import { agedSecrets, referenceFindings } from '../../core/config/config.ts';
import { isDefault, type WrittenConfig } from '../../core/config/entry.ts';
import { isOver } from '../../core/config/project.ts';
import {
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import {
  type Diagnostic,
  diagnostic,
  distinct,
} from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { listed } from '../../core/findings/words.ts';
import type { SourceFile } from '../../core/model/place.ts';
import type {
  Document,
  ReviewedServer,
  ServerDocument,
} from '../../core/plan/plan-document.ts';
import { type Risk, strictest } from '../../core/plan/risk.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Run } from '../run.ts';
import {
  type ConfiguredServer,
  type FoundServers,
  findServers,
  readConfigs,
  type Server,
} from '../servers/server.ts';
import { findProject, unreadFiles } from '../sources/project.ts';
import { digestFiles, readReferences } from '../sources/references.ts';
import type { LiveParts } from './live.ts';
import { type Base, behindOf, readBases, serversNamed } from './revision.ts';

/**
 * A server, and all of its configuration that can be known before the first
 * request.
 */
export interface Prepared extends Server, LiveParts {
  /** The hidden fields to write. */
  writeHidden?: readonly string[] | undefined;
  /** How many integrations may change at most, over all servers. */
  allowedChanges?: number | undefined;
  /** The risks that a person has agreed to. */
  allowedRisks?: readonly Risk[] | undefined;
  /** Its configuration as it is written; absent in an undo. */
  written?: WrittenConfig | undefined;
  /** The files of its layers. */
  files: readonly (readonly SourceFile[])[];
  /** What this branch is compared with. */
  base?: Base | undefined;
  /** The plan that was reviewed. */
  reviewed?: ReviewedServer | undefined;
  /**
   * The report of the apply to take back, instead of planning what `config`
   * asks.
   */
  applied?: ServerDocument | undefined;
}

/** All servers of a run with their configuration. */
export interface Preparation {
  servers: readonly Prepared[];
  /**
   * Whether the run is about several servers, those of other shards included.
   */
  isFleet: boolean;
  /** The names of all entries that `--only` can select: defaults have none. */
  names: readonly string[];
  warnings: readonly Diagnostic[];
  /** The report that is taken back, in an undo. */
  undone?: Document['undone'];
}

/**
 * Reads configuration and references of all servers, or of those of a reviewed
 * plan with its choices. Fails with all that is wrong, before any request.
 */
export async function prepare(
  run: Run,
  plans?: readonly ReviewedServer[],
): Promise<Preparation> {
  const { options } = run;
  const found =
    plans === undefined
      ? await findServers(run, options)
      : await findSavedServers(run, plans);
  const isBare = found.layers.some((layers) => layers.length === 0);
  if (isBare) fail(diagnostic('no-configuration', {}));
  const { configured, warnings } = await readConfigs(run, found);
  const { base: ref } = options;
  const names = configured.map(({ name }) => name);
  const part = { name: names[0] ?? '', select: serversNamed(names) };
  const bases =
    ref === undefined ? [] : await readBases(run, part, { ref }, names);
  const findings = [...warnings, ...datedIn(run, configured)];
  if (plans === undefined) findings.push(...(await unreadFiles(run)));
  const servers: Prepared[] = [];
  for (const server of configured) {
    // Equal configurations with the same variables have equal values.
    const twin = servers.find(
      ({ written, variables }) =>
        written === server.written && variables === server.variables,
    );
    const config =
      twin?.config ?? (await openConfig(run, server, ref !== undefined));
    const reviewed = plans?.find(({ name }) => name === server.name);
    const base = bases.find((each) => each.names.includes(server.name));
    const prepared = withChoices(
      { ...server, config, base, reviewed },
      options,
    );
    servers.push(prepared);
    findings.push(...referenceFindings(config, prepared.only));
  }
  for (const base of bases) {
    findings.push(...base.warnings, ...behindOf(base, servers));
  }
  if (hasErrors(findings)) fail(...distinct(findings));
  const entries = servers.flatMap(({ config }) => config);
  const specific = entries.filter((entry) => !isDefault(entry));
  return {
    servers,
    isFleet: servers.some(({ isInFleet }) => isInFleet),
    names: specific.map(({ name }) => name),
    warnings: distinct(findings),
  };
}

/**
 * Finds the servers of a saved plan or of a report, or those that flags name.
 * Fails if one of them is not in it, or has another address there.
 */
export async function findSavedServers(
  run: Run,
  saved: readonly ServerDocument[],
): Promise<FoundServers> {
  const { options } = run;
  const { file = [], server, url } = options;
  const isNamed = server !== undefined || url !== undefined || file.length > 0;
  const project = isNamed ? undefined : await findProject(run);
  const names = saved.map(({ name }) => name);
  const selected = project ? { ...options, server: names } : options;
  const found = await findServers(run, selected);
  const known = saved.map((each) => `${each.name} (${each.url})`);
  const foreign: Diagnostic[] = [];
  for (const { name, url: address } of found.servers) {
    const meant = `${name} (${plainAddress(address.href)})`;
    if (known.includes(meant)) continue;
    const problem = `it was made for ${listed(known)}, not for ${meant}`;
    const hint = 'Name the same servers, with the same addresses.';
    const facts = { file: 'What was saved', problem, hint };
    foreign.push(diagnostic('file-unusable', facts));
  }
  if (foreign.length > 0) fail(...foreign);
  return found;
}

/**
 * Warns of secrets that should be replaced by now, and of each waiver whose
 * last day is over.
 */
function datedIn(
  { runtime }: Run,
  configured: readonly ConfiguredServer[],
): Diagnostic[] {
  const now = runtime.now();
  const findings: Diagnostic[] = [];
  for (const { secretMaxAge, written, waivers } of configured) {
    if (secretMaxAge !== undefined) {
      findings.push(...agedSecrets(written, secretMaxAge, now));
    }
    for (const waiver of waivers) {
      if (!isOver(waiver, now)) continue;
      const { address, until, place } = waiver;
      const facts = { address, integration: undefined, until };
      findings.push(diagnostic('waiver-over', facts, place));
    }
  }
  return findings;
}

/** Reads the references of a server. */
async function openConfig(
  run: Run,
  { written, root, variables }: ConfiguredServer,
  hasBase: boolean,
): Promise<ResolvedConfig> {
  const { allowEnv } = run.options;
  const reading = { allowEnv, variables, root, masksAll: hasBase };
  const table = await readReferences(run, written, reading);
  const digested = hasBase ? await digestFiles(run, written, root) : undefined;
  return resolveConfig(written, table, digested?.digests);
}

/** Adds the choices of flags to a server, or those of its review. */
function withChoices(server: Prepared, options: Options): Prepared {
  const { reviewed, base } = server;
  const { only, writeHidden } =
    reviewed === undefined ? options : { only: reviewed.only, writeHidden: [] };
  const { policy, allowedChanges, allowedRisks = [] } = reviewed ?? {};
  // A flag does not widen what was reviewed.
  const limits = [options.allowChanges, allowedChanges].filter(
    (limit) => limit !== undefined,
  );
  const risks = new Set([...(options.allow ?? []), ...allowedRisks]);
  return {
    ...server,
    only,
    writeHidden,
    policy: strictest([server.policy, base?.policy ?? {}, policy ?? {}]),
    allowedChanges: limits.length === 0 ? undefined : Math.min(...limits),
    allowedRisks: risks.size === 0 ? undefined : [...risks],
  };
}

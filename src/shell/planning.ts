import {
  missingReferences,
  outsideReferences,
  type ResolvedConfig,
  resolveConfig,
} from '../core/config/resolve.ts';
import { type Checked, type Diagnostic, diagnostic, distinct } from '../core/findings/diagnostic.ts';
import { hasErrors } from '../core/findings/explain.ts';
import { matchEntries } from '../core/match/match.ts';
import { type DesiredIntegration, isManaged } from '../core/model/desired.ts';
import { present } from '../core/model/present.ts';
import type { Verdict } from '../core/plan/compare.ts';
import { type Fingerprint, fingerprinter } from '../core/plan/fingerprint.ts';
import type { Sized } from '../core/plan/guard.ts';
import type { ServerPlan } from '../core/plan/plan.ts';
import { type Planned, planServer } from '../core/plan/plan-server.ts';
import type { PlanReport } from '../core/report/report.ts';
import { scrubber, secretDetector } from '../core/report/secret.ts';
import { readConfig } from './config-source.ts';
import type { ConnectionOptions } from './connection.ts';
import { fingerprintKey } from './credentials.ts';
import { Failure, findingsOf } from './failure.ts';
import type { Api } from './http/api.ts';
import { LiveReader, type Wanted } from './http/live.ts';
import { rememberSecrets } from './known-secrets.ts';
import { readReferences } from './references.ts';
import type { Run, RunOptions } from './run.ts';
import {
  credentialsOf,
  type FoundTargets,
  findTargets,
  type Server,
  type Target,
  type TargetOptions,
} from './targets.ts';

/** The options of the commands that compare a configuration with servers. */
export interface PlanningOptions extends RunOptions, ConnectionOptions, TargetOptions {
  readonly only?: string | undefined;
  /** `all`, or field addresses: values that cannot be read and are to be written all the same. */
  readonly writeSecrets?: readonly string[] | undefined;
  readonly allowEnv?: readonly string[] | undefined;
}

/** Which integrations of a server to plan, and which values that cannot be read to write all the same. */
interface Choice {
  readonly only: string | undefined;
  readonly writeSecrets: readonly string[];
}

/** Everything about one server that can be known before the first request. */
export interface Prepared extends Server, Choice {
  readonly fingerprint: Fingerprint;
  /** Secrets that are known before anything was sent. */
  readonly secrets: readonly string[];
  readonly config: ResolvedConfig;
}

/** A plan together with what was found on the way. */
export interface LivePlan extends Planned {
  readonly diagnostics: readonly Diagnostic[];
  /** What reads this server, knowing by now where its values are. */
  readonly reader: LiveReader;
  readonly fingerprint: Fingerprint;
  /** What the guard judges: the plan, or the one that was reviewed. */
  readonly size: Sized;
  /** What to do where a reviewed plan was applied; an integration that is not in here is written. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/** The servers that a command is for, and what was found of their configuration. */
export interface Preparation {
  readonly servers: readonly Prepared[];
  readonly warnings: readonly Diagnostic[];
}

/** Reads configuration, credentials and references of all servers; fails with all that is wrong, before anything is sent. */
export async function prepare(run: Run, options: PlanningOptions): Promise<Preparation> {
  const choice = { only: options.only, writeSecrets: options.writeSecrets ?? [] };
  return prepareTargets(run, await findTargets(run, options), options, () => choice);
}

/** The same for servers that were found already, each with a choice of its own. */
export async function prepareTargets(
  run: Run,
  { targets, configs: named, diagnostics }: FoundTargets,
  options: PlanningOptions,
  choose: (target: Target) => Choice,
): Promise<Preparation> {
  if (named.some(({ layers }) => layers.length === 0))
    throw new Failure([diagnostic('no-configuration', { given: 'url' })]);
  const configs = await Promise.all(named.map((layers) => readConfig(run, layers)));
  const found = distinct([...diagnostics, ...configs.flatMap((each) => each.diagnostics)]);
  if (hasErrors(found)) throw new Failure(found);
  const credentials = await credentialsOf(run, targets);
  const prepared = await all(
    targets.map(async (target, index) => {
      const linked = configs[index]?.value;
      const account = credentials[index];
      if (account === undefined || linked === undefined)
        throw new Error('a server lacks its account or configuration');
      const choice = choose(target);
      const table = await readReferences(run, outsideReferences(linked), options.allowEnv ?? [], target.root);
      const config = resolveConfig(linked, table);
      const missing = missingReferences(config, choice.only);
      if (missing.length > 0) throw new Failure(missing);
      const fingerprint = fingerprinter(fingerprintKey(run.runtime.env, account, target.url.origin));
      return { target, credentials: account, config, ...choice, fingerprint };
    }),
  );
  const secrets = [...run.secrets];
  return { servers: prepared.map((each) => ({ ...each, secrets })), warnings: found };
}

/** Reads what is live on one server and compares it; fails where the configuration does not fit the server. */
export async function planLive(run: Run, api: Api, prepared: Prepared): Promise<LivePlan> {
  const { target, only, fingerprint } = prepared;
  const writeSecrets = new Set(prepared.writeSecrets);
  const readsBefore = api.reads;
  const reader = new LiveReader(api);
  const listed = await reader.list();
  const {
    value: desired,
    managedElsewhere,
    unmet,
    diagnostics,
  } = matchEntries(prepared.config, listed, only);
  const found = [...unmet.map(({ finding }) => finding), ...diagnostics];
  if (hasErrors(found)) throw new Failure(found);
  const live = await reader.complete(listed, desired.integrations.map(wantedOf));
  // Without what other servers have shown meanwhile: the same input gives the same plan, whichever answers first.
  const known = new Set([...prepared.secrets, ...rememberSecrets(run, live, desired)]);
  const secrets = {
    fingerprint,
    isKnown: secretDetector(known),
    scrub: scrubber(known),
    writesUnreadable: (address: string) => writeSecrets.has('all') || writeSecrets.has(address),
  };
  const { name, url, policy } = target;
  const server = {
    name,
    url: writtenUrl(url),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
    ...present({ only }),
  };
  const planned = valid(
    planServer({ server, desired, managedElsewhere, live, reads: api.reads - readsBefore, secrets }),
  );
  return {
    ...planned.value,
    diagnostics: [...found, ...planned.diagnostics],
    reader,
    fingerprint,
    size: planned.value.plan,
    verdicts: new Map(),
  };
}

function wantedOf({ id, options, autosubscribe }: DesiredIntegration): Wanted {
  return {
    id,
    keys: options.filter(isManaged).map(({ key }) => key),
    autosubscribe: autosubscribe !== undefined,
  };
}

/** The address of a server as a plan writes it. */
export function writtenUrl({ href }: URL): string {
  return href.replace(/\/$/, '');
}

/** The report of planned or applied servers. */
export function planReport(
  plans: readonly ServerPlan[],
  isComplete: boolean,
  showRequests = false,
): PlanReport {
  return { kind: 'plan', servers: plans, isComplete, showRequests };
}

/** Findings for `--write-secrets` addresses that name nothing which is written. */
export function unwrittenSecrets(
  addresses: readonly string[] | undefined,
  plans: readonly ServerPlan[],
): Diagnostic[] {
  const written = new Set(
    plans.flatMap(({ integrations }) =>
      integrations.flatMap(({ changes }) => changes.map(({ address }) => address)),
    ),
  );
  const unmet = (addresses ?? []).filter((address) => address !== 'all' && !written.has(address));
  return unmet.map((address) => diagnostic('nothing-to-write', { address }));
}

/** The finding for an `--only` that means nothing on any server. */
export function onlyNothing(only: string | undefined, plans: readonly ServerPlan[]): Diagnostic[] {
  const isEmpty = plans.length > 0 && plans.every(({ summary }) => summary.managed === 0);
  return only !== undefined && isEmpty ? [diagnostic('only-matches-nothing', { glob: only })] : [];
}

/** The results of all, or a failure with the findings of all that failed. */
async function all<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(promises);
  const findings = ended.flatMap((each) => (each.status === 'rejected' ? findingsOf(each.reason) : []));
  if (findings.length > 0) throw new Failure(distinct(findings));
  return ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** A value without errors, and the warnings that came with it; errors end the command. */
function valid<T>({ value, diagnostics }: Checked<T>): { value: T; diagnostics: readonly Diagnostic[] } {
  if (value === undefined || hasErrors(diagnostics)) throw new Failure(diagnostics);
  return { value, diagnostics };
}

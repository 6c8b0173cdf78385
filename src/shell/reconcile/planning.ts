import {
  missingReferences,
  outsideReferences,
  type ResolvedConfig,
  resolveConfig,
} from '../../core/config/resolve.ts';
import { agedSecrets } from '../../core/config/rotation.ts';
import { type Diagnostic, diagnostic, distinct } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { Wanted } from '../../core/live/sources.ts';
import { matchEntries } from '../../core/match/match.ts';
import { type DesiredIntegration, type DesiredState, isManaged } from '../../core/model/desired.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { nearNames } from '../../core/model/near-names.ts';
import { present } from '../../core/model/present.ts';
import { type OptionValue, textsOf } from '../../core/model/value.ts';
import { unknownNamesakes } from '../../core/plan/colliding.ts';
import type { Verdict } from '../../core/plan/compare.ts';
import type { Fingerprints } from '../../core/plan/fingerprint.ts';
import type { Sized } from '../../core/plan/guard.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import { type Planned, planServer } from '../../core/plan/plan-server.ts';
import { type WireForm, wireFormOf } from '../../core/plan/wire-form.ts';
import { mayBeWithheld } from '../../core/plan/withheld.ts';
import { chosen, vainChoices } from '../../core/plan/write-choice.ts';
import { scrubber } from '../../core/scrub/scrubber.ts';
import { allOrFail, Failure, fail } from '../failure.ts';
import type { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange-error.ts';
import { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import { type FoundServers, findServers, type Server, type ServerOptions } from '../servers/server.ts';
import type { OpenServer } from '../servers/sessions.ts';
import { readConfig } from '../sources/config.ts';
import { readReferences } from '../sources/references.ts';
import { readInstalled } from './installed.ts';
import { rememberSecrets } from './known-secrets.ts';

/** The options of the commands that compare a configuration with servers. */
export interface PlanningOptions extends ServerOptions {
  readonly only?: string | undefined;
  /** Which unreadable values to write: `all`, or field addresses. */
  readonly writeSecrets?: readonly string[] | undefined;
  /** Which permissions to write whose flags are not shown: `all`, or field addresses. */
  readonly writeFlags?: readonly string[] | undefined;
  readonly allowEnv?: readonly string[] | undefined;
}

/** Which integrations of a server to plan, and which unreadable fields to write. */
type Choice = Pick<PlanningOptions, 'only' | 'writeSecrets' | 'writeFlags'>;

/** A server, and all of its configuration that can be known before the first request. */
export interface Prepared extends Server, Choice {
  readonly config: ResolvedConfig;
}

/** A plan together with what was found on the way. */
export interface LivePlan extends Planned {
  readonly diagnostics: readonly Diagnostic[];
  /** Reads this server again; it knows by now where the values are. */
  readonly reader: LiveReader;
  readonly fingerprints: Fingerprints | undefined;
  /** In which form the server takes what is written. */
  readonly form: WireForm;
  /** What the guard judges: the plan, or the one that was reviewed. */
  readonly size: Sized;
  /** What to do with each integration of a reviewed plan; one that is missing here is written. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Whether secrets were compared with a reviewed plan by their references alone. */
  readonly isByReference?: boolean;
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
  { allowEnv = [] }: PlanningOptions,
  choose: (server: Server) => Choice,
): Promise<Preparation> {
  if (found.layers.some((layers) => layers.length === 0))
    fail(diagnostic('no-configuration', { given: 'url' }));
  const { configured, warnings } = await readConfigs(run, found);
  const servers = await allOrFail(
    configured.map(async ({ server, config: linked }): Promise<Prepared> => {
      const { only, writeSecrets, writeFlags } = choose(server);
      const table = await readReferences(run, outsideReferences(linked), allowEnv, server.root);
      const config = resolveConfig(linked, table);
      const missing = missingReferences(config, only);
      if (missing.length > 0) throw new Failure(missing);
      return { ...server, only, writeSecrets, writeFlags, config };
    }),
  );
  return { servers, warnings };
}

/** Reads the configuration of each server; fails with all that is wrong with servers and configurations. */
export async function readConfigs(run: Run, { servers, layers, diagnostics }: FoundServers) {
  const read = await Promise.all(layers.map((each) => readConfig(run, each)));
  const aged = read.flatMap(({ value = [] }, index) => {
    const days = servers[index]?.secretMaxAge;
    return days === undefined ? [] : agedSecrets(value, days, run.runtime.now());
  });
  const warnings = distinct([...diagnostics, ...read.flatMap((each) => each.diagnostics), ...aged]);
  if (hasErrors(warnings)) throw new Failure(warnings);
  const configured = servers.flatMap((server, index) => {
    const config = read[index]?.value;
    return config === undefined ? [] : [{ server, config }];
  });
  return { configured, warnings };
}

/**
 * Reads what is live on one server and compares it; fails if the configuration does not fit the server. What a reviewed plan
 * changes is looked for also where the list lacks it.
 */
export async function planLive(
  run: Run,
  open: OpenServer,
  server: Prepared,
  reviewed?: ServerPlan<null>,
): Promise<LivePlan> {
  const { api, fingerprints } = open;
  const readsBefore = api.reads;
  const reader = new LiveReader(api);
  const match = (live: readonly LiveIntegration[]) => matchEntries(server.config, live, server.only);
  const { listed, matched } = await readInstalled(reader, match, reviewed);
  const { others } = matched;
  const { desired, unsafe } = withoutUnsafe(matched.value);
  const found = [...matched.unmet.map(({ finding }) => finding), ...matched.diagnostics, ...unsafe];
  const byId = new Map(listed.map((each) => [each.id, each]));
  const namesakes = unknownNamesakes(desired.integrations, byId).map(wholeOf);
  const wanted = [...desired.integrations.map(wantedOf), ...namesakes];
  const live = await reader.complete(listed, wanted).catch((thrown: unknown) => {
    // What does not match is told even where the rest cannot be read; the findings name what the server lists.
    rememberSecrets(run, listed, desired);
    throw hasErrors(found) && thrown instanceof ExchangeError ? new Failure(found) : thrown;
  });
  const known = new Set([...open.secrets, ...rememberSecrets(run, live, desired)]);
  const { name, clean } = scrubber(known);
  // What is too short to be found, or no secret by itself, makes no secret of what equals it.
  const whole = new Set([...known].filter((text) => clean(text) !== text));
  const secrets = {
    fingerprints,
    isKnown: (value: OptionValue) => textsOf(value).some((text) => whole.has(text) || name(text) !== text),
    writesUnreadable: chosen(server.writeSecrets),
    writesUnknownFlags: chosen(server.writeFlags),
  };
  const reads = api.reads - readsBefore;
  const planned = planServer({ server: headOf(server), desired, others, live, reads, secrets });
  const { value, diagnostics } = planned;
  const all = [...found, ...diagnostics];
  if (value === undefined || hasErrors(all))
    throw new Failure([...found, ...(await withoutWithheld(api, diagnostics, desired, live))]);
  const form = wireFormOf(live);
  return { ...value, diagnostics: all, reader, fingerprints, form, size: value.plan, verdicts: new Map() };
}

/** What is desired of integrations that requests can name, and a finding for each other one. */
function withoutUnsafe(desired: DesiredState) {
  const unsafe = desired.integrations.filter(({ id }) => !isPathSafe(id));
  const integrations = desired.integrations.filter(({ id }) => isPathSafe(id));
  return {
    desired: { ...desired, integrations },
    unsafe: unsafe.map(({ id }) => diagnostic('unsafe-id', { id })),
  };
}

/**
 * The findings of a plan with one for all options that the server may withhold from this account. That its role is limited is
 * certain where it may not see integration errors, which the roles that manage integrations may.
 */
async function withoutWithheld(
  api: Api,
  diagnostics: readonly Diagnostic[],
  desired: DesiredState,
  live: readonly LiveIntegration[],
): Promise<readonly Diagnostic[]> {
  const judged = mayBeWithheld(diagnostics, desired, live);
  if (judged === undefined) return diagnostics;
  const isRefused = await api.errors().then(
    () => false,
    (thrown: unknown) => thrown instanceof ExchangeError && thrown.status === 403,
  );
  return isRefused ? judged : diagnostics;
}

/** What a plan says of its server. */
function headOf({ name, url, policy, only }: Prepared) {
  return {
    name,
    url: urlText(url),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
    ...present({ only }),
  };
}

/** All options of an integration whose keys are not known. */
function wholeOf({ id }: LiveIntegration): Wanted {
  return { id, keys: ['*'], autosubscribe: false };
}

function wantedOf({ id, options, autosubscribe }: DesiredIntegration): Wanted {
  return {
    id,
    keys: options.filter(isManaged).map(({ key }) => key),
    autosubscribe: autosubscribe !== undefined,
  };
}

/** The address of a server as a plan writes it. */
export function urlText({ href }: URL): string {
  return href.replace(/\/$/, '');
}

/** Finds an `--only` that selects nothing on any server, and addresses of fields to write that name nothing to write. */
export function unmetChoices(
  { only, writeSecrets = [], writeFlags = [] }: PlanningOptions,
  servers: readonly Prepared[],
  planned: readonly LivePlan[],
): Diagnostic[] {
  if (planned.length === 0) return [];
  const isEmpty = planned.every(({ plan }) => plan.summary.managed === 0);
  return [
    ...(only === undefined || !isEmpty ? [] : unmetGlob(only, servers, planned)),
    ...vainChoices('--write-secrets', writeSecrets, planned),
    ...vainChoices('--write-flags', writeFlags, planned),
  ];
}

/** A glob that selects none of the entries; one may select an optional entry that matches nothing. */
function unmetGlob(glob: string, servers: readonly Prepared[], planned: readonly LivePlan[]): Diagnostic[] {
  const names = [...new Set(servers.flatMap(({ config }) => config.map(({ name }) => name)))];
  if (names.some(globMatcher(glob))) return [];
  const [near] = nearNames(glob, [...names, ...planned.flatMap(({ installed }) => [...installed])]);
  return [diagnostic('only-matches-nothing', { glob, names, ...present({ near }) })];
}

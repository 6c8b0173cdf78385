import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import type { Wanted } from '../../core/live/sources.ts';
import { matchEntries } from '../../core/match/match.ts';
import { type DesiredIntegration, type DesiredState, isManaged } from '../../core/model/desired.ts';
import { globMatcher } from '../../core/model/glob.ts';
import { isPathSafe } from '../../core/model/ids.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { nearNames } from '../../core/model/near-names.ts';
import { present } from '../../core/model/present.ts';
import { textsOf } from '../../core/model/value.ts';
import { unknownNamesakes } from '../../core/plan/colliding.ts';
import type { Verdict } from '../../core/plan/compare.ts';
import type { SecretKeeping } from '../../core/plan/diff.ts';
import type { Fingerprints } from '../../core/plan/fingerprint.ts';
import { isLarge, type Sized } from '../../core/plan/guard.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import { type Planned, planServer, unsureOthers } from '../../core/plan/plan-server.ts';
import { type WireForm, wireFormOf } from '../../core/plan/wire-form.ts';
import { mayBeWithheld } from '../../core/plan/withheld.ts';
import { chosen, vainChoices } from '../../core/plan/write-choice.ts';
import { scrubber } from '../../core/scrub/scrubber.ts';
import { Failure } from '../failure.ts';
import type { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange-error.ts';
import { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import type { OpenServer } from '../servers/sessions.ts';
import { readInstalled } from './installed.ts';
import { rememberSecrets } from './known-secrets.ts';
import type { PlanningOptions, Prepared } from './preparation.ts';

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
  const { value: desired, others } = matched;
  const found = [...matched.unmet.map(({ finding }) => finding), ...matched.diagnostics];
  const byId = new Map(listed.map((each) => [each.id, each]));
  const namesakes = unknownNamesakes(desired.integrations, byId).map(wholeOf);
  const unread = new Map(unsafeIds(desired));
  const wanted = [...desired.integrations.map(wantedOf), ...namesakes].filter(({ id }) => !unread.has(id));
  const namesakeIds = new Set(namesakes.map(({ id }) => id));
  const onUnread = (id: string, error: ExchangeError) => {
    // Without its keys nobody can tell whose options are written.
    if (namesakeIds.has(id)) throw error;
    unread.set(id, error.diagnostic);
  };
  const live = await reader.complete(listed, wanted, onUnread).catch((thrown: unknown) => {
    // What does not match is told even where the rest cannot be read; the findings name what the server lists.
    rememberSecrets(run, listed, desired);
    throw hasErrors(found) && thrown instanceof ExchangeError ? new Failure(found) : thrown;
  });
  const declared = { ...desired, integrations: [...desired.integrations, ...others] };
  const known = new Set([...open.secrets, ...rememberSecrets(run, live, declared)]);
  const secrets = keepingOf(known, fingerprints, server);
  const planned = (known: readonly LiveIntegration[]) => {
    const reads = api.reads - readsBefore;
    return planServer({ server: headOf(server), desired, others, live: known, unread, reads, secrets });
  };
  const first = planned(live);
  const unsure = unsureOthers(others, live);
  // The guard counts what is managed on the server, whatever is selected: then the others are read to be counted.
  const isUncounted = isLarge(first.value.plan, unsure.length);
  const { value, diagnostics } =
    unsure.length > 0 && isUncounted ? planned(await withMore(reader, listed, live, unsure)) : first;
  const all = [...found, ...diagnostics];
  const judged = hasErrors(diagnostics)
    ? await withoutWithheld(api, diagnostics, desired, live)
    : diagnostics;
  // What is wrong with one integration leaves out that one alone.
  if (judged !== diagnostics || hasErrors(server.failFast ? all : found))
    throw new Failure([...found, ...judged]);
  const form = wireFormOf(live);
  return { ...value, diagnostics: all, reader, fingerprints, form, size: value.plan, verdicts: new Map() };
}

/** How a plan treats secrets, of which `known` are those that the run has seen. */
function keepingOf(
  known: ReadonlySet<string>,
  fingerprints: Fingerprints | undefined,
  { writeSecrets, writeFlags }: Prepared,
): SecretKeeping {
  const { name, clean } = scrubber(known);
  // What is too short to be found, or no secret by itself, makes no secret of what equals it.
  const whole = new Set([...known].filter((text) => clean(text) !== text));
  return {
    fingerprints,
    isKnown: (value) => textsOf(value).some((text) => whole.has(text) || name(text) !== text),
    writesUnreadable: chosen(writeSecrets),
    writesUnknownFlags: chosen(writeFlags),
  };
}

/** What is live, together with what only a reading of some integrations tells; those that cannot be read stay as they are. */
async function withMore(
  reader: LiveReader,
  listed: readonly LiveIntegration[],
  live: readonly LiveIntegration[],
  others: readonly DesiredIntegration[],
): Promise<readonly LiveIntegration[]> {
  const read = await reader.complete(listed, others.map(wantedOf), () => {});
  const ids = new Set(others.map(({ id }) => id));
  const more = new Map(read.map((each) => [each.id, each]));
  return live.map((each) => (ids.has(each.id) ? (more.get(each.id) ?? each) : each));
}

/** The integrations that no request can name: they count as ones that cannot be read. */
function unsafeIds({ integrations }: DesiredState): [string, Diagnostic][] {
  return integrations.flatMap(({ id }) => (isPathSafe(id) ? [] : [[id, diagnostic('unsafe-id', { id })]]));
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

import { urlText } from '../../core/config/server-url.ts';
import type { Diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { unsafeIds, wantedBy, wholeOf } from '../../core/live/sources.ts';
import { matchEntries } from '../../core/match/match.ts';
import type { DesiredIntegration, DesiredState } from '../../core/model/desired.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { present } from '../../core/model/present.ts';
import { unknownNamesakes } from '../../core/plan/colliding.ts';
import type { Verdict } from '../../core/plan/compare.ts';
import type { Fingerprints } from '../../core/plan/fingerprint.ts';
import { isLarge, type Sized } from '../../core/plan/guard.ts';
import { keepingOf } from '../../core/plan/keeping.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import { type Planned, planServer, unsureOthers } from '../../core/plan/plan-server.ts';
import { type WireForm, wireFormOf } from '../../core/plan/wire-form.ts';
import { mayBeWithheld } from '../../core/plan/withheld.ts';
import { scrubber } from '../../core/scrub/scrubber.ts';
import { Failure } from '../failure.ts';
import type { Api } from '../http/api.ts';
import { ExchangeError } from '../http/exchange-error.ts';
import { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import type { OpenServer } from '../servers/sessions.ts';
import type { OpenSnapshot } from '../servers/snapshots.ts';
import { ageOf, type InstalledReader, snapshotReader } from '../sources/snapshot.ts';
import { readInstalled } from './installed.ts';
import { judgingOf } from './judging.ts';
import { rememberSecrets } from './known-secrets.ts';
import type { Prepared } from './preparation.ts';

/** A plan together with what was found on the way. */
export interface LivePlan extends Planned {
  readonly diagnostics: readonly Diagnostic[];
  /** All integrations, those that are managed with their options. */
  readonly live: readonly LiveIntegration[];
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

/** Where the live state of one server comes from. */
interface LiveSource extends Pick<OpenServer, 'fingerprints' | 'secrets'> {
  readonly reader: InstalledReader;
  /** How many requests it took to read so far. */
  readonly reads: () => number;
  /** Whether the server is known to show this account less than it has. */
  readonly isLimited: () => Promise<boolean>;
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
  const { api, fingerprints, secrets } = open;
  const readsBefore = api.reads;
  const named = new Set(server.config.flatMap(({ options }) => [...options.keys()]));
  const reader = new LiveReader(api, (key) => named.has(key), server.hidesSecrets);
  const reads = () => api.reads - readsBefore;
  const source = { reader, fingerprints, secrets, reads, isLimited: () => isLimited(api) };
  return { ...(await planFrom(run, source, server, reviewed)), reader };
}

/** Compares the snapshot of one server; fails if the configuration does not fit it. */
export function planSnapshot(
  run: Run,
  { live, ...open }: OpenSnapshot,
  server: Prepared,
): Promise<Omit<LivePlan, 'reader'>> {
  const source = { ...open, reads: () => 0, isLimited: async () => false };
  return planFrom(run, { ...source, reader: snapshotReader(live) }, server);
}

async function planFrom(
  run: Run,
  source: LiveSource,
  server: Prepared,
  reviewed?: ServerPlan<null>,
): Promise<Omit<LivePlan, 'reader'>> {
  const { reader, fingerprints } = source;
  const match = (live: readonly LiveIntegration[]) => matchEntries(server.config, live, server.only);
  const { listed, matched } = await readInstalled(reader, match, reviewed);
  const judging = judgingOf(run, server, { matched, live: listed, reviewed, fingerprints });
  const { desired, others, isTouched } = judging;
  const found = [...matched.unmet.map(({ finding }) => finding), ...matched.diagnostics];
  const byId = new Map(listed.map((each) => [each.id, each]));
  const namesakes = unknownNamesakes(desired.integrations, byId).map(wholeOf);
  const unread = new Map(unsafeIds(desired));
  const wanted = [...desired.integrations.map(wantedBy), ...namesakes].filter(({ id }) => !unread.has(id));
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
  const known = new Set([...source.secrets, ...rememberSecrets(run, live, declared)]);
  const secrets = keepingOf({ known, scrubber: scrubber(known), fingerprints, choice: server, isTouched });
  const input = { server: headOf(run, server), unread, secrets, ...judging };
  const planned = (known: readonly LiveIntegration[]) =>
    planServer({ ...input, live: known, reads: source.reads() });
  const first = planned(live);
  const unsure = unsureOthers(others, live);
  // The guard counts what is managed on the server, whatever is selected: then the others are read to be counted.
  const isUncounted = isLarge(first.value.plan, unsure.length);
  const { value, diagnostics } =
    unsure.length > 0 && isUncounted ? planned(await withMore(reader, listed, live, unsure)) : first;
  const all = [...found, ...diagnostics];
  const judged = hasErrors(diagnostics)
    ? await withoutWithheld(source, diagnostics, desired, live)
    : diagnostics;
  // What is wrong with one integration leaves out that one alone.
  if (judged !== diagnostics || hasErrors(server.failFast ? all : found))
    throw new Failure([...found, ...judged]);
  const read = { live, fingerprints, form: wireFormOf(live), verdicts: new Map() };
  return { ...value, ...read, diagnostics: all, size: value.plan };
}

/** What is live, together with what only a reading of some integrations tells; those that cannot be read stay as they are. */
async function withMore(
  reader: InstalledReader,
  listed: readonly LiveIntegration[],
  live: readonly LiveIntegration[],
  others: readonly DesiredIntegration[],
): Promise<readonly LiveIntegration[]> {
  const read = await reader.complete(listed, others.map(wantedBy), () => {});
  const ids = new Set(others.map(({ id }) => id));
  const more = new Map(read.map((each) => [each.id, each]));
  return live.map((each) => (ids.has(each.id) ? (more.get(each.id) ?? each) : each));
}

/**
 * The findings of a plan with one for all options that the server may withhold from this account. That its role is limited is
 * certain where it may not see integration errors, which the roles that manage integrations may.
 */
async function withoutWithheld(
  { isLimited: isKnownAsLimited }: LiveSource,
  diagnostics: readonly Diagnostic[],
  desired: DesiredState,
  live: readonly LiveIntegration[],
): Promise<readonly Diagnostic[]> {
  const judged = mayBeWithheld(diagnostics, desired, live);
  if (judged === undefined) return diagnostics;
  return (await isKnownAsLimited()) ? judged : diagnostics;
}

function isLimited(api: Api): Promise<boolean> {
  return api.errors().then(
    () => false,
    (thrown: unknown) => thrown instanceof ExchangeError && thrown.status === 403,
  );
}

/** What a plan says of its server. */
function headOf({ runtime }: Run, { name, url, policy, only, snapshot }: Prepared) {
  return {
    name,
    url: urlText(url),
    ...present({ snapshot: snapshot && ageOf(snapshot, runtime.now()) }),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
    ...present({ only }),
  };
}

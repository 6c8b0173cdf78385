import { urlText } from '../../core/config/server-url.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { unsafeIds, type Wanted, wantedBy } from '../../core/live/sources.ts';
import { type Matched, matchEntries } from '../../core/match/match.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import { dayOf } from '../../core/model/waiver.ts';
import type { ServerDocument } from '../../core/plan/plan.ts';
import { type Planned, planServer } from '../../core/plan/plan-server.ts';
import { Failure } from '../failure.ts';
import { ExchangeError } from '../http/exchange.ts';
import { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import type { OpenServer } from '../servers/sessions.ts';
import type { OpenSnapshot } from '../servers/snapshots.ts';
import type { Prepared } from './preparation.ts';

/** A plan together with what was found on the way. */
export interface LivePlan extends Planned {
  /** All integrations, those that are managed with their options. */
  readonly live: readonly LiveIntegration[];
  /** Reads this server again; it knows by now where the values are. */
  readonly reader: LiveReader;
  /** The names of what errors keep from being planned. */
  readonly leftOut: readonly string[];
}

/** What is read of a server to compare it, or of what a snapshot has in its place. */
type InstalledReader = Pick<LiveReader, 'list' | 'isPaged' | 'complete'>;

/** Where the live state of one server comes from. */
interface LiveSource {
  readonly reader: InstalledReader;
  /** How many requests it took to read so far. */
  readonly reads: () => number;
}

/**
 * Reads what is live on one server and compares it; what does not fit the server is left out.
 */
export async function planLive(
  run: Run,
  open: OpenServer,
  server: Prepared,
  reviewed?: ServerDocument,
): Promise<LivePlan> {
  const { api } = open;
  const readsBefore = api.reads;
  const wanted = new Set(server.config.flatMap(({ options }) => [...options.keys()]));
  const reader = new LiveReader(api, { wanted, hidesSecrets: server.hidesSecrets });
  const reads = () => api.reads - readsBefore;
  const source = { reader, reads };
  return { ...(await planFrom(run, source, server, reviewed)), reader };
}

/** The same with all options of some integrations, managed or not. */
export async function planWhole(
  run: Run,
  { api }: OpenServer,
  server: Prepared,
  shown: (listed: readonly LiveIntegration[]) => readonly Wanted[],
): Promise<Omit<LivePlan, 'reader'>> {
  const reader = new LiveReader(api, { hidesSecrets: server.hidesSecrets });
  const whole: InstalledReader = {
    list: () => reader.list(),
    get isPaged() {
      return reader.isPaged;
    },
    complete: (listed, wanted, onUnread) => reader.complete(listed, [...wanted, ...shown(listed)], onUnread),
  };
  return planFrom(run, { reader: whole, reads: () => api.reads }, server);
}

/** Compares the snapshot of one server. */
export function planSnapshot(
  run: Run,
  { live }: OpenSnapshot,
  server: Prepared,
): Promise<Omit<LivePlan, 'reader'>> {
  const all = async () => live;
  return planFrom(run, { reader: { isPaged: false, list: all, complete: all }, reads: () => 0 }, server);
}

async function planFrom(
  run: Run,
  source: LiveSource,
  server: Prepared,
  reviewed?: ServerDocument,
): Promise<Omit<LivePlan, 'reader'>> {
  const { reader } = source;
  const match = (live: readonly LiveIntegration[]) => matchEntries(server.config, live, server.only);
  const { listed, matched } = await readInstalled(reader, match);
  const { value: desired } = matched;
  const found = matched.diagnostics;
  const unread = new Map(unsafeIds(desired));
  const wanted = desired.integrations.map(wantedBy).filter(({ id }) => !unread.has(id));
  const onUnread = (id: string, error: ExchangeError) => unread.set(id, error.diagnostic);
  const live = await reader.complete(listed, wanted, onUnread).catch((thrown: unknown) => {
    // Entries that match nothing are reported even if the rest cannot be read.
    throw hasErrors(found) && thrown instanceof ExchangeError
      ? new Failure([...found, thrown.diagnostic])
      : thrown;
  });
  const planned = planServer({
    server: headOf(server),
    ...{ desired, live, unread, reads: source.reads() },
    writeHidden: server.writeHidden,
    base: declaredOf(server, listed),
    waivers: server.waivers.filter(({ until }) => until >= dayOf(run.runtime.now())),
    reviewed,
  });
  const diagnostics = [...found, ...planned.diagnostics];
  if (server.failFast && hasErrors(diagnostics)) throw new Failure(diagnostics);
  const unplanned = planned.plan.integrations.filter((each) => each.unplanned).map(({ name }) => name);
  const leftOut = [...matched.leftOut, ...unplanned];
  return { ...planned, live, diagnostics, leftOut };
}

/** What this branch and its base declare, matched again with references open. */
function declaredOf({ comparison }: Prepared, live: readonly LiveIntegration[]) {
  if (comparison === undefined) return undefined;
  const { base, before, after } = comparison;
  return { base, before: matchEntries(before, live).value, after: matchEntries(after, live).value };
}

/** What a plan says of its server. */
function headOf({ name, url, policy, only, snapshot }: Prepared) {
  return {
    name,
    url: urlText(url),
    ...present({ snapshot: snapshot && { takenAt: snapshot.takenAt } }),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
    ...present({ only }),
  };
}

/** What a server lists, and what the configuration asks of it. */
interface Installed {
  readonly listed: readonly LiveIntegration[];
  readonly matched: Matched;
}

/** Reads what is installed and matches it. An integration may move between two pages: what none has is looked for once more. */
async function readInstalled(
  reader: InstalledReader,
  match: (live: readonly LiveIntegration[]) => Matched,
): Promise<Installed> {
  const listed = await reader.list();
  const matched = match(listed);
  const isMissed = matched.diagnostics.some(({ code }) => code === 'no-match');
  if (!reader.isPaged || !isMissed) return { listed, matched };
  const again = await reader.list();
  return { listed: again, matched: match(again) };
}

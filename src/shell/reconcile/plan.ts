import { isOver } from '../../core/config/project.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { unsafeIds, type Wanted, wantedBy } from '../../core/live/sources.ts';
import { matchEntries } from '../../core/match/match.ts';
import type { DesiredState } from '../../core/model/desired.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { Planned, ServerDocument } from '../../core/plan/plan.ts';
import { planServer } from '../../core/plan/plan-server.ts';
import { liveOf } from '../../core/snapshot/read.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import type { Server } from '../servers/server.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import type { Prepared } from './prepare.ts';

/** A plan together with what was found on the way. */
export interface LivePlan extends Planned {
  readonly desired: DesiredState;
  /** All integrations, those that are managed with their options. */
  readonly live: readonly LiveIntegration[];
  /** The names of what errors keep from being planned. */
  readonly leftOut: readonly string[];
  /** Reads this server again; it knows by now where the values are. */
  readonly reader: LiveReader;
  /** When the reading began. */
  readonly readAt: number;
}

/**
 * Reads what is live on one server and compares it; what does not fit the server is left out, and what `reviewed` lacks.
 * `also` is what to read in addition to what is managed.
 */
export async function planLive(
  run: Run,
  api: Api,
  server: Prepared,
  reviewed?: ServerDocument,
  also?: (listed: readonly LiveIntegration[]) => readonly Wanted[],
): Promise<LivePlan> {
  const readAt = run.runtime.now();
  const { hidesSecrets, config } = server;
  const managed = new Set(config.flatMap(({ options }) => [...options.keys()]));
  // What is read in addition may be any option.
  const reader = new LiveReader(api, { hidesSecrets, ...(also === undefined ? { wanted: managed } : {}) });
  const source: LiveSource = {
    list: () => reader.list(),
    complete: (listed, wanted, onUnread) =>
      reader.complete(listed, [...wanted, ...(also?.(listed) ?? [])], onUnread),
    reads: () => api.reads,
  };
  return { ...(await planFrom(run, source, server, reviewed)), reader, readAt };
}

/** Compares the snapshot of one server. */
export function planSnapshot(run: Run, server: Prepared): Promise<Omit<LivePlan, 'reader' | 'readAt'>> {
  const live = server.snapshot === undefined ? [] : liveOf(server.snapshot);
  return planFrom(run, { list: async () => live, complete: async () => live, reads: () => 0 }, server);
}

/** Where the live state of one server comes from, and how many requests it took so far. */
type LiveSource = Pick<LiveReader, 'list' | 'complete'> & { readonly reads: () => number };

async function planFrom(
  run: Run,
  source: LiveSource,
  server: Prepared,
  reviewed?: ServerDocument,
): Promise<Omit<LivePlan, 'reader' | 'readAt'>> {
  const listed = await source.list();
  const matched = matchEntries(server.config, listed, server.only);
  const { value: desired } = matched;
  const unread = new Map(unsafeIds(desired));
  const wanted = desired.integrations.map(wantedBy);
  const live = await source.complete(listed, wanted, (id, error) => unread.set(id, error.diagnostic));
  const planned = planServer({
    ...{ server: headOf(server), desired, live, unread, reads: source.reads(), reviewed },
    writeHidden: server.writeHidden,
    base: declaredOf(server, listed),
    waivers: server.waivers.filter((each) => !isOver(each, run.runtime.now())),
  });
  const unplanned = planned.plan.integrations.filter((each) => each.unplanned).map(({ name }) => name);
  const diagnostics = [...matched.diagnostics, ...planned.diagnostics];
  return { ...planned, desired, live, diagnostics, leftOut: [...matched.leftOut, ...unplanned] };
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
    url: plainAddress(url.href),
    ...present({ snapshot: snapshot && { takenAt: snapshot.takenAt } }),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
    ...present({ only }),
  };
}

/** Reads all integrations of servers with all their options. Fails if one of the servers cannot be read. */
export async function readWhole(
  run: Run,
  options: Options,
  servers: readonly Server[],
): Promise<readonly LiveIntegration[]> {
  const results = await onServers(run, options, servers, async (api, { hidesSecrets }) => ({
    live: await new LiveReader(api, { hidesSecrets }).everything(),
    diagnostics: [],
  }));
  const problems = findingsOn(results);
  return problems.length > 0 ? fail(...problems) : results.flatMap(({ value }) => value?.live ?? []);
}

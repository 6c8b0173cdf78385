import { managesAnything, settersOf } from '../../core/config/entry.ts';
import { isOver } from '../../core/config/project.ts';
import type { ResolvedConfig } from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import {
  type Matched,
  type Misses,
  matchEntries,
  undecidedIds,
} from '../../core/match/match.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { Subject } from '../../core/model/subject.ts';
import type { PlanHead, SourcedPlan } from '../../core/plan/plan.ts';
import { type PlanInput, planServer } from '../../core/plan/plan-server.ts';
import type { Encoder } from '../../core/plan/requests.ts';
import { subjectsOf, type WaivedServer } from '../../core/plan/unmet.ts';
import type { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import type { ServerResult } from '../servers/results.ts';
import { onServers } from '../servers/sessions.ts';
import { type LiveState, readLive } from './live.ts';
import type { Prepared } from './prepare.ts';
import { configIn } from './revision.ts';

/** A plan, with the findings and the data that led to it. */
export interface OfflinePlan extends SourcedPlan, Omit<WaivedServer, 'plan'> {
  diagnostics: readonly Diagnostic[];
}

/** A plan of a server whose session is open. */
export interface LivePlan extends OfflinePlan {
  /** Reads this server again; it knows by now where the values are. */
  reader: LiveReader;
  /** When the reading began. */
  readAt: number;
  /** Encodes changes in the form in which the server shows its options. */
  encode: Encoder;
}

/**
 * Plans servers side by side without writing: in a session with each, or from
 * the snapshot that stands for it. `keepsLive` is false if nobody but flags
 * needs the live state.
 */
export async function planServers(
  run: Run,
  servers: readonly Prepared[],
  keepsLive = true,
): Promise<readonly ServerResult<OfflinePlan>[]> {
  if (run.options.live !== undefined) {
    return servers.map((server) => {
      const { live = [] } = server.snapshot ?? {};
      const matched = matchEntries(server.config, live, server.only);
      const read = { live, matched, unread: new Map(), reads: 0 };
      const value = planOf(run, server, read);
      return { server, value, diagnostics: [] };
    });
  }
  return onServers(run, servers, async (api, server) => {
    const plan = planOf(run, server, await readLive(api, server));
    return keepsLive ? plan : withoutLive(run, plan);
  });
}

/**
 * Leaves out of a plan the live state that it was made from, unless flags name
 * a part of it: there may be many integrations.
 */
export function withoutLive(run: Run, plan: OfflinePlan): OfflinePlan {
  const { only, writeHidden } = run.options;
  const isNamed = only !== undefined || writeHidden !== undefined;
  return isNamed ? plan : { ...plan, desired: [], live: [] };
}

/**
 * Compares what is live on one server with its configuration. What does not fit
 * the server is left out, and what was not reviewed.
 */
export function planOf(
  run: Run,
  server: Prepared,
  state: LiveState,
): OfflinePlan {
  const { matched, live } = state;
  const desired = matched.integrations;
  const now = run.runtime.now();
  const waivers = server.waivers.filter((waiver) => !isOver(waiver, now));
  const planned = planServer({
    ...state,
    server: headOf(server),
    desired,
    unmatched: matched.unmatched.length,
    reviewed: server.reviewed,
    writeHidden: server.writeHidden,
    branch: branchOn(live, server, matched.misses),
    waivers,
  });
  return {
    plan: planned.plan,
    diagnostics: [
      ...matched.diagnostics,
      ...unmatchedOn(server, matched),
      ...planned.diagnostics,
    ],
    desired,
    live,
    isPartial: hasErrors(matched.diagnostics),
    // Under `--only`, nobody knows what they name.
    waivers: server.only === undefined ? waivers : [],
    fields:
      waivers.length === 0
        ? []
        : [...declaredIn(server.config), ...subjectsOf(desired)],
  };
}

/** Warns of a configuration of which no entry matches an integration. */
function unmatchedOn(
  { only, config }: Prepared,
  { integrations, diagnostics }: Matched,
): Diagnostic[] {
  if (only !== undefined || integrations.length > 0) return [];
  if (hasErrors(diagnostics) || !config.some(managesAnything)) return [];
  return [diagnostic('nothing-managed', {})];
}

/** Returns what a plan says of its server. */
export function headOf(server: Prepared): PlanHead {
  const { name, url, policy, snapshot, only } = server;
  const hasPolicy = Object.keys(policy).length > 0;
  return present({
    name,
    url: plainAddress(url.href),
    snapshot: snapshot && { takenAt: snapshot.takenAt },
    only,
    policy: hasPolicy ? policy : undefined,
    allowedChanges: server.allowedChanges,
    allowedRisks: server.allowedRisks,
  });
}

/**
 * Matches the base of a branch with the integrations of a server; undefined
 * without a base.
 */
function branchOn(
  live: readonly LiveIntegration[],
  { name, base, config }: Prepared,
  misses: Misses,
): PlanInput['branch'] {
  if (base === undefined) return undefined;
  const { ref, mergeBase, tip } = base;
  const before = configIn(mergeBase, name);
  const errors = { base: before, branch: config, live, ...misses };
  return {
    revision: mergeBase.base ?? { ref },
    before: matchEntries(before, live).integrations,
    tip: tip && matchEntries(configIn(tip, name), live).integrations,
    undecided: undecidedIds(errors),
  };
}

/** Lists the fields that entries declare, whether they are installed or not. */
function declaredIn(entries: ResolvedConfig): Subject[] {
  const declared: Subject[] = [];
  for (const setter of entries.flatMap(settersOf)) {
    const { entry: integration, field, option } = setter;
    if (field === 'autosubscribe') declared.push({ kind: field, integration });
    if (field === 'permission' || field === 'value') {
      declared.push({ kind: field, integration, option });
    }
  }
  return declared;
}

import { settersOf } from '../../core/config/entry.ts';
import { isOver } from '../../core/config/project.ts';
import type { ResolvedConfig } from '../../core/config/resolve.ts';
import { plainAddress } from '../../core/config/server-url.ts';
import { unsafeIds, wantedBy } from '../../core/live/sources.ts';
import { matchEntries } from '../../core/match/match.ts';
import { type Misses, undecidedIds } from '../../core/match/undecided.ts';
import type { DesiredIntegration } from '../../core/model/desired.ts';
import { present } from '../../core/model/json.ts';
import type { LiveIntegration } from '../../core/model/live.ts';
import type { Subject } from '../../core/model/subject.ts';
import type { Planned } from '../../core/plan/plan.ts';
import { type PlanInput, planServer } from '../../core/plan/plan-server.ts';
import {
  type UnmetWaivers,
  unmetWaivers,
} from '../../core/plan/unmet-waivers.ts';
import { fail } from '../failure.ts';
import type { Options } from '../flags.ts';
import type { Api } from '../http/api.ts';
import { LiveReader } from '../http/live.ts';
import type { Run } from '../run.ts';
import type { Server } from '../servers/server.ts';
import {
  findingsOn,
  onServers,
  type ServerResult,
} from '../servers/sessions.ts';
import type { Prepared } from './prepare.ts';

/** A plan made offline, together with what was found on the way. */
interface OfflinePlan extends Planned {
  readonly desired: readonly DesiredIntegration[];
  /** All integrations, those that are managed with their options. */
  readonly live: readonly LiveIntegration[];
  /** The names of what errors keep from being planned. */
  readonly leftOut: readonly string[];
  /** The waivers that name nothing here; none is known under `--only`. */
  readonly unmet: UnmetWaivers;
}

/** A plan of a server in its session. */
export interface LivePlan extends OfflinePlan {
  /** Reads this server again; it knows by now where the values are. */
  readonly reader: LiveReader;
  /** When the reading began. */
  readonly readAt: number;
}

/**
 * Plans servers side by side without writing: those in a session with each, or that which a snapshot stands for. What is live is
 * kept only if somebody asks for it: there may be many servers.
 */
export async function planServers(
  run: Run,
  options: Options,
  servers: readonly Prepared[],
  keepsLive = true,
): Promise<readonly ServerResult<OfflinePlan>[]> {
  if (options.live === undefined)
    return onServers(run, options, servers, async (api, server) => {
      const { plan, diagnostics, leftOut, unmet, ...made } = await planLive(
        run,
        api,
        server,
      );
      const { desired, live } = keepsLive ? made : { desired: [], live: [] };
      return { plan, diagnostics, leftOut, unmet, desired, live };
    });
  const planned = servers.map(async (server) => {
    const { live = [] } = server.snapshot ?? {};
    const source = { list: async () => live, complete: async () => live };
    return {
      server,
      value: await planFrom(run, server, source),
      diagnostics: [],
    };
  });
  return Promise.all(planned);
}

/** Reads what is live on one server and compares it; what does not fit the server is left out, and what was not reviewed. */
export async function planLive(
  run: Run,
  api: Api,
  server: Prepared,
): Promise<LivePlan> {
  const readAt = run.runtime.now();
  const { hidesSecrets, config, also } = server;
  const managed = new Set(config.flatMap(({ options }) => [...options.keys()]));
  // What is read in addition may be any option.
  const reader = new LiveReader(api, {
    hidesSecrets,
    ...(also === undefined ? { wanted: managed } : {}),
  });
  return { ...(await planFrom(run, server, reader)), reader, readAt };
}

async function planFrom(
  run: Run,
  server: Prepared,
  source: Pick<LiveReader, 'list' | 'complete'> & {
    readonly api?: Pick<Api, 'reads'>;
  },
): Promise<OfflinePlan> {
  const { name, url, policy, only, snapshot, writeHidden, reviewed, also } =
    server;
  const listed = await source.list();
  const matched = matchEntries(server.config, listed, only);
  const { value: desired } = matched;
  const unread = new Map(unsafeIds(desired));
  const wanted = desired.map(({ id, settings }) => wantedBy(id, settings));
  const live = await source.complete(
    listed,
    [...wanted, ...(also?.(listed) ?? [])],
    (id, error) => unread.set(id, error.diagnostic),
  );
  const head = {
    ...{ name, url: plainAddress(url.href) },
    ...present({ snapshot: snapshot && { takenAt: snapshot.takenAt }, only }),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
  };
  const waivers = server.waivers.filter(
    (each) => !isOver(each, run.runtime.now()),
  );
  const planned = planServer({
    ...{
      server: head,
      desired,
      live,
      unread,
      reads: source.api?.reads ?? 0,
      reviewed,
      writeHidden,
    },
    base: baseOn(listed, server, matched),
    waivers,
  });
  const unplanned = planned.plan.integrations.filter((each) => each.unplanned);
  return {
    ...{ ...planned, desired, live },
    diagnostics: [...matched.diagnostics, ...planned.diagnostics],
    leftOut: [...matched.leftOut, ...unplanned.map((each) => each.name)],
    unmet:
      only === undefined && waivers.length > 0
        ? unmetWaivers(waivers, declaredIn(server.config), desired)
        : new Map(),
  };
}

/** What the base of a branch asks of the integrations of a server; undefined without a base. */
function baseOn(
  live: readonly LiveIntegration[],
  { comparison, config }: Prepared,
  { missed, erring }: Misses,
): PlanInput['base'] {
  if (comparison === undefined) return undefined;
  const { base, before, tip } = comparison;
  const errors = { base: before, branch: config, live, missed, erring };
  return {
    base,
    before: matchEntries(before, live).value,
    tip: tip && matchEntries(tip, live).value,
    undecided: undecidedIds(errors),
  };
}

/** The fields that entries declare, whether they are installed or not. */
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

/** Reads all integrations of servers with all their options. Fails if one of the servers cannot be read. */
export async function readWhole(
  run: Run,
  options: Options,
  servers: readonly Server[],
): Promise<readonly LiveIntegration[]> {
  const results = await onServers(
    run,
    options,
    servers,
    async (api, { hidesSecrets }) => ({
      live: await new LiveReader(api, { hidesSecrets }).everything(),
      diagnostics: [],
    }),
  );
  const problems = findingsOn(run, results);
  return problems.length > 0
    ? fail(...problems)
    : results.flatMap(({ value }) => value?.live ?? []);
}

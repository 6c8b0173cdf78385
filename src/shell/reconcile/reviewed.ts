import { urlText } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/json.ts';
import { staleFinding } from '../../core/plan/judge.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import { requestCount } from '../../core/plan/requests.ts';
import { strictest } from '../../core/plan/risk.ts';
import { Failure } from '../failure.ts';
import type { Run } from '../run.ts';
import { findServers, type Server } from '../servers/server.ts';
import { findProject } from '../sources/config.ts';
import type { ReviewedPlans } from '../sources/saved.ts';
import type { LivePlan } from './planning.ts';
import { type PlanningOptions, type Preparation, prepareServers } from './preparation.ts';

/** Prepares to plan the servers of a reviewed plan again, with its choices. Fails if their addresses have changed. */
export async function prepareAgain(
  run: Run,
  reviewed: ReviewedPlans,
  options: PlanningOptions,
): Promise<Preparation> {
  const names = await plannedNames(run, reviewed, options);
  const found = await findServers(run, { ...options, ...present({ server: names }) });
  const others = found.servers.flatMap((server) => otherServer(server, reviewed));
  if (others.length > 0) throw new Failure(others);
  const choose = ({ name }: Server) => ({ only: reviewed.get(name)?.only });
  const { servers, warnings } = await prepareServers(run, found, options, choose);
  const withPolicies = servers.map((server) => ({
    ...server,
    policy: strictest([server.policy, reviewed.get(server.name)?.policy ?? {}]),
  }));
  return { servers: withPolicies, warnings };
}

/** The servers to plan again: those of the plan, or those that `--server` names; undefined where `--url` names one. */
async function plannedNames(
  run: Run,
  reviewed: ReviewedPlans,
  { url, file = [], server }: PlanningOptions,
): Promise<readonly string[] | undefined> {
  if (server !== undefined || url !== undefined || file.length > 0) return server;
  const known = (await findProject(run))?.project.servers.map(({ name }) => name);
  const unknown = [...reviewed.values()].filter(({ name }) => known?.includes(name) === false);
  if (unknown.length > 0)
    throw new Failure(
      unknown.map(({ name }) => {
        const problem = 'this configuration has no such server';
        return diagnostic('plan-unusable', { plan: `The plan for ${name}`, problem });
      }),
    );
  return [...reviewed.keys()];
}

/** A plan is for the addresses that it was made for. */
function otherServer({ name, url }: Server, reviewed: ReviewedPlans): Diagnostic[] {
  const planned = reviewed.get(name)?.url;
  const now = urlText(url);
  const problem = `it was made for ${planned ?? 'other servers'}, not for ${now}`;
  return planned === now ? [] : [diagnostic('plan-unusable', { plan: `The plan for ${name}`, problem })];
}

/** A finding for each integration that is not as reviewed. */
export function staleFindings({ plan, verdicts }: LivePlan): Diagnostic[] {
  return plan.integrations.flatMap((each) => {
    const verdict = verdicts.get(each.id);
    return verdict?.kind === 'stale' ? [staleFinding(each, verdict.moved)] : [];
  });
}

/** A plan without the changes of integrations that are left alone. */
export function openPart({ plan, verdicts }: LivePlan): ServerPlan {
  if (verdicts.size === 0) return plan;
  const integrations = plan.integrations.map((each) =>
    verdicts.has(each.id) ? { ...each, changes: [] } : each,
  );
  const open = integrations.filter(({ changes }) => changes.length > 0);
  const changes = open.reduce((sum, each) => sum + each.changes.length, 0);
  const writes = open.reduce((sum, each) => sum + requestCount(each), 0);
  return { ...plan, integrations, summary: { ...plan.summary, changed: open.length, changes, writes } };
}

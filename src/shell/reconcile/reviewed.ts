import { urlText } from '../../core/config/server-url.ts';
import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { present } from '../../core/model/present.ts';
import { compare, type Verdict } from '../../core/plan/compare.ts';
import { staleFinding } from '../../core/plan/judge.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import { requestsOf } from '../../core/plan/requests.ts';
import { strictest } from '../../core/plan/risk.ts';
import { type Choice, chosen } from '../../core/plan/write-choice.ts';
import { Failure } from '../failure.ts';
import type { Run } from '../run.ts';
import { findServers, type Server } from '../servers/server.ts';
import { findProject } from '../sources/project.ts';
import type { ReviewedPlans } from '../sources/saved-plan.ts';
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
  const choose = ({ name }: Server) => ({
    only: reviewed.get(name)?.only,
    writeSecrets: unreadableIn(reviewed.get(name)),
    writeFlags: unknownFlagsIn(reviewed.get(name)),
  });
  // Whoever edits a plan can write into it what was a secret: git alone is asked, and has to have the commit.
  const [base] = [...reviewed.values()].flatMap((plan) => plan.base ?? []);
  const withBase = { ...options, ...present({ base: base?.commit }) };
  const { servers, warnings } = await prepareServers(run, found, withBase, choose);
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
      unknown.map(({ name, url: planned }) =>
        diagnostic('plan-of-other-server', { name, planned, now: undefined }),
      ),
    );
  return [...reviewed.keys()];
}

/** A plan is for the addresses that it was made for. */
function otherServer({ name, url }: Server, reviewed: ReviewedPlans): Diagnostic[] {
  const planned = reviewed.get(name)?.url;
  const now = urlText(url);
  return planned === now ? [] : [diagnostic('plan-of-other-server', { name, planned, now })];
}

/** The addresses of secrets to write also where they cannot be read: those that were unreadable or empty when reviewed. */
function unreadableIn(plan: ServerPlan<null> | undefined): string[] {
  const changes = plan?.integrations.flatMap((each) => each.changes) ?? [];
  return changes.flatMap((change) =>
    change.field === 'value' && change.sensitive && (change.unreadable || change.empty)
      ? [change.address]
      : [],
  );
}

/** The addresses of permissions that were to be written unseen. */
function unknownFlagsIn(plan: ServerPlan<null> | undefined): string[] {
  const changes = plan?.integrations.flatMap((each) => each.changes) ?? [];
  return changes.flatMap((change) =>
    change.field === 'permission' && change.before === 'unknown' ? [change.address] : [],
  );
}

/**
 * Narrows a plan made again to what was reviewed. `writeSecrets` is what this run
 * itself chooses of the secrets that cannot be read.
 */
export function narrowed(
  planned: LivePlan,
  reviewed: ServerPlan<null> | undefined,
  { writeSecrets }: Pick<Choice, 'writeSecrets'>,
): LivePlan {
  if (reviewed === undefined) throw new Error('a server without its reviewed plan');
  const compared = compare(planned, reviewed, planned.fingerprints, chosen(writeSecrets));
  const { plan, verdicts, isOtherKey, isByReference } = compared;
  const diagnostics = [...planned.diagnostics, ...(isOtherKey ? [diagnostic('other-fingerprints', {})] : [])];
  return { ...planned, plan, verdicts, diagnostics, isByReference };
}

/** Whether an integration is not written: it is stale or done. */
export function isLeftAlone(verdict: Verdict | undefined): verdict is Exclude<Verdict, { kind: 'write' }> {
  return verdict !== undefined && verdict.kind !== 'write';
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
    isLeftAlone(verdicts.get(each.id)) ? { ...each, changes: [] } : each,
  );
  const open = integrations.filter(({ changes }) => changes.length > 0);
  const changes = open.reduce((sum, each) => sum + each.changes.length, 0);
  const writes = open.flatMap(requestsOf).length;
  return { ...plan, integrations, summary: { ...plan.summary, changed: open.length, changes, writes } };
}

import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Diagnostic, diagnostic } from '../core/findings/diagnostic.ts';
import { present } from '../core/model/present.ts';
import { compare } from '../core/plan/compare.ts';
import type { ServerPlan } from '../core/plan/plan.ts';
import { strictest } from '../core/plan/risk.ts';
import { decodeSavedPlan } from '../core/plan/saved.ts';
import { Failure, fail, systemReason } from './failure.ts';
import {
  type LivePlan,
  type PlanningOptions,
  type Preparation,
  prepareTargets,
  writtenUrl,
} from './planning.ts';
import { refuseReportOnto } from './report-target.ts';
import type { Run } from './run.ts';
import { findProject, findTargets, type Target } from './targets.ts';

/** The largest plan that is read, in bytes. */
const LARGEST_PLAN = 256 * 1024 * 1024;

/** The reviewed plan of each server, by its name. */
export type ReviewedPlans = ReadonlyMap<string, ServerPlan<null>>;

/** Reads a plan that `plan --report json=FILE` wrote; fails where the file holds none. */
export async function readSavedPlan(run: Run, path: string): Promise<ReviewedPlans> {
  const absolute = resolve(run.runtime.cwd, path);
  await refuseReportOnto(run.reportFiles, absolute);
  const malformed = (problem: string) => fail(diagnostic('plan-malformed', { path, problem }));
  const unreadable = (thrown: unknown) =>
    fail(diagnostic('file-unreadable', { path, reason: systemReason(thrown) }));
  const found = await stat(absolute).catch(unreadable);
  if (!found.isFile()) malformed('it is not a regular file');
  if (found.size > LARGEST_PLAN) malformed(`it has more than ${LARGEST_PLAN} bytes`);
  const text = new TextDecoder().decode(await readFile(absolute).catch(unreadable));
  const saved = decodeSavedPlan(jsonOf(text));
  return 'problem' in saved
    ? malformed(saved.problem)
    : new Map(saved.map((server) => [server.name, server]));
}

/** The document in a text; undefined, which is no document, where the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Prepares planning the servers of a reviewed plan again, with its choices; fails where they are others now. */
export async function prepareAgain(
  run: Run,
  reviewed: ReviewedPlans,
  options: PlanningOptions,
): Promise<Preparation> {
  const names = await plannedNames(run, reviewed, options);
  const found = await findTargets(run, { ...options, ...present({ server: names }) });
  const others = found.targets.flatMap((target) => otherServer(target, reviewed));
  if (others.length > 0) throw new Failure(others);
  const prepared = await prepareTargets(run, found, options, ({ name }) => ({
    only: reviewed.get(name)?.only,
    writeSecrets: unreadableIn(reviewed.get(name)),
  }));
  return { ...prepared, servers: prepared.servers.map((each) => withPolicy(each, reviewed)) };
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

/** A plan is for the very addresses that it was made for. */
function otherServer({ name, url }: Target, reviewed: ReviewedPlans): Diagnostic[] {
  const planned = reviewed.get(name)?.url;
  const now = writtenUrl(url);
  return planned === now ? [] : [diagnostic('plan-of-other-server', { name, planned, now })];
}

/** The addresses of the values that could not be read, and that the plan writes all the same. */
function unreadableIn(plan: ServerPlan<null> | undefined): string[] {
  const changes = plan?.integrations.flatMap((each) => each.changes) ?? [];
  return changes.flatMap((change) =>
    change.field === 'value' && change.sensitive && change.unreadable === true ? [change.address] : [],
  );
}

function withPolicy<T extends { readonly target: Target }>(server: T, reviewed: ReviewedPlans): T {
  const { target } = server;
  const policy = strictest([target.policy, reviewed.get(target.name)?.policy ?? {}]);
  return { ...server, target: { ...target, policy } };
}

/** A plan made again with what the reviewed one leaves of it. The guard judges the number that was reviewed. */
export function narrowed(planned: LivePlan, reviewed: ServerPlan<null> | undefined): LivePlan {
  if (reviewed === undefined) throw new Error('a server without its reviewed plan');
  const { plan, verdicts } = compare(planned, reviewed, planned.fingerprint);
  const changed = reviewed.integrations.filter(({ changes }) => changes.length > 0).length;
  return { ...planned, plan, verdicts, size: { ...plan, summary: { ...plan.summary, changed } } };
}

import { present } from '../../core/model/json.ts';
import { unattempted, withLeftOut } from '../../core/plan/judge.ts';
import type { ServerPlan } from '../../core/plan/plan.ts';
import type { Run } from '../run.ts';
import type { Connected, ServerResult } from '../servers/sessions.ts';
import type { ReviewedPlans } from '../sources/saved.ts';
import { applyPlan, type WriteOptions } from './apply.ts';
import { type LivePlan, planLive } from './planning.ts';
import type { Prepared } from './preparation.ts';

/** A server whose session is open, and its plan, if it could be made. */
interface PlannedServer {
  readonly open: Connected<Prepared>;
  readonly result: ServerResult<Prepared, LivePlan>;
  /** When the reading for the plan began. */
  readonly readAt: number;
}

/** A server after its part of an apply. */
export type AppliedServer = ServerResult<Prepared, Pick<LivePlan, 'plan' | 'diagnostics' | 'leftOut'>>;

/** Plans all servers side by side. */
export function planAll(
  run: Run,
  servers: readonly Connected<Prepared>[],
  reviewed: ReviewedPlans | undefined,
): Promise<readonly PlannedServer[]> {
  return Promise.all(
    servers.map(async (open) => {
      const readAt = run.runtime.now();
      const own = reviewed?.get(open.server.name);
      const result = await open.attempt(() => planLive(run, open, open.server, own));
      return { open, result, readAt };
    }),
  );
}

/** Writes one server after another. After a failure the rest is not attempted, unless `keepGoing`. */
export async function writeInOrder(
  run: Run,
  servers: readonly PlannedServer[],
  options: WriteOptions & { readonly keepGoing?: boolean | undefined },
): Promise<readonly AppliedServer[]> {
  const written: AppliedServer[] = [];
  for (const server of servers) {
    const isOver = options.keepGoing !== true && written.some(hasFailed);
    written.push(await writeOne(run, server, options, isOver));
  }
  return written.some(({ value }) => value && isAttempted(value.plan)) ? written.map(withErrors) : written;
}

async function writeOne(
  run: Run,
  { open, result, readAt }: PlannedServer,
  options: WriteOptions,
  isOver: boolean,
): Promise<AppliedServer> {
  const { value: planned } = result;
  if (planned === undefined) return result;
  const left = () => {
    const { plan, diagnostics } = unattempted(planned.plan);
    return { ...planned, plan, diagnostics: [...planned.diagnostics, ...diagnostics] };
  };
  if (isOver || run.interruption.stopping.aborted) return { ...result, value: left() };
  const { value, ...attempt } = await open.attempt(() =>
    applyPlan(run, open.api, planned, { ...options, readAt }),
  );
  return { ...attempt, value: value === undefined ? left() : { ...planned, ...value } };
}

/** Whether a server keeps those after it from being attempted. */
function hasFailed({ value, diagnostics }: AppliedServer): boolean {
  const outcomes = value?.plan.integrations.map(({ outcome }) => outcome) ?? [];
  const isBad = outcomes.some((each) => each === 'failed' || each === 'unknown' || each === 'not-converged');
  return isBad || diagnostics.length > 0;
}

function isAttempted({ integrations }: ServerPlan): boolean {
  return integrations.some(({ outcome }) => outcome !== undefined);
}

/** Adds the finding for what errors left out of a plan. */
function withErrors({ value, ...server }: AppliedServer): AppliedServer {
  if (value === undefined || value.leftOut.length === 0) return { ...server, ...present({ value }) };
  const { plan, diagnostics } = withLeftOut(value.plan, value.leftOut);
  return { ...server, value: { ...value, plan, diagnostics: [...value.diagnostics, ...diagnostics] } };
}

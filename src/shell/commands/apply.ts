import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { reachedBy } from '../../core/plan/judge.ts';
import type { Policy } from '../../core/plan/risk.ts';
import { Failure, fail, failUsage } from '../failure.ts';
import { applyPlan, type WriteOptions } from '../reconcile/apply.ts';
import { Gate } from '../reconcile/gate.ts';
import { type ConsentOptions, objectionsTo } from '../reconcile/objections.ts';
import {
  type LivePlan,
  type PlanningOptions,
  planLive,
  prepare,
  unmetChoices,
} from '../reconcile/planning.ts';
import { narrowed, prepareAgain } from '../reconcile/reviewed.ts';
import { type CommandResult, type Run, runCommand } from '../run.ts';
import type { Runtime } from '../runtime.ts';
import { findingsOn, onServers } from '../servers/sessions.ts';
import { findProject } from '../sources/project.ts';
import { type ReviewedPlans, readSavedPlan } from '../sources/saved-plan.ts';

interface ApplyOptions extends PlanningOptions, ConsentOptions, WriteOptions {}

/**
 * Brings servers in line with their configuration, or with the part of it in a saved plan: plans everything, asks once,
 * writes, reads back, and reports what became of each integration.
 */
export function apply(path: string | undefined, options: ApplyOptions, runtime: Runtime): Promise<number> {
  return runCommand(options, runtime, async (run): Promise<CommandResult> => {
    if (options.yes !== true && !runtime.canAsk) fail(diagnostic('needs-confirmation', {}));
    const reviewed = path === undefined ? undefined : await readReviewed(run, path, options);
    const { servers, warnings } = await (reviewed === undefined
      ? prepare(run, options)
      : prepareAgain(run, reviewed, options));
    const here = await policyHere(run);
    const gate = new Gate(servers.length, (planned: readonly LivePlan[], missing) =>
      objectionsTo(run, options, here, planned, missing),
    );
    const sessions = { ...options, mode: 'write', onFailure: () => gate.miss() } as const;
    const results = await onServers(run, sessions, servers, async (open, server) => {
      const whole = { ...(await planLive(run, open, server)), isByReference: false };
      const planned = reviewed === undefined ? whole : narrowed(whole, reviewed.get(server.name));
      const objections = await gate.pass(planned);
      const applied = objections.length === 0 ? await applyPlan(run, open.api, planned, options) : planned;
      return { ...applied, isByReference: planned.isByReference };
    });
    const plans = results.flatMap(({ value }) => value?.plan ?? []);
    const isByReference = results.some(({ value }) => value?.isByReference);
    return {
      diagnostics: [
        ...warnings,
        ...(isByReference ? [diagnostic('secrets-by-reference', { command: 'apply' })] : []),
        ...findingsOn(results),
        ...(await gate.decision),
        ...unmetChoices(options, plans),
      ],
      report: {
        kind: 'plan',
        servers: plans,
        isComplete: plans.length === servers.length,
        showRequests: false,
      },
      reached: reachedBy(plans),
    };
  });
}

/** Reads a saved plan; refuses flags that would choose again what it has chosen. */
async function readReviewed(
  run: Run,
  path: string,
  { writeSecrets, writeFlags, only }: ApplyOptions,
): Promise<ReviewedPlans> {
  const given = Object.entries({
    '--write-secrets': writeSecrets,
    '--write-flags': writeFlags,
    '--only': only,
  }).flatMap(([flag, value]) => (value === undefined ? [] : [flag]));
  if (given.length > 0)
    failUsage(
      `${given.join(', ')} cannot be combined with a saved plan, which has already made this choice.`,
      'Pass it to setpoint plan, and save that plan.',
    );
  return readSavedPlan(run, path);
}

/** The policy of the project around the working directory, however the server is named: an address does not loosen it. */
async function policyHere(run: Run): Promise<Policy> {
  const found = await findProject(run);
  if (found !== undefined && hasErrors(found.diagnostics)) throw new Failure(found.diagnostics);
  return found?.project.policy ?? {};
}

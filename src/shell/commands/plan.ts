import { hasErrors } from '../../core/findings/explain.ts';
import { unreadNote } from '../../core/plan/notes.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { isNothingPlanned } from '../../core/plan/summary.ts';
import { unmetChoices, unmetWaivers } from '../../core/plan/unmet.ts';
import { fail } from '../failure.ts';
import { planServers } from '../reconcile/plan.ts';
import { prepare } from '../reconcile/prepare.ts';
import type { ChangesReport, CommandBody } from '../run.ts';
import { findingsOn, unworked, valuesOf } from '../servers/results.ts';

/**
 * Shows how servers differ from their configuration. It cannot write: its
 * transport refuses every write.
 */
export const plan: CommandBody = async (run) => {
  const { options } = run;
  const { full, strict, exitCode } = options;
  const { servers, isFleet, names, warnings } = await prepare(run);
  const results = await planServers(run, servers, false);
  const planned = valuesOf(results);
  const findings = [...warnings, ...findingsOn(results)];
  const unmet = [
    ...unmetChoices(options, names, planned),
    ...unmetWaivers(planned),
  ];
  if (hasErrors(unmet)) fail(...findings, ...unmet);
  const plans = planned.map((serverPlan) => serverPlan.plan);
  const differs = plans.some(({ summary }) => summary.changes > 0);
  findings.push(
    ...unreadNote(plans),
    ...refusals(plans, isFleet, unworked(results)),
  );
  const report: ChangesReport = {
    kind: 'changes',
    servers: plans,
    isComplete: plans.length === servers.length,
    shown: { full },
  };
  return {
    diagnostics: [...findings, ...unmet],
    report: isNothingPlanned(plans) ? undefined : report,
    isStrict: strict,
    differs: exitCode === true && differs,
  };
};

import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { unreadNote } from '../../core/plan/notes.ts';
import { isNothingPlanned, type ServerPlan } from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
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
export const plan: CommandBody = async (run, options) => {
  const { only, writeHidden, full, strict, exitCode } = options;
  const { servers, isFleet, names, warnings } = await prepare(run, options);
  const hasChoices = only !== undefined || writeHidden !== undefined;
  const results = await planServers(run, options, servers, hasChoices);
  const planned = valuesOf(results);
  const findings = [...warnings, ...findingsOn(results)];
  const unmet = [
    ...unmetChoices(options, names, planned),
    ...unmetWaivers(planned),
  ];
  if (hasErrors(unmet)) fail(...findings, ...unmet);
  const plans = planned.map((serverPlan) => serverPlan.plan);
  findings.push(...unreadNote(plans));
  const refused = refusals(plans, isFleet);
  const report: ChangesReport = {
    kind: 'changes',
    servers: plans,
    isComplete: plans.length === servers.length,
    shown: { full },
  };
  return {
    diagnostics: [
      ...findings,
      ...refused,
      ...keptBack(plans, unworked(results)),
      ...unmet,
    ],
    report: isNothingPlanned(plans) ? undefined : report,
    isStrict: strict,
    differs: exitCode === true && hasChanges(plans),
  };
};

function hasChanges(plans: readonly ServerPlan[]): boolean {
  return plans.some(({ summary }) => summary.changes > 0);
}

/**
 * Warns if an apply would write nothing of these plans, because other servers
 * could not be planned.
 */
function keptBack(
  plans: readonly ServerPlan[],
  unplanned: readonly string[],
): Diagnostic[] {
  if (!hasChanges(plans) || unplanned.length === 0) return [];
  const facts = { integrations: [], unplanned, command: 'plan' } as const;
  return [diagnostic('not-attempted', facts)];
}

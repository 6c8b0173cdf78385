import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { unmetChoices } from '../../core/plan/choice.ts';
import { isNothingPlanned, type ServerPlan } from '../../core/plan/plan.ts';
import { refusals } from '../../core/plan/refusals.ts';
import { unmetEverywhere } from '../../core/plan/unmet-waivers.ts';
import { fail } from '../failure.ts';
import { planServers } from '../reconcile/plan.ts';
import { prepare } from '../reconcile/prepare.ts';
import type { CommandBody } from '../run.ts';
import { findingsOn, unworked } from '../servers/sessions.ts';

/** Shows how servers differ from their configuration. It cannot write: its transport refuses every write. */
export const plan: CommandBody = async (run, flags, paths) => {
  const options = { ...flags, file: [...paths, ...(flags.file ?? [])] };
  const { servers, names, warnings } = await prepare(run, options);
  const hasChoices =
    options.only !== undefined || options.writeHidden !== undefined;
  const results = await planServers(run, options, servers, hasChoices);
  const planned = results.flatMap(({ value }) => value ?? []);
  const found = [...warnings, ...findingsOn(run, results)];
  const unmet = [
    ...unmetChoices(options, names, planned),
    ...unmetEverywhere(planned),
  ];
  if (hasErrors(unmet)) fail(...found, ...unmet);
  const plans = planned.map((each) => each.plan);
  const shown = { full: options.full === true };
  const isComplete = plans.length === servers.length;
  const report = {
    kind: 'changes',
    servers: plans,
    isComplete,
    shown,
  } as const;
  return {
    diagnostics: [
      ...found,
      ...refusals(
        plans,
        {},
        'plan',
        (run.part.shard?.servers ?? plans).length > 1,
      ),
      ...keptBack(plans, unworked(results)),
      ...unmet,
    ],
    report: isNothingPlanned(plans) ? undefined : report,
    isStrict: options.strict === true,
    differs:
      options.exitCode === true &&
      plans.some(({ summary }) => summary.changes > 0),
  };
};

/** A warning if an apply would write nothing of these plans, because other servers could not be planned. */
function keptBack(
  plans: readonly ServerPlan[],
  unplanned: readonly string[],
): Diagnostic[] {
  const hasChanges = plans.some(({ summary }) => summary.changes > 0);
  if (!hasChanges || unplanned.length === 0) return [];
  const facts = { integrations: [], unplanned, command: 'plan' } as const;
  return [diagnostic('not-attempted', facts)];
}

import type { Reached } from '../../core/findings/diagnostic.ts';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import {
  hasWritten,
  type IntegrationPlan,
  isNothingPlanned,
  OUTCOMES,
  type ServerDocument,
  type ServerPlan,
} from '../../core/plan/plan.ts';
import { fail, failUsage } from '../failure.ts';
import { flagNamed, type Options } from '../flags.ts';
import { reconcile } from '../reconcile/phases.ts';
import { prepare } from '../reconcile/prepare.ts';
import type { CommandBody, Run } from '../run.ts';
import { findingsOn } from '../servers/sessions.ts';
import { readSaved } from '../sources/saved.ts';

/**
 * Brings servers in line with their configuration, or with the part of it in a saved plan: plans everything, asks once,
 * writes, reads back, and reports what became of each integration.
 */
export const apply: CommandBody = async (run, options, [path]) => {
  const reviewed =
    path === undefined ? undefined : await readReviewed(run, path, options);
  if (options.yes !== true && !run.runtime.canAsk)
    fail(diagnostic('needs-confirmation', {}));
  const prepared = await prepare(run, options, reviewed);
  const { results, objections, unmet, isSeen } = await reconcile(
    run,
    options,
    prepared,
  );
  const plans = results.flatMap(({ value }) => value?.plan ?? []);
  const shown = { outcomes: isSeen, full: options.full === true };
  const isComplete = plans.length === results.length;
  const report = {
    kind: 'changes',
    servers: plans,
    isComplete,
    shown,
  } as const;
  // Next to the finding of a wrong flag, a plan would look like the one that was asked for.
  const hasReport = !hasErrors(unmet) && !isNothingPlanned(plans);
  // At a question that was interrupted nothing was written.
  const nothing = run.interruption.signal && {
    applied: [],
    notApplied: [],
    unknown: [],
  };
  const reached = objections.length > 0 ? nothing : reachedBy(plans);
  return {
    diagnostics: [
      ...prepared.warnings,
      ...findingsOn(run, results),
      ...unmet,
      ...objections.filter((each) => !unmet.includes(each)),
    ],
    report: hasReport ? report : undefined,
    reached,
    hasWritten: writtenBy(plans),
  };
};

/** Whether an apply wrote anything; undefined if nothing was left to write, or an objection came before. */
function writtenBy(plans: readonly ServerPlan[]): boolean | undefined {
  const begun = plans.flatMap(({ integrations }) =>
    integrations.filter(({ end }) => end !== undefined && end.kind !== 'done'),
  );
  return hasWritten(begun.flatMap(outcomesIn));
}

/** What became of each change; of a request that followed an accepted one nobody may know. */
function outcomesIn(
  integration: IntegrationPlan,
): IntegrationPlan['outcome'][] {
  const { outcome, changes, end } = integration;
  const outcomes = changes.map((change) => change.outcome ?? outcome);
  const isPartial = end?.kind === 'refused' && end.isPartial === true;
  if (isPartial) outcomes.push('unknown');
  // A stale integration may have no change any more.
  return outcomes.length === 0 ? [outcome] : outcomes;
}

/** How far an apply came on all its servers; undefined if it wrote nothing. What is not as desired is not applied. */
function reachedBy(plans: readonly ServerPlan[]): Reached | undefined {
  const reached: Record<keyof Reached, string[]> = {
    applied: [],
    notApplied: [],
    unknown: [],
  };
  const judged = plans.flatMap(({ name: server, integrations }) =>
    integrations.flatMap(({ name, outcome }) =>
      outcome === undefined
        ? []
        : [{ name: plans.length > 1 ? `${name} on ${server}` : name, outcome }],
    ),
  );
  for (const { name, outcome } of judged) reached[OUTCOMES[outcome]].push(name);
  return judged.length === 0 ? undefined : reached;
}

/** Reads a saved plan; refuses flags that would choose again what it has chosen. */
async function readReviewed(
  run: Run,
  path: string,
  options: Options,
): Promise<readonly ServerDocument[]> {
  if (/\.ya?ml$/i.test(path))
    failUsage(
      'apply takes a saved plan as its argument, not a file of configuration.',
      `Name the configuration with -f: setpoint apply -f ${path}`,
    );
  const given = (['base', 'writeHidden', 'only'] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (given.length > 0)
    failUsage(
      `${given.map((each) => flagNamed(each).typed).join(', ')} cannot be combined with a saved plan, which has already made this choice.`,
      'Pass it to setpoint plan, and save that plan.',
    );
  return (await readSaved(run, path, 'apply')).servers;
}

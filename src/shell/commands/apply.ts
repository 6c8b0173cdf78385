import { diagnostic, type Reached } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import {
  hasWritten,
  type IntegrationPlan,
  isNothingPlanned,
  OUTCOMES,
  type ReviewedServer,
  reviewedServers,
  type ServerPlan,
} from '../../core/plan/plan.ts';
import { fail, failUsage } from '../failure.ts';
import { flagNamed, type Options } from '../flags.ts';
import { reconcile } from '../reconcile/phases.ts';
import { prepare } from '../reconcile/prepare.ts';
import type { ChangesReport, CommandBody, Run } from '../run.ts';
import { findingsOn, valuesOf } from '../servers/results.ts';
import { readSaved } from '../sources/saved.ts';

/**
 * Brings servers in line with their configuration, or with the part of it in a
 * saved plan: plans everything, asks once, writes, reads back, and reports what
 * became of each integration.
 */
export const apply: CommandBody = async (run, options, [path]) => {
  const reviewed =
    path === undefined ? undefined : await readReviewed(run, path, options);
  if (options.yes !== true && !run.runtime.canAsk) {
    fail(diagnostic('needs-confirmation', {}));
  }
  const preparation = await prepare(run, options, reviewed);
  const ended = await reconcile(run, options, preparation);
  const { results, objections, unmet } = ended;
  const plans = valuesOf(results).map(({ plan }) => plan);
  const report: ChangesReport = {
    kind: 'changes',
    servers: plans,
    isComplete: plans.length === results.length,
    refusals: ended.refusals,
    shown: { outcomes: ended.isSeen, full: options.full },
  };
  // Next to the finding of a wrong flag, a plan would look like the one that
  // was asked for.
  const hasReport = !hasErrors(unmet) && !isNothingPlanned(plans);
  return {
    diagnostics: [
      ...preparation.warnings,
      ...findingsOn(results),
      ...unmet,
      ...objections,
    ],
    report: hasReport ? report : undefined,
    reached: ended.isGiven
      ? reachedBy(plans, preparation.isFleet)
      : reachedUnwritten(run),
    hasWritten: writtenBy(plans),
  };
};

/**
 * Returns whether an apply wrote anything; undefined if nothing was left to
 * write, or an objection came before.
 */
function writtenBy(plans: readonly ServerPlan[]): boolean | undefined {
  const outcomes: IntegrationPlan['outcome'][] = [];
  for (const { integrations } of plans) {
    for (const integration of integrations) {
      const { end, outcome } = integration;
      // Nothing was to be written of it, or it was written before.
      if (outcome === undefined || end?.kind === 'done') continue;
      outcomes.push(...outcomesIn(integration));
    }
  }
  return hasWritten(outcomes);
}

/**
 * Returns the outcome of each change; a refusal that leaves something written
 * counts as one more that nobody knows.
 */
function outcomesIn(
  integration: IntegrationPlan,
): IntegrationPlan['outcome'][] {
  const { outcome, changes, end } = integration;
  const outcomes = changes.map((change) => change.outcome ?? outcome);
  const mayHold = end?.kind === 'refused' && end.written !== 'nothing';
  if (mayHold) outcomes.push('unknown');
  // A stale integration may have no change any more.
  return outcomes.length === 0 ? [outcome] : outcomes;
}

/**
 * Returns how far an apply came on all its servers; undefined if it wrote
 * nothing. What is not as desired is not applied.
 */
function reachedBy(
  plans: readonly ServerPlan[],
  isFleet: boolean,
): Reached | undefined {
  const reached: Record<keyof Reached, string[]> = {
    applied: [],
    notApplied: [],
    unknown: [],
  };
  let hasOutcome = false;
  for (const { name: server, integrations } of plans) {
    for (const { name, outcome } of integrations) {
      if (outcome === undefined) continue;
      hasOutcome = true;
      reached[OUTCOMES[outcome]].push(isFleet ? `${name} on ${server}` : name);
    }
  }
  return hasOutcome ? reached : undefined;
}

/**
 * Returns how far a run came that objections kept from writing: nowhere, if a
 * signal ended its question.
 */
function reachedUnwritten({ interruption }: Run): Reached | undefined {
  if (interruption.signal === undefined) return undefined;
  return { applied: [], notApplied: [], unknown: [] };
}

/** The flags whose choice a saved plan has already made. */
const CHOICES = ['base', 'writeHidden', 'only'] as const;

/**
 * Reads a saved plan; refuses flags that would choose again what it has chosen.
 */
async function readReviewed(
  run: Run,
  path: string,
  options: Options,
): Promise<readonly ReviewedServer[]> {
  if (/\.ya?ml$/i.test(path)) {
    failUsage(
      'apply takes a saved plan as its argument, not a file of configuration.',
      `Name the configuration with -f: setpoint apply -f ${path}`,
    );
  }
  const given = CHOICES.filter((name) => options[name] !== undefined);
  if (given.length > 0) {
    const flags = given.map((name) => flagNamed(name).typed).join(', ');
    failUsage(
      `${flags} cannot be combined with a saved plan, which has already made this choice.`,
      'Pass it to setpoint plan, and save that plan.',
    );
  }
  const document = await readSaved(run, path, 'apply');
  return reviewedServers(document);
}

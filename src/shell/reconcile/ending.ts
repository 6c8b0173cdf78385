import type { Reached } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import {
  type Document,
  hasWritten,
  isNothingPlanned,
  OUTCOMES,
  type Outcome,
  type ServerPlan,
} from '../../core/plan/plan.ts';
import type { Options } from '../flags.ts';
import type { ChangesReport, CommandResult, Run } from '../run.ts';
import { findingsOn, valuesOf } from '../servers/results.ts';
import type { Reconciled } from './phases.ts';
import type { Preparation } from './prepare.ts';

/** How servers were reconciled, and with what. */
export interface Reconciling extends Reconciled {
  readonly preparation: Preparation;
  /** The report that was taken back, in an undo. */
  readonly undone?: Document['undone'];
}

/** Makes the result of a command that writes, with what became of it all. */
export function resultOf(
  run: Run,
  options: Options,
  ended: Reconciling,
): CommandResult {
  const { results, objections, unmet, preparation } = ended;
  const plans = valuesOf(results).map(({ plan }) => plan);
  const report: ChangesReport = {
    kind: 'changes',
    servers: plans,
    isComplete: plans.length === results.length,
    undone: ended.undone,
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
}

/**
 * Returns whether an apply wrote anything; undefined if nothing was left to
 * write, or an objection came before.
 */
function writtenBy(plans: readonly ServerPlan[]): boolean | undefined {
  const outcomes: (Outcome | undefined)[] = [];
  for (const { end, outcome, changes } of plans.flatMap(({ integrations }) => [
    ...integrations,
  ])) {
    // Nothing was to be written of it, or it was written before.
    if (outcome === undefined || end?.kind === 'done') continue;
    // A stale integration may have no change any more.
    if (changes.length === 0) outcomes.push(outcome);
    outcomes.push(...changes.map((change) => change.outcome));
  }
  return hasWritten(outcomes);
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

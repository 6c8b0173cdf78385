import { compareText, type Diagnostic, diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { refusedForSize, refusedRisks } from '../../core/plan/guard.ts';
import { hasChanges, type ServerPlan } from '../../core/plan/plan.ts';
import { type Policy, strictest } from '../../core/plan/risk.ts';
import type { Run, RunOptions } from '../run.ts';
import type { LivePlan } from './planning.ts';
import { openPart, staleFindings } from './reviewed.ts';

/** What a person has agreed to on the command line. */
export interface ConsentOptions extends RunOptions {
  readonly yes?: boolean | undefined;
  readonly accept?: readonly string[] | undefined;
  /** The exact number of integrations that may change, if they are many. */
  readonly allowChanges?: number | undefined;
}

/**
 * Decides for all servers whether to write; an empty list says so. `here` is the policy of the project around the working
 * directory, and `missing` how many servers have no plan. Asks a person if nothing else objects.
 */
export async function objectionsTo(
  run: Run,
  options: ConsentOptions,
  here: Policy,
  planned: readonly LivePlan[],
  missing: number,
): Promise<readonly Diagnostic[]> {
  const plans = planned.map(openPart).sort((a, b) => compareText(a.name, b.name));
  const named = (name: string, found: readonly Diagnostic[]) =>
    planned.length > 1 ? found.map((each) => onServer(each, name)) : found;
  if (!plans.some(hasChanges)) return [];
  if (missing > 0) return [diagnostic('held-back', {})];
  const sizes = planned.map(({ size }) => size).sort((a, b) => compareText(a.name, b.name));
  const refused = plans.flatMap((plan) => {
    const policy = strictest([here, plan.policy ?? {}]);
    const risks = refusedRisks(plan, policy, options.accept ?? []);
    return named(
      plan.name,
      risks.map((facts) => diagnostic('risk-refused', facts)),
    );
  });
  const objections = [...refused, ...refusedForSize(sizes, options.allowChanges)];
  if (objections.length > 0) return objections;
  const stale = planned.flatMap((each) => named(each.plan.name, staleFindings(each)));
  const isAgreed = options.yes === true || (await confirmed(run, plans, stale));
  return isAgreed ? [] : [diagnostic('not-confirmed', {})];
}

/** Shows the plans and what is left out of them, and asks; only the full word counts. */
async function confirmed(
  run: Run,
  plans: readonly ServerPlan[],
  stale: readonly Diagnostic[],
): Promise<boolean> {
  run.writer.plans(plans);
  run.writer.findings(stale, run.sources);
  const names = plans.filter(hasChanges).map(({ name }) => name);
  const question = `\nApply these changes to ${names.join(', ')}? Type yes: `;
  const answer = await run.writer.ask(question, run.interruption.stopping);
  return answer?.trim().toLowerCase() === 'yes';
}

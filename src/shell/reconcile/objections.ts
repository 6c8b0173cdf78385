import { compareText, type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { hasChanges, type ServerPlan } from '../../core/plan/plan.ts';
import { type Consent, named, refusals } from '../../core/plan/refusals.ts';
import type { Run, RunOptions } from '../run.ts';
import type { LivePlan } from './planning.ts';
import { openPart, staleFindings } from './reviewed.ts';

/** What a person has agreed to on the command line. */
export interface ConsentOptions extends RunOptions, Consent {
  readonly yes?: boolean | undefined;
}

/** Why not to write, and whether a person has seen the plans for it. */
export interface Decision {
  /** Empty where everything is to be written. */
  readonly objections: readonly Diagnostic[];
  readonly isSeen: boolean;
}

/** What a decision is made from, beside the plans. */
interface Grounds {
  /** How many servers have no plan. */
  readonly missing: number;
  /** What a person has to know before the question. */
  readonly findings: readonly Diagnostic[];
  /** What is wrong with the choices on the command line. */
  readonly unmet: readonly Diagnostic[];
}

/** Decides for all servers whether to write. Asks a person if nothing else objects. */
export async function decide(
  run: Run,
  options: ConsentOptions,
  planned: readonly LivePlan[],
  { missing, findings, unmet }: Grounds,
): Promise<Decision> {
  const decided = (...objections: readonly Diagnostic[]) => ({ objections, isSeen: false });
  const plans = planned.map(openPart).sort((a, b) => compareText(a.name, b.name));
  if (hasErrors(unmet)) return decided(...unmet);
  if (!plans.some(hasChanges)) return decided();
  if (missing > 0) return decided(diagnostic('held-back', {}));
  const open = planned.map((each) => ({ plan: openPart(each), size: each.size }));
  const refused = refusals(open, options);
  if (refused.length > 0) return decided(...refused);
  if (options.yes === true) return decided();
  const stale = planned.flatMap((each) => named(planned, each.plan.name, staleFindings(each)));
  const isAgreed = await confirmed(run, plans, [...findings, ...stale]);
  return { objections: isAgreed ? [] : [diagnostic('not-confirmed', {})], isSeen: true };
}

/** Shows the plans, all that is to be known of them, and asks; only the full word counts. */
async function confirmed(
  run: Run,
  plans: readonly ServerPlan[],
  findings: readonly Diagnostic[],
): Promise<boolean> {
  run.writer.plans(plans);
  run.writer.findings(findings, run.sources);
  const names = plans.filter(hasChanges).map(({ name }) => name);
  const question = `\nApply these changes to ${names.join(', ')}? Type yes: `;
  const answer = await run.writer.ask(question, run.interruption.stopping);
  return answer?.trim().toLowerCase() === 'yes';
}

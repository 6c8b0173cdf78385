import { compareText, type Diagnostic, diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { hasErrors } from '../../core/findings/explain.ts';
import { refusedRisks, refusedSize } from '../../core/plan/guard.ts';
import { hasChanges, type ServerPlan } from '../../core/plan/plan.ts';
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

/** The codes of what is refused, before an apply is tried and when it is. */
const CODES = {
  plan: { risk: 'risk-to-accept', size: 'many-changes' },
  apply: { risk: 'risk-refused', size: 'many-changes-refused' },
} as const;

/** What an apply of these plans refuses, by the policy that each holds. */
export function refusals(
  planned: readonly Pick<LivePlan, 'plan' | 'size'>[],
  { accept = [], allowChanges }: ConsentOptions,
  command: keyof typeof CODES = 'apply',
): Diagnostic[] {
  const codes = CODES[command];
  const ordered = [...planned].sort((a, b) => compareText(a.plan.name, b.plan.name));
  const risks = ordered.flatMap(({ plan }) => {
    const found = refusedRisks(plan, plan.policy ?? {}, accept);
    return named(
      planned,
      plan.name,
      found.map((facts) => diagnostic(codes.risk, facts)),
    );
  });
  const sizes = ordered.map(({ size }) => size);
  const size = refusedSize(sizes, allowChanges);
  return [...risks, ...(size === undefined ? [] : [diagnostic(codes.size, size)])];
}

/** Findings with the name of their server if a run has several. */
function named(
  planned: readonly unknown[],
  name: string,
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  return planned.length > 1 ? found.map((each) => onServer(each, name)) : found;
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

import { type Diagnostic, diagnostic, onServer } from '../../core/findings/diagnostic.ts';
import { diagnosticDocuments, hasErrors } from '../../core/findings/explain.ts';
import { hasChanges, type ServerPlan } from '../../core/plan/plan.ts';
import { type Consent, named, refusals } from '../../core/plan/refusals.ts';
import type { Run, RunOptions } from '../run.ts';
import type { LivePlan } from './planning.ts';
import { openPart, staleFindings } from './reviewed.ts';

/** What a person has agreed to on the command line. */
export interface ConsentOptions extends RunOptions, Consent {
  readonly yes?: boolean | undefined;
  /** Whether a server that cannot be planned, or fails, leaves the others to be written. */
  readonly keepGoing?: boolean | undefined;
}

/** Why not to write, and whether a person has seen the plans for it. */
interface Decision {
  /** Empty if everything is to be written. */
  readonly objections: readonly Diagnostic[];
  readonly isSeen: boolean;
}

/** The other facts of a decision, next to the plans. */
interface Grounds {
  /** Whether a server has no plan. */
  readonly isIncomplete: boolean;
  readonly warnings: readonly Diagnostic[];
  /** What is wrong with the choices on the command line. */
  readonly unmet: readonly Diagnostic[];
}

/** Decides for all servers whether to write. Asks a person if nothing else objects. */
export async function decide(
  run: Run,
  options: ConsentOptions,
  planned: readonly LivePlan[],
  { isIncomplete, warnings, unmet }: Grounds,
): Promise<Decision> {
  const decided = (...objections: readonly Diagnostic[]) => ({ objections, isSeen: false });
  const plans = planned.map(openPart);
  if (hasErrors(unmet)) return decided(...unmet);
  if (!plans.some(hasChanges)) return decided();
  if (isIncomplete && options.keepGoing !== true)
    return decided(diagnostic('not-attempted', { integrations: [] }));
  const refused = refusals(plans, options, 'apply');
  if (refused.length > 0) return decided(...refused);
  if (options.yes === true) return decided();
  const stale = planned.flatMap((each) => named(planned, each.plan.name, staleFindings(each)));
  const findings = [...warnings, ...run.notices, ...findingsIn(planned), ...stale];
  const isAgreed = await confirmed(run, plans, findings);
  return { objections: isAgreed ? [] : [diagnostic('not-confirmed', {})], isSeen: true };
}

/** What was found about the plans, with the name of the server if there are several. */
function findingsIn(planned: readonly LivePlan[]): Diagnostic[] {
  return planned.flatMap(({ plan, diagnostics }) =>
    diagnostics.map((found) => (planned.length > 1 ? onServer(found, plan.name) : found)),
  );
}

/** Shows the plans, all that is to be known of them, and asks. */
function confirmed(
  run: Run,
  plans: readonly ServerPlan[],
  findings: readonly Diagnostic[],
): Promise<boolean> {
  run.writer.plans(plans);
  run.writer.findings(diagnosticDocuments(findings), run.sources);
  const names = plans.filter(hasChanges).map(({ name }) => name);
  const question = `Apply these changes to ${names.join(', then ')}?`;
  return run.writer.confirm(question, run.interruption.stopping);
}

import type { Diagnostic } from '../findings/diagnostic.ts';
import { anyOf, count } from '../findings/words.ts';
import { OUTCOMES, type Outcome } from '../plan/outcome.ts';
import type { IntegrationPlan, PlanSummary, ServerPlan } from '../plan/plan.ts';
import { RISK_NAMES } from '../plan/risk.ts';
import { forTerminal } from './escape.ts';
import { limitTexts } from './limits.ts';
import type { PlanReport, PlanShown, View } from './report.ts';
import { tallyOf } from './run-title.ts';
import { labelText, notedLines } from './text/noted.ts';
import { unseenChangeLines, unseenLines } from './text/unseen.ts';
import { wrapWords } from './wrap.ts';

/** The lines below the changes of a plan: what it risks and needs, what it comes to, and what cannot be seen. */
export function summaryLines(
  plan: ServerPlan,
  findings: readonly Diagnostic[],
  {
    width,
    isApply = false,
    outcomes: isSeen = false,
  }: Pick<View, 'width'> & PlanShown & Pick<PlanReport, 'isApply'>,
): string[] {
  const { summary, integrations } = plan;
  const { unmanagedOptions, unmanagedIntegrations, reads, writes } = summary;
  const outcomes = integrations.flatMap(({ outcome }) => outcome ?? []);
  const isApplied = outcomes.length > 0;
  const before = [
    ...(isApplied ? [] : riskLine(integrations)),
    // An apply has told what it refuses.
    ...(isApply || isApplied ? [] : refusalLines(findings)),
    headlineText(plan),
    ...limitTexts([plan], forTerminal),
  ];
  const after = [
    ...(isApplied ? [`Outcomes: ${tallyOf(outcomes)}.`] : []),
    ...(isApply && !isApplied && summary.changes > 0 ? ['Nothing was written.'] : []),
    `Left alone: ${count(unmanagedOptions, 'option')} of these, ${count(unmanagedIntegrations, 'other integration')}.`,
    `Requests: ${isApplied ? `${reads} read, ${writes} planned to write` : `${reads} to read, ${writes} to apply`}.`,
  ];
  const wrapped = (line: string) => wrapWords(line.split(' '), width);
  // A person has seen the rest before the question.
  if (isSeen) return [...before, ...after.slice(0, 1)].flatMap(wrapped);
  const unseen = unseenLines(plan, isApplied, width);
  return [
    ...unseenChangeLines(plan, width),
    ...before.flatMap(wrapped),
    ...unseen,
    ...notedLines(plan, width),
    ...after.flatMap(wrapped),
  ];
}

/** What a plan comes to, before or after an apply, in our own words. */
export function headlineText({
  summary,
  integrations,
}: Pick<ServerPlan, 'summary' | 'integrations'>): string {
  const isApplied = integrations.some(({ outcome }) => outcome !== undefined);
  const comesTo =
    summary.changes === 0 ? unchanged(summary, integrations) : headline(summary, integrations, isApplied);
  return `${comesTo}${unplannedText(integrations)}`;
}

function riskLine(integrations: readonly IntegrationPlan[]): string[] {
  const risks = integrations.flatMap(({ changes }) => changes.flatMap((change) => change.risks));
  const counts = RISK_NAMES.flatMap((risk) => {
    const { length } = risks.filter((each) => each === risk);
    return length === 0 ? [] : [`${risk} ${length}`];
  });
  return counts.length === 0 ? [] : [`Risks: ${counts.join(', ')}.`];
}

/** What an apply would refuse, by the flags that lift it. */
export function refusalLines(findings: readonly Diagnostic[]): string[] {
  const flags = findings.flatMap(flagOf);
  const forbidden = findings.flatMap((found) =>
    found.code === 'risk-refused' && found.facts.by === 'policy' ? [found.facts.risk] : [],
  );
  return [
    ...(flags.length === 0 ? [] : [`Apply refuses this without ${[...new Set(flags)].join(' ')}.`]),
    ...(forbidden.length === 0
      ? []
      : [`Apply refuses this: the policy forbids ${anyOf([...new Set(forbidden)])}.`]),
  ];
}

function flagOf(found: Diagnostic): string[] {
  if (found.code === 'many-changes') return [`--allow-changes ${found.facts.changed}`];
  return found.code === 'risk-refused' && found.facts.by === 'default' ? [`--allow ${found.facts.risk}`] : [];
}

/** Never says that all is as desired where a field cannot be seen, or where an apply left something undone. */
function unchanged(summary: PlanSummary, all: readonly IntegrationPlan[]): string {
  const { cannotTell, asDesired, waived = 0, leftOut = 0 } = summary;
  const managed = summary.managed - all.filter(({ unplanned }) => unplanned).length;
  if (managed === 0 && summary.managed > 0) return 'No changes.';
  const integrations = count(managed, 'managed integration');
  if (all.some(({ outcome }) => outcome !== undefined && OUTCOMES[outcome].countsAs !== 'applied'))
    return `No changes applied to ${integrations}.`;
  if (cannotTell === 0 && waived + leftOut > 0)
    return `No changes: ${count(asDesired, 'field is', 'fields are')} as desired, ${count(waived + leftOut, 'difference')} left alone.`;
  if (cannotTell > 0)
    return `No changes: ${count(asDesired, 'field is', 'fields are')} as desired, ${count(cannotTell, 'field')} cannot be seen.`;
  return `No changes: ${integrations} ${managed === 1 ? 'is' : 'are'} as desired.`;
}

function unplannedText(integrations: readonly IntegrationPlan[]): string {
  const { length } = integrations.filter(({ unplanned }) => unplanned);
  return length === 0 ? '' : ` Not planned: ${count(length, 'integration')}, because of errors.`;
}

/** The changes to make or, after an apply, those that were verified. */
function headline(summary: PlanSummary, integrations: readonly IntegrationPlan[], applied: boolean): string {
  const where = `in ${summary.changed} of ${count(summary.managed, 'managed integration')}`;
  if (!applied) {
    const changes = count(summary.changes, summary.labels === undefined ? 'change' : 'difference');
    return `Plan: ${changes} ${where}${labelText(summary)}.`;
  }
  const outcomes = integrations.flatMap(({ changes, outcome }) =>
    changes.map((each) => each.outcome ?? outcome),
  );
  const done = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
  const sent = done('sent');
  const unseen = sent === 0 ? '' : `, ${sent} sent (the server does not show ${sent === 1 ? 'it' : 'them'})`;
  return `Applied: ${done('verified')} of ${count(summary.changes, 'change')} verified${unseen}, ${where}.`;
}

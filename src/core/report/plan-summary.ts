import type { Diagnostic } from '../findings/diagnostic.ts';
import { anyOf, count } from '../findings/words.ts';
import { grouped } from '../model/grouped.ts';
import { OUTCOMES, type Outcome } from '../plan/outcome.ts';
import type { IntegrationPlan, PlanSummary, ServerPlan } from '../plan/plan.ts';
import { RISK_NAMES } from '../plan/risk.ts';
import { forTerminal } from './escape.ts';
import type { PlanShown, View } from './report.ts';
import { namesIn, wrapWords } from './wrap.ts';

/** The lines below the changes of a plan: what it risks and needs, what it comes to, and what cannot be seen. */
export function summaryLines(
  plan: ServerPlan,
  findings: readonly Diagnostic[],
  { width, outcomes: isSeen = false }: Pick<View, 'width'> & PlanShown,
): string[] {
  const { summary, integrations } = plan;
  const { unmanagedOptions, unmanagedIntegrations, reads, writes } = summary;
  const outcomes = integrations.flatMap(({ outcome }) => outcome ?? []);
  const isApplied = outcomes.length > 0;
  const tally = [...grouped(outcomes, (each) => each)].map(([outcome, { length }]) => `${length} ${outcome}`);
  const before = [
    ...(isApplied ? [] : [...riskLine(integrations), ...refusalLines(findings)]),
    `${summary.changes === 0 ? unchanged(summary, integrations) : headline(summary, integrations, isApplied)}${unplannedText(integrations)}`,
  ];
  const after = [
    ...(isApplied ? [`Outcomes: ${tally.join(', ')}.`] : []),
    `Left alone: ${count(unmanagedOptions, 'option')} of these, ${count(unmanagedIntegrations, 'other integration')}.`,
    `Requests: ${isApplied ? `${reads} read, ${writes} planned to write` : `${reads} to read, ${writes} to apply`}.`,
  ];
  const wrapped = (line: string) => wrapWords(line.split(' '), width);
  // A person has seen the rest before the question.
  if (isSeen) return [...before, ...after.slice(0, 1)].flatMap(wrapped);
  return [...before.flatMap(wrapped), ...unseenLines(plan, isApplied, width), ...after.flatMap(wrapped)];
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
function refusalLines(findings: readonly Diagnostic[]): string[] {
  const flags = findings.flatMap(flagOf);
  const forbidden = findings.flatMap((found) =>
    found.code === 'risk-to-accept' && found.facts.by === 'policy' ? [found.facts.risk] : [],
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
  return found.code === 'risk-to-accept' && found.facts.by === 'default'
    ? [`--accept ${found.facts.risk}`]
    : [];
}

/** Never says that all is as desired where a field cannot be seen, or where an apply left something undone. */
function unchanged(summary: PlanSummary, all: readonly IntegrationPlan[]): string {
  const { cannotTell, asDesired } = summary;
  const managed = summary.managed - all.filter(({ unplanned }) => unplanned).length;
  if (managed === 0 && summary.managed > 0) return 'No changes.';
  const integrations = count(managed, 'managed integration');
  if (all.some(({ outcome }) => outcome !== undefined && OUTCOMES[outcome].countsAs !== 'applied'))
    return `No changes applied to ${integrations}.`;
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
  if (!applied) return `Plan: ${count(summary.changes, 'change')} ${where}.`;
  const outcomes = integrations.flatMap(({ changes, outcome }) =>
    changes.map((each) => each.outcome ?? outcome),
  );
  const done = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length;
  const sent = done('sent');
  const unseen = sent === 0 ? '' : `, ${sent} sent (the server does not show ${sent === 1 ? 'it' : 'them'})`;
  return `Applied: ${done('verified')} of ${count(summary.changes, 'change')} verified${unseen}, ${where}.`;
}

/** The fields that the server does not show, by their addresses, and how to write them. */
function unseenLines({ integrations }: ServerPlan, isApplied: boolean, width: number): string[] {
  const fields = integrations.flatMap(({ cannotTell }) => cannotTell.map(({ address }) => address));
  const values = fields.filter((address) => address.endsWith('.value'));
  // A finding tells of permissions.
  const others = fields.filter((address) => !/\.(value|permission)$/.test(address));
  const told = (what: string, addresses: readonly string[]) =>
    addresses.length === 0
      ? []
      : [`${what}:`, ...namesIn(addresses.map(forTerminal), width - 4).map((line) => `    ${line}`)];
  const advice =
    isApplied || values.length === 0
      ? []
      : ['Pass --write-secrets all, or some of these addresses, to write them.'];
  return [
    ...told(
      count(values.length, 'value cannot be read', 'values cannot be read'),
      values.map((address) => address.replace(/\.value$/, '')),
    ),
    ...advice,
    ...told(
      count(others.length, 'field is not shown by the server', 'fields are not shown by the server'),
      others,
    ),
  ];
}

import { count } from '../findings/words.ts';
import { grouped } from '../model/grouped.ts';
import { OUTCOMES, type Outcome } from '../plan/outcome.ts';
import type { Change, IntegrationPlan, PlanSummary, ServerPlan } from '../plan/plan.ts';
import { requestsOf } from '../plan/requests.ts';
import { renderChange } from './change-text.ts';
import { forTerminal } from './escape.ts';
import type { View } from './report.ts';
import { wrapWords } from './wrap.ts';

/** How plans are shown. */
interface PlanView extends Pick<View, 'paint' | 'width'> {
  readonly showRequests: boolean;
}

/** The plans of all servers, before or after an apply: the changes of each integration, then a summary. */
export function renderPlans(plans: readonly ServerPlan[], view: PlanView): string {
  return plans.map((plan) => renderPlan(plan, view)).join('\n');
}

function renderPlan(plan: ServerPlan, view: PlanView): string {
  const names = hostOf(plan.url) === plan.name ? [plan.url] : [plan.name, plan.url];
  const [name = '', ...url] = names.map(forTerminal);
  const blocks = plan.integrations.flatMap((integration) => renderIntegration(integration, view));
  return [[view.paint.strong(name), ...url].join('  '), '', ...blocks, ...summaryLines(plan), ''].join('\n');
}

/** The host of an address, which need not be valid once a secret is taken out of it. */
function hostOf(url: string): string | undefined {
  return /^https?:\/\/([^/]*)/.exec(url)?.[1];
}

function renderIntegration(integration: IntegrationPlan, view: PlanView): string[] {
  const { changes, cannotTell, blocked, name, id, status, outcome } = integration;
  if (changes.length === 0 && cannotTell.length === 0) return [];
  const { paint } = view;
  const mark = changes.length === 0 ? '?' : blocked ? '!' : '~';
  const title = [
    paint.strong(`${mark} ${forTerminal(name)}`),
    ...(name === id ? [] : [paint.faint(forTerminal(id))]),
  ];
  const nameOf = ({ address }: Pick<Change, 'address'>) => fieldName(address, integration);
  const width = Math.max(...[...changes, ...cannotTell].map((field) => nameOf(field).length));
  return [
    `${title.join('  ')}${outcomeText(outcome, view)}`,
    ...(blocked ? [`    ${paint.risk(`! is ${forTerminal(status ?? '')}, likely to refuse`)}`] : []),
    ...changes.flatMap((change) => renderChange(change, nameOf(change).padEnd(width), view)),
    ...cannotTell.map(
      (field) =>
        `    ? ${forTerminal(nameOf(field)).padEnd(width)}  cannot tell: ${CANNOT_TELL[field.reason]}`,
    ),
    ...(view.showRequests ? requestLines(integration, view) : []),
    '',
  ];
}

const CANNOT_TELL = {
  masked: 'the server masks it',
  null: 'the server does not show it',
  absent: 'the server does not send it',
  empty: 'the server shows no password at all',
  form: 'the server sends it in a form that is not known',
} as const;

function outcomeText(outcome: Outcome | undefined, { paint }: PlanView): string {
  if (outcome === undefined) return '';
  const looks = { good: paint.add, doubtful: paint.risk, bad: paint.error };
  return `  [${looks[OUTCOMES[outcome].look](outcome)}]`;
}

/** A field's address inside its integration, without the word that all options share. */
function fieldName(address: string, integration: IntegrationPlan): string {
  return address.slice(integration.name.length + 1).replace(/^options\./, '');
}

function requestLines(integration: IntegrationPlan, { paint, width }: PlanView): string[] {
  return requestsOf(integration).flatMap(({ method, path, changes }) => {
    const fields = changes.map(({ address }) => forTerminal(fieldName(address, integration)));
    const lines = wrapWords(fields.join(',\n').split('\n'), width - 8).map((line) => `        ${line}`);
    return [`    > ${method} ${forTerminal(path)}`, ...lines].map(paint.faint);
  });
}

function summaryLines({ summary, integrations }: ServerPlan): string[] {
  const { cannotTell, unmanagedOptions, unmanagedIntegrations, reads, writes } = summary;
  const outcomes = integrations.flatMap(({ outcome }) => outcome ?? []);
  const isApplied = outcomes.length > 0;
  const tally = [...grouped(outcomes, (each) => each)].map(([outcome, { length }]) => `${length} ${outcome}`);
  const advice = isApplied ? '' : ' Pass --write-secrets all, or an address, to write.';
  const unseen = `Cannot tell: ${count(cannotTell, 'field')} that the server does not show.${advice}`;
  return [
    summary.changes === 0 ? unchanged(summary, outcomes) : headline(summary, integrations, isApplied),
    ...(cannotTell > 0 ? [unseen] : []),
    ...(isApplied ? [`Outcomes: ${tally.join(', ')}.`] : []),
    `Left alone: ${count(unmanagedOptions, 'option')} of these, ${count(unmanagedIntegrations, 'other integration')}.`,
    `Requests: ${isApplied ? `${reads} read, ${writes} planned to write` : `${reads} to read, ${writes} to apply`}.`,
  ];
}

/** Never says that all is as desired where a field cannot be seen, or where an apply left something undone. */
function unchanged({ managed, cannotTell }: PlanSummary, outcomes: readonly Outcome[]): string {
  const integrations = count(managed, 'managed integration');
  if (outcomes.some((each) => OUTCOMES[each].countsAs !== 'applied'))
    return `No changes applied to ${integrations}.`;
  if (cannotTell > 0) return `No changes in what the server shows of ${integrations}.`;
  return `No changes: ${integrations} ${managed === 1 ? 'is' : 'are'} as desired.`;
}

/** The changes to make or, after an apply, those that were verified. */
function headline(summary: PlanSummary, integrations: readonly IntegrationPlan[], applied: boolean): string {
  const where = `in ${summary.changed} of ${count(summary.managed, 'managed integration')}`;
  if (!applied) return `Plan: ${count(summary.changes, 'change')} ${where}.`;
  const verified = integrations.filter(({ outcome }) => outcome === 'verified');
  const done = verified.reduce((sum, { changes }) => sum + changes.length, 0);
  return `Applied: ${done} of ${count(summary.changes, 'change')} verified, ${where}.`;
}

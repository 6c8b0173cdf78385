import type { Diagnostic } from '../../findings/diagnostic.ts';
import { count } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { CHANGE_LABELS, LABELS } from '../../plan/label.ts';
import { OUTCOMES, type Outcome } from '../../plan/outcome.ts';
import type { Change, IntegrationPlan, ServerPlan } from '../../plan/plan.ts';
import { requestsOf } from '../../plan/requests.ts';
import { asOfTexts } from '../as-of.ts';
import { renderChange } from '../change-text.ts';
import { forTerminal } from '../escape.ts';
import { fieldName, foldChanges, type SharedChanges } from '../fold.ts';
import { summaryLines } from '../plan-summary.ts';
import type { PlanReport, PlanShown, Report, View } from '../report.ts';
import { namesIn, wrapWords } from '../wrap.ts';
import { revisionText } from './diff.ts';

/** How plans are shown. */
interface PlanView extends Pick<View, 'paint' | 'width'>, PlanShown, Pick<PlanReport, 'isApply'> {
  readonly findings: readonly Diagnostic[];
}

/** A report without what its text shows nothing of: all else need not be cleaned. */
export function shownInText(report: Report): Report {
  if (report.kind !== 'plan') return report;
  const isShown = ({ changes, cannotTell, noted = [], waived = [], outcome, unplanned }: IntegrationPlan) =>
    [changes, cannotTell, noted, waived].some(({ length }) => length > 0) ||
    outcome !== undefined ||
    unplanned === true;
  const servers = report.servers.map((plan) => ({
    ...plan,
    integrations: plan.integrations.filter(isShown),
  }));
  return { ...report, servers };
}

/** The plans of all servers, before or after an apply: what changes, then a summary. */
export function renderPlans(plans: readonly ServerPlan[], view: PlanView): string {
  const texts = plans.map((plan) => renderPlan(plan, view));
  return texts.filter((text) => text !== '').join('\n');
}

function renderPlan(plan: ServerPlan, view: PlanView): string {
  // What a person has refused is not told again.
  if (view.outcomes && plan.integrations.every(({ outcome }) => outcome === undefined)) return '';
  const names = hostOf(plan.url) === plan.name ? [plan.url] : [plan.name, plan.url];
  const [name = '', ...url] = names.map(forTerminal);
  const about = [
    ...asOfTexts([plan]),
    ...(plan.base === undefined ? [] : [`Compared with ${revisionText(plan.base)}.`]),
  ].map(view.paint.faint);
  const blocks = view.outcomes
    ? outcomeLines(plan, view)
    : [...changeLines(plan, view), ...unplannedLines(plan, view)];
  const findings = view.findings.filter(({ server }) => server === undefined || server === plan.name);
  const summary = summaryLines(plan, findings, view);
  return [[view.paint.strong(name), ...url].join('  '), ...about, '', ...blocks, ...summary, ''].join('\n');
}

/** The host of an address, which need not be valid once a secret is taken out of it. */
function hostOf(url: string): string | undefined {
  return /^https?:\/\/([^/]*)/.exec(url)?.[1];
}

/** With a base a reviewer reads what the branch changed first. A request carries all of them. */
function changeLines({ base, integrations }: ServerPlan, view: PlanView): string[] {
  if (base === undefined || view.requests) return blockLines(integrations, view);
  return CHANGE_LABELS.flatMap((label) => {
    const own = integrations.map((each) => ({
      ...each,
      changes: each.changes.filter((change) => change.label === label),
    }));
    const lines = blockLines(own, view);
    return lines.length === 0 ? [] : [view.paint.strong(LABELS[label].title), '', ...lines];
  });
}

function blockLines(integrations: readonly IntegrationPlan[], view: PlanView): string[] {
  if (view.full || view.requests) return integrations.flatMap((each) => renderIntegration(each, view));
  const { shared, own } = foldChanges(integrations);
  return [
    ...shared.flatMap((block) => renderShared(block, view)),
    ...own.flatMap((each) => renderIntegration(each, view)),
  ];
}

/** The integrations that errors keep from being planned. */
function unplannedLines({ integrations }: ServerPlan, view: PlanView): string[] {
  const unplanned = integrations.filter((each) => each.unplanned);
  if (unplanned.length === 0) return [];
  const title = `! ${count(unplanned.length, 'integration')} not planned, because of errors`;
  return [view.paint.error(title), ...nameLines(unplanned, view), ''];
}

/** What became of each integration, without its changes: a person has seen them before the question. */
function outcomeLines({ integrations }: ServerPlan, view: PlanView): string[] {
  const outcomes = grouped(
    integrations.filter(({ outcome }) => outcome !== undefined),
    ({ outcome }) => outcome,
  );
  return [...outcomes].flatMap(([outcome, found]) => [
    `${count(found.length, 'integration')}${outcomeText(outcome, view)}`,
    ...nameLines(found, view),
    '',
  ]);
}

/** The same changes in several integrations, once, with the names of all. */
function renderShared({ integrations, changes }: SharedChanges, view: PlanView): string[] {
  const [first] = integrations;
  if (first === undefined) return [];
  const title = [
    view.paint.strong(`${first.blocked ? '!' : '~'} ${integrations.length} integrations`),
    ...statusIn(first, view),
  ];
  return [
    `${title.join('  ')}${outcomeText(first.outcome, view)}`,
    ...nameLines(integrations, view),
    ...renderChanges({ ...first, changes }, view),
    '',
  ];
}

function nameLines(integrations: readonly IntegrationPlan[], { width, paint }: PlanView): string[] {
  const names = integrations.map(({ name }) => forTerminal(name));
  return namesIn(names, width - 4).map((line) => `    ${paint.faint(line)}`);
}

function renderIntegration(integration: IntegrationPlan, view: PlanView): string[] {
  const { changes, cannotTell, blocked, name, id, outcome } = integration;
  const unseen = view.full ? cannotTell : [];
  if (changes.length === 0 && unseen.length === 0) return [];
  const { paint } = view;
  const mark = changes.length === 0 ? '?' : blocked ? '!' : '~';
  const title = [
    paint.strong(`${mark} ${forTerminal(name)}`),
    ...(name === id ? [] : [paint.faint(forTerminal(id))]),
    ...statusIn(integration, view),
  ];
  return [
    `${title.join('  ')}${outcomeText(outcome, view)}`,
    ...renderChanges(integration, view),
    ...unseen.map(
      ({ address, reason }) =>
        `    ? ${forTerminal(fieldName(address, integration))}  cannot tell: ${CANNOT_TELL[reason]}`,
    ),
    ...(view.requests ? requestLines(integration, view) : []),
    '',
  ];
}

/** The status of an integration that is to be changed and does not run. */
function statusIn({ blocked, status }: IntegrationPlan, { paint }: PlanView): string[] {
  return blocked ? [paint.risk(`(${forTerminal(status ?? '')})`)] : [];
}

function renderChanges(integration: IntegrationPlan, view: PlanView): string[] {
  const fields = integration.changes.map((change) => ({
    change,
    name: `${fieldName(change.address, integration)}${view.requests ? labelMark(change) : ''}`,
  }));
  const width = Math.max(...fields.map(({ name }) => name.length));
  return fields.flatMap(({ change, name }) => renderChange(change, name.padEnd(width), view));
}

/** Who moved a field, where a block has changes of all labels. */
function labelMark({ label }: Change): string {
  return label === 'change' ? '' : ` [${label}]`;
}

/** Why a field cannot be compared. */
export const CANNOT_TELL = {
  masked: 'the server masks it',
  null: 'the server does not show it',
  absent: 'the server does not send it',
  empty: 'the server shows no password at all',
  form: 'the server sends it in a form that is not known',
  snapshot: 'the snapshot keeps it out',
  unresolved: 'its reference has no value here',
} as const;

function outcomeText(outcome: Outcome | undefined, { paint }: PlanView): string {
  if (outcome === undefined) return '';
  const looks = { good: paint.add, doubtful: paint.risk, bad: paint.error };
  return `  [${looks[OUTCOMES[outcome].look](outcome)}]`;
}

function requestLines(integration: IntegrationPlan, { paint, width }: PlanView): string[] {
  return requestsOf(integration).flatMap(({ method, path, changes }) => {
    const fields = changes.map(({ address }) => forTerminal(fieldName(address, integration)));
    const lines = wrapWords(fields.join(',\n').split('\n'), width - 8).map((line) => `        ${line}`);
    return [`    > ${method} ${forTerminal(path)}`, ...lines].map(paint.faint);
  });
}

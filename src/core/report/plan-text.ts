import { effectOf } from '../model/permission.ts';
import { isChoiceList } from '../model/value.ts';
import type { Change, IntegrationPlan, Outcome, PlanSummary, Risk, ServerPlan } from '../plan/plan.ts';
import { requestsOf } from '../plan/requests.ts';
import { forTerminal } from './escape.ts';
import { fold, foldBeside } from './fold.ts';
import { hasStructure, lineDiff } from './line-diff.ts';
import type { Paint } from './paint.ts';
import { type Scrub, sidesOf } from './secret.ts';
import { wrapWords } from './wrap.ts';

/** How a plan is to be shown. */
export interface PlanView {
  readonly paint: Paint;
  readonly scrub: Scrub;
  readonly width: number;
  readonly showRequests: boolean;
}

/** What each risk means for people. */
const RISK_WORDS: Record<Risk, string> = {
  'exposes-secret': 'all users will see this secret',
  'overrides-users': "users' own values stop applying",
  'subscribes-everyone': 'all users with access are subscribed',
  'plain-secret': 'the secret is in clear text in the YAML',
};

/** Lines of a comparison that are shown at most. */
const LONGEST_DIFF = 40;

/** Lines of members that come, or that go, that are shown at most. */
const LONGEST_LIST = 6;

/** The plans of all servers of a run, one behind the other. */
export function renderPlans(plans: readonly ServerPlan[], view: PlanView): string {
  return plans.map((plan) => renderPlan(plan, view)).join('\n');
}

/** A plan, or an applied plan, for a person: what changes by integration, then one summary. Ends with a newline. */
function renderPlan(plan: ServerPlan, view: PlanView): string {
  const isNamed = !plan.url.includes(plan.name);
  const names = isNamed
    ? [view.paint.strong(forTerminal(plan.name)), forTerminal(plan.url)]
    : [view.paint.strong(forTerminal(plan.url))];
  const head = names.join('  ');
  const blocks = plan.integrations.flatMap((integration) => renderIntegration(integration, view));
  return [head, '', ...blocks, ...summaryLines(plan), ''].join('\n');
}

function renderIntegration(integration: IntegrationPlan, view: PlanView): string[] {
  const { changes, cannotTell } = integration;
  if (changes.length === 0 && cannotTell.length === 0) return [];
  const mark = changes.length === 0 ? '?' : integration.blocked ? '!' : '~';
  const names = integration.name === integration.id ? [integration.id] : [integration.name, integration.id];
  const [name, ...id] = names.map(forTerminal);
  const title = [view.paint.strong(`${mark} ${name ?? ''}`), ...id.map(view.paint.faint)].join('  ');
  const width = Math.max(
    ...[...changes, ...cannotTell].map(({ address }) => fieldName(address, integration).length),
  );
  return [
    `${title}${outcomeText(integration.outcome, view)}`,
    ...(integration.blocked
      ? [`    ${view.paint.risk(`! is ${forTerminal(integration.status ?? '')}, likely to refuse`)}`]
      : []),
    ...changes.flatMap((change) =>
      renderChange(change, fieldName(change.address, integration).padEnd(width), view),
    ),
    ...cannotTell.map(
      ({ address, reason }) =>
        `    ? ${forTerminal(fieldName(address, integration)).padEnd(width)}  cannot tell: ${CANNOT_TELL[reason]}`,
    ),
    ...(view.showRequests ? requestLines(integration, view) : []),
    '',
  ];
}

const CANNOT_TELL = {
  masked: 'the server masks it',
  null: 'the server does not show it',
  absent: 'the server does not send it',
  form: 'the server sends it in a form that is not known',
} as const;

function outcomeText(outcome: Outcome | undefined, { paint }: PlanView): string {
  if (outcome === undefined) return '';
  const painted = outcome === 'verified' ? paint.add(outcome) : paint.error(outcome);
  return `  [${painted}]`;
}

/** A field's address inside its integration, without the word that all options share. */
function fieldName(address: string, integration: IntegrationPlan): string {
  return address.slice(integration.name.length + 1).replace(/^options\./, '');
}

function renderChange(change: Change, name: string, view: PlanView): string[] {
  const { paint } = view;
  const isNew =
    change.field === 'value' && !change.sensitive && (change.before === null || change.before === '');
  const mark = isNew ? paint.add('+') : paint.change('~');
  const lead = `    ${mark} ${forTerminal(name)}`;
  const risks = change.risks.map((risk) => `      ${paint.risk(`! ${risk}: ${RISK_WORDS[risk]}`)}`);
  const effect =
    change.field === 'permission'
      ? [`      ${paint.faint(`(${effectOf(change.before)} -> ${effectOf(change.after)})`)}`]
      : [];
  return [...valueLines(change, lead, name.length, view), ...effect, ...risks];
}

function valueLines(change: Change, lead: string, nameWidth: number, view: PlanView): string[] {
  const { paint, scrub, width } = view;
  const members = memberLines(change, lead, nameWidth, view);
  if (members !== undefined) return members;
  const sides = sidesOf(change);
  // Permissions and flags are our own words; only values are foreign.
  const clean = change.field === 'value' ? scrub : (text: string) => text;
  const [rawBefore, rawAfter] = [clean(sides.before), clean(sides.after)];
  if (hasStructure(rawBefore) || hasStructure(rawAfter))
    return [lead.trimEnd(), ...diffBlock(rawBefore, rawAfter, view)];
  const [before, after] = [foldBeside(rawBefore, rawAfter), foldBeside(rawAfter, rawBefore)];
  const oneLine = 6 + nameWidth + 2 + before.length + 4 + after.length;
  if (oneLine <= width) return [`${lead}  ${before} -> ${paint.add(after)}`];
  return [lead.trimEnd(), `        ${paint.remove(`- ${before}`)}`, `        ${paint.add(`+ ${after}`)}`];
}

/** A multi-select by what comes and what goes, on one line if there is room; its order does not count. */
function memberLines(change: Change, lead: string, nameWidth: number, view: PlanView): string[] | undefined {
  if (change.field !== 'value' || change.sensitive || change.before === null || change.after === null)
    return undefined;
  if (!isChoiceList(change.before) || !isChoiceList(change.after)) return undefined;
  const { paint, scrub, width } = view;
  const [before, after] = [change.before, change.after].map(
    (side) => new Set(side.map(({ value }) => value)),
  );
  const show = (value: string) => fold(scrub(value));
  const removed = [...(before ?? [])].filter((value) => !after?.has(value)).map((value) => `-${show(value)}`);
  const added = [...(after ?? [])].filter((value) => !before?.has(value)).map((value) => `+${show(value)}`);
  const sides = [
    { words: removed, painted: paint.remove },
    { words: added, painted: paint.add },
  ].filter(({ words }) => words.length > 0);
  const isShort = 6 + nameWidth + 2 + [...removed, ...added].join(' ').length <= width;
  if (isShort) return [`${lead}  ${sides.map(({ words, painted }) => painted(words.join(' '))).join(' ')}`];
  return [
    lead.trimEnd(),
    ...sides.flatMap(({ words, painted }) => wrapped(words, width).map((line) => `        ${painted(line)}`)),
  ];
}

/** Lines of words below a field, with a count of those that are left out. */
function wrapped(words: readonly string[], width: number): string[] {
  const lines = wrapWords(words, width - 8);
  if (lines.length <= LONGEST_LIST) return lines;
  const shown = lines.slice(0, LONGEST_LIST);
  const text = shown.join(' ');
  const last = words.findIndex((_, index) => words.slice(0, index + 1).join(' ') === text);
  return [...shown, `(${words.length - last - 1} more)`];
}

function diffBlock(before: string, after: string, { paint }: PlanView): string[] {
  const lines = lineDiff(before, after).map((line) => {
    if (line.kind === 'context') return `        ${paint.faint(`  (${count(line.count, 'equal line')})`)}`;
    if (line.kind === 'open')
      return `        ${paint.faint(`  (${line.side === 'add' ? 'now' : 'before'} without a newline at its end)`)}`;
    const text = showEnd(foldBeside(line.text, line.counterpart));
    return line.kind === 'add' ? `        ${paint.add(`+ ${text}`)}` : `        ${paint.remove(`- ${text}`)}`;
  });
  const rest = lines.length - LONGEST_DIFF;
  return rest > 0 ? [...lines.slice(0, LONGEST_DIFF), `          (${rest} more lines)`] : lines;
}

/** Blanks at the end of a line would not be seen. */
function showEnd(text: string): string {
  return text.endsWith(' ') ? `${text}⏎` : text;
}

function requestLines(integration: IntegrationPlan, { paint, width }: PlanView): string[] {
  return requestsOf(integration).flatMap(({ method, path, changes }) => {
    const fields = changes.map(({ address }) => forTerminal(fieldName(address, integration)));
    const listed = fields.map((field, index) => (index < fields.length - 1 ? `${field},` : field));
    const lines = [
      `    > ${method} ${forTerminal(path)}`,
      ...wrapWords(listed, width - 8).map((line) => `        ${line}`),
    ];
    return lines.map(paint.faint);
  });
}

function summaryLines({ summary, integrations }: ServerPlan): string[] {
  const outcomes = integrations.flatMap(({ outcome }) => outcome ?? []);
  const head =
    summary.changes === 0
      ? `No changes: ${count(summary.managed, 'managed integration')} ${summary.managed === 1 ? 'is' : 'are'} as desired.`
      : headline(summary, integrations, outcomes.length > 0);
  return [
    head,
    ...(summary.cannotTell > 0
      ? [`Cannot tell: ${count(summary.cannotTell, 'field')} that the server does not show.`]
      : []),
    ...(outcomes.length > 0 ? [`Outcomes: ${tally(outcomes)}.`] : []),
    `Left alone: ${count(summary.unmanagedOptions, 'option')} of these, ${count(summary.unmanagedIntegrations, 'other integration')}.`,
    outcomes.length > 0
      ? `Requests: ${summary.reads} read, ${summary.writes} planned to write.`
      : `Requests: ${summary.reads} to read, ${summary.writes} to apply.`,
  ];
}

/** What there is to do, or what of it was verified. */
function headline(summary: PlanSummary, integrations: readonly IntegrationPlan[], applied: boolean): string {
  const where = `in ${summary.changed} of ${count(summary.managed, 'managed integration')}`;
  if (!applied) return `Plan: ${count(summary.changes, 'change')} ${where}.`;
  const verified = integrations.filter(({ outcome }) => outcome === 'verified');
  const done = verified.reduce((sum, { changes }) => sum + changes.length, 0);
  return `Applied: ${done} of ${count(summary.changes, 'change')} verified, ${where}.`;
}

function tally(outcomes: readonly Outcome[]): string {
  const counts = new Map<Outcome, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].map(([outcome, times]) => `${times} ${outcome}`).join(', ');
}

/** A number with its noun, in the plural where it needs one. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

import { effectOf } from '../model/permission.ts';
import { type Choice, isChoiceList } from '../model/value.ts';
import type { Change, IntegrationPlan, Outcome, PlanSummary, Risk, ServerPlan } from '../plan/plan.ts';
import { requestsOf } from '../plan/requests.ts';
import { count } from './count.ts';
import { forTerminal } from './escape.ts';
import { fold, foldBeside } from './fold.ts';
import { hasStructure, lineDiff } from './line-diff.ts';
import type { View } from './report.ts';
import { sidesOf } from './secret.ts';
import { wrapWords } from './wrap.ts';

/** How plans are shown. */
interface PlanView extends Pick<View, 'paint' | 'scrub' | 'width'> {
  readonly showRequests: boolean;
}

/** What each risk means for people. */
const RISK_WORDS: Record<Risk, string> = {
  'exposes-secret': 'all users will see this secret',
  'overrides-users': "users' own values stop applying",
  'subscribes-everyone': 'all users with access are subscribed',
  'plain-secret': 'the secret stands in clear in the YAML',
};

/** The most lines that a comparison shows. */
const LONGEST_DIFF = 40;

/** The most lines that show added members of a list, or removed ones. */
const LONGEST_LIST = 6;

/** The plans of all servers, before or after an apply: what changes in each integration, then a summary. Ends with a newline. */
export function renderPlans(plans: readonly ServerPlan[], view: PlanView): string {
  return plans.map((plan) => renderPlan(plan, view)).join('\n');
}

function renderPlan(plan: ServerPlan, view: PlanView): string {
  const names = plan.url.includes(plan.name) ? [plan.url] : [plan.name, plan.url];
  const [name = '', ...url] = names.map(forTerminal);
  const blocks = plan.integrations.flatMap((integration) => renderIntegration(integration, view));
  return [[view.paint.strong(name), ...url].join('  '), '', ...blocks, ...summaryLines(plan), ''].join('\n');
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

/** A multi-select by its added and removed members, on one line if there is room; their order does not count. */
function memberLines(change: Change, lead: string, nameWidth: number, view: PlanView): string[] | undefined {
  if (change.field !== 'value' || change.sensitive || change.before === null || change.after === null)
    return undefined;
  if (!isChoiceList(change.before) || !isChoiceList(change.after)) return undefined;
  const { paint, scrub, width } = view;
  const marked = (mark: string, values: readonly string[]) =>
    values.map((value) => `${mark}${fold(scrub(value))}`);
  const sides = [
    { words: marked('-', valuesMissing(change.before, change.after)), painted: paint.remove },
    { words: marked('+', valuesMissing(change.after, change.before)), painted: paint.add },
  ].filter(({ words }) => words.length > 0);
  const all = sides.flatMap(({ words }) => words).join(' ');
  if (6 + nameWidth + 2 + all.length <= width)
    return [`${lead}  ${sides.map(({ words, painted }) => painted(words.join(' '))).join(' ')}`];
  return [
    lead.trimEnd(),
    ...sides.flatMap(({ words, painted }) => wrapped(words, width).map((line) => `        ${painted(line)}`)),
  ];
}

/** The values that another list lacks, each once. */
function valuesMissing(choices: readonly Choice[], other: readonly Choice[]): string[] {
  const known = new Set(other.map(({ value }) => value));
  return [...new Set(choices.map(({ value }) => value))].filter((value) => !known.has(value));
}

/** Lines of words below a field, with a count of those that are left out. */
function wrapped(words: readonly string[], width: number): string[] {
  const lines = wrapWords(words, width - 8);
  if (lines.length <= LONGEST_LIST) return lines;
  const shown = lines.slice(0, LONGEST_LIST);
  const length = shown.join(' ').length;
  const fits = words.findIndex((_, index) => words.slice(0, index + 1).join(' ').length === length);
  return [...shown, `(${words.length - fits - 1} more)`];
}

function diffBlock(before: string, after: string, { paint }: PlanView): string[] {
  const lines = lineDiff(before, after).map((line) => {
    if (line.kind === 'context') return paint.faint(`  (${count(line.count, 'equal line')})`);
    if (line.kind === 'open')
      return paint.faint(`  (${line.side === 'add' ? 'now' : 'before'} without a newline at its end)`);
    const text = showEnd(foldBeside(line.text, line.counterpart));
    return line.kind === 'add' ? paint.add(`+ ${text}`) : paint.remove(`- ${text}`);
  });
  const rest = lines.length - LONGEST_DIFF;
  const shown = rest > 0 ? [...lines.slice(0, LONGEST_DIFF), `  (${rest} more lines)`] : lines;
  return shown.map((line) => `        ${line}`);
}

/** A space at the end of a line cannot be seen. */
function showEnd(text: string): string {
  return text.endsWith(' ') ? `${text}⏎` : text;
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
  const unseen = `Cannot tell: ${count(cannotTell, 'field')} that the server does not show. Pass --write-secrets all, or an address, to write.`;
  return [
    summary.changes === 0 ? unchanged(summary) : headline(summary, integrations, isApplied),
    ...(cannotTell > 0 ? [unseen] : []),
    ...(isApplied ? [`Outcomes: ${tally(outcomes)}.`] : []),
    `Left alone: ${count(unmanagedOptions, 'option')} of these, ${count(unmanagedIntegrations, 'other integration')}.`,
    `Requests: ${isApplied ? `${reads} read, ${writes} planned to write` : `${reads} to read, ${writes} to apply`}.`,
  ];
}

/** Where a field cannot be seen, nobody can say that all is as desired. */
function unchanged({ managed, cannotTell }: PlanSummary): string {
  const integrations = count(managed, 'managed integration');
  if (cannotTell > 0) return `No changes in what the server shows of ${integrations}.`;
  return `No changes: ${integrations} ${managed === 1 ? 'is' : 'are'} as desired.`;
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

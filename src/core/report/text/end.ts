import { count, enumerated, listed } from '../../findings/words.ts';
import {
  type Document,
  hasWritten,
  isNothingPlanned,
  isWriting,
} from '../../plan/plan.ts';
import { RISKS } from '../../plan/risk.ts';
import { visible } from '../escape.ts';
import { allowedText, aloneText, sumOf } from '../model/alone.ts';
import type { Left, LeftKind, LeftOn } from '../model/left.ts';
import type { Model, RefusalOn } from '../model/model.ts';
import type { Fact } from '../model/row.ts';
import { LABELS, type Tally } from '../model/tally.ts';
import type { Tone, View } from '../report.ts';
import { filled } from '../wrap.ts';
import { columnsOf, padded, paddedStart } from './layout.ts';
import { outcomeWords } from './row.ts';
import { serversText } from './servers.ts';

/** A fact at the end of a report, behind its name. */
interface EndFact {
  readonly name: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
}

/** The columns of the longest name of a fact. */
const WIDEST = 'Left alone'.length;

/** Where the texts of facts begin. */
const TEXT_AT = WIDEST + 2;

/** The facts at the end, what a person must know last. */
export function endLines(model: Model, view: View): string[] {
  const facts = view.outcomes === true ? [] : backgroundOf(model, view);
  facts.push(...totalOf(model, view));
  const lines: string[] = [];
  for (const fact of facts) lines.push(...factLines(fact, view));
  return lines;
}

function factLines({ name, text, tone }: EndFact, view: View): string[] {
  const { paint } = view;
  const lead = padded(name, TEXT_AT);
  const painted = paint.strong(tone === undefined ? lead : paint[tone](lead));
  return filled(text, columnsOf(view), TEXT_AT, painted);
}

/** What a plan leaves alone, whose its changes are, and their risks. */
function backgroundOf(model: Model, view: View): EndFact[] {
  const facts: EndFact[] = [];
  for (const left of model.left.toReversed()) {
    if (isSaid(left.kind, view)) facts.push(leftFact(left, view));
  }
  const { pair } = model;
  if (pair !== undefined) {
    facts.push({ name: 'Equal', text: count(pair.equal, 'field') });
  }
  facts.push(...aloneFacts(model));
  if (view.verbose === true) facts.push(requestsFact(model.document));
  facts.push(...labelFacts(model), ...riskFacts(model));
  facts.push(...unplannedFacts(model));
  return facts;
}

/** Hidden fields are nothing to act on; a warning counts those that are unread. */
function isSaid(kind: LeftKind, view: View): boolean {
  if (kind === 'hidden') return view.quiet !== true;
  return kind !== 'unread' || isDetailed(view);
}

/** Whether all names are asked for. */
function isDetailed({ verbose, full }: View): boolean {
  return verbose === true || full === true;
}

/** The most fields that are named without --verbose or --full. */
const NAMED_AT_MOST = 8;

function leftFact(left: Left, view: View): EndFact {
  const { kind, name, words, fields, integrations } = left;
  const number = `${count(fields, 'field')} ${words}`;
  const isWhole = isDetailed(view);
  if (kind === 'hidden' && !isWhole) return { name, text: number };
  const names: string[] = [];
  for (const integration of integrations) {
    for (const field of integration.fields) {
      names.push(leftText(integration.name, field, isWhole));
    }
  }
  const most = isWhole ? names.length : NAMED_AT_MOST;
  return { name, text: `${number}: ${listed(names, most)}` };
}

function leftText(
  integration: string,
  { field, servers, waiver, reference }: LeftOn,
  hasReasons: boolean,
): string {
  const facts: string[] = [];
  if (servers.length > 0) facts.push(serversText(servers));
  if (waiver !== undefined) {
    const { until, reason } = waiver;
    const why = hasReasons && reason !== undefined ? `: ${reason}` : '';
    facts.push(visible(`until ${until}${why}`));
  }
  if (reference !== undefined) facts.push(visible(reference));
  const address = `${visible(integration)}.${visible(field)}`;
  return facts.length === 0 ? address : `${address} (${facts.join(', ')})`;
}

/** What nothing declares, the glob that narrows a plan, and how many changes it allows. */
function aloneFacts({ document }: Model): EndFact[] {
  const facts: EndFact[] = [];
  const alone = aloneText(document);
  if (alone !== undefined) facts.push({ name: 'Left alone', text: alone });
  const { servers } = document;
  const only = servers.find((server) => server.only !== undefined)?.only;
  if (only !== undefined) facts.push({ name: 'Only', text: visible(only) });
  const allowed = allowedText(document);
  if (allowed !== undefined) facts.push({ name: 'Allowed', text: allowed });
  return facts;
}

function requestsFact({ servers, command }: Document): EndFact {
  const reads = sumOf(servers, 'reads');
  if (command === 'compare') return { name: 'Requests', text: `${reads}` };
  const writes = sumOf(servers, 'writes');
  const text = `${reads} to read; an apply would send ${writes} to write`;
  return { name: 'Requests', text };
}

/** Who moved the fields, if that is known. */
function labelFacts({ hasBase, tallies }: Model): EndFact[] {
  if (!hasBase || tallies.changes === 0) return [];
  const texts: string[] = [];
  for (const label of tallies.labels) {
    texts.push(`${label.count} ${LABELS[label.name].counted}`);
  }
  return [{ name: 'Moved', text: texts.join(', ') }];
}

/** How many changes have each risk, and what that means. */
function riskFacts({ tallies: { risks } }: Model): EndFact[] {
  const columns = widestCount(risks);
  const facts: EndFact[] = [];
  for (const [at, risk] of risks.entries()) {
    const number = paddedStart(`${risk.count}`, columns);
    const text = `${number} ${risk.name}: ${RISKS[risk.name].words}`;
    facts.push({ name: at === 0 ? 'Risks' : '', text, tone: 'risk' });
  }
  return facts;
}

function widestCount(tallies: readonly Tally<string>[]): number {
  let widest = 0;
  for (const tally of tallies) {
    widest = Math.max(widest, `${tally.count}`.length);
  }
  return widest;
}

/** Integrations and servers that errors keep from being planned. */
function unplannedFacts({ document, unplanned }: Model): EndFact[] {
  const { servers, complete } = document;
  const facts: EndFact[] = [];
  if (unplanned.length > 0) {
    const names: string[] = [];
    for (const { name, servers: on } of unplanned) {
      const isEverywhere = on.length === servers.length;
      const where = isEverywhere ? '' : ` (${serversText(on)})`;
      names.push(`${visible(name)}${where}`);
    }
    const text = `${listed(names)}, because of errors`;
    facts.push({ name: 'Left out', text, tone: 'error' });
  }
  if (complete === false && servers.length > 0) {
    const text = 'Not every server could be planned';
    facts.push({ name: 'Incomplete', text, tone: 'error' });
  }
  return facts;
}

/** The total, then what an apply refuses. */
function totalOf(model: Model, view: View): EndFact[] {
  const { command } = model.document;
  const name = `${command.slice(0, 1).toUpperCase()}${command.slice(1)}`;
  const facts: EndFact[] = [{ name, text: totalText(model, view) }];
  for (const refusal of model.refusals) {
    const text = refusalText(refusal, model.document.servers.length);
    facts.push({ name: 'REFUSED', text, tone: 'error' });
  }
  return facts;
}

/** The sentence that sums up a report: what changes, and where. */
function totalText(model: Model, { isPreview }: View): string {
  const { document, headline, tallies } = model;
  const { servers, command, complete } = document;
  if (servers.length === 0 && complete === false) {
    return command === 'compare'
      ? 'Nothing was compared'
      : 'Nothing was planned';
  }
  const outcomes: string[] = [];
  for (const outcome of tallies.outcomes) {
    outcomes.push(`${outcome.count} ${outcomeWords(outcome.name)}`);
  }
  const ended = outcomes.length === 0 ? '' : `: ${outcomes.join(', ')}`;
  const where = whereText(model);
  const total = `${headline}${where}${ended}${noneText(model)}`;
  if (isPreview === true || !isWriting(command)) return total;
  return isUnwritten(model) ? `${total}. Nothing was written.` : total;
}

/** More servers are counted. */
const SERVERS_AT_MOST = 3;

/** The servers of the changes; of several each with its number. */
function whereText({ document: { servers }, facts, pair }: Model): string {
  if (pair !== undefined) {
    return ` between ${visible(pair.before)} and ${visible(pair.after)}`;
  }
  if (isNothingPlanned(servers)) return '';
  const counts = countsByServer(facts);
  const changing = servers.filter(({ name }) => counts.has(name));
  const meant = changing.length === 0 ? servers : changing;
  const names: string[] = [];
  for (const { name } of meant) {
    const number = meant.length < 2 ? undefined : counts.get(name);
    if (name === '') continue;
    const shown = visible(name);
    names.push(number === undefined ? shown : `${shown} (${number})`);
  }
  return names.length === 0 ? '' : ` on ${namesOrNumber(names)}`;
}

/** The servers without changes, if others have some. */
function noneText({ document: { servers }, facts }: Model): string {
  const counts = countsByServer(facts);
  if (counts.size === 0) return '';
  const others = servers.filter(({ name }) => !counts.has(name));
  if (others.length === 0) return '';
  const names = others.map(({ name }) => visible(name));
  return `; none on ${namesOrNumber(names)}`;
}

function countsByServer(facts: readonly Fact[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { server } of facts) {
    counts.set(server, (counts.get(server) ?? 0) + 1);
  }
  return counts;
}

function namesOrNumber(names: readonly string[]): string {
  if (names.length <= SERVERS_AT_MOST) return enumerated(names);
  return count(names.length, 'server');
}

/** Whether an apply with changes sent none of them. */
function isUnwritten({ facts, tallies }: Model): boolean {
  if (tallies.changes === 0) return false;
  return hasWritten(facts.map(({ change }) => change.outcome)) !== true;
}

function refusalText({ refusal, servers }: RefusalOn, all: number): string {
  const { message, hint } = refusal;
  const parts = [visible(message)];
  if (all > 1) parts.push(`[${listed(servers.map(visible), NAMED_AT_MOST)}]`);
  if (hint !== undefined) parts.push(visible(hint));
  return parts.join(' ');
}

import { enumerated } from '../../findings/words.ts';
import { RISKS, type Risk } from '../../plan/risk.ts';
import { allowedText } from '../model/alone.ts';
import type { Card } from '../model/card.ts';
import type { Model, RefusalOn } from '../model/model.ts';
import { LABELS } from '../model/tally.ts';
import { causeText, errorsOf } from './findings-text.ts';
import { nameCode, nameList } from './inline.ts';
import { sentence } from './sentence.ts';
import { serversTable } from './servers.ts';
import { serverNames } from './where.ts';

/** The most errors and refusals at the top. */
export const MOST_ERRORS = 4;
const MOST_REFUSALS = 4;

/** The most names after a risk. */
const MOST_NAMES = 6;

/** What needs a person: a verdict, refusals and errors, servers and risks. */
export function headBlocks(model: Model): string[] {
  const blocks = [
    `### setpoint ${model.document.command}: ${headlineText(model)}`,
  ];
  if (model.isApplied) blocks.push(endText(model));
  const stops = stopTexts(model);
  if (stops.length > 0) blocks.push(alert('CAUTION', stops));
  const urgent = urgentTexts(model);
  if (urgent.length > 0) blocks.push(alert('WARNING', urgent));
  const servers = serversTable(model) ?? labelsText(model);
  if (servers !== undefined) blocks.push(servers);
  const allowed = allowedText(model.document);
  if (allowed !== undefined) blocks.push(`Allowed: ${allowed}`);
  const risks = riskTexts(model);
  if (risks.length > 0) blocks.push(risks.join('\n'));
  return blocks;
}

/** The headline of the document, and its servers. */
function headlineText({ headline, document, pair }: Model): string {
  const text = headline.charAt(0).toLowerCase() + headline.slice(1);
  if (pair !== undefined) {
    return `${text} between ${nameCode(pair.before)} and ${nameCode(pair.after)}`;
  }
  const { servers } = document;
  if (servers.length === 0) return text;
  if (servers.length > 3) return `${text} on ${servers.length} servers`;
  const changed: string[] = [];
  const others: string[] = [];
  for (const { name, integrations } of servers) {
    const hasChanges = integrations.some(({ changes }) => changes.length > 0);
    (hasChanges ? changed : others).push(nameCode(name));
  }
  if (changed.length === 0) return `${text} on ${enumerated(others)}`;
  const on = `${text} on ${enumerated(changed)}`;
  return others.length === 0 ? on : `${on}; none on ${enumerated(others)}`;
}

/** A box of GitHub; other hosts show a quotation. */
function alert(
  kind: 'CAUTION' | 'WARNING',
  paragraphs: readonly string[],
): string {
  const lines = paragraphs.map((paragraph) => `> ${paragraph}`);
  return `> [!${kind}]\n${lines.join('\n>\n')}`;
}

/** What follows if a server could not be planned. */
const KEPT_BACK =
  ' Apply writes nothing without `--keep-going`, and refuses this as a saved plan.';

/** Why an apply stops, or leaves something out. */
function stopTexts(model: Model): string[] {
  const { refusals, unplanned, document, facts } = model;
  const texts: string[] = [];
  for (const refusal of refusals.slice(0, MOST_REFUSALS)) {
    texts.push(refusalText(refusal, model));
  }
  if (document.complete === false) {
    const isOpen = document.command === 'plan' && facts.length > 0;
    texts.push(`**A server could not be planned.**${isOpen ? KEPT_BACK : ''}`);
  }
  if (unplanned.length > 0) {
    const names = nameList(unplanned.map(({ name }) => name));
    const rest = model.writesOthers
      ? '; apply writes the other integrations'
      : '';
    texts.push(`**Left out**, because of errors: ${names}${rest}`);
  }
  for (const cause of errorsOf(model).slice(0, MOST_ERRORS)) {
    texts.push(causeText(cause, model));
  }
  return texts;
}

function refusalText(
  { refusal, servers }: RefusalOn,
  { document }: Model,
): string {
  const where = serverNames(servers, document);
  const { message, hint = '' } = refusal;
  const words = sentence(`${message} ${hint}`);
  return `**Refused** on ${where}: ${words}`;
}

/** The most warnings at the top. */
const MOST_URGENT = 8;

function urgentTexts(model: Model): string[] {
  const causes = model.urgent.flatMap((group) => group.causes);
  const texts = causes
    .slice(0, MOST_URGENT)
    .map((cause) => causeText(cause, model));
  const more = causes.length - texts.length;
  if (more > 0) texts.push(`And ${more} more.`);
  return texts;
}

/** How an apply ended. */
function endText({ tallies, verdict }: Model): string {
  const counts = tallies.outcomes.map(
    ({ name, count }) => `${count} ${name.replaceAll('-', ' ')}`,
  );
  return `**${verdict?.text}**: ${counts.join(', ')}`;
}

/** Who moved the fields, if not only the branch did. */
function labelsText({
  tallies,
  isApplied,
  hasBase,
}: Model): string | undefined {
  const { labels } = tallies;
  const isPlain = labels.every(({ name }) => name === 'change');
  if (isApplied || !hasBase || isPlain) return undefined;
  const counts = labels.map(
    ({ name, count }) => `${count} ${LABELS[name].counted}`,
  );
  return counts.join(', ');
}

/** A line for each risk that an apply would take: how many, and where. */
function riskTexts({ sections, tallies, isApplied }: Model): string[] {
  if (isApplied) return [];
  const cards = sections.flatMap((section) => section.cards);
  const texts: string[] = [];
  for (const { name: risk, count } of tallies.risks) {
    const own = cards.filter((card) => hasRisk(card, risk));
    const names = nameList(
      own.flatMap((card) => card.names),
      MOST_NAMES,
    );
    texts.push(`- **${count} ${risk}** (${RISKS[risk].words}): ${names}`);
  }
  return texts;
}

function hasRisk({ rows }: Card, risk: Risk): boolean {
  return rows.some(({ change }) => change.risks.includes(risk));
}

import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import {
  type ChangeDocument,
  type Document,
  type IntegrationDocument,
  OUTCOMES,
  type ServerDocument,
} from '../../plan/plan.ts';
import { RISK_NAMES } from '../../plan/risk.ts';
import { forLog, visible } from '../escape.ts';
import { alikeServers, type Group } from '../groups.ts';
import type { View } from '../report.ts';
import { asideFacts, basisFacts, changesOf, outcomesText, sumOf, totalText } from '../totals.ts';
import { filled } from '../wrap.ts';
import { renderChanges } from './change.ts';

type Alike = ReturnType<typeof alikeServers>[number];

/** The changes of all servers, before or after an apply, then what they come to. */
export function renderText(document: Document, view: View): string {
  const servers = view.outcomes ? document.servers.map(attemptedOn) : document.servers;
  // A person has seen the plan: one that was declined is not shown again.
  if (servers.every(({ integrations }) => view.outcomes && integrations.length === 0)) return '';
  const groups = alikeServers(servers, view.full);
  const shown = groups.flatMap((alike) => {
    const blocks = view.outcomes ? outcomeLines(alike.integrations, view) : sectionLines(alike, view);
    const isQuiet = blocks.length === 0 && groups.length > 1;
    return [...titleLines(alike, document, view), '', ...(isQuiet ? ['No changes.', ''] : blocks)];
  });
  return forLog([...shown, ...totalLines(document, view), ''].join('\n'));
}

/** A server with only the integrations that an apply got to. */
function attemptedOn(server: ServerDocument): ServerDocument {
  const isAttempted = ({ changes }: IntegrationDocument) => changes.some(({ outcome }) => outcome);
  return { ...server, integrations: server.integrations.filter(isAttempted) };
}

/** The names of servers that have the same to show, and what they are compared with. */
function titleLines({ first, servers }: Alike, { createdAt }: Document, { paint }: View): string[] {
  const names = servers.map(({ name, url }) => {
    const isHost = /^https?:\/\/([^/]*)/.exec(url)?.[1] === name;
    const [start = '', ...others] = [isHost ? '' : name, url].filter((text) => text !== '').map(visible);
    return [paint.strong(start), ...others].join('  ');
  });
  const basis = basisFacts(first, createdAt).flatMap(([title, on]) => on.map((name) => `${title} ${name}.`));
  return [...names, ...basis.map((text) => paint.faint(visible(text)))];
}

/** The changes of a server, those of the branch first. */
function sectionLines({ first, sections }: Alike, view: View): string[] {
  const isLabelled = first.base !== undefined && sections.some(({ label }) => label !== 'change');
  return sections.flatMap(({ title, groups }) => [
    ...(isLabelled ? [view.paint.strong(title), ''] : []),
    ...groups.flatMap((group) => groupLines(group, view)),
  ]);
}

function groupLines({ first, names, isRunning, changes }: Group, view: View): string[] {
  const { paint, width } = view;
  const isNamed = names.length > 1 || first.name === first.id;
  const title = [
    paint.strong(namesIn(names, width, 2, `${isRunning ? '~' : '!'} `).join('\n')),
    ...(isNamed ? [] : [paint.faint(visible(first.id))]),
    ...(isRunning ? [] : [paint.risk(`(${visible(first.status ?? '')})`)]),
    ...outcomeText(first.changes, view),
  ].join('  ');
  const isMixed = new Set(first.changes.map(({ outcome }) => outcome)).size > 1;
  const named = changes.map(({ change, field, place }) => {
    const { outcome } = change;
    return { change, name: isMixed && outcome ? `${field} [${outcome}]` : field, place };
  });
  return [title, ...renderChanges(named, view), ''];
}

/** What became of changes, in brackets: an outcome, or how many have each. Nothing before an apply. */
function outcomeText(changes: readonly ChangeDocument[], { paint }: View): string[] {
  const outcomes = [...new Set(changes.flatMap(({ outcome }) => outcome ?? []))];
  const isGood = outcomes.every((outcome) => OUTCOMES[outcome].look === 'good');
  const text = outcomes.length === 1 ? outcomes.join('') : outcomesText(changes);
  return text === '' ? [] : [`[${(isGood ? paint.add : paint.risk)(text)}]`];
}

/** What became of the changes, without their values: a person has seen them. */
function outcomeLines(integrations: readonly IntegrationDocument[], view: View): string[] {
  const groups = grouped(integrations, ({ changes }) => outcomeText(changes, view).join(''));
  return [...groups].flatMap(([outcome, found]) => {
    const names = found.map(({ name }) => name);
    return [`${count(found.length, 'integration')}  ${outcome}`, ...namesIn(names, view.width, 4), ''];
  });
}

/** Foreign names in lines of a width; of many the first, and a count. */
function namesIn(names: readonly string[], columns: number, indent: number, lead?: string): string[] {
  return filled(visible(listed(names)), columns, indent, lead);
}

/** The counts over all servers, the refusals of an apply, and the fields that are not compared or left alone. */
function totalLines(document: Document, view: View): string[] {
  const { servers, command, loosened = [] } = document;
  const { paint, width, full, verbose } = view;
  const total = filled(totalText(document), width);
  if (view.outcomes) return total;
  const only = servers.find((server) => server.only !== undefined)?.only;
  const left = command === 'diff' ? 0 : sumOf(servers, 'unmanagedOptions');
  const refused = new Set(servers.flatMap((server) => server.refusals.map(({ code }) => code)));
  // The findings say more of them.
  const refusals = refused.size === 0 ? [] : [`Apply refuses this: ${[...refused].join(', ')}.`];
  return [
    ...risks(servers),
    ...[...refusals, ...loosened].flatMap((text) => filled(`! ${visible(text)}`, width).map(paint.risk)),
    ...total,
    ...asideFacts(servers).flatMap(([title, names]) => [
      ...filled(`${title}:`, width),
      ...filled(visible(listed(names, full ? names.length : 20)), width, 4),
    ]),
    ...(only === undefined ? [] : [`Limited by --only ${visible(only)}.`]),
    ...(left === 0 ? [] : [`Left alone: ${count(left, 'option')} that no file declares.`]),
    ...(verbose
      ? [`Requests: ${sumOf(servers, 'reads')} to read, ${sumOf(servers, 'writes')} to write.`]
      : []),
  ];
}

/** How many changes have each risk, before an apply. */
function risks(servers: readonly ServerDocument[]): string[] {
  const open = changesOf(servers).filter(({ outcome }) => outcome === undefined);
  const numbers = RISK_NAMES.map((risk) => [risk, open.filter((each) => each.risks.includes(risk)).length]);
  const texts = numbers.flatMap(([risk, number]) => (number ? `${risk} ${number}` : []));
  return texts.length === 0 ? [] : [`Risks: ${texts.join(', ')}.`];
}

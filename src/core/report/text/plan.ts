import { count } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import {
  type ChangeDocument,
  type Document,
  type IntegrationDocument,
  OUTCOMES,
  type ServerDocument,
} from '../../plan/plan.ts';
import { fieldName, LABELS, revisionText, snapshotText, tallyOf } from '../change-words.ts';
import { forLog, forTerminal } from '../escape.ts';
import { alikeServers, byLabel, type Group, groupsOf, isRunning } from '../groups.ts';
import type { Renderer, View } from '../report.ts';
import { namesIn } from '../wrap.ts';
import { renderChanges } from './change.ts';
import { totalLines } from './totals.ts';

/** The changes of all servers, before or after an apply, then what they come to. */
export const renderText: Renderer = (document, view) => {
  const servers = document.servers.map((server) => shownPart(server, view));
  // A person has seen the plan: one that was declined is not shown again.
  if (servers.every(({ integrations }) => view.outcomes && integrations.length === 0)) return '';
  const groups = alikeServers(servers);
  const shown = groups.flatMap((alike) => {
    const blocks = alike.slice(0, 1).flatMap((server) => blocksOf(server, view));
    const isQuiet = blocks.length === 0 && groups.length > 1;
    return [...titleLines(alike, document, view), '', ...(isQuiet ? ['No changes.', ''] : blocks)];
  });
  return forLog([...shown, ...totalLines(document, view), ''].join('\n'));
};

/** A server without the fields that the totals list; of outcomes only the integrations that an apply got to. */
function shownPart({ integrations, ...server }: ServerDocument, { outcomes }: View): ServerDocument {
  const none = { hidden: [], waived: [], settled: [], released: [] };
  const shown = integrations.filter(({ changes }) => changes.some(({ outcome }) => !outcomes || outcome));
  return { ...server, integrations: shown.map((each) => ({ ...each, ...none })) };
}

/** The names of servers that have the same to show, and what they are compared with. */
function titleLines(alike: readonly ServerDocument[], { createdAt }: Document, { paint }: View): string[] {
  const names = alike.map(({ name, url }) => {
    const isHost = /^https?:\/\/([^/]*)/.exec(url)?.[1] === name;
    const [first = '', ...others] = [isHost ? '' : name, url].filter((text) => text !== '').map(forTerminal);
    return [paint.strong(first), ...others].join('  ');
  });
  const { base, head, snapshot } = alike[0] ?? {};
  const about = [
    ...(snapshot === undefined ? [] : [snapshotText(snapshot.takenAt, createdAt)]),
    ...(base === undefined ? [] : [`Compared with ${forTerminal(revisionText(base))}.`]),
    ...(head === undefined ? [] : [`Shows ${forTerminal(revisionText(head))}.`]),
  ];
  return [...names, ...about.map(paint.faint)];
}

/** The changes of a server, those of the branch first; or what became of the changes. */
function blocksOf({ base, integrations }: ServerDocument, view: View): string[] {
  if (view.outcomes) return outcomeLines(integrations, view);
  const sections = byLabel(integrations);
  const isLabelled = base !== undefined && sections.some(({ label }) => label !== 'change');
  return sections.flatMap((section) => [
    ...(isLabelled ? [view.paint.strong(LABELS[section.label].title), ''] : []),
    ...groupsOf(section.integrations, view.full).flatMap((group) => groupLines(group, view)),
  ]);
}

function groupLines({ integrations, changes }: Group, view: View): string[] {
  const { paint, width } = view;
  const [first] = integrations;
  if (first === undefined) return [];
  const isStopped = !isRunning(first.status);
  const [start = '', ...names] = namesIn(namesOf(integrations), width, 2);
  const isNamed = integrations.length > 1 || first.name === first.id;
  const title = [
    paint.strong([`${isStopped ? '!' : '~'} ${start.trimStart()}`, ...names].join('\n')),
    ...(isNamed ? [] : [paint.faint(forTerminal(first.id))]),
    ...(isStopped ? [paint.risk(`(${forTerminal(first.status ?? '')})`)] : []),
    ...outcomeText(first.changes, view),
  ].join('  ');
  const isMixed = new Set(first.changes.map(({ outcome }) => outcome)).size > 1;
  const nameOf = ({ address, outcome }: ChangeDocument) =>
    `${fieldName(address, first.name)}${isMixed && outcome ? ` [${outcome}]` : ''}`;
  return [title, ...renderChanges(changes, nameOf, view), ''];
}

function namesOf(integrations: readonly IntegrationDocument[]): string[] {
  return integrations.map(({ name }) => name);
}

/** What became of changes, in brackets: an outcome, or how many have each. Nothing before an apply. */
function outcomeText(changes: readonly ChangeDocument[], { paint }: View): string[] {
  const outcomes = [...new Set(changes.flatMap(({ outcome }) => outcome ?? []))];
  const isGood = outcomes.every((outcome) => OUTCOMES[outcome].look === 'good');
  const text = outcomes.length === 1 ? outcomes.join('') : tallyOf(changes);
  return text === '' ? [] : [`[${(isGood ? paint.add : paint.risk)(text)}]`];
}

/** What became of the changes, without their values: a person has seen them. */
function outcomeLines(integrations: readonly IntegrationDocument[], view: View): string[] {
  const groups = grouped(integrations, ({ changes }) => outcomeText(changes, view).join(''));
  return [...groups].flatMap(([outcome, found]) => [
    `${count(found.length, 'integration')}  ${outcome}`,
    ...namesIn(namesOf(found), view.width, 4),
    '',
  ]);
}

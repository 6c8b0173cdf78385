import { count } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import type { Document, IntegrationDocument, ServerDocument } from '../../plan/document.ts';
import { OUTCOMES, type Outcome } from '../../plan/outcome.ts';
import { fieldName, LABELS, revisionText, snapshotText, tallyOf } from '../change-words.ts';
import { forLog, forTerminal } from '../escape.ts';
import { alikeServers, byLabel, type Group, groupsOf, isRunning } from '../groups.ts';
import type { Renderer, View } from '../report.ts';
import { namesIn } from '../wrap.ts';
import { renderChanges } from './change.ts';
import { totalLines } from './totals.ts';

/** The changes of all servers, before or after an apply, then what they come to. */
export const renderText: Renderer = (document, view) => {
  const { servers } = document;
  if (servers.length === 0 || (view.outcomes && !servers.some(isAttempted))) return '';
  const groups = alikeServers(servers.map(withShownOnly));
  const shown = groups.flatMap((alike) => {
    const { title, blocks } = serverLines(alike, document, view);
    const isQuiet = blocks.length === 0 && groups.length > 1;
    return [...title, '', ...(isQuiet ? ['No changes.', ''] : blocks)];
  });
  return forLog([...shown, ...totalLines(document, view), ''].join('\n'));
};

/** Whether an apply got to a server: a person has seen its plan, and one that was declined is not told again. */
function isAttempted({ integrations }: ServerDocument): boolean {
  return integrations.some(({ changes }) => changes.some(({ outcome }) => outcome !== undefined));
}

/** A server without the fields that the totals list. */
function withShownOnly({ integrations, ...server }: ServerDocument): ServerDocument {
  const none = { hidden: [], waived: [], settled: [], released: [] };
  return { ...server, integrations: integrations.map((each) => ({ ...each, ...none })) };
}

/** The title of servers that have the same to show, and what it is. */
function serverLines(alike: readonly ServerDocument[], { createdAt }: Document, view: View) {
  const [server] = alike;
  if (server === undefined) return { title: [], blocks: [] };
  const { base, head, snapshot, integrations } = server;
  const about = [
    ...(snapshot === undefined ? [] : [snapshotText(snapshot.takenAt, createdAt)]),
    ...(base === undefined ? [] : [`Compared with ${forTerminal(revisionText(base))}.`]),
    ...(head === undefined ? [] : [`Shows ${forTerminal(revisionText(head))}.`]),
  ].map(view.paint.faint);
  const blocks = view.outcomes
    ? outcomeLines(integrations, view)
    : [...changeLines(server, view), ...unplannedLines(integrations, view)];
  return { title: [...alike.map((each) => nameLine(each, view)), ...about], blocks };
}

function nameLine({ name, url }: ServerDocument, { paint }: View): string {
  const isHost = /^https?:\/\/([^/]*)/.exec(url)?.[1] === name;
  const names = (isHost ? [url] : [name, url]).filter((each) => each !== '').map(forTerminal);
  return [paint.strong(names[0] ?? ''), ...names.slice(1)].join('  ');
}

/** With a base a reviewer reads the changes of the branch first. */
function changeLines({ base, integrations }: ServerDocument, view: View): string[] {
  const sections = byLabel(integrations);
  const isLabelled = base !== undefined && sections.some(({ label }) => label !== 'change');
  return sections.flatMap((section) => [
    ...(isLabelled ? [view.paint.strong(LABELS[section.label].title), ''] : []),
    ...groupsOf(section.integrations, view.full).flatMap((group) => groupLines(group, view)),
  ]);
}

/** Up to so many names stand in the title of a group. */
const IN_TITLE = 3;

function groupLines({ integrations, changes }: Group, view: View): string[] {
  const { paint } = view;
  const [first] = integrations;
  if (first === undefined) return [];
  const isMany = integrations.length > IN_TITLE;
  const isStopped = !isRunning(first.status);
  const names = integrations.map(({ name }) => forTerminal(name));
  const who = isMany ? `${names.length} integrations` : names.join(', ');
  const isNamed = integrations.length > 1 || first.name === first.id;
  const title = [
    paint.strong(`${isStopped ? '!' : '~'} ${who}`),
    ...(isNamed ? [] : [paint.faint(forTerminal(first.id))]),
    ...(isStopped ? [paint.risk(`(${forTerminal(first.status ?? '')})`)] : []),
    ...outcomeMark(first, view),
  ].join('  ');
  const below = isMany ? nameLines(integrations, view) : [];
  const nameOf = (change: (typeof first.changes)[number]) => {
    const name = fieldName(change.address, first.name);
    return isMixed(first) && change.outcome !== undefined ? `${name} [${change.outcome}]` : name;
  };
  return [title, ...below, ...renderChanges(changes, nameOf, view), ''];
}

function nameLines(named: readonly IntegrationDocument[], { width, paint }: View): string[] {
  const names = named.map(({ name }) => forTerminal(name));
  return namesIn(names, width - 4).map((line) => `    ${paint.faint(line)}`);
}

function isMixed({ changes }: IntegrationDocument): boolean {
  return new Set(changes.map(({ outcome }) => outcome)).size > 1;
}

function outcomeMark(integration: IntegrationDocument, view: View): string[] {
  const outcome = integration.changes[0]?.outcome;
  return outcome === undefined || isMixed(integration) ? [] : [`[${outcomeText(outcome, view)}]`];
}

function outcomeText(outcome: Outcome, { paint }: View): string {
  const looks = { good: paint.add, doubtful: paint.risk, bad: paint.error };
  return looks[OUTCOMES[outcome].look](outcome);
}

/** The integrations that errors keep from being planned. */
function unplannedLines(integrations: readonly IntegrationDocument[], view: View): string[] {
  const unplanned = integrations.filter((each) => each.unplanned);
  if (unplanned.length === 0) return [];
  const title = `! ${count(unplanned.length, 'integration')} not planned, because of errors`;
  return [view.paint.error(title), ...nameLines(unplanned, view), ''];
}

/** What became of the changes, without their values: a person has seen them. Nothing if none was attempted. */
function outcomeLines(integrations: readonly IntegrationDocument[], view: View): string[] {
  const attempted = integrations.filter(({ changes }) =>
    changes.some(({ outcome }) => outcome !== undefined),
  );
  const groups = grouped(attempted, ({ changes }) => tallyText(changes));
  return [...groups].flatMap(([outcomes, found]) => {
    const title = `${count(found.length, 'integration')}  [${outcomes}]`;
    return [title, ...nameLines(found, view), ''];
  });
}

function tallyText(changes: IntegrationDocument['changes']): string {
  const outcomes = [...new Set(changes.flatMap(({ outcome }) => outcome ?? []))];
  return outcomes.length === 1 ? outcomes.join('') : tallyOf(changes);
}

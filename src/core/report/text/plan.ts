import { count, listed } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import type { ChangeDocument, Document, IntegrationDocument, ServerDocument } from '../../plan/plan.ts';
import { OUTCOMES } from '../../plan/plan.ts';
import { RISK_NAMES, type Risk } from '../../plan/risk.ts';
import { LABELS } from '../change.ts';
import { forLog, visible } from '../escape.ts';
import {
  addressesOf,
  alikeServers,
  changedOn,
  changesOf,
  type Group,
  revisionText,
  sectionsOf,
  snapshotText,
} from '../groups.ts';
import type { View } from '../report.ts';
import { filled } from '../wrap.ts';
import { renderChanges } from './change.ts';

type Alike = ReturnType<typeof alikeServers>[number];

/** The changes of all servers, before or after an apply, then what they come to. */
export function renderText(document: Document, view: View): string {
  const servers = document.servers.map((server) => shownPart(server, view));
  // A person has seen the plan: one that was declined is not shown again.
  if (servers.every(({ integrations }) => view.outcomes && integrations.length === 0)) return '';
  const groups = alikeServers(servers);
  const shown = groups.flatMap((alike) => {
    const blocks = blocksOf(alike, view);
    const isQuiet = blocks.length === 0 && groups.length > 1;
    return [...titleLines(alike, document, view), '', ...(isQuiet ? ['No changes.', ''] : blocks)];
  });
  return forLog([...shown, ...totalLines(document, view), ''].join('\n'));
}

/** A server without the fields that the totals list; of outcomes only the integrations that an apply got to. */
function shownPart({ integrations, ...server }: ServerDocument, { outcomes }: View): ServerDocument {
  const none = { hidden: [], waived: [], settled: [], released: [] };
  const shown = integrations.filter(({ changes }) => changes.some(({ outcome }) => !outcomes || outcome));
  return { ...server, integrations: shown.map((each) => ({ ...each, ...none })) };
}

/** The names of servers that have the same to show, and what they are compared with. */
function titleLines(
  { servers, base, head, snapshot }: Alike,
  { createdAt }: Document,
  { paint }: View,
): string[] {
  const names = servers.map(({ name, url }) => {
    const isHost = /^https?:\/\/([^/]*)/.exec(url)?.[1] === name;
    const [first = '', ...others] = [isHost ? '' : name, url].filter((text) => text !== '').map(visible);
    return [paint.strong(first), ...others].join('  ');
  });
  const about = [
    ...(snapshot === undefined ? [] : [snapshotText(snapshot.takenAt, createdAt)]),
    ...(base === undefined ? [] : [`Compared with ${visible(revisionText(base))}.`]),
    ...(head === undefined ? [] : [`Shows ${visible(revisionText(head))}.`]),
  ];
  return [...names, ...about.map(paint.faint)];
}

/** The changes of a server, those of the branch first; or what became of the changes. */
function blocksOf({ base, integrations }: Alike, view: View): string[] {
  if (view.outcomes) return outcomeLines(integrations, view);
  const sections = sectionsOf(integrations, view.full);
  const isLabelled = base !== undefined && sections.some(({ label }) => label !== 'change');
  return sections.flatMap(({ title, groups }) => [
    ...(isLabelled ? [view.paint.strong(title), ''] : []),
    ...groups.flatMap((group) => groupLines(group, view)),
  ]);
}

function groupLines({ first, names, isRunning, changes }: Group, view: View): string[] {
  const { paint, width } = view;
  const [start = '', ...rest] = namesIn(names, width, 2);
  const isNamed = names.length > 1 || first.name === first.id;
  const title = [
    paint.strong([`${isRunning ? '~' : '!'} ${start.trimStart()}`, ...rest].join('\n')),
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
  const text = outcomes.length === 1 ? outcomes.join('') : tallyOf(changes);
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
function namesIn(names: readonly string[], columns: number, indent: number, full = false): string[] {
  return filled(visible(listed(names, full ? names.length : 20)), columns, indent);
}

/** The counts over all servers, the refusals of an apply, and the fields that are not compared or left alone. */
function totalLines(document: Document, view: View): string[] {
  const { servers, command, loosened = [] } = document;
  const total = filled(totalText(document), view.width);
  if (view.outcomes) return total;
  const only = servers.find((server) => server.only !== undefined)?.only;
  const left = command === 'diff' ? 0 : sumOf(servers, 'unmanagedOptions');
  const notes = [
    ...(only === undefined ? [] : [`Limited by --only ${visible(only)}.`]),
    ...(left === 0 ? [] : [`Left alone: ${count(left, 'option')} that no file declares.`]),
    ...(view.verbose === true
      ? [`Requests: ${sumOf(servers, 'reads')} to read, ${sumOf(servers, 'writes')} to write.`]
      : []),
  ];
  const refused = new Set(servers.flatMap((server) => server.refusals.map(({ code }) => code)));
  // The findings say more of them.
  const refusals = refused.size === 0 ? [] : [`Apply refuses this: ${[...refused].join(', ')}.`];
  const warnings = [...refusals, ...loosened].flatMap((text) =>
    filled(`! ${visible(text)}`, view.width).map(view.paint.risk),
  );
  return [...risks(servers), ...warnings, ...total, ...addressLines(servers, view), ...notes];
}

function sumOf(servers: readonly ServerDocument[], of: keyof ServerDocument['summary']): number {
  return servers.reduce((total, { summary }) => total + summary[of], 0);
}

/** How many changes have each risk, before an apply. */
function risks(servers: readonly ServerDocument[]): string[] {
  const open = changesOf(servers).filter(({ outcome }) => outcome === undefined);
  const numberOf = (risk: Risk) => open.filter(({ risks: all }) => all.includes(risk)).length;
  const texts = RISK_NAMES.flatMap((risk) => (numberOf(risk) > 0 ? `${risk} ${numberOf(risk)}` : []));
  return texts.length === 0 ? [] : [`Risks: ${texts.join(', ')}.`];
}

/** What all changes come to. Never says that all is as desired: a field may be hidden, or an integration not planned. */
function totalText({ command, complete, servers, diagnostics }: Document): string {
  const changes = changesOf(servers);
  const changed = changedOn(servers).length;
  const on = servers.length < 2 ? '' : ` on ${count(servers.length, 'server')}`;
  const managed = `${count(sumOf(servers, 'managed'), 'managed integration')}${on}`;
  const tally = tallyOf(changes);
  const labels = labelText(servers);
  const made = count(changes.length, 'change');
  const sum =
    tally === ''
      ? `${command === 'diff' ? 'Diff' : 'Plan'}: ${made} in ${changed} of ${managed}${labels && `: ${labels}`}.`
      : `Apply: ${made} in ${count(changed, 'integration')}${on}: ${tally}.`;
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
  const isUnwritten = command === 'apply' && changes.length > 0 && changes.every(wasNotSent);
  return [
    changes.length === 0 ? `No changes in ${hasErrors ? 'what could be planned' : managed}.` : sum,
    ...(isUnwritten ? ['Nothing was written.'] : []),
    ...(complete === false ? ['Not every server was planned.'] : []),
  ].join(' ');
}

function wasNotSent({ outcome }: ChangeDocument): boolean {
  return outcome === undefined || outcome === 'stale' || outcome === 'not-attempted';
}

/** Whose the changes are, if they were compared with a base. */
function labelText(servers: readonly ServerDocument[]): string {
  if (!servers.some(({ base, head }) => base !== undefined && head === undefined)) return '';
  const labels = changesOf(servers).map(({ label }) => LABELS[label].count);
  return tally(
    Object.values(LABELS).map((label) => label.count),
    labels,
  );
}

/** How many changes have each outcome, the good ones first: `2 verified, 1 stale`. Empty before an apply. */
function tallyOf(changes: readonly ChangeDocument[]): string {
  const outcomes = changes.map(({ outcome }) => outcome);
  return tally(Object.keys(OUTCOMES), outcomes).replaceAll('-', ' ');
}

/** How often each name is in a list, in the order of the names: `2 sent, 1 failed`. */
function tally(names: readonly string[], all: readonly unknown[]): string {
  const counts = names.map((name) => [all.filter((each) => each === name).length, name] as const);
  return counts
    .filter(([number]) => number > 0)
    .map((each) => each.join(' '))
    .join(', ');
}

const ASIDE = [
  ['unplanned', 'integration', 'not planned, because of errors'],
  ['hidden', 'field', 'hidden by the server, written only with --write-hidden ADDRESS or all'],
  ['waived', 'field', 'waived'],
  ['settled', 'field', 'changed by this branch and live already'],
  ['released', 'field', 'no longer managed; values stay on the server'],
] as const;

/** The fields that are neither written nor compared, each once, with its servers unless it is on all. */
function addressLines(servers: readonly ServerDocument[], { width, full }: View): string[] {
  return ASIDE.flatMap(([of, noun, words]) => {
    const all = servers.flatMap((server) =>
      addressesOf(server, of).map((address) => ({ address, server: server.name })),
    );
    const names = [...grouped(all, ({ address }) => address)].map(([address, on]) => {
      const names = on.map(({ server }) => server);
      return on.length === servers.length ? address : `${address} (${listed(names, 3)})`;
    });
    if (all.length === 0) return [];
    return [...filled(`${count(names.length, noun)} ${words}:`, width), ...namesIn(names, width, 4, full)];
  });
}

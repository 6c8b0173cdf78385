import { count } from '../../findings/words.ts';
import type { Document, ServerDocument } from '../../plan/document.ts';
import { OUTCOMES } from '../../plan/outcome.ts';
import { RISK_NAMES, RISKS } from '../../plan/risk.ts';
import {
  addressesOf,
  changesOf,
  hasChanges,
  headlineOf,
  LABELS,
  revisionText,
  snapshotText,
} from '../change-words.ts';
import { alikeServers, byLabel, groupsOf } from '../groups.ts';
import { groupNode } from './changes.ts';
import { code, type Inline, type Node } from './nodes.ts';

/** A document for a reviewer: totals, refusals, risks and findings, then the changes, the branch's own first. */
export function pageOf(document: Document): Node[] {
  const { command, servers, loosened = [] } = document;
  const isQuiet = servers.length === 0 || (loosened.length > 0 && changesOf(servers).length === 0);
  const headline = isQuiet ? '' : `: ${headlineOf(document)}`;
  return [
    heading(2, `setpoint ${command}${headline}`),
    ...(servers.length === 0 ? [] : [totals(servers)]),
    ...refusals(servers),
    ...risks(servers),
    ...codes('setpoint.yaml is less strict', loosened),
    ...findings(document),
    ...alikeServers(servers).flatMap((alike) => serverNodes(alike, document.createdAt)),
    ...matrix(servers),
  ];
}

function heading(level: 2 | 3 | 4, ...text: readonly Inline[]): Node {
  return { kind: 'heading', level, text };
}

function listOf(title: string, items: readonly (readonly Inline[])[]): Node[] {
  return items.length === 0 ? [] : [heading(3, title), { kind: 'list', items }];
}

function codes(title: string, texts: readonly string[]): Node[] {
  return listOf(
    title,
    [...new Set(texts)].map((text) => [code(text)]),
  );
}

/** The counts of a server, by their columns. */
function countsOf(server: ServerDocument): [name: string, number: number][] {
  const changes = changesOf([server]);
  const number = (word: string) =>
    changes.filter(({ label, outcome }) => label === word || outcome === word).length;
  return [
    ['managed', server.summary.managed],
    ['changes', changes.length],
    ['risks', changes.flatMap((change) => change.risks).length],
    ['conflict', number('conflict')],
    ['drift', number('drift')],
    ['hidden', addressesOf([server], 'hidden').length],
    ['waived', addressesOf([server], 'waived').length],
    ['not planned', server.integrations.filter((each) => each.unplanned).length],
    ...Object.keys(OUTCOMES).map((name): [string, number] => [name, number(name)]),
  ];
}

/** A row a server; a column that counts nothing is left out, except the first two. */
function totals(servers: readonly ServerDocument[]): Node {
  const all = servers.map(countsOf);
  const isShown = (_: unknown, at: number) => at < 2 || all.some((counts) => (counts[at]?.[1] ?? 0) > 0);
  return {
    kind: 'table',
    head: ['server', ...(all[0] ?? []).filter(isShown).map(([name]) => name)],
    rows: servers.map(({ name }, at) => [
      code(name),
      ...(all[at] ?? []).filter(isShown).map(([, number]) => `${number}`),
    ]),
  };
}

function refusals(servers: readonly ServerDocument[]): Node[] {
  const all = servers.flatMap((server) => server.refusals);
  return codes(
    'Apply refuses this',
    all.map(({ message, hint = '' }) => `${message} ${hint}`.trim()),
  );
}

function risks(servers: readonly ServerDocument[]): Node[] {
  const items = RISK_NAMES.flatMap((risk) => {
    const found = changesOf(servers).filter((change) => change.risks.includes(risk));
    const addresses = [...new Set(found.map(({ address }) => address))];
    return found.length === 0 ? [] : [[`${risk} (${RISKS[risk].words}): `, ...names(addresses)]];
  });
  return listOf('Risks', items);
}

/** Errors and warnings, without the refusals that stand above. */
function findings({ servers, diagnostics }: Document): Node[] {
  const refused = new Set(servers.flatMap((server) => server.refusals.map(({ message }) => message)));
  const shown = diagnostics.filter(({ severity, message }) => severity !== 'note' && !refused.has(message));
  const items = shown.map(({ severity, code: name, message, hint, server, file, line = 1 }) => {
    const place = file === undefined ? undefined : `${file}:${line}`;
    const texts = [server, place, message, hint].filter((text) => text !== undefined);
    return [`${severity} ${name}`, ...texts.flatMap((text) => [' ', code(text)])];
  });
  return listOf('Findings', items);
}

/** The most addresses in a list. */
const MOST_ADDRESSES = 200;

/** The most names in a list. */
const MOST_NAMES = 40;

/** Names with commas; of many the first, and a count. */
function names(all: readonly string[]): Inline[] {
  const shown = all.slice(0, MOST_NAMES).flatMap((name) => [', ', code(name)]);
  const more = all.length > MOST_NAMES ? [` and ${all.length - MOST_NAMES} more`] : [];
  return [...shown.slice(1), ...more];
}

function serverNodes(alike: readonly ServerDocument[], createdAt: string | undefined): Node[] {
  const [server] = alike;
  if (server === undefined) return [];
  const { base, head, snapshot, integrations } = server;
  const unplanned = integrations.filter((each) => each.unplanned).map(({ name }) => name);
  const notes: Inline[][] = [
    ...(base === undefined ? [] : [['Compared with ', code(revisionText(base)), '.']]),
    ...(head === undefined ? [] : [['Shows ', code(revisionText(head)), '.']]),
    ...(snapshot === undefined ? [] : [[snapshotText(snapshot.takenAt, createdAt)]]),
    ...(unplanned.length === 0 ? [] : [['Not planned, because of errors: ', ...names(unplanned), '.']]),
  ];
  return [
    heading(3, ...names(alike.map(({ name }) => name))),
    ...notes.map((text): Node => ({ kind: 'paragraph', text })),
    ...byLabel(integrations).flatMap(({ label, integrations: own }) => [
      ...(base === undefined || head !== undefined ? [] : [heading(4, LABELS[label].title)]),
      ...groupsOf(own).map((group) => groupNode(group, names)),
    ]),
    ...folded('Hidden by the server', addressesOf([server], 'hidden')),
    ...folded('Waived', addressesOf([server], 'waived')),
    ...folded('Changed by this branch and live already', addressesOf([server], 'settled')),
    ...folded('No longer managed, left as they are', addressesOf([server], 'released')),
  ];
}

function folded(title: string, addresses: readonly string[]): Node[] {
  if (addresses.length === 0) return [];
  const more = addresses.length - MOST_ADDRESSES;
  const shown = [...addresses.slice(0, MOST_ADDRESSES), ...(more > 0 ? [`and ${more} more`] : [])];
  const lines = shown.map((text) => ({ mark: ' ' as const, text }));
  return [{ kind: 'details', title: [title], summary: count(addresses.length, 'field'), lines }];
}

/** Integrations by servers, with the number of changes of each. */
function matrix(servers: readonly ServerDocument[]): Node[] {
  const changed = servers.flatMap((each) => each.integrations.filter(hasChanges).map(({ name }) => name));
  if (servers.length < 2 || changed.length === 0) return [];
  const counts = servers.map(
    ({ integrations }) => new Map(integrations.map((each) => [each.name, each.changes.length])),
  );
  const rows = [...new Set(changed)]
    .sort()
    .map((name) => [code(name), ...counts.map((each) => (each.has(name) ? `${each.get(name) || '·'}` : ''))]);
  const head = ['integration', ...servers.map(({ name }) => code(name))];
  return [{ kind: 'table', head, rows, wide: 'Changes by server' }];
}

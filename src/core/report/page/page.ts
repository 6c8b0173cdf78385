import { count } from '../../findings/words.ts';
import type { Document, ServerDocument } from '../../plan/document.ts';
import { OUTCOMES } from '../../plan/outcome.ts';
import { RISK_NAMES, RISKS } from '../../plan/risk.ts';
import {
  addressesOf,
  changesOf,
  hasChanges,
  LABELS,
  revisionText,
  snapshotText,
  tallyOf,
} from '../change-words.ts';
import { alikeServers, byLabel, groupsOf } from '../groups.ts';
import { groupNode } from './changes.ts';
import { code, type Inline, type Node, names } from './nodes.ts';

/** A document for a reviewer: totals, refusals, risks and findings, then the changes, the branch's own first. */
export function pageOf(document: Document): Node[] {
  const { servers, loosened = [] } = document;
  const refused = servers.flatMap(({ refusals }) =>
    refusals.map(({ message, hint = '' }) => `${message} ${hint}`.trim()),
  );
  return [
    heading(2, headline(document)),
    ...totals(servers),
    ...section('Apply refuses this', codes(refused)),
    ...section('Risks', risks(servers)),
    ...section('setpoint.yaml is less strict', codes(loosened)),
    ...section('Findings', findings(document)),
    ...alikeServers(servers).flatMap((alike) => serverNodes(alike, document.createdAt)),
  ];
}

function heading(level: 2 | 3 | 4, ...text: readonly Inline[]): Node {
  return { kind: 'heading', level, text };
}

function section(title: string, items: readonly (readonly Inline[])[]): Node[] {
  return items.length === 0 ? [] : [heading(3, title), { kind: 'list', items }];
}

function codes(texts: readonly string[]): Inline[][] {
  return [...new Set(texts)].map((text) => [code(text)]);
}

function headline({ command, servers, complete, loosened = [] }: Document): string {
  const changes = changesOf(servers);
  const integrations = servers.flatMap((server) => server.integrations.filter(hasChanges));
  const isQuiet = changes.length === 0 && (servers.length === 0 || loosened.length > 0);
  const sum = `${count(changes.length, 'change')} in ${count(integrations.length, 'integration')}`;
  const clauses = [
    ...(isQuiet ? [] : [changes.length === 0 ? 'no changes' : sum]),
    tallyOf(changes),
    complete === false ? 'not every server was planned' : '',
  ].filter((clause) => clause !== '');
  return `setpoint ${command}${clauses.length === 0 ? '' : ': '}${clauses.join('; ')}`;
}

/** The counts of a server, by their columns. */
function countsOf(server: ServerDocument): Readonly<Record<string, number>> {
  const changes = changesOf([server]);
  const number = (word: string) =>
    changes.filter(({ label, outcome }) => label === word || outcome === word).length;
  return {
    managed: server.summary.managed,
    changes: changes.length,
    risks: changes.flatMap((change) => change.risks).length,
    conflict: number('conflict'),
    drift: number('drift'),
    hidden: addressesOf([server], 'hidden').length,
    waived: addressesOf([server], 'waived').length,
    'not planned': server.integrations.filter((each) => each.unplanned).length,
    ...Object.fromEntries(Object.keys(OUTCOMES).map((name) => [name, number(name)])),
  };
}

/** A row a server; a column that counts nothing is left out, except the first two. */
function totals(servers: readonly ServerDocument[]): Node[] {
  const all = servers.map((server) => ({ name: server.name, counts: countsOf(server) }));
  const columns = Object.keys(all[0]?.counts ?? {}).filter(
    (column, at) => at < 2 || all.some(({ counts }) => counts[column] !== 0),
  );
  const rows = all.map(({ name, counts }) => [code(name), ...columns.map((column) => `${counts[column]}`)]);
  return rows.length === 0 ? [] : [{ kind: 'table', head: ['server', ...columns], rows }];
}

function risks(servers: readonly ServerDocument[]): Inline[][] {
  return RISK_NAMES.flatMap((risk) => {
    const found = changesOf(servers).filter((change) => change.risks.includes(risk));
    const addresses = [...new Set(found.map(({ address }) => address))];
    return found.length === 0 ? [] : [[`${risk} (${RISKS[risk].words}): `, ...names(addresses)]];
  });
}

/** Errors and warnings, without the refusals that stand above. */
function findings({ servers, diagnostics }: Document): Inline[][] {
  const refused = new Set(servers.flatMap((server) => server.refusals.map(({ message }) => message)));
  const shown = diagnostics.filter(({ severity, message }) => severity !== 'note' && !refused.has(message));
  return shown.map(({ severity, code: name, message, hint, server, file, line = 1 }) => {
    const place = file === undefined ? undefined : `${file}:${line}`;
    const texts = [server, place, message, hint].filter((text) => text !== undefined);
    return [`${severity} ${name}`, ...texts.flatMap((text) => [' ', code(text)])];
  });
}

function serverNodes(alike: readonly ServerDocument[], createdAt: string | undefined): Node[] {
  const [server] = alike;
  if (server === undefined) return [];
  const { base, head, snapshot, integrations } = server;
  const unplanned = integrations.filter((each) => each.unplanned).map(({ name }) => name);
  return [
    heading(3, ...names(alike.map(({ name }) => name))),
    ...(base === undefined ? [] : [paragraph('Compared with ', code(revisionText(base)), '.')]),
    ...(head === undefined ? [] : [paragraph('Shows ', code(revisionText(head)), '.')]),
    ...(snapshot === undefined ? [] : [paragraph(snapshotText(snapshot.takenAt, createdAt))]),
    ...named('Not planned, because of errors', unplanned),
    ...byLabel(integrations).flatMap(({ label, integrations: own }) => [
      ...(base === undefined || head !== undefined ? [] : [heading(4, LABELS[label].title)]),
      ...groupsOf(own).map(groupNode),
    ]),
    ...named('Hidden by the server', addressesOf([server], 'hidden')),
    ...named('Waived', addressesOf([server], 'waived')),
    ...named('Changed by this branch and live already', addressesOf([server], 'settled')),
    ...named('No longer managed, left as they are', addressesOf([server], 'released')),
  ];
}

function paragraph(...text: readonly Inline[]): Node {
  return { kind: 'paragraph', text };
}

function named(title: string, all: readonly string[]): Node[] {
  return all.length === 0 ? [] : [paragraph(`${title} (${all.length}): `, ...names(all))];
}

/** Integrations by servers, with the number of changes of each. */
export function matrix(servers: readonly ServerDocument[]): Node[] {
  const changed = servers.flatMap((each) => each.integrations.filter(hasChanges).map(({ name }) => name));
  if (servers.length < 2 || changed.length === 0) return [];
  const counts = servers.map(
    ({ integrations }) => new Map(integrations.map((each) => [each.name, each.changes.length])),
  );
  const rows = [...new Set(changed)]
    .sort()
    .map((name) => [code(name), ...counts.map((each) => (each.has(name) ? `${each.get(name) || '·'}` : ''))]);
  const head = ['integration', ...servers.map(({ name }) => code(name))];
  return [heading(3, 'Changes by server'), { kind: 'table', head, rows }];
}

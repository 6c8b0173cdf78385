import { count } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import { type Document, OUTCOMES, type ServerDocument } from '../../plan/plan.ts';
import { RISK_NAMES, RISKS } from '../../plan/risk.ts';
import { type ComparedLine, changeLines } from '../change.ts';
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

/** A part of a line: our own words, or foreign text. */
export type Inline = string | { readonly code: string };

type Line = readonly Inline[];

/** A page as data, which each format writes down; `details` hold changes. */
export type Node = Readonly<
  | { kind: 'heading'; level: 2 | 3 | 4; text: Line }
  | { kind: 'line'; text: Line }
  | { kind: 'table'; head: Line; rows: readonly Line[] }
  | { kind: 'details'; title: Line; summary: string; changes: readonly Readonly<ChangeNode>[] }
>;

interface ChangeNode {
  head: string;
  lines: readonly ComparedLine[];
}

/** What is said of some names. */
type Fact = readonly [title: string, names: readonly string[]];

/** The most names in a line. */
const MOST_NAMES = 40;

/** A document for a reviewer: totals, risks and findings, then the changes, the branch's own first. */
export function pageOf(document: Document): Node[] {
  const { servers, loosened = [], createdAt } = document;
  return [
    heading(2, headline(document)),
    ...totals(servers),
    ...linesOf([...risks(servers), ...findings(document), ['setpoint.yaml is less strict', loosened]]),
    ...alikeServers(servers).flatMap((alike) => serverNodes(alike, createdAt)),
  ];
}

function heading(level: 2 | 3 | 4, ...text: Line): Node {
  return { kind: 'heading', level, text };
}

function code(text: string): Inline {
  return { code: text };
}

/** A line for each fact that has names. */
function linesOf(facts: readonly Fact[]): Node[] {
  const shown = facts.filter(([, all]) => all.length > 0);
  return shown.map(([title, all]) => ({ kind: 'line', text: [`${title}: `, ...names(all)] }));
}

/** Names with commas; of many the first, and a count. */
function names(all: readonly string[]): Inline[] {
  const shown = all.slice(0, MOST_NAMES).flatMap((name) => [', ', code(name)]);
  const more = all.length > MOST_NAMES ? [` and ${all.length - MOST_NAMES} more`] : [];
  return [...shown.slice(1), ...more];
}

function headline({ command, servers, complete, diagnostics, loosened = [] }: Document): string {
  const changes = changesOf(servers);
  const sum = `: ${count(changes.length, 'change')} in ${count(changedOn(servers).length, 'integration')}`;
  const isClean = loosened.length === 0 && diagnostics.every(({ severity }) => severity !== 'error');
  const none = isClean && servers.length > 0 ? ': no changes' : '';
  const rest = complete === false ? ' (not every server was planned)' : '';
  return `setpoint ${command}${changes.length === 0 ? none : sum}${rest}`;
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
    hidden: addressesOf(server, 'hidden').length,
    waived: addressesOf(server, 'waived').length,
    'not planned': addressesOf(server, 'unplanned').length,
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

function risks(servers: readonly ServerDocument[]): Fact[] {
  return RISK_NAMES.map((risk) => {
    const found = changesOf(servers).filter((change) => change.risks.includes(risk));
    const addresses = new Set(found.map(({ address }) => address));
    return [`${risk} (${RISKS[risk].words})`, [...addresses]];
  });
}

/** Errors and warnings; the same on several servers once. */
function findings({ diagnostics }: Document): Fact[] {
  const shown = diagnostics.filter(({ severity }) => severity !== 'note');
  const same = grouped(shown, (each) => JSON.stringify([each.code, each.message, each.file, each.line]));
  return [...same.values()].map((all) => {
    const { severity, code: name, message, hint, file, line = 1 } = all[0];
    const place = file && `${file}:${line}`;
    const texts = [...all.map(({ server }) => server), place, message, hint];
    return [`${severity} ${name}`, texts.filter((text) => text !== undefined)];
  });
}

function serverNodes(server: ReturnType<typeof alikeServers>[number], createdAt: string | undefined): Node[] {
  const { servers, base, head, snapshot, integrations } = server;
  return [
    heading(3, ...names(servers.map(({ name }) => name))),
    ...linesOf([
      ['Compared with', base === undefined ? [] : [revisionText(base)]],
      ['Shows', head === undefined ? [] : [revisionText(head)]],
      ['Live state', snapshot === undefined ? [] : [snapshotText(snapshot.takenAt, createdAt)]],
      ['Not planned, because of errors', addressesOf(server, 'unplanned')],
      ['Hidden by the server', addressesOf(server, 'hidden')],
      ['Waived', addressesOf(server, 'waived')],
      ['Changed by this branch and live already', addressesOf(server, 'settled')],
      ['No longer managed, left as they are', addressesOf(server, 'released')],
    ]),
    ...sectionsOf(integrations).flatMap(({ title, groups }) => [
      ...(base === undefined || head !== undefined ? [] : [heading(4, title)]),
      ...groups.map(groupNode),
    ]),
  ];
}

/** The changes of one integration, or of several that have the same. */
function groupNode({ first, names: all, changes }: Group): Node {
  const id = all.length > 1 || first.id === first.name ? [] : [' ', code(first.id)];
  const fields = changes.map(({ field }) => field.replace(/\.value$/, ''));
  return {
    kind: 'details',
    title: [...names(all), ...id, ': ', ...names(fields)],
    summary: count(changes.length * all.length, 'change'),
    changes: changes.map(({ change, field, place }) => {
      const state = change.outcome === undefined ? '' : ` [${change.outcome}]`;
      const { sides, notes } = changeLines(change);
      return { head: `${field}${state}  ${place}`, lines: [...sides, ...notes] };
    }),
  };
}

/** Integrations by servers, with the number of changes of each. */
export function matrix(servers: readonly ServerDocument[]): Node[] {
  const changed = new Set(changedOn(servers).map(({ name }) => name));
  if (servers.length < 2 || changed.size === 0) return [];
  const counts = servers.map(
    ({ integrations }) => new Map(integrations.map((each) => [each.name, each.changes.length])),
  );
  const rows = [...changed]
    .sort()
    .map((name) => [code(name), ...counts.map((each) => `${each.get(name) ?? ''}`)]);
  const head = ['integration', ...servers.map(({ name }) => code(name))];
  return [heading(3, 'Changes by server'), { kind: 'table', head, rows }];
}

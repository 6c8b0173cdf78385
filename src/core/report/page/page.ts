import { count } from '../../findings/words.ts';
import { grouped } from '../../model/json.ts';
import { type Document, OUTCOMES, type ServerDocument } from '../../plan/plan.ts';
import { RISK_NAMES, RISKS } from '../../plan/risk.ts';
import { changeLines } from '../change.ts';
import { alikeServers, type Group } from '../groups.ts';
import { asideFacts, basisFacts, changesOf, type Fact, totalText } from '../totals.ts';

/** A line of our own words and foreign text. */
export type Line = readonly (string | { readonly code: string })[];

/** A page as data, which each format writes down. */
export type Node =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: Line }
  | { readonly kind: 'line'; readonly text: Line }
  | { readonly kind: 'table'; readonly head: Line; readonly rows: readonly Line[] }
  | ReturnType<typeof groupNode>;

/** The most names in a line. */
const MOST_NAMES = 40;

/** A document for a reviewer: totals, risks and findings, then the changes, the branch's own first. */
export function pageOf(document: Document): Node[] {
  const { command, servers, loosened = [], createdAt } = document;
  return [
    heading(2, `setpoint ${command}`),
    ...(servers.length === 0 ? [] : [lineOf(totalText(document)), totals(servers)]),
    ...factLines([
      ...risks(servers),
      ...findings(document),
      ['setpoint.yaml is less strict', loosened],
      ...asideFacts(servers),
    ]),
    ...alikeServers(servers).flatMap(({ first, servers: alike, sections }) => [
      heading(3, ...names(alike.map(({ name }) => name))),
      ...factLines(basisFacts(first, createdAt)),
      ...sections.flatMap(({ title, groups }) => [
        ...(first.base === undefined || first.head !== undefined ? [] : [heading(4, title)]),
        ...groups.map(groupNode),
      ]),
    ]),
  ];
}

function heading(level: 2 | 3 | 4, ...text: Line): Node {
  return { kind: 'heading', level, text };
}

function lineOf(...text: Line): Node {
  return { kind: 'line', text };
}

function code(text: string) {
  return { code: text };
}

/** A line for each fact that has names. */
function factLines(facts: readonly Fact[]): Node[] {
  const shown = facts.filter(([, all]) => all.length > 0);
  return shown.map(([title, all]) => lineOf(`${title}: `, ...names(all)));
}

/** Names with commas; of many the first, and a count. */
function names(all: readonly string[]): Line {
  const shown = all.slice(0, MOST_NAMES).flatMap((name) => [', ', code(name)]);
  const more = all.length > MOST_NAMES ? [` and ${all.length - MOST_NAMES} more`] : [];
  return [...shown.slice(1), ...more];
}

/** The counts of a server, by their columns. */
function countsOf(server: ServerDocument): Readonly<Record<string, number>> {
  const { summary, integrations } = server;
  const changes = changesOf([server]);
  const number = (word: string) =>
    changes.filter(({ label, outcome }) => label === word || outcome === word).length;
  return {
    managed: summary.managed,
    changes: changes.length,
    risks: changes.flatMap((change) => change.risks).length,
    conflict: number('conflict'),
    drift: number('drift'),
    hidden: summary.hidden,
    waived: summary.waived,
    'not planned': integrations.filter(({ unplanned }) => unplanned).length,
    ...Object.fromEntries(Object.keys(OUTCOMES).map((name) => [name, number(name)])),
  };
}

/** A row a server; a column that counts nothing is left out, except the first two. */
function totals(servers: readonly ServerDocument[]): Node {
  const all = servers.map((server) => ({ name: server.name, counts: countsOf(server) }));
  const columns = Object.keys(all[0]?.counts ?? {}).filter(
    (column, at) => at < 2 || all.some(({ counts }) => counts[column] !== 0),
  );
  const rows = all.map(({ name, counts }) => [code(name), ...columns.map((column) => `${counts[column]}`)]);
  return { kind: 'table', head: ['server', ...columns], rows };
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

/** The changes of one integration, or of several that have the same. */
function groupNode({ first, names: all, changes }: Group) {
  const id = all.length > 1 || first.id === first.name ? [] : [' ', code(first.id)];
  const fields = changes.map(({ field }) => field.replace(/\.value$/, ''));
  return {
    kind: 'details' as const,
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
export function matrixOf(servers: readonly ServerDocument[]): Node[] {
  const all = servers.flatMap(({ integrations }) => integrations);
  const changed = new Set(all.filter(({ changes }) => changes.length > 0).map(({ name }) => name));
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

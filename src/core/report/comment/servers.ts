import { grouped } from '../../model/json.ts';
import type { Model } from '../model/model.ts';
import type { Fact } from '../model/row.ts';
import { LABELS } from '../model/tally.ts';
import { nameCode, nameList, tableOf } from './inline.ts';

/** The most servers whose counts stand at the top. */
const MOST_SERVERS = 6;

/** The counts of servers that change, if they are few but not a single one. */
export function serversTable(model: Model): string | undefined {
  const { document, facts } = model;
  const changed = changedServers(facts);
  if (document.servers.length < 2 || facts.length === 0) return undefined;
  return changed.length > MOST_SERVERS ? undefined : countsTable(model);
}

/** The counts of servers that change, if they are many; for a fold. */
export function manyServersTable(model: Model): string | undefined {
  const { length } = changedServers(model.facts);
  return length > MOST_SERVERS ? countsTable(model) : undefined;
}

/** The servers without any change; nothing if no server has one. */
export function unchangedText({ document, facts }: Model): string | undefined {
  const changed = new Set(changedServers(facts));
  const names: string[] = [];
  for (const { name } of document.servers) {
    if (!changed.has(name)) names.push(name);
  }
  if (names.length === 0 || changed.size === 0) return undefined;
  return `No changes on ${nameList(names)}.`;
}

/** The names of servers that change. */
function changedServers(facts: readonly Fact[]): string[] {
  return [...new Set(facts.map(({ server }) => server))];
}

/** What is counted of the changes of a server. */
interface Column {
  readonly title: string;
  readonly counts: (fact: Fact) => boolean;
}

function countsTable(model: Model): string {
  const columns = columnsOf(model);
  const rows: string[][] = [];
  for (const [server, facts] of grouped(model.facts, (fact) => fact.server)) {
    const cells = columns.map(({ counts }) => numberText(facts, counts));
    rows.push([nameCode(server), ...cells]);
  }
  const head = ['server', ...columns.map(({ title }) => title)];
  return tableOf(head, rows, 1);
}

function numberText(
  facts: readonly Fact[],
  counts: (fact: Fact) => boolean,
): string {
  const number = facts.filter(counts).length;
  return number === 0 ? '' : `${number}`;
}

/** A column for each kind of change that there is. */
function columnsOf({ tallies, isApplied, hasBase, facts }: Model): Column[] {
  const columns: Column[] = [{ title: 'changes', counts: () => true }];
  for (const { name } of tallies.outcomes) {
    const title = name.replaceAll('-', ' ');
    columns.push({ title, counts: ({ change }) => change.outcome === name });
  }
  if (isApplied) return columns;
  for (const { name } of hasBase ? tallies.labels : []) {
    const title = LABELS[name].short;
    columns.push({ title, counts: ({ change }) => change.label === name });
  }
  const isRisky = ({ change }: Fact): boolean => change.risks.length > 0;
  if (facts.some(isRisky)) columns.push({ title: 'risky', counts: isRisky });
  return columns;
}

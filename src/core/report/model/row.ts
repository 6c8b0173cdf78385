import { grouped } from '../../model/json.ts';
import { isChoice } from '../../model/value.ts';
import {
  type ChangeDocument,
  type Document,
  type IntegrationDocument,
  OUTCOMES,
  type Outcome,
  type ServerDocument,
} from '../../plan/plan.ts';
import type { Risk } from '../../plan/risk.ts';
import { commonForm, withServerNames } from './server-names.ts';

/** A change on one server. */
export interface Fact {
  readonly server: string;
  readonly integration: IntegrationDocument;
  readonly change: ChangeDocument;
  /** The field without its integration: `apiKey`, `apiKey.permission`. */
  readonly field: string;
  /** The risk for which an apply refuses it. */
  readonly refused?: Risk | undefined;
}

/** A field, told once over the servers on which it changes alike. */
export interface Row {
  readonly field: string;
  /**
   * The change. If it differs only by a server's name, its texts have all of
   * them: `{staging,prod}`.
   */
  readonly change: ChangeDocument;
  readonly facts: readonly [Fact, ...Fact[]];
  readonly servers: readonly string[];
  readonly refused?: Risk | undefined;
  /** What became of it, by servers; empty before an apply. */
  readonly outcomes: readonly OutcomeOn[];
}

/** What became of a change, on some servers. */
interface OutcomeOn {
  readonly outcome: Outcome;
  readonly servers: readonly string[];
  /** Why, if all of them say the same. */
  readonly reason?: string | undefined;
}

/** All changes of a document, in the order of its servers. */
export function factsOf({ servers }: Document): Fact[] {
  const facts: Fact[] = [];
  for (const server of servers) {
    for (const integration of server.integrations) {
      for (const change of integration.changes) {
        facts.push(factOf(server, integration, change));
      }
    }
  }
  return facts;
}

function factOf(
  server: ServerDocument,
  integration: IntegrationDocument,
  change: ChangeDocument,
): Fact {
  const field = fieldName(change.address, integration.name);
  const refusal = server.refusals.find(
    ({ risk, addresses = [] }) =>
      risk !== undefined && addresses.includes(change.address),
  );
  const refused = refusal?.risk;
  return { server: server.name, integration, change, field, refused };
}

/** The address of a field inside its integration, as people type it. */
export function fieldName(address: string, integration: string): string {
  const inside = address.slice(integration.length + 1);
  if (!inside.startsWith('options.')) return inside;
  return inside.slice('options.'.length).replace(/\.value$/, '');
}

/** The rows of one integration, equal changes of servers together. */
export function rowsOf(facts: readonly Fact[]): Row[] {
  const [first, ...others] = facts;
  if (first !== undefined && others.length === 0) return [rowOf([[first]])];
  const equal = [...grouped(facts, factKey).values()];
  const alike = grouped(equal, (group) => alikeKey(group, facts));
  const rows: Row[] = [];
  for (const groups of alike.values()) rows.push(rowOf(groups));
  // Rows of one field stand below each other, whatever their servers.
  const order = new Map<string, number>();
  for (const { field } of facts) {
    if (!order.has(field)) order.set(field, order.size);
  }
  const placeOf = ({ field }: Row): number => order.get(field) ?? 0;
  return rows.sort((one, other) => placeOf(one) - placeOf(other));
}

/** The key of equal changes that may differ from others by a server's name. */
function alikeKey(
  [fact, ...others]: readonly [Fact, ...Fact[]],
  all: readonly Fact[],
): string {
  // Only the texts of one server can be told by its name.
  const isOnOne = others.every(({ server }) => server === fact.server);
  return factKey(isOnOne ? withServerNames(fact, all) : fact);
}

/** What people read of a change, wherever it is declared. */
function factKey({ field, change, refused }: Fact): string {
  const { source, outcome, reason, maybeWritten, address, ...shown } = change;
  // Two secrets are known to be equal only if both are references.
  const isUntold = shown.secret === true && shown.reference === undefined;
  const key = [isUntold ? address : field, shown, refused];
  return shown.type === 'select' ? choiceKey(key) : JSON.stringify(key);
}

/** A choice is its value: what people see of it may differ among servers. */
function choiceKey(key: unknown): string {
  return JSON.stringify(key, (_, part: unknown) =>
    isChoice(part) ? part.value : part,
  );
}

/** A row of groups of equal changes that differ only by servers' names. */
function rowOf(
  groups: readonly [readonly [Fact, ...Fact[]], ...Fact[][]],
): Row {
  const [[first]] = groups;
  const firsts = groups.flatMap(([fact]) => fact ?? []);
  const facts: [Fact, ...Fact[]] = [first];
  for (const fact of groups.flat()) if (fact !== first) facts.push(fact);
  const servers = [...new Set(facts.map(({ server }) => server))];
  return {
    field: first.field,
    change: commonForm(firsts),
    facts,
    servers,
    refused: first.refused,
    outcomes: outcomesOf(facts),
  };
}

function outcomesOf(facts: readonly Fact[]): OutcomeOn[] {
  const outcomes: OutcomeOn[] = [];
  const names = Object.keys(OUTCOMES) as Outcome[];
  for (const outcome of names) {
    const ended = facts.filter(({ change }) => change.outcome === outcome);
    if (ended.length === 0) continue;
    const servers = [...new Set(ended.map(({ server }) => server))];
    const reasons = new Set(ended.map(({ change }) => change.reason));
    const [reason] = reasons.size === 1 ? reasons : [];
    outcomes.push({ outcome, servers, reason });
  }
  return outcomes;
}

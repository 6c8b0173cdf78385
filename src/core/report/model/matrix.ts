import { compareText } from '../../findings/diagnostic.ts';
import type { Document } from '../../plan/plan.ts';
import { TONES } from './card.ts';
import type { Fact } from './row.ts';

/** The look of a square: the worst of what it stands for. */
export type CellTone =
  | 'bad'
  | 'conflict'
  | 'held'
  | 'risk'
  | 'open'
  | 'change'
  | 'drift'
  | 'good';

/** What an integration has on a server. */
export type Cell =
  | {
      readonly kind: 'changed';
      readonly count: number;
      readonly tone: CellTone;
    }
  | { readonly kind: 'unplanned' | 'unchanged' | 'absent' };

/** Integrations by servers: those that change or could not be planned. */
export interface Matrix {
  readonly servers: readonly string[];
  readonly rows: readonly MatrixRow[];
  /** How many integrations have no change on any server. */
  readonly unchanged: number;
}

export interface MatrixRow {
  readonly name: string;
  /** A cell for each server, in their order. */
  readonly cells: readonly Cell[];
}

export function matrixOf(
  { servers }: Document,
  facts: readonly Fact[],
): Matrix {
  const changed = factsByCell(facts);
  const states = new Map<string, 'unplanned' | 'unchanged'>();
  const names = new Set<string>();
  const listed = new Set<string>();
  for (const { name: server, integrations } of servers) {
    for (const { name, unplanned } of integrations) {
      names.add(name);
      const key = cellKey(name, server);
      const isUnplanned = unplanned === true;
      states.set(key, isUnplanned ? 'unplanned' : 'unchanged');
      if (isUnplanned || changed.has(key)) listed.add(name);
    }
  }
  const rows: MatrixRow[] = [];
  for (const name of [...listed].sort(compareText)) {
    const cells = servers.map(({ name: server }): Cell => {
      const key = cellKey(name, server);
      const own = changed.get(key);
      if (own === undefined) return { kind: states.get(key) ?? 'absent' };
      return { kind: 'changed', count: own.length, tone: toneOf(own) };
    });
    rows.push({ name, cells });
  }
  return {
    servers: servers.map(({ name }) => name),
    rows,
    unchanged: names.size - listed.size,
  };
}

function cellKey(integration: string, server: string): string {
  return JSON.stringify([integration, server]);
}

function factsByCell(facts: readonly Fact[]): Map<string, Fact[]> {
  const byCell = new Map<string, Fact[]>();
  for (const fact of facts) {
    const key = cellKey(fact.integration.name, fact.server);
    const own = byCell.get(key);
    if (own === undefined) byCell.set(key, [fact]);
    else own.push(fact);
  }
  return byCell;
}

/** The worst of some changes. */
function toneOf(facts: readonly Fact[]): CellTone {
  const outcomes = new Set<string>();
  for (const { change } of facts) {
    if (change.outcome !== undefined) outcomes.add(TONES[change.outcome]);
  }
  if (outcomes.size > 0) {
    for (const tone of ['bad', 'held', 'open'] as const) {
      if (outcomes.has(tone)) return tone;
    }
    return 'good';
  }
  if (facts.some(({ refused }) => refused !== undefined)) return 'bad';
  if (facts.some(({ change }) => change.label === 'conflict'))
    return 'conflict';
  if (facts.some(({ change }) => change.risks.length > 0)) return 'risk';
  const isDrift = facts.every(({ change }) => change.label === 'drift');
  return isDrift ? 'drift' : 'change';
}

import { grouped } from '../../model/json.ts';
import { compareNames, type Fact, toneOf } from './facts.ts';
import { type Tone, worstOf } from './tones.ts';

/** Integrations by servers; servers that are equal share a column. */
export interface Matrix {
  readonly columns: readonly (readonly string[])[];
  readonly rows: readonly MatrixRow[];
}

export interface MatrixRow {
  readonly name: string;
  /** A cell for each column. */
  readonly cells: readonly Cell[];
}

/** What an integration has on equal servers. */
export interface Cell {
  /** `left` if errors leave it out. */
  readonly tone: Tone | 'none' | 'left';
  /** How many changes it has on each server. */
  readonly changes: number;
}

/** More different servers would be no overview. */
const MOST_COLUMNS = 8;

/** Fewer integrations are seen at once. */
const FEWEST_ROWS = 3;

/** Undefined if a matrix would say little. `leftOut` are names. */
export function matrixOf(
  servers: readonly string[],
  facts: readonly Fact[],
  leftOut: readonly string[],
): Matrix | undefined {
  if (servers.length < 2) return undefined;
  const byServer = new Map<string, Map<string, Fact[]>>();
  const names = new Set(leftOut);
  for (const fact of facts) {
    names.add(fact.name);
    const own = byServer.get(fact.server) ?? new Map<string, Fact[]>();
    own.set(fact.name, [...(own.get(fact.name) ?? []), fact]);
    byServer.set(fact.server, own);
  }
  const sorted = [...names].sort(compareNames);
  const cellOf = (server: string, name: string): Cell => {
    const own = byServer.get(server)?.get(name) ?? [];
    const isLeft = leftOut.includes(name);
    if (own.length === 0) return { tone: isLeft ? 'left' : 'none', changes: 0 };
    return { tone: worstOf(new Set(own.map(toneOf))), changes: own.length };
  };
  const all = servers.map((server) => {
    return { server, cells: sorted.map((name) => cellOf(server, name)) };
  });
  const groups = [
    ...grouped(all, ({ cells }) => JSON.stringify(cells)).values(),
  ];
  if (groups.length > MOST_COLUMNS || sorted.length < FEWEST_ROWS) {
    return undefined;
  }
  groups.sort((one, other) => other.length - one.length);
  const rows = sorted.map((name, at): MatrixRow => {
    const cells = groups.flatMap(([{ cells }]) => cells[at] ?? []);
    return { name, cells };
  });
  const columns = groups.map((group) => group.map(({ server }) => server));
  return { columns, rows };
}

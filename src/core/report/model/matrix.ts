import { grouped } from '../../model/lists.ts';
import { type Fact, namesIn, TONES, type Tone, toneOf } from './facts.ts';

/** Integrations by servers; servers that are equal share a column. */
export interface Matrix {
  columns: readonly (readonly string[])[];
  rows: readonly MatrixRow[];
}

export interface MatrixRow {
  name: string;
  /** A cell for each column. */
  cells: readonly Cell[];
}

/** What an integration has on equal servers. */
export interface Cell {
  /** `left` if errors leave it out. */
  tone: Tone | 'none' | 'left';
  /** How many changes it has on each server. */
  changes: number;
}

/** An integration on one server. */
export interface OnServer {
  server: string;
  name: string;
}

/** More different servers would be no overview. */
const MOST_COLUMNS = 8;

/** Fewer integrations are seen at once. */
const FEWEST_ROWS = 3;

/** Integrations by servers; undefined if a matrix would say little. */
export function matrixOf(
  servers: readonly string[],
  facts: readonly Fact[],
  leftOut: readonly OnServer[],
): Matrix | undefined {
  const names = namesIn([...facts, ...leftOut]);
  if (servers.length < 2 || names.length < FEWEST_ROWS) return undefined;
  const changed = grouped(facts, cellKey);
  const left = new Set(leftOut.map(cellKey));
  const all = servers.map((server) => {
    const cells = names.map((name): Cell => {
      const key = cellKey({ server, name });
      const own = changed.get(key);
      if (own !== undefined) return changedCell(own);
      return { tone: left.has(key) ? 'left' : 'none', changes: 0 };
    });
    return { server, cells };
  });
  const equal = grouped(all, ({ cells }) => JSON.stringify(cells));
  const groups = [...equal.values()];
  if (groups.length > MOST_COLUMNS) return undefined;
  groups.sort((one, other) => other.length - one.length);
  const rows = names.map((name, at): MatrixRow => {
    const cells = groups.flatMap(([{ cells }]) => cells[at] ?? []);
    return { name, cells };
  });
  const columns = groups.map((group) => group.map(({ server }) => server));
  return { columns, rows };
}

function cellKey({ server, name }: OnServer): string {
  return JSON.stringify([server, name]);
}

function changedCell(facts: readonly Fact[]): Cell {
  const tones = new Set(facts.map(toneOf));
  const worst = TONES.find((tone) => tones.has(tone));
  return { tone: worst ?? 'none', changes: facts.length };
}

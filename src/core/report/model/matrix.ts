import { grouped } from '../../model/json.ts';
import {
  compareNames,
  type Fact,
  namesIn,
  TONES,
  type Tone,
  toneOf,
} from './facts.ts';

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
  const names = [...new Set([...namesIn(facts), ...leftOut])];
  if (servers.length < 2 || names.length < FEWEST_ROWS) return undefined;
  names.sort(compareNames);
  const byCell = grouped(facts, ({ server, name }) => cellKey(server, name));
  const all = servers.map((server) => {
    const cells = names.map((name): Cell => {
      const own = byCell.get(cellKey(server, name));
      if (own !== undefined) return changedCell(own);
      return { tone: leftOut.includes(name) ? 'left' : 'none', changes: 0 };
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

function cellKey(server: string, name: string): string {
  return JSON.stringify([server, name]);
}

function changedCell(facts: readonly Fact[]): Cell {
  const tones = new Set(facts.map(toneOf));
  const worst = TONES.find((tone) => tones.has(tone));
  return { tone: worst ?? 'none', changes: facts.length };
}

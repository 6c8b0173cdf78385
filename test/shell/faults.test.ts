import { describe, expect, test, vi } from 'vitest';
import { DESIRED, expectTruth, yamlOf } from '../support/desired.ts';
import type { Dialect } from '../support/dialects.ts';
import { type KindOfApply, REQUEST_KINDS, type RequestKind, type Seen } from '../support/fault-proxy.ts';
import { FAULTS, type Fault, hasActed, type NamedFault } from '../support/faults.ts';
import { withFaultyServer } from '../support/faulty-apply.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { sampled, seeds, turned } from '../support/soak.ts';

/** One cell of the table with all that its seed decides. */
interface Trial {
  readonly kind: RequestKind;
  readonly named: NamedFault;
  readonly fault: Fault;
  /** How many requests of the kind meet the fault; all where it lasts. */
  readonly times: number;
  /** How many requests of the kind are spared first. */
  readonly from: number;
  readonly concurrency: number;
  readonly settings: Pick<Dialect, 'dialect' | 'passwords'>;
  readonly draw: Seeded;
}

const REFUSED: NamedFault = { name: 'refused', class: 'unclear', forms: ['last-answer'] };

/** The rows of the table. */
const ROWS: readonly NamedFault[] = [REFUSED, ...FAULTS];

const DETAILED = ['detail', 'options'] as const;
const DIALECTS = ['included', 'inline', ...DETAILED] as const;

/** A fault meets one request, two, or all of them. */
const TIMES = [1, 2, Number.POSITIVE_INFINITY] as const;

/** How many requests a fault meets in one cell: by turns of the table, one if it is slow; each of the numbers in a soak. */
function timesOf(named: NamedFault, kind: KindOfApply): readonly number[] {
  if (named.isSlow === true && seeds(1, TIMES.length) === 1) return [1];
  return turned(ROWS.indexOf(named) + REQUEST_KINDS.indexOf(kind), TIMES);
}

/** Runs one cell with one seed and fails unless the exit code is right and the report tells the truth. */
async function runCell(named: NamedFault, kind: RequestKind, times: number): Promise<void> {
  const trial = trialOf(named, kind, times);
  const { draw, settings, concurrency } = trial;
  const told = JSON.stringify({ ...trial, named: undefined, times: String(times), draw: undefined });
  const goesDownAfter = named === REFUSED ? await positionOf(trial) : undefined;
  const isHit = ({ kind: seen, ofKind, number }: Seen) =>
    goesDownAfter === undefined
      ? seen === kind && ofKind >= trial.from && ofKind < trial.from + times
      : number === goesDownAfter;
  const hits = { count: goesDownAfter === -1 ? 1 : 0 };
  const faultOf = (seen: Seen) => {
    if (!isHit(seen)) return undefined;
    hits.count += 1;
    return trial.fault;
  };
  await withFaultyServer(
    yamlOf(DESIRED),
    settings,
    faultOf,
    async ({ proxy, exchanges, patience, apply }) => {
      if (goesDownAfter === -1) proxy.goDown();
      const waits: number[] = [];
      const limits = named.isSlow === true ? ['--timeout', String(patience)] : [];
      const result = await apply(['--concurrency', String(concurrency), '--deadline', '120', ...limits], {
        random: draw.random,
        onSleep: async (milliseconds) => {
          waits.push(milliseconds);
          if (waits.length === times) await proxy.comeBack();
        },
      });
      expect(hits.count).toBeGreaterThan(0);
      expectTruth(DESIRED, result, exchanges);
      expect(codesAllowed(trial), `${told}: ${result.stderr}`).toContain(result.code);
      if (kind === 'logout') expect(proxy.kinds.at(-1)).toBe(named === REFUSED ? 'errors' : 'logout');
    },
  );
}

function trialOf(named: NamedFault, kind: RequestKind, times: number): Trial {
  const draw = seeded(
    [named.name, kind, times]
      .join()
      .split('')
      .reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) | 0, 7),
  );
  const dialect = draw.pick(kind === 'detail' ? DETAILED : DIALECTS);
  const isSingle = kind === 'login' || kind === 'list page 1' || kind === 'logout';
  return {
    kind,
    named,
    fault: draw.pick(named.forms),
    times,
    from: isSingle || kind === 'detail' || !Number.isFinite(times) ? 0 : draw.pick([0, 1]),
    concurrency: named === REFUSED ? 1 : draw.pick([1, 2, 8]),
    settings: { dialect, passwords: draw.pick(['clear', 'masked', 'null', 'absent'] as const) },
    draw,
  };
}

/** The order of requests under each setting of the service, one after the other. */
const orders = new Map<string, Promise<readonly RequestKind[]>>();

/** The number of the request after whose answer the proxy must go, so that the first one of a kind is refused. */
async function positionOf({ kind, settings }: Trial): Promise<number> {
  const name = JSON.stringify(settings);
  const known = orders.get(name) ?? orderIn(settings);
  orders.set(name, known);
  return (await known).indexOf(kind) - 1;
}

function orderIn(settings: Trial['settings']): Promise<readonly RequestKind[]> {
  return withFaultyServer(
    yamlOf(DESIRED),
    settings,
    () => undefined,
    async ({ proxy, apply }) => {
      expect((await apply(['--concurrency', '1'])).code).toBe(0);
      return proxy.kinds;
    },
  );
}

const READING = new Set<RequestKind>(['login', 'list page 1', 'list page k', 'detail']);
const WRITING = new Set<RequestKind>(['patch options', 'patch attributes']);

/** The exit codes that the table of exit codes and the rules of retries allow; one, but where two requests may share a fault. */
function codesAllowed(trial: Trial): readonly number[] {
  const { kind, named, times, concurrency } = trial;
  if (kind === 'logout') return [0];
  // They are read beside the plan, which may be ready before.
  if (kind === 'errors') return stopsAtErrors(trial) ? [1, 5] : [0];
  // What cannot be read back is read again and again: only what lasts shows in the end.
  if (kind === 'read back' && Number.isFinite(times) && named.class !== 'long wait') return [0];
  const failed = READING.has(kind) ? 1 : 5;
  const denied = READING.has(kind) ? 4 : 5;
  switch (named.class) {
    case 'long wait':
      return [failed];
    case '403':
      if (kind === 'login' || kind === 'list page 1' || kind === 'list page k') return [4];
      // It concerns one integration: if others are written, the apply is incomplete.
      return kind === 'read back' ? [5] : [4, 5];
    case '401':
      if (kind === 'login') return [4];
      if (times === 2 && concurrency > 1) return [0, denied];
      return [times === 1 ? 0 : denied];
    case '429':
      return [times <= 2 ? 0 : failed];
    case 'unclear':
      if (times <= 2) return [0];
      return WRITING.has(kind) ? lastingUnclear(trial) : [failed];
  }
}

/** The integration errors are beside the point: only what stops the whole run shows in its end. */
function stopsAtErrors({ named, times, from }: Trial): boolean {
  if (named === REFUSED) return times > 2;
  return named.class === 'long wait' && from === 0;
}

/** A write that nobody ever acknowledges counts where it can be read; a secret that cannot be read stays unknown. */
function lastingUnclear({ kind, fault, settings }: Trial): readonly number[] {
  if (!hasActed(fault)) return [5];
  if (kind !== 'patch options' || settings.passwords === 'clear') return [0];
  // An answer that is cut by its own length is still an acknowledgement.
  return fault === 'too-short' ? [0] : [5];
}

// Silence takes time: the cells run side by side.
vi.setConfig({ maxConcurrency: 10, testTimeout: 300_000 });

const GRID = ROWS.flatMap((row) => REQUEST_KINDS.map((kind) => [row.name, kind, row] as const));

// Each fault and each kind of request is in the sample.
describe.concurrent('the report is true', () => {
  test.each(sampled(GRID, 8))('when "%s" meets %s', async (_, kind, row) => {
    for (const times of timesOf(row, kind)) await runCell(row, kind, times);
  });
});

import pMap from 'p-map';
import { expect, test } from 'vitest';
import { DESIRED, type Desired, heldOf, isHeld, SPARE, yamlOf } from '../support/desired.ts';
import { anyFault } from '../support/fault-list.ts';
import type { Seen } from '../support/fault-proxy.ts';
import { type FaultyServer, withFaultyServer } from '../support/faulty-apply.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';
import { codesOf, expectTruth } from '../support/verdict.ts';

const SEEDS = seeds(80, 1_000);

/** Runs after which everything must be as desired. */
const MOST_RUNS = 3;

/** Seconds that a run may take; far more than it needs, as it sleeps between no two attempts. */
const DEADLINE = 240;

/** How much went wrong. */
interface Tally {
  readonly runs: number;
  readonly requests: number;
  readonly faults: number;
}

/**
 * Applies a random configuration to a server on whose way one request in ten meets a random fault, again and again until
 * a run says that all is done. Fails where a report is not true, where a run meets its deadline, or after too many runs.
 */
async function runChaos(seed: number): Promise<Tally> {
  const draw = seeded(seed);
  const wanted = draw.some([...DESIRED, SPARE], 3, 6);
  const dialect = draw.pick(['included', 'inline', 'detail', 'options'] as const);
  const firstPage = draw.pick(['0', '1'] as const);
  const tally = { runs: 0, requests: 0, faults: 0 };
  // A server that refuses again and again means it: what ends a run for good comes in the first one only.
  const faultOf = ({ number }: Seen) => {
    const own = seeded(seed * 10_007 + number);
    tally.requests += 1;
    if (own.random() >= 0.1) return undefined;
    tally.faults += 1;
    return anyFault(own, tally.runs === 1);
  };
  await withFaultyServer(yamlOf(wanted), { dialect, firstPage }, faultOf, async (server) => {
    const codes: number[] = [];
    while (codes.at(-1) !== 0 && codes.length < MOST_RUNS) {
      tally.runs += 1;
      codes.push(await runOnce(server, wanted, draw));
    }
    expect(codes.at(-1), `the runs of seed ${seed} ended with ${codes.join(', ')}`).toBe(0);
    const held = heldOf(server.exchanges);
    expect(wanted.filter((each) => !isHeld(each, held)).map(({ name }) => name)).toEqual([]);
  });
  return tally;
}

async function runOnce(server: FaultyServer, wanted: readonly Desired[], draw: Seeded): Promise<number> {
  const { proxy, exchanges, apply } = server;
  const seenBefore = exchanges.length;
  const concurrency = draw.pick(['1', '2', '4', '8']);
  const flags = [
    '--concurrency',
    concurrency,
    '--timeout',
    String(server.patience),
    '--deadline',
    String(DEADLINE),
    // A server that shows no password yet may hide them all: an integration that has nothing else needs a word.
    '--write-secrets',
    'all',
  ];
  const wish = { random: draw.random, onSleep: () => proxy.comeBack() };
  const result = await apply(flags, wish);
  await proxy.comeBack();
  expectTruth(wanted, result, exchanges, exchanges.slice(seenBefore));
  expect(codesOf(result)).not.toContain('run-deadline');
  return result.code;
}

test(`reports are true and runs converge whatever happens to one request in ten, in ${SEEDS} random runs`, {
  timeout: 600_000,
}, async () => {
  const all = Array.from({ length: SEEDS }, (_, seed) => seed);
  const tallies = await pMap(all, runChaos, { concurrency: 8 });
  const sum = (of: (tally: Tally) => number) => tallies.reduce((total, tally) => total + of(tally), 0);
  const share = sum(({ faults }) => faults) / sum(({ requests }) => requests);
  expect(share).toBeGreaterThan(0.08);
  expect(share).toBeLessThan(0.12);
});

import pMap from 'p-map';
import { expect, test } from 'vitest';
import { DESIRED, expectTruth, SPARE } from '../support/desired.ts';
import type { Seen } from '../support/fault-proxy.ts';
import { anyFault } from '../support/faults.ts';
import { type FaultyServers, faultyServers } from '../support/faulty-apply.ts';
import { type Desired, heldOf, isHeld, yamlOf } from '../support/fleet.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';

/** Runs side by side in one test. */
const BATCH = 8;
const BATCHES = seeds(1, 125);

/** Runs after which everything must be as desired. */
const MOST_RUNS = 3;

/** Seconds that a run may take; far more than it needs, as it sleeps between no two attempts. */
const DEADLINE = '3000';

/** How much went wrong. */
interface Tally {
  readonly runs: number;
  readonly requests: number;
  readonly faults: number;
}

/**
 * Applies a random configuration to one server or two, on whose way one request in ten meets a random fault, again and again
 * until a run says that all is done; the configuration itself, or a plan of it that was saved before. Fails where a report
 * is not true, where a run meets its deadline, or after too many runs.
 */
async function runChaos(seed: number): Promise<Tally> {
  const draw = seeded(seed);
  const wanted = draw.some([...DESIRED, SPARE], 3, 6);
  const settings = Array.from({ length: draw.pick([1, 2]) }, () => ({
    dialect: draw.pick(['included', 'inline', 'detail', 'options'] as const),
    firstPage: draw.pick(['0', '1'] as const),
  }));
  const isSaved = draw.random() < 0.5;
  const tally = { runs: 0, requests: 0, faults: 0 };
  // A server that refuses again and again means it: what ends a run for good comes in the first one only.
  const faultOf = ({ number }: Seen, server: number) => {
    if (tally.runs === 0) return undefined;
    const own = seeded(seed * 10_007 + server * 5_003 + number);
    tally.requests += 1;
    if (own.random() >= 0.1) return undefined;
    tally.faults += 1;
    return anyFault(own, tally.runs === 1);
  };
  const faulty = await faultyServers(yamlOf(wanted), settings, faultOf);
  if (isSaved) {
    const planned = await faulty.run([
      'plan',
      ...SECRETS,
      '--report',
      'json=plan.json',
    ]);
    expect(planned.code, planned.stderr).toBe(0);
  }
  const codes: number[] = [];
  while (codes.at(-1) !== 0 && codes.length < MOST_RUNS) {
    tally.runs += 1;
    codes.push(
      await runOnce(faulty, wanted, draw, isSaved ? ['plan.json'] : SECRETS),
    );
  }
  expect(
    codes.at(-1),
    `the runs of seed ${seed} ended with ${codes.join(', ')}`,
  ).toBe(0);
  for (const { exchanges } of faulty.servers) {
    const held = heldOf(exchanges);
    expect(
      wanted.filter((each) => !isHeld(each, held)).map(({ name }) => name),
    ).toEqual([]);
  }
  return tally;
}

/** A server that shows no password yet may hide them all: an integration that has nothing else needs a word. */
const SECRETS = ['--write-hidden', 'all'];

async function runOnce(
  { servers, patience, run }: FaultyServers,
  wanted: readonly Desired[],
  draw: Seeded,
  what: readonly string[],
): Promise<number> {
  const seenBefore = servers.map(({ exchanges }) => exchanges.length);
  const limits = [
    '--concurrency',
    draw.pick(['1', '2', '4', '8']),
    '--timeout',
    String(patience),
  ];
  const comeBack = async () => {
    await Promise.all(servers.map(({ proxy }) => proxy.comeBack()));
  };
  const wish = { random: draw.random, onSleep: comeBack };
  const result = await run(
    [
      'apply',
      ...what,
      '--yes',
      '--report',
      'json',
      '--deadline',
      DEADLINE,
      ...limits,
    ],
    wish,
  );
  await comeBack();
  for (const [index, { name, exchanges }] of servers.entries())
    expectTruth(
      wanted,
      result,
      exchanges,
      exchanges.slice(seenBefore[index]),
      name,
    );
  expect(result.stdout).not.toContain('(--deadline)');
  return result.code;
}

test.each(Array.from({ length: BATCHES }, (_, batch) => batch))(
  'reports are true and runs converge whatever happens to one request in ten, %i',
  async (batch) => {
    const all = Array.from(
      { length: BATCH },
      (_, index) => batch * BATCH + index,
    );
    const tallies = await pMap(all, runChaos, { concurrency: BATCH });
    const sum = (of: (tally: Tally) => number) =>
      tallies.reduce((total, tally) => total + of(tally), 0);
    const share = sum(({ faults }) => faults) / sum(({ requests }) => requests);
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.15);
  },
);

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { optionId } from '../../src/core/model/ids.ts';
import { at, listAt } from '../support/at.ts';
import { bundled, type Child, startChild } from '../support/child-process.ts';
import { EXAMPLE_CATALOG, exchange, logIn } from '../support/sandbox.ts';
import { ASSETS, LOGS, optionsBody, THREAT, VAULT } from '../support/sandbox-requests.ts';

const CHILD = fileURLToPath(new URL('../support/sandbox-child.ts', import.meta.url));
const KILLS = 200;
const SEED = Number(process.env['SETPOINT_KILL_SEED'] ?? Date.now() % 2 ** 31);

/** Of each integration a text and a number, which every write sets together to the same count, and what the number is at first. */
const WRITTEN = [
  [THREAT, 'url', 'timeout', 10],
  [ASSETS, 'host', 'port', 5432],
  [LOGS, 'account', 'maxConcurrent', 5],
  [VAULT, 'url', 'orgId', 0],
] as const;

/** What is known of one integration: the last count that was sent, and the last that was acknowledged. */
interface Ledger {
  sent: number;
  acknowledged: number;
}

const folders: string[] = [];
const bundles: string[] = [];
const children: Child[] = [];
beforeAll(async () => {
  folders.push(await mkdtemp(join(tmpdir(), 'setpoint-kill-')));
  bundles.push(await bundled(CHILD, folders[0] ?? ''));
}, 30_000);
afterAll(async () => {
  await Promise.all(children.map((child) => child.kill()));
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
});

/** The next process on the data file of a lane. */
function start(lane: number): Child {
  const child = startChild(bundles[0] ?? '', [EXAMPLE_CATALOG, join(folders[0] ?? '', `data-${lane}`)]);
  children[lane] = child;
  return child;
}

/** Reads all counts, and checks that none was torn, none that was acknowledged is lost, and none came from nowhere. */
async function check(url: string, token: string, ledgers: ReadonlyMap<string, Ledger>): Promise<void> {
  const included = listAt((await exchange(url, 'GET', '/api/integrations', { token })).body, 'included');
  const values = new Map(included.map((option) => [at(option, 'id'), at(option, 'attributes', 'value')]));
  for (const [id, textKey, numberKey, initial] of WRITTEN) {
    const ledger = ledgers.get(id) ?? { sent: 0, acknowledged: 0 };
    const text = String(values.get(optionId(id, textKey)));
    const count = /^n\d+$/.test(text) ? Number(text.slice(1)) : 0;
    expect(values.get(optionId(id, numberKey)), `${id} is torn`).toBe(count === 0 ? initial : count);
    expect(count, `${id} lost what was acknowledged`).toBeGreaterThanOrEqual(ledger.acknowledged);
    expect(count, `${id} has what was never sent`).toBeLessThanOrEqual(ledger.sent);
    ledger.acknowledged = count;
  }
}

/** Writes count after count to one integration until the process is gone. */
async function writeUntilDead(
  url: string,
  token: string,
  [id, textKey, numberKey]: (typeof WRITTEN)[number],
  ledger: Ledger,
): Promise<void> {
  for (;;) {
    const count = ledger.sent + 1;
    ledger.sent = count;
    const body = optionsBody(id, { [textKey]: { value: `n${count}` }, [numberKey]: { value: count } });
    const reply = await exchange(url, 'PATCH', '/api/integration-options', { token, body }).catch(
      noConnection,
    );
    if (reply === undefined) return;
    expect(reply.status).toBe(200);
    ledger.acknowledged = count;
  }
}

/** Passes over that the other side is gone, which fetch tells by a TypeError, and nothing else. */
function noConnection(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}

interface Moment {
  readonly whileStarting: boolean;
  readonly ms: number;
}

/** One life of the sandbox: it is killed while it starts, or what it has is checked and it is killed under writes. */
async function liveAndDie(
  lane: number,
  { whileStarting, ms }: Moment,
  ledgers: ReadonlyMap<string, Ledger>,
): Promise<void> {
  const child = start(lane);
  if (whileStarting) {
    await delay(ms * 2);
    await child.kill();
    expect(child.errors()).toBe('');
    return;
  }
  const url = await child.url;
  expect(child.errors()).toBe('');
  if (url === undefined) throw new Error('the sandbox did not start');
  const token = await logIn(url, 'admin');
  await check(url, token, ledgers);
  const writers = WRITTEN.map((written) =>
    writeUntilDead(url, token, written, ledgers.get(written[0]) ?? { sent: 0, acknowledged: 0 }),
  );
  await delay(ms);
  await child.kill();
  await Promise.all(writers);
}

/** Many lives on one data file, and a last look at it; gives the counts that came through. */
async function liveOften(lane: number, moments: readonly Moment[]): Promise<number[]> {
  const ledgers = new Map(WRITTEN.map(([id]) => [id, { sent: 0, acknowledged: 0 }]));
  for (const moment of moments) await liveAndDie(lane, moment, ledgers);
  const url = (await start(lane).url) ?? '';
  await check(url, await logIn(url, 'admin'), ledgers);
  return [...ledgers.values()].map(({ acknowledged }) => acknowledged);
}

const NAME = `${KILLS} kills at random moments (seed ${SEED}): no acknowledged write is lost, none is torn, no file is refused`;

test(NAME, { timeout: 240_000 }, async () => {
  const moment = fc.record({
    whileStarting: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    ms: fc.integer({ min: 0, max: 60 }),
  });
  const moments = fc.sample(moment, { numRuns: KILLS, seed: SEED });
  const lanes = [moments.slice(0, KILLS / 2), moments.slice(KILLS / 2)];
  const counts = await Promise.all(lanes.map((each, lane) => liveOften(lane, each)));
  expect(Math.min(...counts.flat()), `writes came through between the kills: ${counts}`).toBeGreaterThan(
    KILLS / 2,
  );
});

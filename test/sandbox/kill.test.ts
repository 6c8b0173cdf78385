import { mkdir, mkdtemp, rm, watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { optionId } from '../../src/core/model/ids.ts';
import { at, listAt } from '../support/at.ts';
import { bundled, type Child, startChild } from '../support/child-process.ts';
import { EXAMPLE_CATALOG } from '../support/dialects.ts';
import { exchange, logIn } from '../support/sandbox.ts';
import { ASSETS, LOGS, optionsBody, THREAT, VAULT } from '../support/sandbox-requests.ts';
import { seeds } from '../support/soak.ts';

const CHILD = fileURLToPath(new URL('../support/sandbox-child.ts', import.meta.url));
const KILLS = 2 * seeds(5, 100);
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

/** The folder of a lane, which holds its data file alone. */
const home = (lane: number) => join(folders[0] ?? '', `lane-${lane}`);

/** The next process on the data file of a lane. */
function start(lane: number): Child {
  const child = startChild(bundles[0] ?? '', [EXAMPLE_CATALOG, join(home(lane), 'data')]);
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

/** Resolves when the system reports that many events of the data file, such as the creation of a temporary file or its renaming. */
async function fileEvents(lane: number, wanted: number): Promise<void> {
  const seen = { events: 0 };
  if (wanted === 0) return;
  for await (const _ of watch(home(lane))) {
    seen.events += 1;
    if (seen.events === wanted) return;
  }
}

/** One life of the sandbox: it is killed while it starts, or what it has is checked and it is killed under writes. */
async function liveAndDie(lane: number, events: number, ledgers: ReadonlyMap<string, Ledger>): Promise<void> {
  const moment = fileEvents(lane, events);
  const child = start(lane);
  const url = await Promise.race([child.url, moment.then(() => undefined)]);
  const writers = url === undefined ? [] : await writersOf(url, ledgers);
  expect(child.errors()).toBe('');
  await moment;
  await child.kill();
  await Promise.all(writers);
}

/** Checks what a sandbox has, and begins to write to all integrations. */
async function writersOf(url: string, ledgers: ReadonlyMap<string, Ledger>): Promise<Promise<void>[]> {
  const token = await logIn(url, 'admin');
  await check(url, token, ledgers);
  return WRITTEN.map((written) =>
    writeUntilDead(url, token, written, ledgers.get(written[0]) ?? { sent: 0, acknowledged: 0 }),
  );
}

/** Many lives on one data file, and a last look at it; gives the counts that came through. */
async function liveOften(lane: number, moments: readonly number[]): Promise<number[]> {
  await mkdir(home(lane));
  const ledgers = new Map(WRITTEN.map(([id]) => [id, { sent: 0, acknowledged: 0 }]));
  for (const moment of moments) await liveAndDie(lane, moment, ledgers);
  const url = (await start(lane).url) ?? '';
  await check(url, await logIn(url, 'admin'), ledgers);
  return [...ledgers.values()].map(({ acknowledged }) => acknowledged);
}

const NAME = `${KILLS} kills at random events of the data file (seed ${SEED}): no acknowledged write is lost, none is torn, no file is refused`;

test(NAME, { timeout: 240_000 }, async () => {
  const moment = fc.integer({ min: 0, max: 100 });
  const moments = fc.sample(moment, { numRuns: KILLS, seed: SEED });
  const lanes = [moments.slice(0, KILLS / 2), moments.slice(KILLS / 2)];
  const counts = await Promise.all(lanes.map((each, lane) => liveOften(lane, each)));
  // How many fall on one integration depends on the moments that were drawn.
  const through = counts.flat().reduce((sum, each) => sum + each, 0);
  expect(through, `writes came through between the kills: ${counts}`).toBeGreaterThan(KILLS);
});

import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { optionId } from '../../src/core/model/ids.ts';
import { at, listAt } from '../support/at.ts';
import { bundled, type Child, startChild } from '../support/child-process.ts';
import { EXAMPLE_CATALOG } from '../support/dialects.ts';
import { exchange, logIn } from '../support/sandbox.ts';
import { ASSETS, LOGS, optionsBody, THREAT, VAULT } from '../support/sandbox-requests.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

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

/** What is known of each integration. */
const ledgers = new Map(WRITTEN.map(([id]): [string, Ledger] => [id, { sent: 0, acknowledged: 0 }]));

/** The folder that holds the data file alone, and the program of the sandbox. */
const place = { home: '', bundle: '' };

/** The next process on the data file. */
function start(): Child {
  const child = startChild(place.bundle, [EXAMPLE_CATALOG, join(place.home, 'data')]);
  onTestFinished(() => child.kill());
  return child;
}

function ledgerOf(id: string): Ledger {
  return ledgers.get(id) ?? { sent: 0, acknowledged: 0 };
}

/** Reads all counts, and checks that none was torn, none that was acknowledged is lost, and none came from nowhere. */
async function check(url: string, token: string): Promise<void> {
  const included = listAt((await exchange(url, 'GET', '/api/integrations', { token })).body, 'included');
  const values = new Map(included.map((option) => [at(option, 'id'), at(option, 'attributes', 'value')]));
  for (const [id, textKey, numberKey, initial] of WRITTEN) {
    const ledger = ledgerOf(id);
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
): Promise<void> {
  const ledger = ledgerOf(id);
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
async function fileEvents(wanted: number): Promise<void> {
  const seen = { events: 0 };
  if (wanted === 0) return;
  for await (const _ of watch(place.home)) {
    seen.events += 1;
    if (seen.events === wanted) return;
  }
}

/** One life of the sandbox: it is killed while it starts, or what it has is checked and it is killed under writes. */
async function liveAndDie(events: number): Promise<void> {
  const moment = fileEvents(events);
  const child = start();
  const url = await Promise.race([child.url, moment.then(() => undefined)]);
  const writers = url === undefined ? [] : await writersOf(url);
  expect(child.errors()).toBe('');
  await moment;
  await child.kill();
  await Promise.all(writers);
}

/** Checks what a sandbox has, and begins to write to all integrations. */
async function writersOf(url: string): Promise<Promise<void>[]> {
  const token = await logIn(url, 'admin');
  await check(url, token);
  return WRITTEN.map((written) => writeUntilDead(url, token, written));
}

const NAME = `${KILLS} kills at random events of the data file (seed ${SEED}): no acknowledged write is lost, none is torn, no file is refused`;

test(NAME, { timeout: 240_000 }, async () => {
  place.home = await tempFolder();
  place.bundle = await bundled(CHILD, await tempFolder());
  const moments = fc.sample(fc.integer({ min: 0, max: 100 }), { numRuns: KILLS, seed: SEED });
  for (const moment of moments) await liveAndDie(moment);
  const url = (await start().url) ?? '';
  await check(url, await logIn(url, 'admin'));
  // How many fall on one integration depends on the moments that were drawn.
  const through = [...ledgers.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  expect(through, 'writes came through between the kills').toBeGreaterThan(KILLS);
});

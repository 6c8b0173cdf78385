import { expect, test } from 'vitest';
import { turnstile } from '../support/fault-proxy.ts';
import { FIELDS, fleet, fleetYaml, KEY_VARIABLE, readFleet, STATES, toldByLog } from '../support/fleet.ts';
import { type LiveSandbox, liveSandbox } from '../support/live-sandbox.ts';
import { type Outcomes, outcomeOf } from '../support/outcomes.ts';
import { type Program, useProgram } from '../support/program.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

const INTEGRATIONS = seeds(10, 50);
const KILLS = seeds(5, 200);

/** The requests of a whole run: login, list, errors, two PATCHes for each integration, read back, errors, logout. */
const REQUESTS = 3 + 2 * INTEGRATIONS + 3;

const program = useProgram();
const env = { ...ADMIN, [KEY_VARIABLE]: String(STATES.a.apiKey) };

/** A moment of a run: a request by its number, before the service saw it or after it acted. */
interface Moment {
  readonly request: number;
  readonly when: 'before' | 'after';
}

/** The arguments of an apply that changes so many integrations. */
function applying(url: string, changing: number): string[] {
  const exactly = changing === 0 ? [] : ['--allow-changes', String(changing)];
  return ['apply', '-f', 'a.yaml', '--url', url, '--yes', ...exactly, '--report', 'json'];
}

/** Every moment of a run, and of them as many as are wanted, evenly spread. */
function moments(count: number): Moment[] {
  const all = Array.from(
    { length: REQUESTS * 2 },
    (_, index): Moment => ({
      request: Math.floor(index / 2) + 1,
      when: index % 2 === 0 ? 'before' : 'after',
    }),
  );
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).flatMap(
    (moment) => moment ?? [],
  );
}

/** Starts an apply and ends it by force at a moment; gives whether it came to that moment. */
async function killedAt(moment: Moment, sandbox: LiveSandbox, cwd: string): Promise<boolean> {
  const running: { child?: Program; killed: boolean } = { killed: false };
  const kill = (when: Moment['when']) => (passing: { number: number }) => {
    if (passing.number !== moment.request || when !== moment.when) return true;
    running.killed = true;
    running.child?.process.kill('SIGKILL');
    return false;
  };
  const way = await turnstile(sandbox.url, { before: kill('before'), after: kill('after') });
  running.child = program(applying(way.url, INTEGRATIONS), { cwd, env });
  await running.child.ended;
  way.close();
  return running.killed;
}

/** Every field of every integration is as it was or as it is to be, and what is not managed is as it was. */
async function checkNothingTorn(url: string, names: readonly string[]): Promise<number> {
  const held = await readFleet(url);
  expect([...held.keys()]).toEqual(names);
  const states = names.flatMap((name) => held.get(name) ?? []);
  for (const state of states)
    for (const field of FIELDS) expect([STATES.old[field], STATES.a[field]]).toContainEqual(state[field]);
  return states.filter((state) => JSON.stringify(state) !== JSON.stringify(STATES.a)).length;
}

/** The next run, and the look that shows that nothing is left to do. */
async function finish(url: string, cwd: string, names: readonly string[], open: number): Promise<void> {
  const applied = await run(applying(url, open), { cwd, env });
  const { integrations } = json<{ servers: { integrations: Outcomes[] }[] }>(applied).servers[0] ?? {
    integrations: [],
  };
  const outcomes = integrations.flatMap((each) => outcomeOf(each) ?? []);
  expect([applied.code, outcomes]).toEqual([0, Array.from({ length: open }, () => 'verified')]);
  const held = await readFleet(url);
  expect(names.map((name) => held.get(name))).toEqual(names.map(() => STATES.a));
  const again = await run(['plan', '-f', 'a.yaml', '--url', url, '--exit-code'], { cwd, env });
  expect(again.code).toBe(0);
}

test(`killed at ${KILLS} moments of an apply of ${INTEGRATIONS} integrations, the next run finishes it`, async () => {
  const { files, ids, names } = fleet(INTEGRATIONS);
  const catalog = await tempFolder(files);
  const cwd = await tempFolder({ 'a.yaml': fleetYaml(names, STATES.a) });
  const left = moments(KILLS);
  const seen = { killed: 0, open: new Set<number>() };
  const lane = async (): Promise<void> => {
    for (let moment = left.shift(); moment !== undefined; moment = left.shift()) {
      const sandbox = await liveSandbox({ catalog, ids });
      if (await killedAt(moment, sandbox, cwd)) seen.killed += 1;
      const open = await checkNothingTorn(sandbox.url, names);
      seen.open.add(open);
      await finish(sandbox.url, cwd, names, open);
      expect(toldByLog(sandbox.exchanges, names, STATES.a)).toEqual({ undeclared: [], again: [], open: [] });
    }
  };
  await Promise.all([lane(), lane()]);
  expect(seen.killed).toBe(KILLS);
  // The moments were spread over the run: they left different numbers of integrations to do.
  expect(seen.open.size).toBeGreaterThan(1);
});

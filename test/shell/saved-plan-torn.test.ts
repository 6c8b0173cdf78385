import { expect, test } from 'vitest';
import type { ServerDocument } from '../../src/core/plan/plan.ts';
import { turnstile } from '../support/fault-proxy.ts';
import { FIELDS, fleet, fleetProject, KEY_VARIABLE, readFleet, STATES, toldByLog } from '../support/fleet.ts';
import { type LiveSandbox, liveSandbox } from '../support/live-sandbox.ts';
import { outcomeOf } from '../support/outcomes.ts';
import { type Program, useProgram } from '../support/program.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

/** On each of two servers. */
const INTEGRATIONS = 3;
/** Runs that are torn in each way; in a soak so many that no moment is left out. */
const TORN = seeds(2, 200);

const program = useProgram();
/** A kill is tried with fingerprints in the plan, interruptions without. */
const ENV = { ...ADMIN, [KEY_VARIABLE]: String(STATES.a.apiKey) };
const KEYED = { ...ENV, SETPOINT_FINGERPRINT_KEY: 'known to all of these runs' };

/** How a run is torn: all at once, or by two signals, of which the second does not wait for what is in flight. */
const ENDINGS = {
  'a kill': { env: KEYED, end: (child: Program) => void child.process.kill('SIGKILL') },
  'two interruptions': {
    env: ENV,
    end: async (child: Program) => {
      child.process.kill('SIGINT');
      await child.says('Interrupt again to stop');
      child.process.kill('SIGINT');
    },
  },
} as const;

/** The place of a server in a plan is its address, so all runs go through one address of each. */
async function setUp(env: typeof ENV) {
  const { files, ids, names } = fleet(INTEGRATIONS);
  const catalog = await tempFolder(files);
  const hook: { tear?: (when: 'before' | 'after') => boolean } = {};
  const isWrite = ({ method }: { method: string }) => method === 'PATCH';
  const start = async () => {
    const sandbox = await liveSandbox({ catalog, ids });
    const way = await turnstile(sandbox.url, {
      before: (passing) => !isWrite(passing) || (hook.tear?.('before') ?? true),
      after: (passing) => !isWrite(passing) || (hook.tear?.('after') ?? true),
    });
    return { sandbox, way };
  };
  const [east, west] = [await start(), await start()];
  const urls = { east: east.way.url, west: west.way.url };
  const cwd = await tempFolder(fleetProject(urls, names, STATES.a));
  const planned = await run(['plan', '--report', 'json=plan.json'], { cwd, env });
  expect(planned.code).toBe(0);
  return {
    sandboxes: [east.sandbox, west.sandbox],
    names,
    hook,
    cwd,
    env,
    args: ['apply', 'plan.json', '--yes', '--report', 'json'],
    reset: async () => {
      const old = { ...ADMIN, [KEY_VARIABLE]: String(STATES.old.apiKey) };
      const other = await tempFolder(fleetProject(urls, names, STATES.old));
      expect((await run(['apply', '--yes'], { cwd: other, env: old })).code).toBe(0);
    },
  };
}

/** Applies the plan and ends the run when its n-th moment has come, before or after the service acts on a PATCH. */
async function tornAt(
  moment: number,
  end: (child: Program) => void | Promise<void>,
  { hook, cwd, env, args }: Awaited<ReturnType<typeof setUp>>,
): Promise<void> {
  const running: { child?: Program; ended?: void | Promise<void>; passed: number } = { passed: 0 };
  hook.tear = () => {
    running.passed += 1;
    if (running.passed === moment && running.child !== undefined) running.ended = end(running.child);
    return running.passed < moment;
  };
  running.child = program(args, { cwd, env });
  await running.child.ended;
  await running.ended;
  delete hook.tear;
  expect(running.passed).toBeGreaterThanOrEqual(moment);
}

/** How many integrations were written in part: each field is as it was or as it is to be. */
async function halves(url: string): Promise<number> {
  const { old, a } = STATES;
  const torn = [...(await readFleet(url)).values()];
  for (const state of torn)
    for (const field of FIELDS) expect([old[field], a[field]]).toContainEqual(state[field]);
  return torn.filter((state) => (state.autosubscribe === a.autosubscribe) !== (state.url === a.url)).length;
}

const patches = (sandboxes: readonly LiveSandbox[]) =>
  sandboxes.flatMap(({ seen }) => seen().filter((each) => each.startsWith('PATCH')));

test.each(Object.entries(ENDINGS))(
  `torn ${TORN} times by %s, a saved plan for two servers is finished by applying it again`,
  { timeout: 900_000 },
  async (_, { env, end }) => {
    const set = await setUp(env);
    const { sandboxes, names, cwd, args } = set;
    const seen = { halves: 0 };
    const moments = 4 * INTEGRATIONS * sandboxes.length;
    for (const index of Array.from({ length: TORN }, (_each, number) => number)) {
      for (const { exchanges } of sandboxes) exchanges.length = 0;
      await tornAt(1 + ((index * 5) % moments), end, set);
      for (const { url } of sandboxes) seen.halves += await halves(url);

      const applied = await run(args, { cwd, env });
      const outcomes = json<{ servers: ServerDocument[] }>(applied).servers.map(({ integrations }) =>
        integrations.map(outcomeOf),
      );
      // What the torn apply finished already is not sent again.
      const unfinished = outcomes.flat().filter((outcome) => outcome !== undefined && outcome !== 'verified');
      expect([applied.code, unfinished]).toEqual([0, []]);
      for (const { exchanges } of sandboxes)
        expect(toldByLog(exchanges, names, STATES.a)).toEqual({ undeclared: [], again: [], open: [] });
      for (const sandbox of sandboxes) sandbox.seen();
      expect((await run(args, { cwd, env })).code).toBe(0);
      expect(patches(sandboxes)).toEqual([]);
      await set.reset();
    }
    // Some runs ended between the two PATCHes of an integration.
    expect(seen.halves).toBeGreaterThan(0);
  },
);

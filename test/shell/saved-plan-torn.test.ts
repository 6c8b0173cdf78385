import { expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { FIELDS, fleet, fleetYaml, KEY_VARIABLE, readFleet, STATES } from '../support/fleet.ts';
import { type LiveSandbox, liveSandbox } from '../support/live-sandbox.ts';
import { type Program, useProgram } from '../support/program.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';
import { turnstile } from '../support/turnstile.ts';

const INTEGRATIONS = 6;
/** Runs that are torn in each way; in a soak so many that no moment is left out. */
const TORN = seeds(6, 200);

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

/** The place of a server in a plan is its address, so all runs go through one address. */
async function setUp(env: typeof ENV) {
  const { files, ids, names } = fleet(INTEGRATIONS);
  const sandbox = await liveSandbox({ catalog: await tempFolder(files), ids });
  const hook: { tear?: (when: 'before' | 'after') => boolean } = {};
  const isWrite = ({ method }: { method: string }) => method === 'PATCH';
  const way = await turnstile(sandbox.url, {
    before: (passing) => !isWrite(passing) || (hook.tear?.('before') ?? true),
    after: (passing) => !isWrite(passing) || (hook.tear?.('after') ?? true),
  });
  const cwd = await tempFolder({ 'a.yaml': fleetYaml(names, STATES.a) });
  const target = ['-f', 'a.yaml', '--url', way.url];
  const planned = await run(['plan', ...target, '--report', 'json=plan.json'], { cwd, env });
  expect(planned.code).toBe(0);
  return {
    sandbox,
    names,
    hook,
    cwd,
    env,
    args: ['apply', 'plan.json', ...target, '--yes', '--report', 'json'],
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

async function reset({ url }: LiveSandbox, names: readonly string[]): Promise<void> {
  const cwd = await tempFolder({ 'a.yaml': fleetYaml(names, STATES.old) });
  const args = ['apply', '-f', 'a.yaml', '--url', url, '--yes'];
  const old = { ...ADMIN, [KEY_VARIABLE]: String(STATES.old.apiKey) };
  expect((await run(args, { cwd, env: old })).code).toBe(0);
}

test.each(Object.entries(ENDINGS))(
  `torn ${TORN} times by %s, a saved plan is finished by applying it again`,
  { timeout: 900_000 },
  async (_, { env, end }) => {
    const set = await setUp(env);
    const { sandbox, names, cwd, args } = set;
    const seen = { halves: 0 };
    const moments = 4 * INTEGRATIONS;
    for (const index of Array.from({ length: TORN }, (_each, number) => number)) {
      await tornAt(1 + ((index * 5) % moments), end, set);
      const torn = [...(await readFleet(sandbox.url)).values()];
      for (const state of torn)
        for (const field of FIELDS) expect([STATES.old[field], STATES.a[field]]).toContainEqual(state[field]);
      seen.halves += torn.filter(
        ({ autosubscribe, url }) => (autosubscribe === STATES.a.autosubscribe) !== (url === STATES.a.url),
      ).length;

      const applied = await run(args, { cwd, env });
      const [plan] = json<{ servers: ServerPlan<null>[] }>(applied).servers;
      expect([applied.code, plan?.integrations.map(({ outcome }) => outcome)]).toEqual([
        0,
        names.map(() => 'verified'),
      ]);
      const held = await readFleet(sandbox.url);
      expect(names.map((name) => held.get(name))).toEqual(names.map(() => STATES.a));
      sandbox.seen();
      expect((await run(args, { cwd, env })).code).toBe(0);
      expect(sandbox.seen().filter((each) => each.startsWith('PATCH'))).toEqual([]);
      await reset(sandbox, names);
    }
    // Some runs ended between the two PATCHes of an integration.
    expect(seen.halves).toBeGreaterThan(0);
  },
);

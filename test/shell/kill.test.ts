import { expect, test } from 'vitest';
import { turnstile } from '../support/fault-proxy.ts';
import {
  envOf,
  FIELDS,
  readFleet,
  STATES,
  startFleets,
  toldByLog,
} from '../support/fleet.ts';
import { type Program, program } from '../support/program.ts';
import { outcomesOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { sampled, seeds } from '../support/soak.ts';

const SERVERS = ['east', 'west'];
/** On each server. */
const INTEGRATIONS = 3;
const KILLS = seeds(4, 200);

/** The requests of a whole run: login, list, errors, two PATCHes for each integration, read back, errors, logout. */
const REQUESTS = SERVERS.length * (3 + 2 * INTEGRATIONS + 3);

const ENDS: readonly [string, string, readonly NodeJS.Signals[]][] = [
  ['killed', 'the configuration', ['SIGKILL']],
  ['killed', 'a saved plan', ['SIGKILL']],
  ['interrupted twice', 'the configuration', ['SIGINT', 'SIGINT']],
];

test.each(sampled(ENDS, 3))(
  `%s at ${KILLS} moments of an apply of %s on two servers, the next run finishes it`,
  async (_how, what, signals) => {
    const saved = what === 'a saved plan' ? ['plan.json'] : [];
    // A moment is a request by its number, before the service sees it or after it has acted; a second signal is one later.
    const torn: { at: number; passed: number; child?: Program } = {
      at: 0,
      passed: 0,
    };
    const pass = () => {
      torn.passed += 1;
      const signal = torn.at === 0 ? undefined : signals[torn.passed - torn.at];
      if (signal !== undefined) torn.child?.process.kill(signal);
      return torn.at === 0 || torn.passed < torn.at || signals.length > 1;
    };
    const { sandboxes, names, projectOf, cwd, env } = await startFleets(
      INTEGRATIONS,
      {
        servers: SERVERS,
        way: ({ url }) => turnstile(url, { before: pass, after: pass }),
      },
    );
    const old = { cwd: await projectOf(STATES.old), env: envOf(STATES.old) };
    const apply = ['apply', ...saved, '--yes', '--report', 'json'];
    const planned = await run('plan --report json=plan.json', { cwd, env });
    expect(planned.code).toBe(0);
    const seen = { open: new Set<number>(), halves: 0 };
    for (const kill of Array.from({ length: KILLS }, (_each, index) => index)) {
      for (const { exchanges } of sandboxes) exchanges.length = 0;
      Object.assign(torn, {
        at: 1 + Math.floor(((kill + 0.5) * 2 * REQUESTS) / KILLS),
        passed: 0,
      });
      torn.child = program(apply, { cwd, env });
      const code = await torn.child.ended;
      // A signal may come when all is done.
      expect(signals.length > 1 ? [130, 0] : ['SIGKILL']).toContain(code);
      expect(torn.passed).toBeGreaterThanOrEqual(torn.at);
      torn.at = 0;

      const states = await Promise.all(
        sandboxes.map(async ({ url }) => [...(await readFleet(url)).values()]),
      );
      for (const state of states.flat())
        for (const field of FIELDS)
          expect([STATES.old[field], STATES.a[field]]).toContainEqual(
            state[field],
          );
      const [options, attributes] = (['url', 'autosubscribe'] as const).map(
        (field) =>
          states.flat().map((state) => state[field] === STATES.a[field]),
      );
      if (code === 0)
        expect([...(options ?? []), ...(attributes ?? [])]).not.toContain(
          false,
        );
      seen.open.add(attributes?.filter((isDone) => !isDone).length ?? 0);
      seen.halves +=
        options?.filter((isDone, index) => isDone !== attributes?.[index])
          .length ?? 0;

      const applied = await run(apply, { cwd, env });
      const unfinished = outcomesOf(applied).filter(
        (each) => each !== undefined && each !== 'verified',
      );
      expect([applied.code, unfinished]).toEqual([0, []]);
      // What the killed run finished already is not sent again.
      for (const { exchanges } of sandboxes)
        expect(toldByLog(exchanges, names, STATES.a)).toEqual({
          undeclared: [],
          again: [],
          open: [],
        });
      const again = await run(apply, { cwd, env });
      expect([
        again.code,
        outcomesOf(again).filter((each) => each !== undefined),
      ]).toEqual([0, []]);
      expect((await run(['apply', '--yes'], old)).code).toBe(0);
    }
    // The moments were spread over the run: they left different numbers to do, kills also between two PATCHes of an integration.
    expect(seen.open.size).toBeGreaterThan(1);
    if (signals.length === 1) expect(seen.halves).toBeGreaterThan(0);
  },
);

import { expect, test } from 'vitest';
import { type Dialect, OPEN_POINTS } from '../support/dialects.ts';
import { STATES, startFleets, toldByLog } from '../support/fleet.ts';
import { addressesOf, serversOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';

/** Servers that answer every open point in their own way, so that most pairs of answers meet. */
const SERVERS: readonly Dialect[] = Array.from(
  { length: seeds(4, 200) },
  (_, seed) => {
    const { pick } = seeded(seed);
    const answers = Object.entries(OPEN_POINTS).map(([name, all]) => [
      name,
      pick<string>(all),
    ]);
    const dialect: Dialect = {
      ...Object.fromEntries(answers),
      dialect: OPEN_POINTS.dialect[seed % 4],
    };
    // Where the detail shows no options, no address would have a value.
    return dialect.dialect === 'options'
      ? { ...dialect, values: 'everywhere' }
      : dialect;
  },
);

/** A secret that reads as empty, on a server of which nobody said that it hides secrets. */
const EMPTY_SECRET = /\.apiKey\.value$/;

test.each(SERVERS.map((server, at) => ({ ...server, at: at + 1 })))(
  '$at: converges, and writes nothing that is not declared: $dialect, passwords $passwords, flags $flags',
  async ({ at, ...settings }) => {
    const { sandbox, names, cwd, env } = await startFleets(4, {
      settings: { maxPageSize: 3, ...settings },
    });
    // Every second server is written to as it shows itself, the others in all fields.
    const flags = at % 2 === 1 ? [] : ['--write-hidden', 'all'];
    const outputs: string[] = [];
    const attempt = async (...args: readonly string[]) => {
      const result = await run([...args, '--report', 'json'], { cwd, env });
      outputs.push(result.stdout, result.stderr);
      return result;
    };
    const written = () =>
      sandbox.exchanges.filter(({ method }) => method === 'PATCH').length;
    const planned = await attempt('plan', ...flags);
    expect([planned.code, written()]).toEqual([0, 0]);
    const applied = await attempt('apply', '--yes', ...flags);
    expect(applied.code, applied.stderr).toBe(0);
    const writes = written();
    expect(writes).toBe(2 * names.length);
    const { undeclared, again, open } = toldByLog(
      sandbox.exchanges,
      names,
      STATES.a,
    );
    const isAll =
      flags.length > 0 || serversOf(planned)[0]?.summary.left.hidden === 0;
    expect([undeclared, again, open]).toEqual([[], [], isAll ? [] : names]);
    const last = await attempt('plan', '--exit-code');
    const left = addressesOf(last).filter((each) => !EMPTY_SECRET.test(each));
    expect([left, written()]).toEqual([[], writes]);
    expect(outputs.join('')).not.toMatch(
      new RegExp(`${STATES.old.apiKey}|${STATES.a.apiKey}`),
    );
  },
);

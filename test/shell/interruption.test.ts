import { chmod, cp, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withDeadline } from '../support/deadline.ts';
import {
  faultyProxy,
  type PassingHooks,
  turnstile,
} from '../support/fault-proxy.ts';
import { envOf, readFleet, STATES, startFleets } from '../support/fleet.ts';
import {
  PROGRAM,
  type Program,
  type ProgramWish,
  program,
} from '../support/program.ts';
import { codesOf, type Outcome, outcomesOf } from '../support/report.ts';
import { type RunWish, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

/** Six integrations to change, three at a time, in a process of its own and through a turnstile. */
async function setUp(hooks: PassingHooks = {}) {
  const { sandbox, names, cwd, env } = await startFleets(6, {
    way: ({ url }) => turnstile(url, hooks),
  });
  const args = ['apply', '--yes', '--concurrency', '3'];
  return {
    sandbox,
    names,
    cwd,
    env,
    apply: (more: readonly string[] = [], wish: Partial<ProgramWish> = {}) =>
      program([...args, ...more], { cwd, env, ...wish }),
    outcomes: async () => {
      const printed = {
        stdout: await readFile(join(cwd, 'report.json'), 'utf8'),
      };
      return { outcomes: outcomesOf(printed), codes: codesOf(printed) };
    },
    applied: async () => {
      const held = await readFleet(sandbox.url);
      return names.map((name) => held.get(name)?.url === STATES.a.url);
    },
  };
}

/** A promise with its key. */
function latch(): { readonly opened: Promise<void>; open: () => void } {
  const made = { open: () => {} };
  const opened = new Promise<void>((resolve) => {
    made.open = resolve;
  });
  return { opened, open: () => made.open() };
}

/** The text of stderr on one line: it is broken where the terminal ends. */
const flat = (child: Program) => child.stderr().replace(/\s+/g, ' ');
const noTrace = (child: Program) =>
  expect(child.stderr()).not.toMatch(/\n\s+at |node:|Error:/);
const isOptions = ({ path }: { path: string }) =>
  path === '/api/integration-options';
const listed = (names: readonly string[]) => `(${names.join(', ')})`;
const times = <T>(value: T, count: number) =>
  Array.from({ length: count }, () => value);

describe('a signal while changes are written', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGHUP', 143],
  ] as const)(
    '%s: what is in flight ends, the rest is not begun, and both are listed',
    async (signal, code) => {
      const [arrived, released] = [latch(), latch()];
      const waiting = { count: 0 };
      const { apply, outcomes, applied, names, sandbox } = await setUp({
        before: async (passing) => {
          if (!isOptions(passing)) return true;
          waiting.count += 1;
          if (waiting.count === 3) arrived.open();
          await released.opened;
          return true;
        },
      });
      const child = apply(['--report', 'json=report.json']);
      await arrived.opened;
      child.process.kill(signal);
      await child.says('Interrupt again to stop');
      released.open();
      expect(await child.ended).toBe(code);
      expect(await outcomes()).toEqual({
        outcomes: [...times('verified', 3), ...times('not-attempted', 3)],
        codes: ['interrupted'],
      });
      expect(await applied()).toEqual([...times(true, 3), ...times(false, 3)]);
      expect(flat(child)).toContain(
        `Integrations: 3 applied ${listed(names.slice(0, 3))}, 3 not applied ${listed(names.slice(3))}. = If something is left, run the same command again.`,
      );
      expect(sandbox.seen()).toContain('POST /api/users/logout');
      noTrace(child);
    },
  );
  test('a second signal stops at once, and what is known is listed all the same', async () => {
    const arrived = latch();
    const held = { count: 0 };
    const hold = () => {
      held.count += 1;
      if (held.count === 3) arrived.open();
      return false;
    };
    const order: number[] = [];
    const { apply, outcomes, names } = await setUp({
      // The first integration is done. Three others hang: one of them after the service has acted.
      before: (passing) => {
        if (isOptions(passing)) order.push(passing.number);
        return isOptions(passing) &&
          [1, 3].includes(order.indexOf(passing.number))
          ? hold()
          : true;
      },
      after: (passing) => (order.indexOf(passing.number) === 2 ? hold() : true),
    });
    const child = apply(['--report', 'json=report.json']);
    await arrived.opened;
    child.process.kill('SIGINT');
    await child.says('Interrupt again to stop');
    child.process.kill('SIGINT');
    expect(await child.ended).toBe(130);
    expect(flat(child)).toContain('stopping at once.');
    const { outcomes: told, codes } = await outcomes();
    expect([...told].sort()).toEqual([
      ...times('not-attempted', 2),
      ...times('unknown', 4),
    ]);
    expect(codes).toContain('interrupted');
    const [, notApplied = '', unknown = ''] =
      /\d not applied (\([^)]*\)), \d unknown (\([^)]*\))\./.exec(
        flat(child),
      ) ?? [];
    const named = (wanted: Outcome) =>
      names.filter((_, index) => told[index] === wanted);
    expect(notApplied).toBe(listed(named('not-attempted')));
    expect(unknown).toBe(listed(named('unknown')));
    noTrace(child);
  });
  test('a server that asks to wait is not waited for: what it refused so is not applied', async () => {
    const sent = { signal: () => {} };
    const { apply, outcomes, applied, sandbox } = await setUp();
    const headers = { 'retry-after': '50' };
    const busy = await faultyProxy(sandbox.url, ({ path, before }) => {
      if (path !== '/api/integration-options') return undefined;
      if (before === 2) sent.signal();
      return { status: 429, headers };
    });
    const report = ['--report', 'json=report.json'];
    const child = apply([...report, '-f', 'a.yaml', '--url', busy.url]);
    sent.signal = () => child.process.kill('SIGTERM');
    expect(await child.ended).toBe(143);
    expect((await outcomes()).outcomes).toEqual([
      ...times('failed', 3),
      ...times('not-attempted', 3),
    ]);
    expect(await applied()).toEqual(times(false, 6));
  });
});

test('a run whose time is up lists the same', async () => {
  const { child, told } = await withDeadline(
    2,
    async (deadline) => {
      const { apply, outcomes } = await setUp({
        before: (passing) => !isOptions(passing),
      });
      const report = ['--report', 'json=report.json'];
      const child = apply([...report, '--deadline', deadline]);
      await child.ended;
      return { child, told: await outcomes() };
    },
    ({ told }) => told.outcomes.includes('unknown'),
  );
  expect(await child.ended).toBe(5);
  expect(told.outcomes.sort()).toEqual([
    ...times('not-attempted', 3),
    ...times('unknown', 3),
  ]);
  expect(told.codes).toContain('timeout');
  expect(flat(child)).toMatch(
    /--deadline\)\. Integrations: 3 not applied \(unit\d+, .* 3 unknown \(unit\d+, /,
  );
});

test.each([
  ['its options went first', STATES.old, STATES.a, ['options', 'attributes']],
  [
    'nobody is subscribed any more, and its options are next',
    STATES.a,
    STATES.b,
    ['attributes', 'options'],
  ],
])(
  'a signal between the requests of an integration: it is ended, the next not begun; %s',
  async (_, held, wanted, order) => {
    const signal = { send: (_name: 'SIGINT') => {} };
    const written: string[] = [];
    const after: PassingHooks['after'] = ({ method, path }) => {
      if (method !== 'PATCH') return true;
      written.push(isOptions({ path }) ? 'options' : 'attributes');
      if (written.length === 1) signal.send('SIGINT');
      return true;
    };
    const { sandbox, projectOf } = await startFleets(2, {
      way: ({ url }) => turnstile(url, { after }),
    });
    const applied = async (state: typeof held, wish: RunWish = {}) =>
      run(['apply', '--yes', '--concurrency', '1', '--report', 'json'], {
        cwd: await projectOf(state),
        env: envOf(state),
        ...wish,
      });
    if (held !== STATES.old) expect((await applied(held)).code).toBe(0);
    written.length = 0;
    const onStart: RunWish['onStart'] = (send) => {
      signal.send = send;
    };
    expect((await applied(wanted, { onStart })).code).toBe(130);
    expect(written).toEqual(order);
    expect([...(await readFleet(sandbox.url)).values()]).toEqual([
      wanted,
      held,
    ]);
  },
);

describe('a reader that goes away does not tear an apply apart', () => {
  test.each(['stdout', 'stderr'] as const)('%s', async (name) => {
    const gone = { child: undefined as Program | undefined };
    const { apply, applied } = await setUp({
      before: (passing) => {
        if (isOptions(passing)) gone.child?.process[name]?.destroy();
        return true;
      },
    });
    gone.child = apply(['--verbose', '--report', 'json']);
    expect(await gone.child.ended).toBe(0);
    expect(await applied()).toEqual(times(true, 6));
    noTrace(gone.child);
  });
});

describe('a disk that takes no more', () => {
  test.each([
    [
      'stdout on a file that may not grow',
      ['--report', 'json'],
      'ulimit -f 1; exec "$@" > out.json',
    ],
    [
      'a report file that may not grow',
      ['--report', 'json=report.json'],
      'ulimit -f 1; exec "$@"',
    ],
  ])(
    '%s: all is applied, that it was is told on stderr, and the exit code is not 0',
    async (_, more, shell) => {
      const { apply, applied, names, cwd } = await setUp();
      const child = apply(more, { shell });
      expect(await child.ended).toBe(5);
      expect(child.stderr()).toContain('file-unwritable');
      expect(flat(child)).toContain(
        `Integrations: 6 applied ${listed(names)}.`,
      );
      expect(flat(child)).not.toContain('Run the same command');
      expect(await applied()).toEqual(times(true, 6));
      expect(
        (await readdir(cwd)).filter((file) => file.startsWith('report.json')),
      ).toEqual([]);
      noTrace(child);
    },
  );
  test('a report into a folder that is not ours is refused before anything is sent', async () => {
    const { apply, cwd, sandbox } = await setUp();
    await chmod(cwd, 0o555);
    // Root may write anywhere, and another user need not reach the program where it was built.
    const copy = await tempFolder();
    await cp(dirname(PROGRAM), copy, { recursive: true });
    await chmod(copy, 0o755);
    const other =
      process.getuid?.() === 0
        ? { uid: 65_534, path: join(copy, basename(PROGRAM)) }
        : {};
    const child = apply(['--report', 'json=report.json'], other);
    expect(await child.ended).toBe(3);
    expect(child.stderr()).toContain('file-unwritable');
    expect(sandbox.exchanges).toEqual([]);
  });
});

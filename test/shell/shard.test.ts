import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import { startFleets } from '../support/fleet.ts';
import { program } from '../support/program.ts';
import { type RunWish, run } from '../support/run.ts';
import { sampled } from '../support/soak.ts';

// By name they come in another order than in the project.
const SERVERS = ['whale', 'otter', 'heron', 'finch', 'adder'];
const now = () => Date.parse('2026-11-22T12:00:00Z');

/** Five servers, and what runs commands on them. */
async function started(
  wish: Omit<Parameters<typeof startFleets>[1], 'servers'> = {},
) {
  const { sandboxes, cwd, env } = await startFleets(3, {
    ...wish,
    servers: SERVERS,
  });
  const shell = { ...env, PATH: process.env['PATH'] ?? '' };
  const setpoint = (args: readonly string[], own: RunWish = {}) =>
    run(args, { cwd, env: shell, now, ...own });
  /** Runs a command in parts; returns the reports and the exit codes. */
  const inParts = async (count: number, ...args: readonly string[]) => {
    const parts = Array.from({ length: count }, async (_, at) => {
      const name = `part-${at + 1}-of-${count}.json`;
      const { code } = await setpoint([
        ...args,
        '--shard',
        `${at + 1}/${count}`,
        '--report',
        `json=${name}`,
      ]);
      return { name, code };
    });
    return Promise.all(parts);
  };
  const read = async (name: string) =>
    JSON.parse(await readFile(join(cwd, name), 'utf8'));
  return { sandboxes, cwd, env, setpoint, inParts, read };
}

test('a plan in any number of parts merges to the report of one run, in every format', async () => {
  const { setpoint, inParts } = await started();
  const formats = FORMATS.map((format) => ['--report', format]);
  const [whole] = await Promise.all([
    setpoint(['plan', '--exit-code', '--report', 'json']),
  ]);
  const shown = await Promise.all(
    formats.map((each) => setpoint(['plan', ...each])),
  );
  expect(whole.code).toBe(2);
  for (const count of sampled([7, 1, 2, 3], 2)) {
    const parts = await inParts(count, 'plan', '--exit-code');
    const names = parts.map(({ name }) => name).reverse();
    const merged = await Promise.all(
      formats.map((each) => setpoint(['merge', ...names, ...each])),
    );
    expect(merged.map(({ stdout }) => stdout)).toEqual(
      shown.map(({ stdout }) => stdout),
    );
    expect(merged.map(({ code }) => code)).toEqual(formats.map(() => 2));
  }
});

test('an apply in parts of a merged plan brings each server to its state, once', async () => {
  const { sandboxes, setpoint, inParts, read } = await started();
  const plans = await inParts(2, 'plan');
  await setpoint([
    'merge',
    ...plans.map(({ name }) => name),
    '--report',
    'json=plan.json',
  ]);
  const consent = ['--yes', '--allow', 'exposes-secret'];
  const parts = await inParts(3, 'apply', 'plan.json', ...consent);
  expect(parts.map(({ code }) => code)).toEqual([0, 0, 0]);
  const merged = await setpoint([
    'merge',
    ...parts.map(({ name }) => name),
    '--report',
    'json=applied.json',
  ]);
  expect(merged.code).toBe(0);
  const { servers } = await read('applied.json');
  expect(servers.map(({ name }: { readonly name: string }) => name)).toEqual(
    SERVERS,
  );
  const patches = sandboxes.map(
    ({ seen }) => seen().filter((each) => each.startsWith('PATCH')).length,
  );
  expect(patches).toEqual(SERVERS.map(() => 6));
  expect((await setpoint(['plan', '--exit-code'])).code).toBe(0);
});

test.each(['HEAD', '{server}'])(
  'parts with the base %s merge, also if one has no server',
  async (base) => {
    const { setpoint, inParts, cwd } = await started();
    const git = (...args: readonly string[]) =>
      execFileSync(
        'git',
        ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args],
        { cwd },
      );
    await rm(join(cwd, '.git'), { recursive: true });
    git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'first');
    git('branch', 'heron');
    const parts = await inParts(6, 'plan', '--base', base);
    expect(parts.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    const merged = await setpoint([
      'merge',
      ...parts.map(({ name }) => name),
      '--report',
      'json',
    ]);
    const whole = await setpoint(['plan', '--base', base, '--report', 'json']);
    expect([merged.code, merged.stdout]).toEqual([0, whole.stdout]);
  },
);

test('a part of a plan is not applied: another part could be forgotten', async () => {
  const { setpoint, inParts } = await started();
  await inParts(2, 'plan');
  for (const part of [[], ['--shard', '1/2']]) {
    const { code, stderr } = await setpoint([
      'apply',
      'part-1-of-2.json',
      '--yes',
      ...part,
    ]);
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/it is one shard of a\s+plan/),
    ]);
  }
});

test('merge ends with the worst exit code of its parts, and a part that failed is repeated', async () => {
  const { setpoint, inParts, read, env, cwd } = await started();
  const parts = await inParts(2, 'plan');
  const names = parts.map(({ name }) => name);
  const whole = await setpoint(['merge', ...names, '--report', 'json']);
  const again = ['plan', '--shard', '2/2', '--report', `json=${names[1]}`];
  expect(
    (await setpoint(again, { env: { ...env, SETPOINT_PASSWORD: 'wrong' } }))
      .code,
  ).toBe(4);
  expect(
    (await setpoint(['merge', ...names, '--report', 'json=merged.json'])).code,
  ).toBe(4);
  expect(await read('merged.json')).toMatchObject({
    command: 'plan',
    complete: false,
  });
  const killed = program(again, { cwd, env });
  killed.process.kill('SIGKILL');
  expect(await killed.ended).toBe('SIGKILL');
  expect((await setpoint(again)).code).toBe(0);
  expect(await setpoint(['merge', ...names, '--report', 'json'])).toEqual(
    whole,
  );
});

test('reports that are not all parts of one run are refused, with what is wrong', async () => {
  const { setpoint, inParts, cwd } = await started();
  await inParts(3, 'plan');
  await inParts(2, 'plan');
  await setpoint(['plan', '--report', 'json=whole.json']);
  await setpoint([
    'validate',
    '--shard',
    '1/3',
    '--report',
    'json=checked.json',
  ]);
  await writeFile(
    join(cwd, 'b.json'),
    (await readFile(join(cwd, 'part-2-of-3.json'), 'utf8')).replaceAll(
      'whale',
      'snail',
    ),
  );
  const refused = async (...names: readonly string[]) => {
    const { code, stderr } = await setpoint([
      'merge',
      ...names.map((name) => `${name}.json`),
    ]);
    return [code, stderr.replace(/\s+/g, ' ')];
  };
  const [one, two, three] = [1, 2, 3].map((index) => `part-${index}-of-3`) as [
    string,
    string,
    string,
  ];
  const says = (text: string) => [3, expect.stringContaining(text)];
  expect(await refused(three)).toEqual(
    says(`${three}.json cannot be used: other shards are missing: 1, 2.`),
  );
  expect(await refused(one, two, two, three)).toEqual(
    says('shard 2 comes twice'),
  );
  expect(await refused(one, 'b', three)).toEqual(
    says('b.json cannot be used: it has another revision'),
  );
  expect(await refused(one, 'part-2-of-2', three)).toEqual(
    says('it is a shard of another run'),
  );
  expect(await refused(one, 'whole')).toEqual(
    says('whole.json cannot be used: it is no report of plan or apply'),
  );
  expect(await refused(one, 'checked')).toEqual(
    says('checked.json cannot be used: it is no report of plan or apply'),
  );
  expect(await refused(one, 'nowhere')).toEqual(says('nowhere.json'));
});

describe('--shard', () => {
  test.each([
    ['GitLab', { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3' }],
    ['CircleCI', { CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '3' }],
    [
      'Buildkite',
      { BUILDKITE_PARALLEL_JOB: '1', BUILDKITE_PARALLEL_JOB_COUNT: '3' },
    ],
    ['Kubernetes', { JOB_COMPLETION_INDEX: '1', JOB_COMPLETIONS: '3' }],
  ])('auto is the part of a job of %s', async (_, numbers) => {
    const { setpoint, env } = await started();
    const { stdout } = await setpoint(
      ['plan', '--shard', 'auto', '--report', 'json'],
      {
        env: { ...env, ...numbers },
      },
    );
    const { shard, servers } = JSON.parse(stdout);
    expect(shard).toMatchObject({
      index: 2,
      count: 3,
      servers: SERVERS,
      exit: 0,
    });
    // Of adder, finch, heron, otter and whale the second and the fifth.
    expect(servers.map(({ name }: { readonly name: string }) => name)).toEqual([
      'whale',
      'finch',
    ]);
  });
  test.each([
    [['plan', '--shard', '0/3'], 'takes I/N'],
    [['plan', '--shard', '4/3'], 'takes I/N'],
    [['plan', '--shard', 'auto'], 'Set CI_NODE_INDEX with CI_NODE_TOTAL'],
    [['plan', '--shard', '1/2', '--only', 'unit*'], '--shard takes no --only'],
    [
      ['plan', '--shard', '1/2', '--write-hidden', 'unit000.apiKey'],
      '--shard takes no --only',
    ],
    [
      ['plan', '--shard', '1/2', '-f', 'a.yaml', '--url', 'http://127.0.0.1:1'],
      '--shard needs a setpoint.yaml',
    ],
    [
      ['validate', '--shard', '1/2', 'a.yaml'],
      'cannot be combined with named files',
    ],
    [['merge'], 'Missing required argument'],
  ])('%j is refused', async (args, says) => {
    const { cwd } = await startFleets(1, { servers: ['east', 'west'] });
    const { code, stderr } = await run(args, { cwd });
    expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([
      3,
      expect.stringContaining(says),
    ]);
  });
});

test('a stage whose integrations raise errors stops the one after it', async () => {
  const { setpoint, sandboxes, cwd } = await started({ raiseErrors: true });
  const project = await readFile(join(cwd, 'setpoint.yaml'), 'utf8');
  const tiers = project
    .replaceAll('config:', 'labels: { tier: production }, config:')
    .replace('production', 'canary');
  await writeFile(join(cwd, 'setpoint.yaml'), tiers);
  const apply = [
    'apply',
    '--yes',
    '--allow',
    'exposes-secret',
    '--fail-on-errors',
    '--server',
  ];
  expect((await setpoint([...apply, 'tier=canary'])).code).toBe(5);
  const [canary, ...others] = sandboxes.map(({ seen }) =>
    seen().filter((each) => each.startsWith('PATCH')),
  );
  expect([canary?.length, others.flat()]).toEqual([6, []]);
});

test('only some servers are read at a time, and the progress counts them', async () => {
  const { setpoint } = await started();
  const times = { now: now() };
  const clock = () => {
    times.now += 20_000;
    return times.now;
  };
  const { code, stderr } = await setpoint(
    ['plan', '--servers-at-once', '1', '--deadline', '86400'],
    {
      now: clock,
    },
  );
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Reading 5 servers: 3 done, 4 pages +\d+ s$/m),
  ]);
});

import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import { startFleets } from '../support/fleet.ts';
import { program } from '../support/program.ts';
import { type CommandLine, type RunWish, run } from '../support/run.ts';
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
  const setpoint = (line: CommandLine, own: RunWish = {}) =>
    run(line, { cwd, env: shell, now, ...own });
  /** Runs a command in parts; returns the reports and the exit codes. */
  const inParts = async (count: number, command: string) => {
    const parts = Array.from({ length: count }, async (_, at) => {
      const name = `part-${at + 1}-of-${count}.json`;
      const part = `--shard ${at + 1}/${count} --report json=${name}`;
      const { code } = await setpoint(`${command} ${part}`);
      return { name, code };
    });
    return Promise.all(parts);
  };
  /** Merges parts, in a report. */
  const merge = (
    parts: readonly { readonly name: string }[],
    report = 'json',
  ) => {
    const names = parts.map(({ name }) => name).join(' ');
    return setpoint(`merge ${names} --report ${report}`);
  };
  const read = async (name: string) =>
    JSON.parse(await readFile(join(cwd, name), 'utf8'));
  return { sandboxes, cwd, env, setpoint, inParts, merge, read };
}

test('a plan in any number of parts merges to the report of one run, in every format', async () => {
  const { setpoint, inParts, merge } = await started();
  const whole = await setpoint('plan --exit-code --report json');
  const shown = await Promise.all(
    FORMATS.map((format) => setpoint(`plan --report ${format}`)),
  );
  expect(whole.code).toBe(2);
  for (const count of sampled([7, 1, 2, 3], 4)) {
    const parts = await inParts(count, 'plan --exit-code');
    const merged = await Promise.all(
      FORMATS.map((format) => merge(parts.toReversed(), format)),
    );
    expect(merged.map(({ stdout }) => stdout)).toEqual(
      shown.map(({ stdout }) => stdout),
    );
    expect(merged.map(({ code }) => code)).toEqual(FORMATS.map(() => 2));
  }
});

test('an apply in parts of a merged plan brings each server to its state, once', async () => {
  const { sandboxes, setpoint, inParts, merge, read } = await started();
  await merge(await inParts(2, 'plan'), 'json=plan.json');
  const consent = '--yes --allow exposes-secret';
  const parts = await inParts(3, `apply plan.json ${consent}`);
  expect(parts.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect((await merge(parts, 'json=applied.json')).code).toBe(0);
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

test.each(sampled(['{server}', 'HEAD'], 2))(
  'parts with the base %s merge, also if one has no server',
  async (base) => {
    const { setpoint, inParts, merge, cwd } = await started();
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
    const parts = await inParts(6, `plan --base ${base}`);
    expect(parts.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    const merged = await merge(parts);
    const whole = await setpoint(`plan --base ${base} --report json`);
    expect([merged.code, merged.stdout]).toEqual([0, whole.stdout]);
  },
);

test('a part of a plan is not applied: another part could be forgotten', async () => {
  const { setpoint, inParts } = await started();
  await inParts(2, 'plan');
  for (const part of ['', ' --shard 1/2']) {
    const { code, stderr } = await setpoint(
      `apply part-1-of-2.json --yes${part}`,
    );
    expect(code).toBe(3);
    expect(stderr).toMatch(/it is one shard of a\s+plan/);
  }
});

test('merge ends with the worst exit code of its parts, and a part that failed is repeated', async () => {
  const { setpoint, inParts, merge, read, env, cwd } = await started();
  const parts = await inParts(2, 'plan');
  const whole = await merge(parts);
  const again = `plan --shard 2/2 --report json=${parts[1]?.name}`;
  const stranger = { env: { ...env, SETPOINT_PASSWORD: 'wrong' } };
  expect((await setpoint(again, stranger)).code).toBe(4);
  expect((await merge(parts, 'json=merged.json')).code).toBe(4);
  const failed = { command: 'plan', complete: false };
  expect(await read('merged.json')).toMatchObject(failed);
  const killed = program(again.split(' '), { cwd, env });
  killed.process.kill('SIGKILL');
  expect(await killed.ended).toBe('SIGKILL');
  expect((await setpoint(again)).code).toBe(0);
  expect(await merge(parts)).toEqual(whole);
});

test('reports that are not all parts of one run are refused, with what is wrong', async () => {
  const { setpoint, inParts, cwd } = await started();
  await inParts(3, 'plan');
  await inParts(2, 'plan');
  await setpoint(['plan', '--report', 'json=whole.json']);
  await setpoint('validate --shard 1/3 --report json=checked.json');
  const part = await readFile(join(cwd, 'part-2-of-3.json'), 'utf8');
  await writeFile(join(cwd, 'b.json'), part.replaceAll('whale', 'snail'));
  const refused = async (...names: string[]) => {
    const { code, stderr } = await setpoint(
      `merge ${names.map((name) => `${name}.json`).join(' ')}`,
    );
    expect(code).toBe(3);
    return stderr.replace(/\s+/g, ' ');
  };
  const [one, two, three] = ['part-1-of-3', 'part-2-of-3', 'part-3-of-3'];
  const missing = `${three}.json cannot be used: other shards are missing: 1, 2.`;
  expect(await refused(three)).toContain(missing);
  expect(await refused(one, two, two, three)).toContain('shard 2 comes twice');
  expect(await refused(one, 'b', three)).toContain('b.json cannot be used');
  expect(await refused(one, 'part-2-of-2', three)).toContain(
    'its run is another one',
  );
  for (const other of ['whole', 'checked'])
    expect(await refused(one, other)).toContain(
      `${other}.json cannot be used: it is no report of plan or apply`,
    );
  expect(await refused(one, 'nowhere')).toContain('nowhere.json');
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
    const own = { env: { ...env, ...numbers } };
    const { stdout } = await setpoint('plan --shard auto --report json', own);
    const { shard, servers } = JSON.parse(stdout);
    const part = { index: 2, count: 3, servers: SERVERS, exit: 0 };
    expect(shard).toMatchObject(part);
    // Of adder, finch, heron, otter and whale the second and the fifth.
    expect(servers.map(({ name }: { readonly name: string }) => name)).toEqual([
      'whale',
      'finch',
    ]);
  });
  test.each([
    ['plan --shard 0/3', 'takes I/N'],
    ['plan --shard 4/3', 'takes I/N'],
    ['plan --shard auto', 'Set CI_NODE_INDEX with CI_NODE_TOTAL'],
    ['plan --shard 1/2 --only unit*', '--shard takes no --only'],
    ['plan --shard 1/2 --write-hidden a.b', '--shard takes no --only'],
    ['plan --shard 1/2 -f a.yaml --url http://h', 'needs a setpoint.yaml'],
    ['validate --shard 1/2 a.yaml', 'cannot be combined with named files'],
    ['merge', 'Missing required argument'],
  ])('%s is refused', async (line, says) => {
    const { cwd } = await startFleets(1, { servers: ['east', 'west'] });
    const { code, stderr } = await run(line, { cwd });
    expect(code).toBe(3);
    expect(stderr.replace(/\s+/g, ' ')).toContain(says);
  });
});

test('a stage whose integrations raise errors stops the one after it', async () => {
  const { setpoint, sandboxes, cwd } = await started({ raiseErrors: true });
  const project = await readFile(join(cwd, 'setpoint.yaml'), 'utf8');
  const tiers = project
    .replaceAll('config:', 'labels: { tier: production }, config:')
    .replace('production', 'canary');
  await writeFile(join(cwd, 'setpoint.yaml'), tiers);
  const apply = 'apply --yes --allow exposes-secret --fail-on-errors';
  expect((await setpoint(`${apply} --server tier=canary`)).code).toBe(5);
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
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Reading 5 servers: 3 done, 4 pages +\d+ s$/m);
});

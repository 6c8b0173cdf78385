import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Document } from '../../src/core/plan/plan-document.ts';
import {
  ENV,
  entries,
  labels,
  project,
  vt,
} from '../support/branch-project.ts';
import { gitRepository } from '../support/git-repository.ts';
import {
  changesOf,
  codesOf,
  findingsOf,
  outcomeOf,
  serversOf,
} from '../support/report.ts';
import { json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

describe('plan --base', () => {
  test('tells what the branch changed, what drifted, both, and neither', async () => {
    const { planned, attempt, write, drift, git } = await project({
      'base/vt.yaml': vt('a: base, b: base, c: base, d: base'),
    });
    await drift(vt('a: base, b: moved, c: moved, d: head'));
    await write({ 'base/vt.yaml': vt('a: head, b: base, c: head, d: head') });
    const before = git('status', '--porcelain=v2', '--untracked-files=all');
    const result = await planned('--base', 'main');
    expect(labels(result)).toEqual({
      'vt.options.a.value': 'change',
      'vt.options.b.value': 'drift',
      'vt.options.c.value': 'conflict',
      'vt.options.d.value': 'settled',
    });
    expect(json<Document>(result)).toMatchObject({
      base: { ref: 'main', commit: git('rev-parse', 'main').trim() },
      servers: [{ summary: { changes: 3, left: { settled: 1, released: 0 } } }],
    });
    expect(git('status', '--porcelain=v2', '--untracked-files=all')).toBe(
      before,
    );
    await write({ 'plan.json': result.stdout });
    const applied = await attempt('apply plan.json --yes --report json');
    for (const report of [result, applied])
      expect(changesOf(report)).toContainEqual(
        expect.objectContaining({
          label: 'conflict',
          before: 'moved',
          after: 'head',
          base: 'base',
        }),
      );
  });
  test('warns of a layer that is not there at the base', async () => {
    const { write, attempt, sandbox } = await project({
      'base/vt.yaml': vt('a: base'),
    });
    await write({ 'new.yaml': vt('a: base') });
    const result = await attempt(
      `plan --base HEAD --strict --report json -f new.yaml --url ${sandbox.url}`,
    );
    expect(result.code).toBe(3);
    expect(codesOf(result)).toEqual(['revision-incomplete']);
  });
  test('takes a file for changed by its content where git holds it, and by its reference elsewhere', async () => {
    const { planned, write, drift, commit } = await project({
      '.gitignore': 'secret.txt\n',
      'base/vt.yaml': vt('a: "${file:ca.pem}", b: "${file:secret.txt}"'),
      'ca.pem': 'first',
    });
    await drift(vt('a: first, b: one'));
    await write({ 'ca.pem': 'second', 'secret.txt': 'two' });
    const label = async (ref: string) => labels(await planned('--base', ref));
    const expected = {
      'vt.options.a.value': 'change',
      'vt.options.b.value': 'drift',
    };
    expect(await label('HEAD')).toEqual(expected);
    await commit();
    expect(await label('HEAD~1')).toEqual(expected);
    expect(await label('HEAD')).toEqual({
      ...expected,
      'vt.options.a.value': 'drift',
    });
  });
});

describe('a base', () => {
  test('that git does not have is told, with how to fetch it in a shallow clone', async () => {
    const { root, commit, planned } = await project({
      'base/vt.yaml': vt('a: base'),
    });
    expect(codesOf(await planned('--base', 'gone'))).toEqual(['no-revision']);
    const zeros = findingsOf(await planned('--base', '0'.repeat(40)));
    expect(zeros[0]?.hint).toMatch(/applied last/);
    await commit();
    const shallow = await gitRepository();
    shallow.git('fetch', '--quiet', '--depth=1', `file://${root}`, 'main');
    shallow.git('checkout', '--quiet', 'FETCH_HEAD');
    const wish = { cwd: shallow.root, env: ENV };
    // As a pipeline that checks out one commit alone.
    for (const args of [
      ['plan', '--base', 'HEAD~1'],
      ['diff', 'main~1'],
      ['diff', 'origin/main'],
      ['diff', 'origin/{server}'],
    ]) {
      const result = await run([...args, '--report', 'json'], wish);
      expect([result.code, codesOf(result)]).toEqual([3, ['no-revision']]);
      const [{ message = '', hint = '' } = {}] = findingsOf(result);
      expect(message).toContain('shallow clone');
      for (const remedy of [
        'git fetch --unshallow',
        'fetch-depth: 0',
        'GIT_DEPTH: 0',
      ])
        expect(hint).toContain(remedy);
    }
    const found = await run(['diff', 'HEAD'], wish);
    expect([found.code, found.stderr]).toEqual([0, '']);
  });
  test('of each server tells what was not applied there yet, also a secret that was not written', async () => {
    const secret = (name: string, day: string) =>
      vt(`key: { value: "\${env:${name}}", rotated: ${day} }, a: base`);
    const wish = { settings: { passwords: 'masked' as const } };
    const { planned, attempt, commit, drift, git } = await project(
      { 'base/vt.yaml': secret('SETPOINT_OLD', '2026-11-01') },
      wish,
    );
    const applied = 'applied/production';
    git('branch', applied);
    await drift(vt('key: "${env:SETPOINT_OLD}", a: moved'));
    await commit({ 'base/vt.yaml': secret('SETPOINT_NEW', '2026-11-20') });
    const plan = await planned('--base', 'applied/{server}');
    expect(labels(plan)).toEqual({
      'vt.options.key.value': 'change',
      'vt.options.a.value': 'drift',
    });
    const ref = 'applied/{server}';
    expect(json<Document>(plan)).toMatchObject({
      base: { ref },
      servers: [{ base: { ref, commit: git('rev-parse', applied).trim() } }],
    });
    git('branch', '--delete', '--force', applied);
    const first = await planned('--base', 'applied/{server}', '--strict');
    expect([first.code, codesOf(first)]).toEqual([0, ['never-applied']]);
    expect(Object.values(labels(first))).toEqual(['change', 'change']);
    for (const args of [
      ['plan', '--base', 'applied/{name}'],
      ['diff', 'applied/{name}'],
      ['plan', '--live', '{name}.json'],
      ['snapshot', '--out', '{name}.json'],
    ]) {
      const result = await attempt([...args, '--report', 'json']);
      expect([result.code, codesOf(result)]).toEqual([3, ['usage']]);
      expect(findingsOf(result)[0]?.hint).toContain('{server}');
    }
    // Braces of git.
    expect(codesOf(await planned('--base', 'main^{commit}'))).toEqual([]);
  });
  test('is not needed by the apply of a saved plan', async () => {
    const { root, commit, write, attempt } = await project({
      'base/vt.yaml': vt('a: base'),
    });
    await write({ 'base/vt.yaml': vt('a: head') });
    await commit();
    await attempt(['plan', '--base', 'HEAD~1', '--report', 'json=plan.json']);
    const shallow = await gitRepository();
    shallow.git('fetch', '--quiet', '--depth=1', `file://${root}`, 'HEAD');
    shallow.git('checkout', '--quiet', 'FETCH_HEAD');
    expect(shallow.git('rev-list', '--count', 'HEAD').trim()).toBe('1');
    const plan = join(root, 'plan.json');
    const args = ['apply', plan, '--yes', '--report', 'json'];
    const applied = await run(args, { cwd: shallow.root, env: ENV });
    expect(applied.code).toBe(0);
    expect(codesOf(applied)).toEqual([]);
    expect(labels(applied)).toEqual({ 'vt.options.a.value': 'conflict' });
  });
  test('needs a repository, and git', async () => {
    const cwd = await tempFolder({ 'a.yaml': vt('a: base') });
    const result = await run(
      ['diff', 'main', '-f', 'a.yaml', '--report', 'json'],
      { cwd, env: ENV },
    );
    expect(codesOf(result)).toEqual(['no-revision']);
    const { root } = await project({ 'base/vt.yaml': vt('a: base') });
    for (const PATH of ['', 'bin']) {
      const without = await run(['diff', 'main', '--report', 'json'], {
        cwd: root,
        env: { PATH },
      });
      expect(codesOf(without)).toEqual(['no-revision']);
    }
  });
});

test('secrets that the branch changed are written where they cannot be read, and the others are not', async () => {
  const { planned, attempt, write, drift, sandbox } = await project(
    {
      'base/vt.yaml': vt('key: "${env:SETPOINT_OLD}", a: base'),
      'base/us.yaml': entries('us: { match: us_*, options: { a: base } }'),
    },
    { settings: { passwords: 'masked' } },
  );
  await drift(vt('key: "${env:SETPOINT_OLD}", a: base'));
  const count = async (...flags: string[]) => {
    const { summary } =
      serversOf(await planned('--base', 'main', ...flags))[0] ?? {};
    return [summary?.changes, summary?.left.hidden];
  };
  expect(await count()).toEqual([1, 1]);
  await write({
    'base/vt.yaml': vt(
      'key: { value: "${env:SETPOINT_OLD}", rotated: 2026-11-01 }, a: base',
    ),
  });
  expect(await count()).toEqual([2, 0]);
  const saved = await attempt('plan --base main --report json=plan.json');
  expect(saved.code).toBe(0);
  sandbox.seen();
  const applied = await attempt('apply plan.json --yes --report json');
  expect(labels(applied)).toEqual({
    'us.options.a.value': 'drift',
    'vt.options.key.value': 'change',
  });
  expect(serversOf(applied)[0]?.integrations.map(outcomeOf)).toEqual([
    'verified',
    'sent',
  ]);
  expect(
    sandbox.seen().filter((each) => each.startsWith('PATCH')),
  ).toHaveLength(2);
});

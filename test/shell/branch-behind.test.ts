import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FORMATS } from '../../src/core/report/formats.ts';
import {
  ENV,
  entries,
  labels,
  project,
  vt,
} from '../support/branch-project.ts';
import { gitRepository } from '../support/git-repository.ts';
import { addressesOf, baseOf, codesOf, findingsOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

/** A branch and its main, which went on; the branch is checked out. */
async function behind(base: string, branch: string, main: string) {
  const made = await project({ 'base/vt.yaml': base });
  const { git, commit } = made;
  const mergeBase = git('rev-parse', 'HEAD').trim();
  const tip = await commit({ 'base/vt.yaml': main });
  git('checkout', '--quiet', '-b', 'branch', mergeBase);
  await commit({ 'base/vt.yaml': branch });
  const diffed = (...args: readonly string[]) =>
    made.attempt(['diff', ...args, '--report', 'json']);
  return { ...made, mergeBase, tip, diffed };
}

describe('a branch that is behind its base', () => {
  const base = vt('a: base, b: base, c: base');
  const branch = vt('a: head, b: base, c: base');
  const main = vt('a: base, b: main, c: base');

  test('has made its own changes alone, and what it lacks is named', async () => {
    const all = await behind(base, branch, main);
    await all.drift(main);
    const result = await all.planned('--base', 'main');
    expect(labels(result)).toEqual({
      'vt.options.a.value': 'change',
      'vt.options.b.value': 'drift',
    });
    expect(baseOf(result)).toEqual({
      ref: 'main',
      commit: all.mergeBase,
    });
    const [finding] = findingsOf(result);
    expect(finding).toMatchObject({
      code: 'branch-behind',
      severity: 'warning',
      integrations: ['vt'],
    });
    expect(finding?.message).toContain('main has 1 change');
    expect(finding?.message).toContain('vt.options.b.value');
    expect(result.code).toBe(0);
    expect((await all.planned('--base', 'main', '--strict')).code).toBe(3);
    expect((await all.attempt(['diff', 'main'])).code).toBe(0);
    expect((await all.attempt(['diff', 'main', '--strict'])).code).toBe(3);
    const saved = ['apply', '--base', 'main', '--report', 'json'];
    expect(codesOf(await all.attempt(saved))).toEqual(['not-confirmed']);
    expect(codesOf(await all.attempt([...saved, '--yes']))).toEqual([
      'branch-behind',
    ]);
  });
  test('is told nothing once it has merged', async () => {
    const all = await behind(base, branch, main);
    await all.drift(main);
    all.git('merge', '--quiet', '--strategy=ours', 'main', '-m', 'merge');
    await all.commit({ 'base/vt.yaml': vt('a: head, b: main, c: base') });
    const result = await all.planned('--base', 'main', '--strict');
    expect(result.code).toBe(0);
    expect(codesOf(result)).toEqual([]);
    expect(labels(result)).toEqual({ 'vt.options.a.value': 'change' });
    expect(baseOf(result)?.commit).toBe(all.tip);
    // The apply after the merge, and the plan at night.
    all.git('checkout', '--quiet', 'main');
    all.git('merge', '--quiet', '--no-ff', 'branch', '-m', 'merge');
    for (const [ref, label] of [
      ['HEAD~1', 'change'],
      ['HEAD', 'drift'],
    ] as const) {
      const merged = await all.planned('--base', ref, '--strict');
      expect((await all.attempt(['diff', ref, '--strict'])).code).toBe(0);
      expect(codesOf(merged)).toEqual([]);
      expect(labels(merged)).toEqual({ 'vt.options.a.value': label });
    }
  });
  test('lacks nothing that it has in its work tree too', async () => {
    const all = await behind(base, branch, main);
    await all.write({ 'base/vt.yaml': vt('a: head, b: main, c: base') });
    for (const args of [
      ['plan', '--base', 'main'],
      ['diff', 'main'],
    ])
      expect(codesOf(await all.attempt([...args, '--report', 'json']))).toEqual(
        [],
      );
  });
  test('is compared with the merge base by diff, in the work tree and by its name', async () => {
    const { diffed, git, mergeBase, attempt } = await behind(
      base,
      branch,
      main,
    );
    for (const args of [['main'], ['main', 'branch']]) {
      const result = await diffed(...args);
      expect(addressesOf(result)).toEqual(['vt.options.a.value']);
      expect(codesOf(result)).toEqual(['branch-behind']);
      expect(baseOf(result)?.commit).toBe(mergeBase);
    }
    git('tag', 'v1', 'main');
    const [finding] = findingsOf(await diffed('v1', 'branch'));
    expect(finding?.message).toContain('v1 has 1 change that branch lacks');
    // An older revision has made none of the changes of a newer one.
    const older = await diffed('main', mergeBase);
    expect(addressesOf(older)).toEqual([]);
    expect(codesOf(older)).toEqual(['branch-behind']);
    const removed = await attempt('diff branch main --report json');
    expect(addressesOf(removed)).toEqual(['vt.options.b.value']);
  });
  test('is compared with the merge base of its commits, whatever a graft says', async () => {
    const all = await behind(base, branch, main);
    const head = all.git('rev-parse', 'HEAD').trim();
    await all.write({ '.git/info/grafts': `${head} ${all.tip}\n` });
    const result = await all.diffed('main');
    expect(codesOf(result)).toEqual(['branch-behind']);
    expect(baseOf(result)?.commit).toBe(all.mergeBase);
  });
  test('keeps what became a secret on main, and its stricter policy', async () => {
    const all = await behind(
      vt('a: first-sekret'),
      vt('a: second-sekret, b: { permission: lock-and-hide }'),
      vt('a: "${env:SETPOINT_NEW}"'),
    );
    await all.drift(vt('a: live-sekret, b: { permission: user-provides }'));
    for (const format of FORMATS) {
      for (const args of [
        ['plan', '--base', 'main'],
        ['diff', 'main'],
      ]) {
        const result = await all.attempt([...args, '--report', format]);
        expect(result.stdout + result.stderr).not.toContain('sekret');
      }
    }
    all.git('checkout', '--quiet', 'main');
    const servers = `servers: { production: { url: "${all.sandbox.url}", config: [base/] } }`;
    const policy = 'policy: { overrides-users: error }';
    const strict = { 'setpoint.yaml': `version: 1\n${servers}\n${policy}\n` };
    await all.commit(strict);
    all.git('checkout', '--quiet', 'branch');
    expect(codesOf(await all.planned('--base', 'main'))).toContain(
      'risk-refused',
    );
  });
});

test('labels with a ref are those with its merge base, whatever main did since', async () => {
  const all = await project({ 'base/vt.yaml': vt('a: x') });
  const { pick } = seeded(7);
  const KEYS = ['a', 'b', 'c', 'd'] as const;
  const random = () => {
    const options = KEYS.map((key) => [key, pick(['x', 'y', '', 'none'])]);
    const declared = options.filter(([, value]) => value !== 'none');
    return vt(declared.map(([key, value]) => `${key}: "${value}"`).join(', '));
  };
  for (let round = 0; round < seeds(2, 200); round += 1) {
    const [base, main, branch] = [random(), random(), random()];
    all.git('checkout', '--quiet', '-B', 'main');
    const mergeBase = await all.commit({ 'base/vt.yaml': base });
    await all.commit({ 'base/vt.yaml': main });
    all.git('checkout', '--quiet', '-B', 'branch', mergeBase);
    await all.commit({ 'base/vt.yaml': branch });
    const byRef = labels(await all.planned('--base', 'main'));
    const byCommit = await all.planned('--base', mergeBase);
    expect({ base, main, branch, labels: byRef }).toEqual({
      base,
      main,
      branch,
      labels: labels(byCommit),
    });
    expect(codesOf(byCommit)).not.toContain('branch-behind');
  }
});

describe('mistakes that are in commits already', () => {
  const masked = vt('key: "***"');
  const good = vt('key: "${env:SETPOINT_NEW}"');
  test('a value that is wrong at the base keeps no branch from mending it', async () => {
    const all = await project({ 'base/vt.yaml': masked });
    expect(codesOf(await all.planned('--base', 'main'))).toContain(
      'placeholder',
    );
    await all.write({ 'base/vt.yaml': good });
    const planned = await all.planned('--base', 'main');
    expect(planned.code).toBe(0);
    expect(addressesOf(planned)).toEqual(['vt.options.key.value']);
    expect(codesOf(planned)).not.toContain('placeholder');
    const diffed = await all.attempt(['diff', 'main', '--report', 'json']);
    expect([diffed.code, codesOf(diffed)]).toEqual([0, []]);
  });
  test('errors at the tip are told by its name', async () => {
    const base = vt('a: base');
    const all = await behind(base, vt('a: head'), 'version: 2\n');
    const planned = await all.planned('--base', 'main');
    expect(planned.code).toBe(3);
    expect(findingsOf(planned)).toMatchObject([
      {
        code: 'revision-broken',
        message: expect.stringContaining('main:base/vt.yaml'),
      },
    ]);
    const diffed = await all.diffed('main');
    expect([diffed.code, codesOf(diffed)]).toEqual([3, ['revision-broken']]);
  });
  test('a pointer of git to a file that the work tree has is no other content', async () => {
    const pointer =
      'version https://git-lfs.github.com/spec/v1\noid sha256:1\n';
    const all = await project(
      { 'base/vt.yaml': vt('key: "${file:k.pem}"'), 'k.pem': pointer },
      { settings: { passwords: 'masked' } },
    );
    await all.drift(vt('key: "${env:SETPOINT_OLD}"'));
    await all.write({ 'k.pem': 'the key itself' });
    expect(labels(await all.planned('--base', 'HEAD'))).toEqual({});
  });
});

test('a file whose content the base alone changed is named as lacked', async () => {
  const all = await project({
    'base/vt.yaml': vt('key: "${file:k.pem}"'),
    'k.pem': 'an old key',
  });
  const mergeBase = all.git('rev-parse', 'HEAD').trim();
  await all.commit({ 'k.pem': 'another key' });
  all.git('checkout', '--quiet', '-b', 'branch', mergeBase);
  const planned = await all.planned('--base', 'main');
  const behindMain = findingsOf(planned).find(
    ({ code }) => code === 'branch-behind',
  );
  expect(behindMain?.message).toContain('vt.options.key.value');
  await all.write({ 'k.pem': 'another key' });
  expect(codesOf(await all.planned('--base', 'main'))).not.toContain(
    'branch-behind',
  );
});

describe('where there is no merge base', () => {
  test('histories without a commit in common are named, and nothing is to be fetched', async () => {
    const all = await project({ 'base/vt.yaml': vt('a: base') });
    all.git('checkout', '--quiet', '--orphan', 'other');
    await all.commit({ 'base/vt.yaml': vt('a: other') });
    for (const args of [
      ['plan', '--base', 'main'],
      ['diff', 'main', 'other'],
      ['diff', 'nowhere'],
    ]) {
      const result = await all.attempt([...args, '--report', 'json']);
      expect([result.code, codesOf(result)]).toEqual([3, ['no-revision']]);
      expect(JSON.stringify(findingsOf(result))).not.toMatch(
        /unshallow|depth/i,
      );
    }
  });
  test('a shallow clone is to be fetched whole', async () => {
    const { root, git, commit } = await project({ 'base/vt.yaml': vt('a: 1') });
    git('checkout', '--quiet', '-b', 'branch');
    await commit({ 'base/vt.yaml': vt('a: 2') });
    const shallow = await gitRepository();
    const fetch = (...refs: readonly string[]) =>
      shallow.git('fetch', '--quiet', '--depth=1', `file://${root}`, ...refs);
    fetch('main:refs/remotes/origin/main', 'branch');
    shallow.git('checkout', '--quiet', 'FETCH_HEAD');
    shallow.git('checkout', '--quiet', git('rev-parse', 'branch').trim());
    const args = ['diff', 'origin/main', '--report', 'json'];
    const result = await run(args, { cwd: shallow.root, env: ENV });
    expect(codesOf(result)).toEqual(['no-revision']);
    const [{ message = '', hint = '' } = {}] = findingsOf(result);
    expect(message).toContain('shallow clone');
    expect(hint).toContain('fetch-depth: 0');
  });
});

test('what a clone does not have is fetched by the command of the hint', async () => {
  const { root, git } = await project({ 'base/vt.yaml': vt('a: 1') });
  git('branch', 'feat');
  const folder = await tempFolder();
  for (const flag of ['--branch=main', '--depth=1']) {
    const clone = join(folder, flag);
    const flags = ['--quiet', '--single-branch', flag];
    git('clone', ...flags, `file://${root}`, clone);
    const args = ['diff', 'origin/feat', '--report', 'json'];
    const result = await run(args, { cwd: clone, env: ENV });
    expect([result.code, codesOf(result)]).toEqual([3, ['no-revision']]);
    const hint = findingsOf(result)[0]?.hint ?? '';
    const [, command = ''] = /git (fetch .*?'.*?')/.exec(hint) ?? [];
    git('-C', clone, ...command.replaceAll("'", '').split(' '));
    expect((await run(args, { cwd: clone, env: ENV })).code).toBe(0);
  }
});

test('an entry that errs releases nothing', async () => {
  const many = 'options: { a: x, b: x }, autosubscribe: true';
  const all = await project({
    'base/vt.yaml': entries(`vt: { match: vt_*, ${many} }`),
    // Defaults keep the integration in the plan.
    'base/all.yaml': entries(
      'all: { match: "*_1", expect: any, options: { a: x } }',
    ),
  });
  const released = async (vtEntry: string) => {
    await all.write({ 'base/vt.yaml': entries(vtEntry) });
    const result = await all.planned('--base', 'main');
    return Object.entries(labels(result)).flatMap(([address, label]) =>
      label === 'released' ? [address] : [],
    );
  };
  for (const mistake of [
    `vt: { match: tv_*, ${many} }`,
    `vt: { match: "*_1", ${many} }`,
    `renamed: { match: tv_*, ${many} }`,
    `vt: { match: vt_*, ${many} }\n  other: { match: vt_?, options: { a: y } }`,
  ])
    expect([mistake, await released(mistake)]).toEqual([mistake, []]);
  expect(await released('vt: { match: vt_*, options: { a: x } }')).toEqual([
    'vt.autosubscribe',
    'vt.options.b.value',
  ]);
});

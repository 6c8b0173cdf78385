import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Document } from '../../src/core/plan/document.ts';
import { type Files, gitRepository } from '../support/git-repository.ts';
import { type LiveWish, liveSandbox } from '../support/live-sandbox.ts';
import { configuration, option } from '../support/own-catalog.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const ENV = {
  ...ADMIN,
  PATH: process.env['PATH'] ?? '',
  SETPOINT_OLD: 'old-secret',
  SETPOINT_NEW: 'new-secret',
};
const CATALOG = {
  vt_1: configuration(
    option('key', 'password'),
    ...['a', 'b', 'c', 'd'].map((key) => option(key, 'text', 'x')),
  ),
  us_1: configuration(option('a', 'text', 'x')),
};

const entries = (text: string) => `version: 1\nintegrations:\n  ${text}\n`;
const vt = (options: string, name = 'vt') => entries(`${name}: { match: vt_*, options: { ${options} } }`);

/** A repository with a project for one sandbox, and what runs in it; the branch of a test is its work tree. */
async function project(base: Files, wish: LiveWish = {}) {
  const ids = Object.fromEntries(Object.keys(CATALOG).map((id) => [id, id]));
  const catalog = await tempFolder(
    Object.fromEntries(Object.entries(CATALOG).map(([id, text]) => [`${id}.json`, text])),
  );
  const sandbox = await liveSandbox({ catalog, ids, ...wish });
  const setpoint = (rest = '') =>
    `version: 1\nservers:\n  production:\n    url: ${sandbox.url}\n    config: [base/]\n${rest}`;
  const repository = await gitRepository({ 'setpoint.yaml': setpoint(), ...base });
  const attempt = (args: readonly string[], now = Date.now) =>
    run(args, { cwd: repository.root, env: ENV, now });
  const planned = (...args: readonly string[]) => attempt(['plan', '--report', 'json', ...args]);
  /** Brings the server to a configuration that is in no commit. */
  const drift = async (yaml: string) => {
    const cwd = await tempFolder({ 'a.yaml': yaml });
    const { code } = await run(['apply', '--yes', '-f', 'a.yaml', '--url', sandbox.url], { cwd, env: ENV });
    expect(code).toBe(0);
    sandbox.seen();
  };
  return { ...repository, sandbox, setpoint, attempt, planned, drift };
}

const labels = (result: RunResult) =>
  Object.fromEntries(
    json<Document>(result).servers.flatMap(({ integrations }) =>
      integrations.flatMap(({ changes, settled, released }) => [
        ...changes.map(({ address, label }) => [address, label] as const),
        ...settled.map((address) => [address, 'settled'] as const),
        ...released.map((address) => [address, 'released'] as const),
      ]),
    ),
  );
const codes = (result: RunResult) => json<Document>(result).diagnostics.map(({ code }) => code);

describe('plan --base', () => {
  test('tells what the branch changed, what drifted, both, and neither', async () => {
    const { planned, attempt, write, drift, git } = await project({
      'base/vt.yaml': vt('a: base, b: base, c: base, d: base'),
    });
    await drift(vt('a: base, b: moved, c: moved, d: head'));
    await write({ 'base/vt.yaml': vt('a: head, b: base, c: head, d: head') });
    const before = git('status', '--porcelain=v2', '--untracked-files=all');
    const { stdout } = await attempt(['plan', '--base', 'main']);
    expect(stdout.split('\n').filter((line) => /^\w|^ {4}[~+]/.test(line))).toEqual([
      expect.stringMatching(/^production {2}http/),
      expect.stringMatching(/^Compared with main \([0-9a-f]{12}\)\.$/),
      'Changed by this branch',
      '    ~ a.value  base -> head',
      'In conflict: changed by this branch, and on the server too',
      '    ~ c.value  moved -> head',
      'Drift: changed on the server alone',
      '    ~ b.value  moved -> base',
      'Plan: 3 differences in 1 of 1 managed integration: 1 changed by this branch, 1',
      'in conflict, 1 drifted.',
      'Settled: changed by this branch, and live already:',
      expect.stringContaining('Left alone: '),
      expect.stringContaining('Requests: '),
    ]);
    const result = await planned('--base', 'main');
    expect(labels(result)).toEqual({
      'vt.options.a.value': 'change',
      'vt.options.b.value': 'drift',
      'vt.options.c.value': 'conflict',
      'vt.options.d.value': 'settled',
    });
    expect(json<Document>(result).servers[0]).toMatchObject({
      base: { ref: 'main', commit: git('rev-parse', 'main').trim() },
      summary: { changes: 3, labels: { change: 1, conflict: 1, drift: 1, settled: 1, released: 0 } },
    });
    expect(git('status', '--porcelain=v2', '--untracked-files=all')).toBe(before);
  });
  test('is not confused by new names of files, folders, entries and servers', async () => {
    const { planned, write, drift, setpoint } = await project({ 'base/vt.yaml': vt('a: base, b: base') });
    await drift(vt('a: moved, b: base'));
    await write({
      'setpoint.yaml': setpoint().replace('base/', 'layers/*.yaml').replace('production', 'prod'),
      'base/vt.yaml': null,
      'layers/one.yaml': vt('a: base, b: base', 'renamed'),
    });
    expect(labels(await planned('--base', 'HEAD'))).toEqual({ 'renamed.options.a.value': 'drift' });
  });
  test('takes a server that was renamed for the one with its address', async () => {
    const { planned, write, drift, setpoint, sandbox } = await project({ 'base/vt.yaml': vt('a: base') });
    await drift(vt('a: moved'));
    const named = (name: string, url: string) => `  ${name}: { url: "${url}", config: [none/] }\n`;
    const other = named('production', 'https://production.example.com');
    await write({ 'setpoint.yaml': setpoint(other).replace('production:', 'renamed:') });
    const result = await planned('--base', 'HEAD', '--server', 'renamed');
    expect([labels(result), sandbox.seen().length > 0]).toEqual([{ 'vt.options.a.value': 'drift' }, true]);
  });
  test('follows a file or a project that was moved and nothing else', async () => {
    const { git, attempt, drift, root, sandbox } = await project({ 'base/vt.yaml': vt('a: base') });
    await drift(vt('a: moved'));
    git('mv', 'base/vt.yaml', 'base/us.yaml');
    const file = ['plan', '--base', 'HEAD', '--strict', '--report', 'json', '-f', 'base/us.yaml', '--url'];
    const result = await attempt([...file, sandbox.url]);
    expect([result.code, labels(result), codes(result)]).toEqual([0, { 'vt.options.a.value': 'drift' }, []]);
    await mkdir(join(root, 'deep'));
    git('mv', 'setpoint.yaml', 'base', 'deep');
    const moved = ['plan', '--base', 'HEAD', '--strict', '--report', 'json'];
    const deep = await run(moved, { cwd: join(root, 'deep'), env: ENV });
    expect([deep.code, labels(deep), codes(deep)]).toEqual([0, { 'vt.options.a.value': 'drift' }, []]);
  });
  test('warns of a layer that is not there at the base, and of one that may be any of two', async () => {
    const { write, commit, attempt, git, sandbox } = await project({ 'base/vt.yaml': vt('a: base') });
    const plan = async (file: string) => {
      const flags = ['--base', 'HEAD', '--strict', '--report', 'json', '-f', file, '--url', sandbox.url];
      const result = await attempt(['plan', ...flags]);
      return [result.code, codes(result)];
    };
    await write({ 'new.yaml': vt('a: base') });
    expect(await plan('new.yaml')).toEqual([3, ['revision-empty']]);
    const shown = ['plan', '--base', 'HEAD', '-f', 'new.yaml', '--url', sandbox.url];
    expect((await attempt(shown)).stderr).toContain('new.yaml is not there at HEAD');
    await commit({ 'new.yaml': null, 'one.yaml': vt('a: other'), 'two.yaml': vt('a: other') });
    git('mv', 'one.yaml', 'three.yaml');
    expect(await plan('three.yaml')).toEqual([0, []]);
    git('rm', '--quiet', 'two.yaml');
    expect(await plan('three.yaml')).toEqual([3, ['revision-empty']]);
  });
  test('warns of what git does not hold inside a layer: submodules and ignored files, but not new ones', async () => {
    const other = await gitRepository({ 'us.yaml': entries('us: { match: us_*, options: { a: base } }') });
    const { write, git, commit, planned, attempt } = await project({
      '.gitignore': 'made.yaml\n',
      'base/vt.yaml': vt('a: base'),
    });
    git('-c', 'protocol.file.allow=always', 'submodule', 'add', '--quiet', other.root, 'base/sub');
    await commit();
    await write({
      'base/made.yaml': entries('vt: { options: { b: base } }'),
      'base/new.yaml': entries('vt: { options: { c: base } }'),
    });
    const unheld = ['base/made.yaml', 'base/sub'].map((path) =>
      expect.stringContaining(`${path} is not there`),
    );
    const messages = (result: RunResult) => json<Document>(result).diagnostics.map(({ message }) => message);
    const noted = await planned('--base', 'HEAD', '--only-labels', 'drift', '--exit-code', '--strict');
    expect([noted.code, messages(noted)]).toEqual([3, unheld]);
    expect(messages(await attempt(['diff', 'HEAD', '--report', 'json']))).toEqual(unheld);
    expect(messages(await attempt(['diff', 'HEAD', 'HEAD', '--report', 'json']))).toEqual([]);
  });
  test('takes a file that a filter of git checks out otherwise for changed only where it is', async () => {
    const { git, write, commit, attempt, planned } = await project(
      { 'base/vt.yaml': vt('key: "${file:keys/k}"'), '.gitattributes': 'keys/* filter=c\n' },
      { settings: { passwords: 'masked' } },
    );
    git('config', 'filter.c.clean', 'tr a-z b-za');
    git('config', 'filter.c.smudge', 'tr b-za a-z');
    await commit({ 'keys/k': 'first-secret' });
    expect(git('show', 'HEAD:keys/k')).toBe('gjstu-tfdsfu');
    const told = async () => [
      (await attempt(['diff', 'HEAD', '--exit-code'])).code,
      labels(await planned('--base', 'HEAD', '--write-secrets', 'changed')),
    ];
    expect(await told()).toEqual([0, {}]);
    await write({ 'keys/k': 'other-secret' });
    expect(await told()).toEqual([2, { 'vt.options.key.value': 'change' }]);
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
    const expected = { 'vt.options.a.value': 'change', 'vt.options.b.value': 'drift' };
    expect(await label('HEAD')).toEqual(expected);
    await commit();
    expect(await label('HEAD~1')).toEqual(expected);
    expect(await label('HEAD')).toEqual({ ...expected, 'vt.options.a.value': 'drift' });
  });
});

describe('a base', () => {
  test('that git does not have is told, with how to fetch it in a shallow clone', async () => {
    const { root, commit, planned } = await project({ 'base/vt.yaml': vt('a: base') });
    expect(codes(await planned('--base', 'gone'))).toEqual(['unknown-revision']);
    const first = await commit();
    await commit();
    const shallow = await gitRepository();
    shallow.git('fetch', '--quiet', '--depth=1', `file://${root}`, 'main');
    shallow.git('checkout', '--quiet', 'FETCH_HEAD');
    for (const ref of ['HEAD~1', first, 'origin/main']) {
      const result = await run(['diff', ref, '--report', 'json'], { cwd: shallow.root, env: ENV });
      expect([result.code, codes(result)]).toEqual([3, ['unknown-revision']]);
      expect(json<Document>(result).diagnostics[0]?.message).toContain('shallow clone');
    }
    const hint = async (ref: string) =>
      json<Document>(await run(['diff', ref, '--report', 'json'], { cwd: shallow.root, env: ENV }))
        .diagnostics[0]?.hint;
    expect(await hint('v1')).toContain('git fetch --depth=1 origin tag v1');
    expect(await hint('origin/main')).not.toContain('tag');
    // As a pipeline that checks out one commit alone.
    const cloned = await run(['plan', '--base', 'HEAD~1', '--report', 'json'], {
      cwd: shallow.root,
      env: ENV,
    });
    expect([cloned.code, codes(cloned)]).toEqual([3, ['unknown-revision']]);
    for (const remedy of ['git fetch --unshallow', 'fetch-depth: 0', 'GIT_DEPTH: 0'])
      expect(json<Document>(cloned).diagnostics[0]?.hint).toContain(remedy);
    expect(await hint('0'.repeat(40))).toContain('nothing before');
    for (const range of ['main..x', 'main...x']) {
      expect(await hint(range)).toContain('one revision');
      expect(await hint(range)).not.toContain('git fetch');
    }
    const found = await run(['diff', 'HEAD'], { cwd: shallow.root, env: ENV });
    expect([found.code, found.stderr]).toEqual([0, '']);
  });
  test('is taken as it is: what it has and a branch lacks is changed back, or drift since they parted', async () => {
    const { git, commit, planned, drift } = await project({ 'base/vt.yaml': vt('a: old, b: old') });
    git('checkout', '--quiet', '-b', 'feature');
    await commit({ 'base/vt.yaml': vt('a: old, b: new') });
    git('checkout', '--quiet', 'main');
    await commit({ 'base/vt.yaml': vt('a: later, b: old') });
    await drift(vt('a: later, b: old'));
    git('checkout', '--quiet', 'feature');
    const [behind, parted] = ['main', git('merge-base', 'main', 'HEAD').trim()];
    expect(labels(await planned('--base', behind))).toEqual({
      'vt.options.a.value': 'change',
      'vt.options.b.value': 'change',
    });
    expect(labels(await planned('--base', parted))).toEqual({
      'vt.options.a.value': 'drift',
      'vt.options.b.value': 'change',
    });
    // What a pull request checks out: the merge.
    git('checkout', '--quiet', '--detach', 'main');
    git('merge', '--quiet', '--no-commit', '--strategy=ours', 'feature');
    await commit({ 'base/vt.yaml': vt('a: later, b: new') });
    expect(labels(await planned('--base', 'HEAD~1'))).toEqual({ 'vt.options.b.value': 'change' });
  });
  test.each(['', '-', '--upload-pack=x', 'a\u0007b', 'main..main', 'main:base', 'HEAD^{tree}', '$(x)'])(
    '%j is none',
    async (ref) => {
      const { planned } = await project({ 'base/vt.yaml': vt('a: base') });
      expect((await planned(`--base=${ref}`)).code).toBe(3);
    },
  );
  test('with errors is told by the first of them, and so are ours', async () => {
    const { planned, write } = await project({ 'base/vt.yaml': vt('a: 0123') });
    await write({ 'base/vt.yaml': vt('a: head') });
    const result = await planned('--base', 'main');
    expect(json<Document>(result).diagnostics).toEqual([
      expect.objectContaining({
        code: 'revision-broken',
        message: expect.stringContaining('main:base/vt.yaml:3'),
      }),
    ]);
  });
  test('without a project, a server, a layer or a file declares nothing there', async () => {
    const { planned, git, write, setpoint, root, sandbox } = await project({ 'base/vt.yaml': vt('a: head') });
    const all = { 'vt.options.a.value': 'change' };
    git('checkout', '--quiet', '--orphan', 'empty');
    git('rm', '--quiet', '--cached', '-r', '.');
    git('commit', '--quiet', '--allow-empty', '--message', 'empty');
    expect(labels(await planned('--base', 'empty'))).toEqual(all);
    git('add', 'setpoint.yaml');
    git('commit', '--quiet', '--message', 'a project without its layer');
    expect(labels(await planned('--base', 'HEAD'))).toEqual(all);
    await write({
      'setpoint.yaml': setpoint().replace('production', 'other').replace(sandbox.url, 'https://x'),
    });
    git('commit', '--quiet', '--all', '--message', 'another server');
    await write({ 'setpoint.yaml': setpoint() });
    const noted = await planned('--base', 'HEAD', '--verbose');
    expect([labels(noted), codes(noted).sort()]).toEqual([all, ['revision-empty', 'server-released']]);
    const named = ['plan', '-f', 'base/vt.yaml', '--url', sandbox.url, '--report', 'json', '--base', 'HEAD'];
    expect(labels(await run(named, { cwd: root, env: ENV }))).toEqual(all);
  });
  test('warns of a server that is no longer there, where it was selected', async () => {
    const { planned, commit, write, setpoint } = await project({ 'base/vt.yaml': vt('a: x') });
    const other = '  staging: { url: "https://staging.example", config: [base/], labels: { tier: s } }\n';
    await commit({ 'setpoint.yaml': setpoint(other) });
    expect(codes(await planned('--base', 'HEAD', '--server', 'production'))).toEqual([]);
    await write({ 'setpoint.yaml': setpoint() });
    const told = async (...flags: string[]) => {
      const { diagnostics } = json<Document>(await planned('--base', 'HEAD', ...flags));
      return diagnostics.map(({ code, file, line }) => [code, file, line]);
    };
    const warning = ['server-released', 'setpoint.yaml', 2];
    expect(await told()).toEqual([warning]);
    expect(await told('--server', 'production')).toEqual([]);
    const labelled = setpoint('    labels: { tier: s }\n');
    await write({ 'setpoint.yaml': labelled });
    expect(await told('--server', 'tier=s', '--server', 'production')).toEqual([warning]);
    await write({ 'setpoint.yaml': setpoint(other.replace('staging:', 'test:')) });
    expect(await told('--server', 'production')).toEqual([]);
  });
  test('needs a repository, and git', async () => {
    const cwd = await tempFolder({ 'a.yaml': vt('a: base') });
    const result = await run(['diff', 'main', '-f', 'a.yaml', '--report', 'json'], { cwd, env: ENV });
    expect(codes(result)).toEqual(['no-repository']);
    const { root } = await project({ 'base/vt.yaml': vt('a: base') });
    for (const PATH of ['', '.', 'bin', `${root}/bin`])
      expect(codes(await run(['diff', 'main', '--report', 'json'], { cwd: root, env: { PATH } }))).toEqual([
        'git-missing',
      ]);
  });
  test('is read through its links, as the work tree is, and no further', async () => {
    const { root, commit, attempt } = await project({
      'base/vt.yaml': vt('a: base'),
      'shared/us.yaml': entries('us: { match: us_*, options: { a: base } }'),
    });
    await symlink('../shared/us.yaml', join(root, 'base/us.yaml'));
    await symlink('..', join(root, 'shared/up'));
    await symlink('../shared', join(root, 'base/shared'));
    await commit();
    expect((await attempt(['diff', 'HEAD'])).stdout).toContain('No differences.');
    await symlink('../../outside.yaml', join(root, 'base/outside.yaml'));
    await symlink('loop.yaml', join(root, 'base/loop.yaml'));
    await symlink('/etc/hostname', join(root, 'base/host.yaml'));
    await commit();
    const { code, stdout } = await attempt(['diff', 'HEAD', 'HEAD~1', '--report', 'json']);
    expect([code, codes({ stdout } as RunResult)]).toEqual([0, []]);
  });
});

describe('secrets that the branch changed', () => {
  const passwords = { settings: { passwords: 'masked' } } as const;
  test('are written where they cannot be read, and the others are not', async () => {
    const { planned, attempt, write, drift, sandbox } = await project(
      {
        'base/vt.yaml': vt('key: "${env:SETPOINT_OLD}", a: base'),
        'base/us.yaml': entries('us: { match: us_*, options: { a: base } }'),
      },
      passwords,
    );
    await drift(vt('key: "${env:SETPOINT_OLD}", a: base'));
    const count = async (...flags: string[]) => {
      const { summary } = json<Document>(await planned('--base', 'main', ...flags)).servers[0] ?? {};
      return [summary?.labels?.change, summary?.cannotTell];
    };
    expect(await count('--write-secrets', 'changed')).toEqual([0, 1]);
    await write({
      'base/vt.yaml': vt('key: { value: "${env:SETPOINT_OLD}", rotated: 2026-11-01 }, a: base'),
    });
    expect(await count()).toEqual([0, 1]);
    expect(await count('--write-secrets', 'changed')).toEqual([1, 0]);
    const flags = ['--base', 'main', '--write-secrets', 'changed', '--only-labels', 'change'];
    const saved = await attempt(['plan', ...flags, '--report', 'json=plan.json']);
    expect(saved.code).toBe(0);
    sandbox.seen();
    const applied = await attempt(['apply', 'plan.json', '--yes', '--report', 'json']);
    expect(labels(applied)).toEqual({ 'vt.options.key.value': 'change' });
    expect(json<Document>(applied).servers[0]?.integrations.map(({ outcome }) => outcome)).toEqual([
      undefined,
      'sent',
    ]);
    expect(sandbox.seen().filter((each) => each.startsWith('PATCH'))).toHaveLength(1);
  });
});

describe('what was a secret at the base', () => {
  const SECRET = '"${env:SETPOINT_OLD}"';
  const FORMATS = ['json', 'markdown', 'html', 'sarif', 'junit', 'github', 'gitlab'];
  const branch = async (base: string, head: string) => {
    const all = await project({ 'base/vt.yaml': vt(base) });
    expect((await all.attempt(['apply', '--yes'])).code).toBe(0);
    await all.write({ 'base/vt.yaml': vt(head) });
    return all;
  };
  test.each([
    [`a: { value: ${SECRET}, sensitive: true }`, 'a: head'],
    [`a: ${SECRET}`, 'a: head'],
    [`a: ${SECRET}`, 'a: { value: head, sensitive: false }'],
    [`a: { value: ${SECRET}, sensitive: false }`, 'a: { value: head, sensitive: false }'],
  ])('is in no report, nor is it elsewhere: %s, then %s', async (base, head) => {
    const all = await branch(base, head);
    await all.drift(vt(`b: "is old-secret"`));
    await all.write({ 'base/vt.yaml': vt(`${head}, b: base`) });
    const reports = FORMATS.flatMap((each) => ['--report', `${each}=plan.${each}`]);
    const { code, stdout, stderr } = await all.attempt(['plan', '--base', 'main', ...reports]);
    expect(code).toBe(0);
    expect(stdout).toContain('a.value  (sensitive) -> (sensitive)');
    const files = FORMATS.map((each) => readFile(join(all.root, `plan.${each}`), 'utf8'));
    for (const text of [stdout, stderr, ...(await Promise.all(files))])
      expect(text).not.toContain('old-secret');
    expect((await all.planned('--base', 'main')).stdout).toContain('"sensitive": true');
  });
  test.each([
    [`a: { value: ${SECRET}, sensitive: true, permission: lock-and-hide }`],
    [`a: { value: ${SECRET}, permission: lock-and-hide }`],
  ])('is shown to users only where that is accepted: %s', async (base) => {
    const { attempt, planned, root, write } = await branch(base, 'a: { permission: lock-and-show }');
    expect(codes(await planned('--base', 'main'))).toEqual(['risk-refused']);
    expect((await attempt(['diff', 'main'])).stdout).toContain('exposes-secret');
    expect((await attempt(['apply', '--base', 'main', '--yes'])).code).toBe(6);
    const saved = ['apply', 'plan.json', '--yes'];
    await attempt(['plan', '--base', 'main', '--report', 'json=plan.json']);
    expect((await attempt(saved)).code).toBe(6);
    const plan = await readFile(join(root, 'plan.json'), 'utf8');
    await write({ 'plan.json': plan.replaceAll('"exposes-secret"', '') });
    expect((await attempt(saved)).code).toBe(6);
    expect((await attempt([...saved, '--allow', 'exposes-secret'])).code).toBe(0);
  });
});

describe('a file of a secret that the branch changed', () => {
  test('is written where it cannot be read', async () => {
    const { planned, write } = await project(
      { 'base/vt.yaml': vt('key: "${file:key.enc}"'), 'key.enc': 'first-secret' },
      { settings: { passwords: 'masked' } },
    );
    const flags = ['--base', 'HEAD', '--write-secrets', 'changed'];
    expect(labels(await planned(...flags))).toEqual({});
    await write({ 'key.enc': 'second-secret' });
    expect(labels(await planned(...flags))).toEqual({ 'vt.options.key.value': 'change' });
  });
});

describe('waivers', () => {
  const WAIVED = 'waivers:\n  - { address: vt.a, until: 2026-12-31, reason: slow }\n';
  const on = (day: string) => () => Date.parse(`${day}T23:59:59Z`);
  test('leave a difference alone until the end of their last day', async () => {
    const { setpoint, write, drift, attempt } = await project({ 'base/vt.yaml': vt('a: base') });
    await drift(vt('a: moved'));
    await write({ 'setpoint.yaml': setpoint(WAIVED) });
    const plan = async (day: string) => attempt(['plan', '--report', 'json'], on(day));
    const before = await plan('2026-12-31');
    expect([labels(before), codes(before)]).toEqual([{}, []]);
    expect(json<Document>(before).servers[0]?.integrations[0]?.waived).toEqual(['vt.options.a.value']);
    const after = await plan('2027-01-01');
    expect([labels(after), codes(after)]).toEqual([{ 'vt.options.a.value': 'change' }, ['waiver-over']]);
  });
  test('do not hold back what the branch itself changes', async () => {
    const { setpoint, write, drift, planned } = await project({ 'base/vt.yaml': vt('a: base') });
    await drift(vt('a: base'));
    await write({ 'setpoint.yaml': setpoint(WAIVED), 'base/vt.yaml': vt('a: head') });
    expect(labels(await planned('--base', 'HEAD'))).toEqual({ 'vt.options.a.value': 'change' });
  });
});

test('a conflict holds what the base declares', async () => {
  const { write, drift, planned } = await project({ 'base/vt.yaml': vt('a: base') });
  await drift(vt('a: moved'));
  await write({ 'base/vt.yaml': vt('a: head') });
  const [server] = json<Document>(await planned('--base', 'HEAD')).servers;
  expect(server?.integrations[0]?.changes).toMatchObject([
    { label: 'conflict', before: 'moved', after: 'head', base: 'base' },
  ]);
});

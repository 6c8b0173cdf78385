import { rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Document } from '../../src/core/plan/plan-document.ts';
import { FORMATS } from '../../src/core/report/formats.ts';
import { gitRepository } from '../support/git-repository.ts';
import { configuration, option } from '../support/live-sandbox.ts';
import { json, run } from '../support/run.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };
const setpoint = (servers: string, rest = '') =>
  `version: 1\nservers:\n${servers}${rest}`;
const server = (name: string, url: string, layer = 'base/') =>
  `  ${name}: { url: "${url}", config: [${layer}] }\n`;
const vt = (options: string) =>
  `version: 1\nintegrations:\n  vt: { match: vt_*, options: { ${options} } }\n`;

const STAGING = server('staging', 'https://staging.example.com');

async function repository() {
  const made = await gitRepository({
    'setpoint.yaml': setpoint(STAGING),
    'base/vt.yaml': vt('timeout: 5'),
  });
  const diff = (...args: readonly string[]) =>
    run(['diff', ...args], { cwd: made.root, env: ENV });
  const documentOf = async (...args: readonly string[]) =>
    json<Document>(await diff(...args, '--report', 'json'));
  const changes = async (...args: readonly string[]) => {
    const all: unknown[][] = [];
    for (const { name, integrations } of (await documentOf(...args)).servers)
      for (const each of integrations)
        for (const { address, before, after } of each.changes)
          all.push([name, address, before, after]);
    return all;
  };
  return { ...made, diff, documentOf, changes };
}

describe('diff', () => {
  test('compares a revision with the work tree, or with another one', async () => {
    const { diff, documentOf, changes, write, commit, git } =
      await repository();
    await write({ 'base/vt.yaml': vt('timeout: 6') });
    const before = git('status', '--porcelain=v2');
    expect((await diff('main', '--exit-code')).code).toBe(2);
    expect(git('status', '--porcelain=v2')).toBe(before);
    expect((await diff('main', 'HEAD', '--exit-code')).code).toBe(0);
    const first = git('rev-parse', 'HEAD').trim();
    await commit();
    expect(await changes('HEAD~1', '-f', 'base')).toEqual([
      ['configuration', 'vt.options.timeout.value', 5, 6],
    ]);
    expect(await changes('HEAD~1')).toEqual([
      ['staging', 'vt.options.timeout.value', 5, 6],
    ]);
    const document = await documentOf('HEAD~1', 'HEAD');
    const [shown] = document.servers[0]?.integrations ?? [];
    expect([document.command, document.base, shown?.changes[0]]).toMatchObject([
      'diff',
      { ref: 'HEAD~1', commit: first },
      { label: 'change', source: { file: 'base/vt.yaml', line: 3 } },
    ]);
  });
  test('names the base that it lacks, and the branch of the remote that was probably meant', async () => {
    const { diff, documentOf, git } = await repository();
    expect((await diff()).code).toBe(3);
    git('update-ref', 'refs/remotes/origin/release', 'HEAD');
    const { diagnostics } = await documentOf('release');
    expect(diagnostics).toMatchObject([
      {
        code: 'no-revision',
        message: 'There is no revision release, but origin/release.',
      },
    ]);
  });
  test('shows in no format what a branch moves out of the YAML', async () => {
    const { diff, write, commit } = await repository();
    await write({ 'base/vt.yaml': vt('host: OldClear-Sekret-1') });
    await commit();
    await write({ 'base/vt.yaml': vt('host: "${env:SETPOINT_TL2}"') });
    for (const format of FORMATS) {
      const { code, stdout, stderr } = await diff('HEAD', '--report', format);
      expect(code).toBe(0);
      expect(stdout + stderr).toEqual(expect.not.stringContaining('Sekret'));
      expect(stdout).toContain('host');
    }
    await commit();
    expect((await diff('HEAD', 'HEAD~1')).stdout).not.toContain('Sekret');
  });
  test('has servers that are new or gone whole, and says what setpoint.yaml loosens', async () => {
    const { write, changes, diff, documentOf } = await repository();
    const other = server('production', 'https://production.example.com');
    await write({ 'setpoint.yaml': setpoint(other) });
    expect(await changes('main')).toEqual([
      ['production', 'vt.match', null, 'vt_*'],
      ['production', 'vt.options.timeout.value', null, 5],
      ['staging', 'vt.match', 'vt_*', null],
      ['staging', 'vt.options.timeout.value', 5, null],
    ]);
    expect((await changes('main', '--server', 'staging')).length).toBe(2);
    expect((await diff('main', '--server', 'nobody')).code).toBe(3);
    const moved = setpoint(STAGING.replace('staging.', 'other.'));
    await write({ 'setpoint.yaml': moved });
    const [loosened] = (await documentOf('main')).diagnostics;
    const kind = { code: 'loosened', severity: 'warning' };
    expect(loosened).toMatchObject(kind);
    expect(loosened?.message).toContain(
      'url: https://staging.example.com -> https://other.example.com',
    );
    expect((await diff('main', '--strict')).code).toBe(0);
    expect((await diff('main', '--exit-code')).code).toBe(2);
  });
  test('sees that the content of a referenced file changed, and never shows it', async () => {
    const { commit, write, diff } = await repository();
    const head = { 'base/vt.yaml': vt('ca: "${file:keys/ca.pem}"') };
    await commit({ ...head, 'keys/ca.pem': 'first-content\n' });
    await write({ 'keys/ca.pem': 'first-content\r\n' });
    expect((await diff('HEAD', '--exit-code')).code).toBe(0);
    await write({ 'keys/ca.pem': 'second-content\n' });
    const { code, stdout } = await diff('HEAD', '--exit-code');
    expect(code).toBe(2);
    expect(stdout).toContain('${file:keys/ca.pem} (changed)');
    expect(stdout).not.toMatch(/(first|second)-content/);
  });
  test('says which side has an error', async () => {
    const { write, commit, documentOf } = await repository();
    const codeOf = async (base: string) =>
      (await documentOf(base)).diagnostics.map(({ code }) => code).join();
    await write({ 'base/vt.yaml': vt('timeout: 0123') });
    expect(await codeOf('main')).toBe('ambiguous-scalar');
    await commit();
    await write({ 'base/vt.yaml': vt('timeout: 1') });
    expect(await codeOf('HEAD')).toBe('revision-broken');
  });
  test('says what to do about the first error of a revision: a layer behind a link', async () => {
    const { root, commit, documentOf } = await repository();
    await rename(join(root, 'base'), join(root, 'shared'));
    await symlink('shared', join(root, 'base'));
    await commit();
    expect((await documentOf('HEAD')).diagnostics).toMatchObject([
      {
        code: 'revision-broken',
        message: expect.stringMatching(/path that the link leads to/),
      },
    ]);
  });
  test('ends with 6 for a password that all users would see, by a catalog or the schema that pull left', async () => {
    const { root, write, commit, diff } = await repository();
    await commit({
      'catalog/vt.json': configuration(option('pin', 'password')),
      'base/vt.yaml': vt('pin: { permission: lock-and-hide }'),
    });
    await write({ 'base/vt.yaml': vt('pin: { permission: lock-and-show }') });
    expect((await diff('HEAD')).code).toBe(0);
    const byCatalog = ['HEAD', '--catalog', 'catalog'];
    expect((await diff(...byCatalog)).code).toBe(6);
    const allowed = await diff(...byCatalog, '--allow', 'exposes-secret');
    expect(allowed.code).toBe(0);
    const wish = { cwd: root, env: ENV };
    const schema = await run('schema --catalog catalog', wish);
    await write({ 'schemas/server.schema.json': schema.stdout });
    expect((await diff('HEAD')).code).toBe(6);
  });
});

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EntryDiff, ServerDiff } from '../../src/core/diff/revision-diff.ts';
import { FORMATS } from '../../src/core/report/formats.ts';
import { gitRepository } from '../support/git-repository.ts';
import { json, run } from '../support/run.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };
const setpoint = (servers: string) => `version: 1\nservers:\n${servers}`;
const server = (name: string, url: string, layer = 'base/') =>
  `  ${name}: { url: "${url}", config: [${layer}] }\n`;
const vt = (options: string) => `version: 1\nintegrations:\n  vt: { match: vt_*, options: { ${options} } }\n`;

const STAGING = server('staging', 'https://staging.example.com');

async function repository() {
  const made = await gitRepository({ 'setpoint.yaml': setpoint(STAGING), 'base/vt.yaml': vt('timeout: 5') });
  const diff = (...args: readonly string[]) => run(['diff', ...args], { cwd: made.root, env: ENV });
  const servers = async (...args: readonly string[]) =>
    json<{ servers: ServerDiff[] }>(await diff(...args, '--report', 'json')).servers;
  return { ...made, diff, servers };
}

describe('diff', () => {
  test('compares with the work tree, or with another revision, and says with which', async () => {
    const { diff, write, commit, git } = await repository();
    await write({ 'base/vt.yaml': vt('timeout: 6') });
    const before = git('status', '--porcelain=v2');
    const { code, stdout, stderr } = await diff('main', '--exit-code');
    expect([code, stderr, git('status', '--porcelain=v2')]).toEqual([2, '', before]);
    expect(stdout).toMatch(/^From main \([0-9a-f]{12}\) to the work tree\.\n/);
    expect(stdout).toContain('    ~ timeout.value  5 -> 6\n');
    expect((await diff('main', 'HEAD', '--exit-code')).code).toBe(0);
    const second = await commit();
    expect((await diff('HEAD~1', second)).stdout).toMatch(/^From HEAD~1 \(\w+\) to [0-9a-f]{12}\.\n/);
    expect((await diff(second, 'HEAD~1')).stdout).toContain('    ~ timeout.value  6 -> 5\n');
  });
  test('says once why a value is hidden, and how to show one that is no secret', async () => {
    const { diff, write } = await repository();
    await write({ 'base/vt.yaml': vt('timeout: 6') });
    expect((await diff('main')).stdout).not.toContain('hidden');
    await write({ 'base/vt.yaml': vt('apiKey: one, token: two') });
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await diff('main', '--report', format);
      expect(stdout.split('What is hidden is a secret')).toHaveLength(2);
    }
  });
  test('shows in no format what a branch moves out of the YAML', async () => {
    const { diff, write, commit } = await repository();
    await write({ 'base/vt.yaml': vt('host: OldClear-Sekret-1') });
    await commit();
    await write({ 'base/vt.yaml': vt('host: "${env:SETPOINT_TL2}"') });
    for (const format of FORMATS.split(', ')) {
      const { code, stdout, stderr } = await diff('HEAD', '--report', format);
      expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining('Sekret')]);
      expect(stdout).toContain('host');
    }
    await commit();
    expect((await diff('HEAD', 'HEAD~1')).stdout).not.toContain('Sekret');
  });
  test('tells of servers that are new, gone or elsewhere, and narrows to some', async () => {
    const { write, servers, diff } = await repository();
    const other = server('production', 'https://production.example.com');
    await write({ 'setpoint.yaml': setpoint(`${other}${STAGING.replace('staging.', 'other.')}`) });
    const found = await servers('main');
    expect(found.map(({ name, change, url, entries }) => [name, change, url, entries.length])).toEqual([
      ['production', 'added', { after: 'https://production.example.com' }, 1],
      ['staging', 'kept', { before: 'https://staging.example.com', after: 'https://other.example.com' }, 0],
    ]);
    expect((await servers('main', '--server', 'staging')).map(({ name }) => name)).toEqual(['staging']);
    expect((await diff('main', '--server', 'nobody')).code).toBe(3);
    await write({ 'setpoint.yaml': setpoint(other) });
    expect((await servers('main')).map(({ name, change }) => [name, change])).toEqual([
      ['production', 'added'],
      ['staging', 'released'],
    ]);
  });
  test.each([
    ['text', '1 difference in 1 entry'],
    ['markdown', '## setpoint diff: 1 difference\n'],
    ['html', '<h1>Diff: 1 difference on '],
    ['github', '::warning file=setpoint.yaml,line=3,'],
    ['gitlab', '"severity": "major"'],
    ['sarif', '"level": "warning"'],
    ['junit', 'setpoint.yaml:3:'],
  ])('counts in %s where credentials go, and warns at the line of the server', async (format, head) => {
    const { write, diff } = await repository();
    await write({ 'none.yaml': 'version: 1\nintegrations: {}\n' });
    const told = async (servers: string) => {
      await write({ 'setpoint.yaml': setpoint(servers) });
      const { code, stdout } = await diff('main', '--exit-code', '--report', format);
      expect(code).toBe(2);
      expect(stdout).toContain(head);
      return stdout;
    };
    expect(await told(STAGING.replace('staging.', 'other.'))).toContain('credentials go to another address');
    const added = server('production', 'https://production.example.com', 'none.yaml');
    expect(await told(added + STAGING)).toContain('credentials go to a new server');
  });
  test.each([
    ['another file', ', tls: { caFile: b.pem }', undefined, 'changed servers.staging.tls a.pem b.pem true'],
    ['none', '', undefined, 'released servers.staging.tls a.pem none true'],
    [
      'another content',
      ', tls: { caFile: a.pem }',
      'B',
      /^changed servers\.staging\.tls a\.pem \(\w{12}\) a\.pem \(\w{12}\) true$/,
    ],
    [
      'the same content in another file',
      ', tls: { caFile: c.pem }',
      undefined,
      'changed servers.staging.tls a.pem c.pem false',
    ],
  ])('tells that a server trusts %s', async (_, tls, content, expected) => {
    const own = (rest: string) => setpoint(STAGING.replace(' }\n', `${rest} }\n`));
    const made = await gitRepository({
      'setpoint.yaml': own(', tls: { caFile: a.pem }'),
      'base/vt.yaml': vt('timeout: 5'),
      'a.pem': 'A',
      'b.pem': 'B',
      'c.pem': 'A',
    });
    await made.write({ 'setpoint.yaml': own(tls), ...(content === undefined ? {} : { 'a.pem': content }) });
    const result = await run(['diff', 'main', '--exit-code', '--report', 'json'], {
      cwd: made.root,
      env: ENV,
    });
    const { project } = json<{ project: EntryDiff[] }>(result);
    const found = project.flatMap((entry) =>
      entry.fields.map(
        ({ address, change, before, after, isWeaker }) =>
          `${change} ${address} ${before?.value ?? 'none'} ${after?.value ?? 'none'} ${isWeaker === true}`,
      ),
    );
    expect([result.code, found]).toEqual([2, [expect.stringMatching(expected)]]);
  });
  test('takes a server for the same by its address, else by its name, as plan does', async () => {
    const { write, servers, diff } = await repository();
    await write({ 'setpoint.yaml': setpoint(server('test', 'https://staging.example.com/')) });
    const names = (found: readonly ServerDiff[]) =>
      found.map(({ name, was, change, entries }) => [name, was, change, entries.length]);
    expect(names(await servers('main'))).toEqual([['test', 'staging', 'kept', 0]]);
    for (const name of ['test', 'staging'])
      expect(names(await servers('main', '--server', name))).toEqual([['test', 'staging', 'kept', 0]]);
    expect((await diff('main')).stdout).toContain('test  (was staging)\n');
  });
  test('goes by addresses where two servers have swapped their names', async () => {
    const { write, commit, servers } = await repository();
    const both = (one: string, other: string) =>
      setpoint(server(one, 'https://a.example.com', 'a/') + server(other, 'https://b.example.com', 'b/'));
    await commit({
      'setpoint.yaml': both('one', 'two'),
      'a/vt.yaml': vt('timeout: 1'),
      'b/vt.yaml': vt('timeout: 2'),
    });
    await write({ 'setpoint.yaml': both('two', 'one') });
    expect((await servers('HEAD')).map(({ name, was, entries }) => [name, was, entries])).toEqual([
      ['one', 'two', []],
      ['two', 'one', []],
    ]);
    expect((await servers('HEAD', '--server', 'two')).map(({ was }) => was)).toEqual(['one']);
  });
  test('warns where a name, and its credentials, take the server of another', async () => {
    const { commit, write, diff, servers } = await repository();
    const production = server('production', 'https://production.example.com');
    await commit({ 'setpoint.yaml': setpoint(production + STAGING) });
    await write({
      'setpoint.yaml': setpoint(server('production', 'https://staging.example.com')),
    });
    const { code, stdout } = await diff('HEAD', '--exit-code', '--report', 'github');
    expect([code, stdout]).toEqual([2, expect.stringContaining('::warning file=setpoint.yaml,line=3,')]);
    expect(stdout).toContain('credentials go to another address');
    expect((await servers('HEAD')).map(({ name, change }) => [name, change])).toEqual([
      ['https://production.example.com', 'released'],
      ['production', 'kept'],
    ]);
  });
  test('tells that the content of a referenced file changed, and never shows it', async () => {
    const { commit, write, diff } = await repository();
    const head = { 'base/vt.yaml': vt('ca: "${file:keys/ca.pem}"') };
    await commit({ ...head, 'keys/ca.pem': 'first-content\n' });
    expect((await diff('HEAD', '--exit-code')).code).toBe(0);
    await write({ 'keys/ca.pem': 'first-content\r\n' });
    expect((await diff('HEAD', '--exit-code')).code).toBe(0);
    await write({ 'keys/ca.pem': 'second-content\n' });
    const { code, stdout } = await diff('HEAD', '--exit-code');
    expect([code, stdout]).toEqual([2, expect.stringContaining('(the content of the file changed)')]);
    const { stdout: document } = await diff('HEAD', '--report', 'json');
    expect(`${stdout}${document}`).not.toMatch(/content\n|(first|second)-content/);
  });
  test('follows a file that was moved and nothing else, also between two revisions', async () => {
    const { git, commit, servers } = await repository();
    git('mv', 'base/vt.yaml', 'base/other.yaml');
    const entries = async (...args: string[]) =>
      (await servers(...args, '-f', 'base/other.yaml')).map((each) => each.entries);
    expect(await entries('main')).toEqual([[]]);
    await commit();
    git('mv', 'base/other.yaml', 'base/third.yaml');
    expect(await entries('HEAD~1', 'HEAD')).toEqual([[]]);
  });
  test('takes files in place of a project', async () => {
    const { write, servers } = await repository();
    await write({ 'base/vt.yaml': null, 'base/other.yaml': vt('timeout: 6') });
    const [found] = await servers('main', '-f', 'base');
    expect(found?.entries.map(({ name, fields }) => [name, fields.length])).toEqual([['vt', 1]]);
  });
  test('says which side has an error', async () => {
    const { write, commit, diff } = await repository();
    await write({ 'base/vt.yaml': vt('timeout: 0123') });
    const ours = await diff('main');
    expect([ours.code, ours.stderr]).toEqual([3, expect.stringContaining('base/vt.yaml:3:42 error')]);
    await commit();
    await write({ 'base/vt.yaml': vt('timeout: 1') });
    const theirs = await diff('HEAD');
    expect([theirs.code, theirs.stderr]).toEqual([3, expect.stringContaining('revision-broken')]);
  });
  test('shows what a project asks of plans: policy and waivers, in every format, and counts it', async () => {
    const { root, commit, write, diff } = await repository();
    const rules = (policy: string, waivers: string) =>
      `${setpoint(STAGING)}policy: ${policy}\nwaivers:\n  - ${waivers}\n`;
    const waiver = 'address: vt.options.timeout, until: 2026-12-31, reason: slow';
    await commit({
      'setpoint.yaml': rules('{ overrides-users: error, secret-max-age: 90d }', `{ ${waiver} }`),
    });
    expect(await diff('HEAD', '--exit-code')).toMatchObject({ code: 0 });
    await write({
      'setpoint.yaml': rules(
        '{ overrides-users: warn, plain-secret: error, secret-max-age: 180d }',
        `{ ${waiver.replace('2026', '2027')}, owner: soc }\n  - { address: vt.options.n, server: staging, until: 2026-11-30, reason: known }`,
      ),
    });
    const formats = ['text', 'json', 'markdown', 'html', 'sarif', 'junit', 'github', 'gitlab'];
    const { code } = await diff(
      'HEAD',
      '--exit-code',
      ...formats.flatMap((each) => ['--report', `${each}=out.${each}`]),
    );
    expect(code).toBe(2);
    const texts = await Promise.all(formats.map((each) => readFile(join(root, `out.${each}`), 'utf8')));
    for (const text of texts.map((each) => each.replace(/<.?mark>/g, ''))) {
      expect(text).toContain('overrides-users');
      expect(text).toContain('180d');
      expect(text).toContain('all servers until 2027-12-31: slow (soc)');
      expect(text).toContain('staging until 2026-11-30: known');
    }
    const [text = ''] = texts;
    expect(text.slice(text.indexOf('\n\n') + 2, text.indexOf('staging\n'))).toMatchInlineSnapshot(`
      "setpoint.yaml

      ~ policy
          ~ overrides-users  error -> warn
            ! refuses less than before
          + plain-secret     error
          ~ secret-max-age   90d -> 180d
            ! refuses less than before

      ~ waivers
          + vt.options.n        staging until 2026-11-30: known
            ! leaves more alone than before
          ~ vt.options.timeout
              - all servers until 2026-12-31: slow
              + all servers until 2027-12-31: slow (soc)
                                     ^^^^^^^^^^^^^^^^^^^
            ! leaves more alone than before

      5 differences in 2 entries: 2 added, 3 changed.

      "
    `);
    const [, document = ''] = texts;
    expect(JSON.parse(document).project.map(({ name, fields }: EntryDiff) => [name, fields.length])).toEqual([
      ['policy', 3],
      ['waivers', 2],
    ]);
  });
  test('reads no variable, file or server that a reference names', async () => {
    const { write, diff } = await repository();
    await write({ 'base/vt.yaml': vt('key: "${env:PATH}", cert: "${file:.git/config}", timeout: 5') });
    const { code, stdout } = await diff('main');
    expect(code).toBe(0);
    expect(stdout).toContain('+ cert.value  ${file:.git/config}');
    expect(stdout).not.toContain(ENV.PATH);
  });
});

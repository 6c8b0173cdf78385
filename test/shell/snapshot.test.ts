import { chmod, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import type { Snapshot } from '../../src/core/snapshot/document.ts';
import { OPEN_POINTS } from '../support/dialects.ts';
import { gitRepository } from '../support/git-repository.ts';
import { type LiveWish, liveSandbox } from '../support/live-sandbox.ts';
import { configuration, option } from '../support/own-catalog.ts';
import { ADMIN, json, type RunResult, type RunWish, run } from '../support/run.ts';
import { logIn } from '../support/sandbox.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';

const SECRET = 'QXZJ-0123456789';
const KEY = { SETPOINT_FINGERPRINT_KEY: 'a-key-of-all-who-review' };
const TAKEN = Date.parse('2026-11-20T03:00:00.250Z');
const DAY = 86_400_000;

const FAST = { value: 'fast', display: 'Fast' };

const CATALOG = {
  'vt_1.json': configuration(
    option('apiKey', 'password', SECRET),
    option('url', 'text', 'https://one.example'),
    option('note', 'text', `see ${SECRET}`),
    option('own', 'text', 'of-nobody-else'),
    option('limit', 'number', 5),
    option('mode', 'select', FAST, { options: [FAST] }),
  ),
  'us_1.json': configuration(option('limit', 'number', 5)),
};

const YAML = `version: 1
integrations:
  vt:
    match: vt_*
    options:
      apiKey: \${env:SETPOINT_VT}
      url: https://two.example
      own: { sensitive: true, permission: user-provides }
      limit: 5
`;

/** The catalog with another secret in it. */
function catalogWith(secret: string): Promise<string> {
  const files = Object.entries(CATALOG).map(([path, text]) => [path, text.replaceAll(SECRET, secret)]);
  return tempFolder(Object.fromEntries(files));
}

/** A sandbox, a folder with a configuration, and runs in it: with credentials, and without any. */
async function scene(files: Readonly<Record<string, string>> = {}, wish: LiveWish = {}, secret = SECRET) {
  const ids = { vt_1: 'vt_1', us_1: 'us_1' };
  const sandbox = await liveSandbox({ catalog: await catalogWith(secret), ids, ...wish });
  const cwd = await tempFolder({ '.git/HEAD': '', 'a.yaml': YAML, ...files });
  const attempt = (line: string, more: RunWish = {}) =>
    run(line.split(' '), { cwd, now: () => TAKEN, ...more, env: { ...ADMIN, ...more.env } });
  const offline = (line: string, env: Readonly<Record<string, string>> = {}, now = TAKEN + 2 * DAY) =>
    run(line.split(' '), { cwd, now: () => now, env });
  const take = async (env: Readonly<Record<string, string>> = {}) => {
    const result = await attempt(`snapshot --out s.json -f a.yaml --url ${sandbox.url}`, { env });
    expect([result.code, result.stderr]).toEqual([0, '']);
    sandbox.seen();
    return readFile(join(cwd, 's.json'), 'utf8');
  };
  return { sandbox, cwd, attempt, offline, take };
}

interface Document {
  readonly servers: readonly ServerPlan[];
  readonly diagnostics: readonly { readonly code: string; readonly line?: number }[];
}

const codes = (result: RunResult) => json<Document>(result).diagnostics.map(({ code }) => code);

/** How each field of a plan stands, by its address. */
function fields(result: RunResult): Record<string, unknown> {
  const [server] = json<Document>(result).servers;
  const all = server?.integrations.flatMap(({ changes, cannotTell }) => [
    ...changes.map((each) => [each.address, 'change'] as const),
    ...cannotTell.map(({ address, reason }) => [address, reason] as const),
  ]);
  return Object.fromEntries(all ?? []);
}

describe('setpoint snapshot', () => {
  test('is the same but for its time while the server is, and says how much it holds', async () => {
    const { attempt, cwd, sandbox } = await scene();
    const line = `snapshot --out s.json -f a.yaml --url ${sandbox.url}`;
    const first = await attempt(line, { env: KEY, columns: 200 });
    expect(first.stdout.split('\n').slice(-3)).toEqual([
      '2 integrations, 7 options. 3 secrets kept out: 3 with a fingerprint, 0 without.',
      'Plan against it: setpoint plan -f a.yaml --live s.json',
      '',
    ]);
    const before = await readFile(join(cwd, 's.json'), 'utf8');
    await chmod(join(cwd, 's.json'), 0o640);
    await attempt(line, { env: KEY, now: () => TAKEN + DAY });
    const after = await readFile(join(cwd, 's.json'), 'utf8');
    expect(after).toBe(before.replace('2026-11-20T03:00:00Z', '2026-11-21T03:00:00Z'));
    expect((await stat(join(cwd, 's.json'))).mode & 0o777).toBe(0o640);
    expect((await readdir(cwd)).sort()).toEqual(['.git', 'a.yaml', 's.json']);
  });
  test('sends only what reads, and goes to stdout as it is with -', async () => {
    const { attempt, sandbox, take } = await scene();
    const file = await take();
    const { code, stdout, stderr } = await attempt(`snapshot --out - -f a.yaml --url ${sandbox.url}`);
    expect([code, stdout, stderr]).toEqual([0, file, '']);
    expect(sandbox.seen()).toEqual([
      'POST /api/users/login',
      'GET /api/integrations',
      'POST /api/users/logout',
    ]);
  });
  test('has a report in JSON beside it, without what it holds', async () => {
    const { attempt, sandbox } = await scene();
    const line = `snapshot --out s.json -f a.yaml --url ${sandbox.url} --report json`;
    expect(json(await attempt(line))).toMatchObject({
      snapshot: { file: 's.json', integrations: 2, options: 7, fingerprinted: 0, hidden: 3, unreadable: 0 },
      servers: [],
      diagnostics: [],
    });
  });
  test.each(OPEN_POINTS.passwords)('holds no secret where passwords are %s', async (passwords) => {
    const { take } = await scene({}, { settings: { passwords } });
    for (const env of [{}, KEY]) {
      const text = await take(env);
      const isKnown = passwords === 'clear';
      expect(text).not.toContain('of-nobody-else');
      expect(text.includes(SECRET)).toBe(!isKnown && text.includes(`see ${SECRET}`));
      const { integrations }: Snapshot = JSON.parse(text);
      const found = integrations[1]?.options.find(({ key }) => key === 'apiKey');
      expect(found).toMatchObject(isKnown ? { secret: true } : { unreadable: passwords });
    }
  });
  test.each([
    ['a folder that is not there', '--out none/s.json', ['report-refused']],
    ['a file of configuration', '--out a.yaml', ['report-refused']],
    ['a link that leads nowhere', '--out link.json', ['report-refused']],
    ['the file of a report', '--out s.json --report html=s.json', ['report-refused']],
    ['a file that is no snapshot', '--out .env', ['report-refused']],
    ['the report of a plan', '--out plan.json', ['report-refused']],
    ['no file', '', ['usage']],
    ['stdout, where a report goes', '--out -', ['usage']],
  ])('is refused before any request with %s', async (_, flags, found) => {
    const { attempt, cwd, sandbox } = await scene();
    await symlink('none.json', join(cwd, 'link.json'));
    const files = {
      '.env': `SETPOINT_VT=${SECRET}\n`,
      'plan.json':
        '{"formatVersion":"1.2","tool":{"name":"setpoint","version":"1.0.0"},"servers":[],"diagnostics":[]}',
    };
    await writeFiles(cwd, files);
    const line = `snapshot --url ${sandbox.url} ${flags} --report json`.replace('  ', ' ');
    const result = await attempt(line);
    expect([result.code, codes(result), sandbox.seen()]).toEqual([3, found, []]);
    for (const [path, text] of Object.entries(files))
      expect(await readFile(join(cwd, path), 'utf8')).toBe(text);
  });
  test('an empty file is filled', async () => {
    const { attempt, cwd, sandbox } = await scene();
    await writeFiles(cwd, { 's.json': '' });
    expect((await attempt(`snapshot --out s.json --url ${sandbox.url}`)).code).toBe(0);
    expect(await readFile(join(cwd, 's.json'), 'utf8')).toContain('"integrations"');
  });
  test('a server that fails leaves the file as it is', async () => {
    const { attempt, cwd, sandbox, take } = await scene();
    const before = await take();
    const result = await attempt(`snapshot --out s.json --url ${sandbox.url}`, {
      env: { SETPOINT_PASSWORD: 'wrong-password' },
    });
    expect([result.code, await readFile(join(cwd, 's.json'), 'utf8')]).toEqual([4, before]);
  });
});

describe('plan --live', () => {
  const PLAN = 'plan a.yaml --live s.json --report json';
  test('is the plan of the server, without a request or credentials', async () => {
    const shown = YAML.replace('user-provides', 'lock-and-show');
    const { attempt, offline, sandbox, take } = await scene({ 'a.yaml': shown });
    await take(KEY);
    const env = { ...KEY, SETPOINT_VT: 'another-key-of-vt' };
    const live = await attempt(`plan a.yaml --url ${sandbox.url} --report json`, { env });
    sandbox.seen();
    const kept = await offline(PLAN, env);
    expect([kept.code, kept.stderr, sandbox.seen()]).toEqual([0, live.stderr, []]);
    expect(fields(kept)).toEqual(fields(live));
    const [server] = json<Document>(kept).servers;
    expect(server).toMatchObject({
      snapshot: { takenAt: '2026-11-20T03:00:00Z', days: 2 },
      summary: { reads: 0 },
    });
    const risks = (result: RunResult) =>
      json<Document>(result).servers[0]?.integrations.flatMap(({ changes }) =>
        changes.map((each) => each.risks),
      );
    expect(risks(kept)).toEqual(risks(live));
  });
  test.each([
    ['the same secret and key', { ...KEY, SETPOINT_VT: SECRET }, undefined],
    ['another secret', { ...KEY, SETPOINT_VT: `${SECRET}x` }, 'change'],
    ['a short one', { ...KEY, SETPOINT_VT: 'x' }, 'change'],
    ['another key', { SETPOINT_FINGERPRINT_KEY: 'another-key-of-reviews', SETPOINT_VT: SECRET }, 'snapshot'],
    ['no key', { SETPOINT_VT: SECRET }, 'snapshot'],
    ['neither', {}, 'unresolved'],
    ['the key alone', KEY, 'unresolved'],
  ])('compares secrets by fingerprints: %s', async (_, env, expected) => {
    const { offline, take } = await scene();
    await take(KEY);
    const result = await offline(PLAN, env);
    expect([result.code, codes(result).includes('reference-missing')]).toEqual([0, false]);
    expect(fields(result)['vt.options.apiKey.value']).toBe(expected);
    expect(result.stdout).not.toContain(SECRET);
  });
  test.each([
    ['another one', FAST],
    ['that one', { value: '12345678', display: 'Own' }],
  ])('a choice that equals a secret is no mistake in the YAML where the server has %s', async (_, held) => {
    const mode = option('mode', 'select', held, {
      options: [FAST, { value: '12345678', display: 'Own' }],
    });
    const catalog = await tempFolder({
      'vt_1.json': configuration(option('apiKey', 'password', '12345678'), mode),
    });
    const { attempt, cwd, offline, sandbox, take } = await scene({}, { catalog, ids: { vt_1: 'vt_1' } });
    for (const value of ['fast', '"12345678"']) {
      const yaml = `version: 1\nintegrations:\n  vt: { match: vt_*, options: { mode: ${value} } }\n`;
      await writeFiles(cwd, { 'a.yaml': yaml });
      const live = await attempt(`plan a.yaml --url ${sandbox.url} --report json`);
      for (const env of [KEY, {}]) {
        expect(await take(env)).not.toContain('12345678');
        const kept = await offline(PLAN, env);
        const isUntold = env !== KEY && held !== FAST;
        const expected = isUntold ? { 'vt.options.mode.value': 'snapshot' } : fields(live);
        expect([live.code, kept.code, fields(kept)]).toEqual([0, 0, expected]);
      }
    }
  });
  test.each<[string, string, LiveWish, string, Record<string, string>, string]>([
    ['no key here', SECRET, {}, 'k', {}, 'set the SETPOINT_FINGERPRINT_KEY that the snapshot was taken with'],
    ['no key there', SECRET, {}, '', KEY, 'was taken without a SETPOINT_FINGERPRINT_KEY'],
    ['a short secret', 'QX-1', {}, 'k', KEY, 'of less than 8 characters has no fingerprint'],
    ['a mask', SECRET, { settings: { passwords: 'masked' } }, 'k', KEY, 'The server did not show it'],
  ])('says what can help with %s', async (_, secret, wish, taken, env, words) => {
    const { offline, take } = await scene({}, wish, secret);
    await take(taken === '' ? {} : KEY);
    const { stdout } = await offline('plan a.yaml --live s.json', { ...env, SETPOINT_VT: secret });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(words);
    expect(stdout.match(/FINGERPRINT_KEY|characters|did not show/g)).toHaveLength(1);
  });
  test('a token is a key as well, for its own server', async () => {
    const { attempt, offline, sandbox, cwd } = await scene();
    const token = await logIn(sandbox.url, 'admin');
    const env = { SETPOINT_USERNAME: '', SETPOINT_PASSWORD: '', SETPOINT_TOKEN: token, SETPOINT_VT: SECRET };
    const taken = await attempt(`snapshot --out s.json --url ${sandbox.url}`, { env, cwd });
    expect(taken.code).toBe(0);
    expect(fields(await offline(PLAN, env))).not.toHaveProperty('vt.options.apiKey.value');
  });
  test('what a reference falls back to is neither compared nor shown', async () => {
    const { offline, take, cwd } = await scene();
    await take(KEY);
    await writeFiles(cwd, { 'a.yaml': YAML.replace('SETPOINT_VT', 'SETPOINT_VT:-fallback-of-vt') });
    const result = await offline(PLAN, KEY);
    expect(fields(result)['vt.options.apiKey.value']).toBe('unresolved');
    expect(result.stdout + result.stderr).not.toContain('fallback-of-vt');
  });
  test('says how old it is, and what cannot be compared', async () => {
    const { offline, take } = await scene();
    await take();
    const reports = '--report markdown=r.md --report html=r.html --report text';
    const result = await offline(`plan a.yaml --live s.json ${reports}`);
    const aged = 'From a snapshot as of 2026-11-20, 2 days old.';
    expect(result.stdout).toContain(aged);
    expect(result.stdout).toContain('1 value has a reference that is not set here, and is not compared:\n');
    expect(result.stdout).not.toContain('--write-secrets');
    const again = await offline('plan a.yaml --live s.json --report markdown', {}, TAKEN - DAY);
    expect(again.stdout).toContain('as of 2026-11-20, taken in the future by this clock.');
    const fresh = await offline('plan a.yaml --live s.json --report markdown', {}, TAKEN - 500);
    expect(fresh.stdout).toContain('as of 2026-11-20, less than a day old.');
    for (const format of ['junit', 'sarif', 'github'])
      expect((await offline(`plan a.yaml --live s.json --report ${format}`)).stdout, format).toContain(aged);
  });
  test('its plan cannot be applied, and can be shown', async () => {
    const { attempt, offline, sandbox, take } = await scene();
    await take();
    await offline('plan a.yaml --live s.json --report json=p.json');
    const result = await attempt(`apply p.json -f a.yaml --url ${sandbox.url} --yes --report json`);
    expect([result.code, codes(result), sandbox.seen()]).toEqual([3, ['plan-malformed'], []]);
    const unknown = await attempt(`apply -f a.yaml --live s.json --yes --report json`);
    expect([unknown.code, codes(unknown)]).toEqual([3, ['usage']]);
    expect((await offline('show p.json')).stdout).toContain('From a snapshot as of 2026-11-20, 2 days old.');
  });
  test('with --base labels what the branch changed', async () => {
    const { offline, take, cwd } = await scene();
    await take();
    await writeFiles(cwd, { '.git/HEAD': '' });
    const { root, write } = await gitRepository({
      'a.yaml': YAML.replace('limit: 5', 'limit: 6'),
      's.json': await readFile(join(cwd, 's.json'), 'utf8'),
    });
    await write({ 'a.yaml': YAML.replace('limit: 5', 'limit: 7') });
    const env = { PATH: process.env['PATH'] ?? '' };
    const result = await run([...PLAN.split(' '), '--base', 'main'], { cwd: root, env });
    const labels = json<Document>(result).servers[0]?.integrations.flatMap(({ changes }) =>
      changes.map(({ address, label }) => [address, label]),
    );
    expect(labels).toContainEqual(['vt.options.limit.value', 'conflict']);
    expect((await offline(PLAN)).code).toBe(0);
  });
  test.each([
    '--url http://127.0.0.1:1',
    '--timeout 5',
    '--concurrency 2',
    '--insecure',
    '--server x',
    '--live s.json',
  ])('goes with no flag that says how to connect, or to which of several: %s', async (flags) => {
    const { offline, take } = await scene();
    await take();
    const result = await offline(`${PLAN} ${flags}`);
    expect([result.code, codes(result)]).toEqual([3, ['usage']]);
  });
  test.each([
    ['no such file', 'none.json', 'file-unreadable'],
    ['a file of another kind', 'a.yaml', 'snapshot-malformed'],
    ['a folder', '.', 'file-unreadable'],
  ])('is refused with %s', async (_, file, code) => {
    const { offline } = await scene();
    const result = await offline(`plan a.yaml --live ${file} --report json`);
    expect([result.code, codes(result)]).toEqual([3, [code]]);
  });
});

describe('--live with the servers of setpoint.yaml', () => {
  const other = 'https://other.example';
  const project = (url: string, ...more: string[]) =>
    ['version: 1', 'servers:', `  ours: { url: "${url}", config: [a.yaml] }`, ...more, ''].join('\n');
  const OTHER = `  other: { url: "${other}", config: [broken.yaml] }`;

  test('plans those that have a snapshot', async () => {
    const { offline, take, cwd, sandbox } = await scene();
    await take();
    await writeFiles(cwd, { 'setpoint.yaml': project(sandbox.url, OTHER), 'broken.yaml': 'version: 1\n' });
    const result = await offline('plan --live s.json --report json');
    expect([result.code, json<Document>(result).servers.map(({ name }) => name)]).toEqual([0, ['ours']]);
    const lacking = await offline('plan --live s.json --server ours --server other --report json');
    expect([lacking.code, codes(lacking)]).toEqual([3, ['usage']]);
  });
  test('refuses a snapshot of none of them, and two of one', async () => {
    const { offline, take, cwd, sandbox } = await scene();
    await writeFiles(cwd, { 'older.json': await take() });
    await writeFiles(cwd, { 'setpoint.yaml': project(sandbox.url) });
    const twice = await offline('plan --live s.json --live older.json --report json');
    await writeFiles(cwd, { 'setpoint.yaml': project(other) });
    const stranger = await offline('plan --live s.json --report json');
    expect([twice.code, codes(twice), stranger.code, codes(stranger)]).toEqual([
      3,
      ['snapshots-alike'],
      3,
      ['snapshot-of-other-server'],
    ]);
  });
  test('a snapshot is taken of one of them, by its name', async () => {
    const { attempt, cwd, sandbox } = await scene();
    await writeFiles(cwd, { 'setpoint.yaml': project(sandbox.url, OTHER), 'broken.yaml': 'version: 1\n' });
    const several = await attempt('snapshot --out s.json --report json');
    expect([several.code, codes(several)]).toEqual([3, ['usage']]);
    expect((await attempt('snapshot --out s.json --server ours')).code).toBe(0);
    const { server }: Snapshot = JSON.parse(await readFile(join(cwd, 's.json'), 'utf8'));
    expect(server).toEqual({ name: 'ours', url: sandbox.url });
  });
});

describe('other commands with --live', () => {
  test('list is that of the server but for errors, with the age', async () => {
    const { offline, take, attempt, sandbox } = await scene();
    await take();
    const live = await attempt(`list -f a.yaml --url ${sandbox.url} --report json`);
    const kept = await offline('list -f a.yaml --live s.json --report json');
    const [one, other] = [live, kept].map(
      (each) => json<{ servers: { integrations: object[] }[] }>(each).servers[0],
    );
    expect(other).toMatchObject({ snapshot: { days: 2 } });
    expect(other?.integrations.map((each) => ({ ...each, errors: 0 }))).toEqual(one?.integrations);
    expect((await offline('list --live s.json')).stdout).toContain('2 days old.');
  });
  test.each([
    ['the same secret', { ...KEY, SETPOINT_VT: SECRET }, 'as-desired', '=', '(as desired)'],
    [
      'another secret',
      { ...KEY, SETPOINT_VT: `${SECRET}x` },
      'differs',
      '~',
      '(differs from what is desired)',
    ],
    ['no key', { SETPOINT_VT: SECRET }, 'cannot-tell', '?', 'keeps it out)\n'],
  ])('show compares as plan does: %s', async (_, env, verdict, mark, words) => {
    const { offline, take } = await scene();
    await take(KEY);
    const files = '-f a.yaml --live s.json';
    const result = await offline(`show vt.options.apiKey.value ${files} --report json`, env);
    expect(result.stdout).toContain(`"verdict": "${verdict}"`);
    expect((await offline(`show vt ${files}`, env)).stdout).toMatch(RegExp(`^ *\\${mark} *apiKey`, 'm'));
    expect((await offline(`show vt.options.apiKey.value ${files}`, env)).stdout).toContain(words);
  });
  test('validate and schema tell the age', async () => {
    const { offline, take } = await scene();
    await take();
    const aged = 'From a snapshot as of 2026-11-20, 2 days old.';
    const snapshots = [{ takenAt: '2026-11-20T03:00:00Z', days: 2 }];
    expect((await offline('validate a.yaml --live s.json')).stdout).toContain(aged);
    expect((await offline('schema --live s.json')).stderr).toBe(`${aged}\n`);
    expect((await offline('schema --live s.json --quiet')).stderr).toBe('');
    for (const command of ['validate a.yaml', 'schema'])
      expect(json(await offline(`${command} --live s.json --report json`))).toMatchObject({ snapshots });
  });
  test('schema is that of the server', async () => {
    const { offline, take, attempt, sandbox } = await scene();
    await take();
    const live = await attempt(`schema --url ${sandbox.url}`);
    const kept = await offline('schema --live s.json');
    // Options are in the order of their keys, and choices are numbered by it.
    const unnumbered = ({ stdout }: RunResult) => JSON.parse(stdout.replace(/choices-vt_1-\d/g, 'choices'));
    expect(unnumbered(kept)).toEqual(unnumbered(live));
    expect(codes(await offline('schema --live s.json --catalog . --report json'))).toEqual(['usage']);
  });
  test('validate checks keys, types and choices, and what matches nothing there', async () => {
    const { offline, take, cwd } = await scene();
    await take();
    expect(await offline('validate a.yaml --live s.json')).toMatchObject({ code: 0, stderr: '' });
    await writeFiles(cwd, {
      'a.yaml': `version: 1
integrations:
  vt:
    match: vt_*
    options:
      lmit: 5
      limit: many
      mode: slow
  none: { match: none_*, autosubscribe: true }
`,
    });
    const result = await offline('validate a.yaml --live s.json --report json');
    const found = json<Document>(result).diagnostics.map(({ code, line }) => `${code} ${line}`);
    expect([result.code, found.sort()]).toEqual([
      3,
      ['no-match 9', 'unknown-choice 8', 'unknown-option 6', 'wrong-value-type 7'],
    ]);
    expect(codes(await offline('validate --live s.json --report json'))).toEqual(['no-configuration']);
    const unnamed = await offline('plan --live s.json');
    expect(unnamed.stderr).toContain('-f integrations.yaml');
    expect(unnamed.stderr).not.toContain('--url');
  });
});

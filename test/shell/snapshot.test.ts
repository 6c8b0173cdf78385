import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { takeSnapshot } from '../../src/core/snapshot/snapshot.ts';
import { OPEN_POINTS } from '../support/dialects.ts';
import { configuration, type LiveWish, liveSandbox, option } from '../support/live-sandbox.ts';
import { codesOf, findingsOf, serversOf } from '../support/report.ts';
import { ADMIN, type RunResult, type RunWish, run } from '../support/run.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';

type Snapshot = ReturnType<typeof takeSnapshot>;

const SECRET = 'QXZJ-0123456789';
const TAKEN = Date.parse('2026-11-20T03:00:00.250Z');
const DAY = 86_400_000;

const FAST = { value: 'fast', display: 'Fast' };

const CATALOG = {
  'vt_1.json': configuration(
    option('apiKey', 'password', SECRET),
    option('url', 'text', 'https://one.example'),
    option('note', 'text', 'see the wiki'),
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
  const take = async () => {
    const result = await attempt(`snapshot --out s.json -f a.yaml --url ${sandbox.url}`);
    expect([result.code, result.stderr]).toEqual([0, '']);
    sandbox.seen();
    return readFile(join(cwd, 's.json'), 'utf8');
  };
  return { sandbox, cwd, attempt, offline, take };
}

/** How each field of a plan stands, by its address. */
function fields(result: RunResult): Record<string, string> {
  const all = serversOf(result)[0]?.integrations.flatMap(({ changes, hidden }) => [
    ...changes.map(({ address }) => [address, 'change'] as const),
    ...hidden.map((address) => [address, 'hidden'] as const),
  ]);
  return Object.fromEntries(all ?? []);
}

describe('setpoint snapshot', () => {
  test('is the same but for its time while the server is, and says how much it holds', async () => {
    const { attempt, cwd, sandbox } = await scene();
    const line = `snapshot --out s.json -f a.yaml --url ${sandbox.url}`;
    const first = await attempt(line, { columns: 200 });
    expect(first.stdout.split('\n').slice(-3)).toEqual([
      '2 integrations, 7 options. 2 secrets kept out.',
      'Plan against it: setpoint plan -f a.yaml --live s.json',
      '',
    ]);
    const before = await readFile(join(cwd, 's.json'), 'utf8');
    await chmod(join(cwd, 's.json'), 0o640);
    await attempt(line, { now: () => TAKEN + DAY });
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
  test.each(OPEN_POINTS.passwords)('holds no secret where passwords are %s', async (passwords) => {
    const { take } = await scene({}, { settings: { passwords } });
    const text = await take();
    const isKnown = passwords === 'clear';
    expect(text).not.toContain('of-nobody-else');
    expect(text).not.toContain(SECRET);
    const { integrations }: Snapshot = JSON.parse(text);
    const found = integrations[1]?.options.find(({ key }) => key === 'apiKey');
    const empty = ['null', 'empty'].includes(passwords) ? { value: null } : { hidden: true };
    expect(found).toMatchObject(isKnown ? { secret: true } : empty);
  });
  test.each([
    ['a folder that is not there', '--out none/s.json', ['file-unwritable']],
    ['a file of configuration', '--out a.yaml', ['file-unwritable']],
    ['the file of a report', '--out s.json --report html=s.json', ['usage']],
    ['a file that is no snapshot', '--out .env', ['file-unwritable']],
    ['the report of a plan', '--out plan.json', ['file-unwritable']],
    ['no file', '', ['usage']],
    ['stdout, where a report goes', '--out -', ['usage']],
  ])('is refused before any request with %s', async (_, flags, found) => {
    const { attempt, cwd, sandbox } = await scene();
    const files = {
      '.env': `SETPOINT_VT=${SECRET}\n`,
      'plan.json':
        '{"formatVersion":"1.2","tool":{"name":"setpoint","version":"1.0.0"},"servers":[],"diagnostics":[]}',
    };
    await writeFiles(cwd, files);
    const line = `snapshot --url ${sandbox.url} ${flags} --report json`.replace('  ', ' ');
    const result = await attempt(line);
    expect([result.code, codesOf(result), sandbox.seen()]).toEqual([3, found, []]);
    for (const [path, text] of Object.entries(files))
      expect(await readFile(join(cwd, path), 'utf8')).toBe(text);
  });
});

test('nothing is written while entries contradict each other on what is a secret', async () => {
  const own = 'options: { note: { value: "${env:SETPOINT_N}", sensitive: true } } }';
  const { attempt, cwd, sandbox } = await scene({
    'a.yaml': `version: 1\nintegrations:\n  one: { match: vt_*, ${own}\n  two: { match: "*_1", expect: one, ${own}\n`,
  });
  const result = await attempt(`snapshot --out s.json -f a.yaml --url ${sandbox.url}`);
  expect([result.code, result.stderr, await readdir(cwd)]).toEqual([
    3,
    expect.stringContaining('error several-matches'),
    ['.git', 'a.yaml'],
  ]);
});

describe('plan --live', () => {
  const PLAN = 'plan a.yaml --live s.json --report json';
  test('is the plan of the server, without a request or credentials', async () => {
    const shown = YAML.replace('user-provides', 'lock-and-show');
    const { attempt, offline, sandbox, take } = await scene({ 'a.yaml': shown });
    await take();
    const env = { SETPOINT_VT: 'another-key-of-vt' };
    const live = await attempt(`plan a.yaml --url ${sandbox.url} --report json`, { env });
    sandbox.seen();
    const kept = await offline(PLAN, env);
    expect([kept.code, sandbox.seen()]).toEqual([0, []]);
    expect(fields(live)['vt.options.apiKey.value']).toBe('change');
    expect(fields(kept)).toEqual({ ...fields(live), 'vt.options.apiKey.value': 'hidden' });
    const [server] = serversOf(kept);
    expect(server).toMatchObject({
      snapshot: { takenAt: '2026-11-20T03:00:00Z' },
      summary: { reads: 0 },
    });
  });
  test('its plan cannot be applied, and can be shown', async () => {
    const { attempt, offline, sandbox, take } = await scene();
    await take();
    await offline('plan a.yaml --live s.json --report json=p.json');
    const result = await attempt(`apply p.json -f a.yaml --url ${sandbox.url} --yes --report json`);
    expect([result.code, codesOf(result), sandbox.seen()]).toEqual([3, ['plan-unusable'], []]);
    const unknown = await attempt(`apply -f a.yaml --live s.json --yes --report json`);
    expect([unknown.code, codesOf(unknown)]).toEqual([3, ['usage']]);
  });
});

describe('--live with the servers of setpoint.yaml', () => {
  const other = 'https://other.example';
  const project = (url: string, ...more: string[]) =>
    ['version: 1', 'servers:', `  ours: { url: "${url}", config: [a.yaml] }`, ...more, ''].join('\n');
  const OTHER = `  other: { url: "${other}", config: [broken.yaml] }`;

  test('plans the one that the snapshot is of', async () => {
    const { offline, take, cwd, sandbox } = await scene();
    await take();
    await writeFiles(cwd, { 'setpoint.yaml': project(sandbox.url, OTHER), 'broken.yaml': 'version: 1\n' });
    const result = await offline('plan --live s.json --report json');
    expect([result.code, serversOf(result).map(({ name }) => name)]).toEqual([0, ['ours']]);
    const lacking = await offline('plan --live s.json --server other --report json');
    expect([lacking.code, codesOf(lacking)]).toEqual([3, ['snapshot-unusable']]);
  });
  test('refuses a snapshot of none of them', async () => {
    const { offline, take, cwd } = await scene();
    await take();
    await writeFiles(cwd, { 'setpoint.yaml': project(other) });
    const stranger = await offline('plan --live s.json --report json');
    expect([stranger.code, codesOf(stranger)]).toEqual([3, ['snapshot-unusable']]);
  });
  test('a snapshot is taken of one of them, by its name', async () => {
    const { attempt, cwd, sandbox } = await scene();
    await writeFiles(cwd, { 'setpoint.yaml': project(sandbox.url, OTHER), 'broken.yaml': 'version: 1\n' });
    const several = await attempt('snapshot --out s.json --report json');
    expect([several.code, codesOf(several)]).toEqual([3, ['usage']]);
    expect((await attempt('snapshot --out s.json --server ours')).code).toBe(0);
    const { server }: Snapshot = JSON.parse(await readFile(join(cwd, 's.json'), 'utf8'));
    expect(server).toEqual({ name: 'ours', url: sandbox.url });
  });
});

describe('validate --live', () => {
  test('is for plan and validate alone', async () => {
    const { offline, take } = await scene();
    await take();
    for (const command of ['list', 'schema', 'show vt'])
      expect(codesOf(await offline(`${command} --live s.json --report json`)), command).toEqual(['usage']);
  });
  test('checks keys, types and choices, and what matches nothing there', async () => {
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
    const found = findingsOf(result).map(({ code, line }) => `${code} ${line}`);
    expect([result.code, found.sort()]).toEqual([
      3,
      ['no-match 9', 'unknown-option 6', 'wrong-value 7', 'wrong-value 8'],
    ]);
    expect(codesOf(await offline('validate --live s.json --report json'))).toEqual(['no-configuration']);
    const unnamed = await offline('plan --live s.json');
    expect(unnamed.stderr).toContain('-f integrations.yaml');
  });
});

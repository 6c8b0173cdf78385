import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../src/core/snapshot/snapshot.ts';
import {
  configuration,
  installed,
  type LiveWish,
  liveSandbox,
  option,
} from '../support/live-sandbox.ts';
import { codesOf, serversOf } from '../support/report.ts';
import {
  ADMIN,
  json,
  type RunResult,
  type RunWish,
  run,
} from '../support/run.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';

const SECRET = 'QXZJ-0123456789';
const TAKEN = Date.parse('2026-11-20T03:00:00.250Z');
const DAY = 86_400_000;

const FAST = { value: 'fast', display: 'Fast' };

const CATALOG = {
  vt_1: configuration(
    option('apiKey', 'password', SECRET),
    option('url', 'text', 'https://one.example'),
    option('note', 'text', 'see the wiki'),
    option('own', 'text', 'of-nobody-else'),
    option('limit', 'number', 5),
    option('mode', 'select', FAST, { options: [FAST] }),
  ),
  us_1: configuration(option('limit', 'number', 5)),
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

/** A sandbox, a folder with a configuration, and runs in it: with credentials, and without any. */
async function scene(
  files: Readonly<Record<string, string>> = {},
  settings: LiveWish['settings'] = {},
) {
  const sandbox = await liveSandbox({
    ...(await installed(CATALOG)),
    settings,
  });
  const cwd = await tempFolder({ '.git/HEAD': '', 'a.yaml': YAML, ...files });
  const attempt = (line: string, more: RunWish = {}) =>
    run(line.split(' '), {
      cwd,
      now: () => TAKEN,
      ...more,
      env: { ...ADMIN, ...more.env },
    });
  const offline = (line: string, env: Readonly<Record<string, string>> = {}) =>
    run([...line.split(' '), '--report', 'json'], { cwd, env });
  const take = async () => {
    const line = `snapshot --out s.json -f a.yaml --url ${sandbox.url}`;
    const result = await attempt(line);
    expect([result.code, result.stderr]).toEqual([0, '']);
    return text('s.json');
  };
  const text = (path: string) => readFile(join(cwd, path), 'utf8');
  return { sandbox, cwd, attempt, offline, take, text };
}

/** How each field of a plan stands, by its address. */
function fields(result: RunResult): Record<string, string> {
  const all = serversOf(result)[0]?.integrations.flatMap(
    ({ changes, left }) => [
      ...changes.map(({ address }) => [address, 'change'] as const),
      ...left.map(({ address, because }) => [address, because] as const),
    ],
  );
  return Object.fromEntries(all ?? []);
}

describe('setpoint snapshot', () => {
  test('holds no secret, and is the same but for its time while the server is', async () => {
    const { attempt, cwd, sandbox, take, text } = await scene();
    const before = await take();
    for (const secret of [SECRET, 'of-nobody-else'])
      expect(before).not.toContain(secret);
    await chmod(join(cwd, 's.json'), 0o640);
    const line = `-f a.yaml --url ${sandbox.url}`;
    await attempt(`snapshot --out s.json ${line}`, { now: () => TAKEN + DAY });
    const later = before.replace('2026-11-20T03:', '2026-11-21T03:');
    expect(await text('s.json')).toBe(later);
    expect((await stat(join(cwd, 's.json'))).mode & 0o777).toBe(0o640);
    expect((await readdir(cwd)).sort()).toEqual(['.git', 'a.yaml', 's.json']);
    expect(sandbox.seen().slice(-3)).toEqual([
      'POST /api/users/login',
      'GET /api/integrations',
      'POST /api/users/logout',
    ]);
  });
  test.each([
    ['a file of configuration', '--out a.yaml', 'file-unwritable'],
    ['the file of a report', '--out s.json --report html=s.json', 'usage'],
    ['a file that is no snapshot', '--out .env', 'file-unwritable'],
    ['no file', '--verbose', 'usage'],
  ])('is refused before any request with %s', async (_, flags, found) => {
    const files = { 'a.yaml': YAML, '.env': `SETPOINT_VT=${SECRET}\n` };
    const { attempt, sandbox, text } = await scene(files);
    const line = `snapshot --url ${sandbox.url} ${flags} --report json`;
    const result = await attempt(line);
    expect(result.code).toBe(3);
    expect(codesOf(result)).toEqual([found]);
    expect(sandbox.seen()).toEqual([]);
    for (const [path, before] of Object.entries(files))
      expect(await text(path)).toBe(before);
  });
});

describe('--live', () => {
  test('is the plan of the server, without a request or credentials', async () => {
    const shown = YAML.replace('user-provides', 'lock-and-show');
    const { attempt, offline, sandbox, take } = await scene({
      'a.yaml': shown,
    });
    await take();
    const env = { SETPOINT_VT: 'another-key-of-vt' };
    const line = `plan a.yaml --url ${sandbox.url} --report json`;
    const live = await attempt(line, { env });
    sandbox.seen();
    const kept = await offline('plan a.yaml --live s.json', env);
    expect([kept.code, sandbox.seen()]).toEqual([6, []]);
    expect(fields(live)['vt.options.apiKey.value']).toBe('change');
    expect(fields(kept)).toEqual({
      ...fields(live),
      'vt.options.apiKey.value': 'hidden',
    });
    expect(serversOf(kept)[0]).toMatchObject({
      snapshot: { takenAt: '2026-11-20T03:00:00Z' },
      summary: { reads: 0 },
    });
  });
  test('its plan cannot be applied, and can be shown', async () => {
    const { attempt, offline, sandbox, take } = await scene();
    await take();
    await offline('plan a.yaml --live s.json --report json=p.json');
    sandbox.seen();
    const line = `apply p.json -f a.yaml --url ${sandbox.url} --yes`;
    const result = await attempt(`${line} --report json`);
    expect(result.code).toBe(3);
    expect(codesOf(result)).toEqual(['file-unusable']);
    expect(sandbox.seen()).toEqual([]);
    expect(serversOf(await offline('show p.json'))).toHaveLength(1);
  });
  test('is for plan and validate alone', async () => {
    const { offline, take } = await scene();
    await take();
    for (const command of ['apply -f a.yaml --yes', 'list', 'show vt']) {
      const refused = await offline(`${command} --live s.json`);
      expect(codesOf(refused), command).toEqual(['usage']);
    }
    const checked = await offline('validate a.yaml --live s.json');
    expect([checked.code, codesOf(checked)]).toEqual([0, []]);
    expect(codesOf(await offline('validate --live s.json'))).toEqual([
      'no-configuration',
    ]);
  });
  test('means one server of setpoint.yaml, as the snapshot does', async () => {
    const { attempt, offline, cwd, sandbox, text } = await scene();
    const ours = `  ours: { url: "${sandbox.url}", config: [a.yaml] }\n`;
    const other =
      '  other: { url: "https://other.example", config: [broken.yaml] }\n';
    const project = (servers: string) =>
      writeFiles(cwd, {
        'setpoint.yaml': `version: 1\nservers:\n${servers}`,
        'broken.yaml': 'version: 1\n',
      });
    await project(ours + other);
    const both = await attempt('snapshot --out s.json --report json');
    expect(codesOf(both)).toEqual(['usage']);
    expect((await attempt('snapshot --out s.json --server ours')).code).toBe(0);
    const taken: Snapshot = JSON.parse(await text('s.json'));
    expect(taken.server).toEqual({ name: 'ours', url: sandbox.url });
    const planned = await offline('plan --live s.json');
    expect(planned.code).toBe(0);
    expect(serversOf(planned).map(({ name }) => name)).toEqual(['ours']);
    const lacking = await offline('plan --live s.json --server other');
    expect([lacking.code, codesOf(lacking)]).toEqual([3, ['file-unusable']]);
    await project(other);
    expect(codesOf(await offline('plan --live s.json'))).toEqual([
      'file-unusable',
    ]);
  });
  test('of each server has a file, also if another server cannot be read', async () => {
    const { sandbox, cwd, attempt, offline } = await scene();
    const server = (name: string, url: string) =>
      `  ${name}: { url: "${url}", config: [a.yaml] }\n`;
    const both = `${server('one', sandbox.url)}${server('two', 'http://127.0.0.1:1')}`;
    const project = `version: 1\nservers:\n${both}`;
    await writeFiles(cwd, { 'setpoint.yaml': project });
    const line = 'snapshot --out of-{server}.json --report json';
    const taken = await attempt(line);
    expect([taken.code, codesOf(taken)]).toEqual([1, ['unreachable']]);
    expect(json(taken)).toMatchObject({
      snapshots: [{ name: 'one', file: 'of-one.json' }],
    });
    const planned = await offline('plan --live of-{server}.json --server one');
    expect(planned.code).toBe(0);
    expect(serversOf(planned).map(({ name }) => name)).toEqual(['one']);
    const lacking = await offline('plan --live of-{server}.json');
    expect([lacking.code, codesOf(lacking)]).toEqual([3, ['file-unreadable']]);
  });
});

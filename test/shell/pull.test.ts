import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import { configuration, type LiveWish, liveSandbox, option } from '../support/live-sandbox.ts';
import { filesIn, loaded, type Pulled } from '../support/pulled.ts';
import { codesOf } from '../support/report.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const SECRET = 'CANARY-of-a-key-1';

const JIRA = configuration(
  option('url', 'text', 'https://jira.example.com', { adminOnly: false }),
  option('apiKey', 'password', SECRET, { description: 'Your own.' }),
  option('timeout', 'number', 30, { name: 'Time out', description: 'Seconds.\u0007\nAt most 60.' }),
  option('mode', 'select', 'fast', {
    options: [
      { value: 'fast', display: 'Fast' },
      { value: 'safe', display: 'safe' },
    ],
  }),
  option('own', 'text', '', { adminOnly: false, userCanEdit: true }),
);
const MISP = configuration(option('note', 'text', 'line\n\nlast\n'), option('limit', 'number', 1));

const pulledBy = (result: RunResult) => json<{ servers: readonly Pulled[] }>(result).servers[0];

/** A server with these integrations, and what pulls from it into a folder of its own. */
async function serverOf(
  integrations: Readonly<Record<string, string>>,
  cwd?: string,
  { ids = {}, settings = {} }: Pick<LiveWish, 'ids' | 'settings'> = {},
) {
  const files = Object.entries(integrations).map(([name, text]) => [`${name}.json`, text]);
  const catalog = await tempFolder(Object.fromEntries(files));
  const { url, exchanges } = await liveSandbox({ catalog, ids, settings });
  const folder = cwd ?? (await tempFolder());
  const pull = (...flags: readonly string[]) =>
    run(['pull', '--report', 'json', ...withUsual(flags, url)], {
      cwd: folder,
      env: { ...ADMIN, PATH: process.env['PATH'] ?? '' },
    });
  return { url, catalog, cwd: folder, pull, exchanges };
}

/** Flags, with the usual address and name where they have none. */
function withUsual(flags: readonly string[], url: string): string[] {
  const usual = { '--url': url, '--server': 'main' };
  return [...Object.entries(usual).flatMap((each) => (flags.includes(each[0]) ? [] : each)), ...flags];
}

/** A folder with what was pulled from one server, and a pull from another one at its address. */
async function movedOn(before: Readonly<Record<string, string>>, after: Readonly<Record<string, string>>) {
  const first = await serverOf(before);
  expect((await first.pull()).code).toBe(0);
  const second = await serverOf(after, first.cwd);
  const project = join(first.cwd, 'setpoint.yaml');
  await writeFile(project, (await readFile(project, 'utf8')).replace(first.url, second.url));
  return second;
}

describe('the files', () => {
  test('describe what is live, in as few words as possible', async () => {
    const { cwd, url, pull } = await serverOf({ jira: JIRA, misp: MISP });
    expect(codesOf(await pull())).toEqual([]);
    const files = filesIn(cwd);
    expect([...files.keys()]).toEqual([
      '.env.example',
      'integrations/main/jira.yaml',
      'integrations/main/misp.yaml',
      'schemas/main.schema.json',
      'schemas/setpoint.yaml.schema.json',
      'setpoint.yaml',
    ]);
    expect(
      files.get('integrations/main/jira.yaml'),
    ).toBe(`# yaml-language-server: $schema=../../schemas/main.schema.json
version: 1
integrations:
  jira:
    match: jira_node_*
    autosubscribe: false
    options:
      url: { value: https://jira.example.com, permission: lock-and-show }
      apiKey: { value: "\${env:SETPOINT_MAIN_JIRA_API_KEY}", permission: lock-and-hide }
      timeout: { value: 30, permission: lock-and-hide }
      mode: { value: fast, permission: lock-and-hide }
      own: { permission: user-provides }
`);
    expect(files.get('integrations/main/misp.yaml')).toContain(`
      note:
        value: |
          line

          last
        permission: lock-and-hide
`);
    expect(files.get('setpoint.yaml')).toBe(`# yaml-language-server: $schema=schemas/setpoint.yaml.schema.json
version: 1
servers:
  main:
    url: ${url}
    config: [integrations/main/]
`);
    expect(files.get('.env.example')).toContain(
      '\n# jira.options.apiKey.value\nSETPOINT_MAIN_JIRA_API_KEY=\n',
    );
  });
});

describe('a later pull', () => {
  test('adds what is new, and touches nothing else', async () => {
    const { cwd, pull } = await movedOn(
      { jira: JIRA, old: configuration(option('x', 'text', 'y')) },
      { jira: JIRA, misp: MISP },
    );
    const before = filesIn(cwd);
    const report = pulledBy(await pull());
    expect(report).toMatchObject({
      files: [{ path: 'schemas/main.schema.json' }, { path: 'integrations/main/misp.yaml' }],
      adopted: 1,
      managed: 1,
    });
    const after = filesIn(cwd);
    const changed = [...before].filter(([path, text]) => after.get(path) !== text);
    expect(changed.map(([path]) => path)).toEqual(['schemas/main.schema.json']);
    expect([...after.keys()].filter((path) => !before.has(path))).toEqual(['integrations/main/misp.yaml']);
  });
  test('keeps the entries and the secrets of two servers apart', async () => {
    const first = await serverOf({ jira: JIRA });
    const alone = ['pull', '--url', first.url, '--secrets-file', 'first.env'];
    expect((await run(alone, { cwd: first.cwd })).code).toBe(0);
    const other = 'CANARY-of-another-key';
    const second = await serverOf({ jira: JIRA.replaceAll(SECRET, other) }, first.cwd);
    const report = pulledBy(await second.pull('--server', 'beta', '--secrets-file', 's.env'));
    expect(report?.files.map(({ path }) => path)).toEqual([
      'schemas/beta.schema.json',
      '.env.example',
      'beta/jira.yaml',
      'setpoint.yaml',
    ]);
    const secrets = {
      ...loaded(join(first.cwd, 'first.env')),
      ...loaded(join(first.cwd, 's.env')),
    };
    expect(secrets).toEqual({ SETPOINT_JIRA_API_KEY: SECRET, SETPOINT_BETA_JIRA_API_KEY: other });
    const files = filesIn(first.cwd);
    expect(files.get('setpoint.yaml')).toMatch(/\n {2}beta:\n {4}url: .*\n {4}config: \[beta\/\]\n$/);
    const again = pulledBy(await second.pull('--server', 'beta'));
    expect([again?.files, [...filesIn(first.cwd)]]).toEqual([[], [...files]]);
    const env = { ...ADMIN, ...secrets };
    expect((await run(['plan', '--exit-code'], { cwd: first.cwd, env })).code).toBe(0);
  });
});

describe('nothing is written', () => {
  test.each<[string, string[], number, string]>([
    ['where the login fails', [], 4, 'login-refused'],
    ['where --only means nothing', ['--only', 'none_*'], 3, 'unknown-name'],
    ['where there are two names', ['--server', 'other'], 3, 'usage'],
    ['into git', ['--out', '.git/x'], 3, 'usage'],
    [
      'where a report would take the place of secrets',
      ['--secrets-file', 's', '--report', 'html=s'],
      3,
      'usage',
    ],
  ])('%s', async (title, flags, code, finding) => {
    const { cwd, url } = await serverOf({ jira: JIRA });
    const env = { ...ADMIN, ...(title.includes('login') ? { SETPOINT_PASSWORD: 'wrong' } : {}) };
    const result = await run(['pull', '--url', url, '--server', 'main', '--report', 'json', ...flags], {
      cwd,
      env,
    });
    expect([result.code, codesOf(result), [...filesIn(cwd)]]).toEqual([code, [finding], []]);
  });
  test('where the configuration that is there is broken', async () => {
    const cwd = await tempFolder({ 'integrations/main/a.yaml': 'version: 1\nintegration: {}\n' });
    const { pull, exchanges } = await serverOf({ jira: JIRA }, cwd);
    const result = await pull();
    expect([result.code, codesOf(result), exchanges]).toEqual([3, ['unknown-key'], []]);
    expect([...filesIn(cwd).keys()]).toEqual(['integrations/main/a.yaml']);
  });
});

describe('the file of secrets', () => {
  test('is written for its owner alone, also when there is nothing new', async () => {
    const { cwd, pull } = await serverOf({ jira: JIRA });
    for (const name of ['first.env', 'second.env']) {
      const report = pulledBy(await pull('--secrets-file', name));
      expect(report?.secrets).toEqual({ path: name, count: 1 });
      expect(loaded(join(cwd, name))).toEqual({ SETPOINT_MAIN_JIRA_API_KEY: SECRET });
      expect((await stat(join(cwd, name))).mode & 0o777).toBe(0o600);
    }
  });
  test('is refused if git would take it', async () => {
    const { root } = await gitRepository({ '.gitignore': '*.env\n' });
    const { pull, exchanges } = await serverOf({ jira: JIRA }, root);
    const refused = await pull('--secrets-file', 'secrets.txt');
    expect([refused.code, codesOf(refused), exchanges]).toEqual([3, ['file-unwritable'], []]);
    expect(codesOf(await pull('--secrets-file', '.git/secrets.env'))).toEqual(['file-unwritable']);
    expect(codesOf(await pull('--secrets-file', 'secrets.env'))).toEqual([]);
  });
  test.each<[string, (path: string) => Promise<unknown>]>([
    ['a link', (path) => symlink('/tmp/elsewhere', path)],
    ['a folder', (path) => mkdir(path)],
    ['a file', (path) => writeFile(path, '', { mode: 0o600 })],
  ])('takes the place of no %s', async (_, make) => {
    const { cwd, pull, exchanges } = await serverOf({ jira: JIRA });
    await make(join(cwd, 's.env'));
    const result = await pull('--secrets-file', 's.env');
    expect([result.code, codesOf(result), exchanges]).toEqual([3, ['file-unwritable'], []]);
  });
});

test('an empty secret is commented out, and the plan is empty', async () => {
  const { cwd, pull } = await serverOf({ jira: configuration(option('apiKey', 'password')) });
  await pull();
  expect(filesIn(cwd).get('integrations/main/jira.yaml')).toContain(`      apiKey:
        # value: \${env:SETPOINT_MAIN_JIRA_API_KEY}  # not set
        permission: lock-and-hide
`);
  expect((await run(['plan', '--exit-code'], { cwd })).code).toBe(0);
});

test('a pull that is interrupted begins no file, least of all that of secrets', async () => {
  const stop: { signal?: (name: 'SIGINT') => void } = {};
  const catalog = await tempFolder({ 'jira.json': JIRA });
  const { url } = await liveSandbox({
    catalog,
    onExchange: ({ path }) => path.endsWith('/logout') && stop.signal?.('SIGINT'),
  });
  const cwd = await tempFolder();
  const { code, stderr } = await run(['pull', '--url', url, '--secrets-file', 's.env'], {
    cwd,
    onStart: (signal) => {
      stop.signal = signal;
    },
  });
  expect([code, [...filesIn(cwd).keys()]]).toEqual([130, []]);
  expect(stderr).toContain('interrupted');
});

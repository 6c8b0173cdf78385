import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import {
  configuration,
  installed,
  liveSandbox,
  option,
} from '../support/live-sandbox.ts';
import { filesIn, loaded, type Pulled } from '../support/pulled.ts';
import { codesOf } from '../support/report.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const SECRET = 'CANARY-of-a-key-1';

const JIRA = configuration(
  option('url', 'text', 'https://jira.example.com', { adminOnly: false }),
  option('apiKey', 'password', SECRET, { description: 'Your own.' }),
  option('spare', 'password'),
  option('timeout', 'number', 30, {
    name: 'Time out',
    description: 'Seconds.\u0007\nAt most 60.',
  }),
  option('mode', 'select', 'fast', {
    options: [
      { value: 'fast', display: 'Fast' },
      { value: 'safe', display: 'safe' },
    ],
  }),
  option('own', 'text', '', { adminOnly: false, userCanEdit: true }),
);
const MISP = configuration(
  option('note', 'text', 'line\n\nlast\n'),
  option('limit', 'number', 1),
);

const pulledBy = (result: RunResult) =>
  json<{ servers: readonly Pulled[] }>(result).servers[0];

/** A server with these integrations, and what pulls from it as `main` into a folder of its own. */
async function serverOf(
  integrations: Readonly<Record<string, string>>,
  folder?: string,
) {
  const { catalog } = await installed(integrations);
  const { url, exchanges } = await liveSandbox({ catalog });
  const cwd = folder ?? (await tempFolder());
  const env = { ...ADMIN, PATH: process.env['PATH'] ?? '' };
  const pull = (flags = '', server = 'main', more: object = {}) => {
    const line = `pull --url ${url} --server ${server} --report json${flags}`;
    return run(line, { cwd, env: { ...env, ...more } });
  };
  return { url, cwd, pull, exchanges };
}

test('the files describe what is live, in as few words as possible', async () => {
  const { cwd, url, pull } = await serverOf({ jira: JIRA, misp: MISP });
  const first = await pull();
  expect(codesOf(first)).toEqual([]);
  const variable = 'SETPOINT_JIRA_API_KEY';
  const address = 'jira.options.apiKey.value';
  const key = { variable, address, isShown: true };
  expect(pulledBy(first)?.variables).toEqual([key]);
  const files = filesIn(cwd);
  expect([...files.keys()]).toEqual([
    'integrations/jira.yaml',
    'integrations/misp.yaml',
    'schemas/server.schema.json',
    'schemas/setpoint.yaml.schema.json',
    'setpoint.yaml',
  ]);
  expect(
    files.get('integrations/jira.yaml'),
  ).toBe(`# yaml-language-server: $schema=../schemas/server.schema.json
version: 1
integrations:
  jira:
    match: jira_node_*
    autosubscribe: false
    options:
      url: { value: https://jira.example.com, permission: lock-and-show }
      apiKey: { value: "\${env:SETPOINT_JIRA_API_KEY}", permission: lock-and-hide }
      spare:
        # value: \${env:SETPOINT_JIRA_SPARE}  # not set
        permission: lock-and-hide
      timeout: { value: 30, permission: lock-and-hide }
      mode: { value: fast, permission: lock-and-hide }
      own: { permission: user-provides }
`);
  expect(files.get('integrations/misp.yaml')).toContain(`
      note:
        value: |
          line

          last
        permission: lock-and-hide
`);
  expect(
    files.get('setpoint.yaml'),
  ).toBe(`# yaml-language-server: $schema=schemas/setpoint.yaml.schema.json
version: 1
servers:
  main:
    url: ${url}
    config: [integrations/]
`);
});

describe('a later pull', () => {
  test('adds what is new, and touches nothing else', async () => {
    const first = await serverOf({
      jira: JIRA,
      old: configuration(option('x', 'text', 'y')),
    });
    expect((await first.pull()).code).toBe(0);
    const { cwd } = first;
    const { url, pull } = await serverOf({ jira: JIRA, misp: MISP }, cwd);
    const project = join(cwd, 'setpoint.yaml');
    const text = await readFile(project, 'utf8');
    await writeFile(project, text.replace(first.url, url));
    const before = filesIn(cwd);
    expect(pulledBy(await pull(' --secrets-file s.env'))).toMatchObject({
      secrets: { path: 's.env', count: 1 },
      files: [
        { path: 'schemas/server.schema.json' },
        { path: 'integrations/misp.yaml' },
      ],
      adopted: 1,
      options: 2,
      managed: 1,
    });
    const after = filesIn(cwd);
    const touched = [...after.keys()].filter(
      (path) => before.get(path) !== after.get(path),
    );
    const added = ['integrations/misp.yaml', 's.env'];
    expect(touched.sort()).toEqual([...added, 'schemas/server.schema.json']);
    const secrets = loaded(join(cwd, 's.env'));
    expect(secrets).toEqual({ SETPOINT_JIRA_API_KEY: SECRET });
  });
});

/** A project with one server, and a second one that has more or less of it. */
async function secondServer(second: Readonly<Record<string, string>>) {
  const first = await serverOf({ jira: JIRA, misp: MISP });
  const { cwd } = first;
  const secrets = ' --secrets-file first.env';
  expect((await first.pull(secrets, 'first')).code).toBe(0);
  const other = await serverOf(second, cwd);
  const plan = async (server: string, env: object) => {
    const line = `plan --exit-code --strict --server ${server} --report json`;
    const result = await run(line, { cwd, env: { ...ADMIN, ...env } });
    return [result.code, codesOf(result)];
  };
  return { ...other, plan, first };
}

/** An entry for an integration that is on no server yet. */
const NEW = `version: 1
integrations:
  new: { match: new_node_*, options: { x: y } }
`;

describe('a second server', () => {
  const OTHER = configuration(option('x', 'text', 'y'));
  const key = 'CANARY-of-another-key';
  const CHANGED = JIRA.replaceAll(SECRET, key).replace('30', '60');
  test('is an overlay: what differs, what it lacks and what is its own', async () => {
    const { cwd, url, pull, plan } = await secondServer({
      jira: CHANGED,
      other: OTHER,
    });
    const before = filesIn(cwd);
    const secrets = ' --secrets-file beta.env';
    const report = pulledBy(await pull(secrets, 'beta'));
    expect(report).toMatchObject({
      differing: ['jira'],
      notInstalled: ['misp'],
      adopted: 1,
      secrets: { path: 'beta.env', count: 1 },
    });
    const after = filesIn(cwd);
    const touched = [...after.keys()].filter(
      (path) => before.get(path) !== after.get(path),
    );
    expect(touched).toEqual([
      'beta.env',
      'schemas/server.schema.json',
      'servers/beta/jira.yaml',
      'servers/beta/not-installed.yaml',
      'servers/beta/other.yaml',
      'setpoint.yaml',
    ]);
    expect(after.get('servers/beta/jira.yaml')).toMatch(
      /integrations:\n {2}jira:\n {4}options:\n {6}timeout: 60\n$/,
    );
    expect(after.get('servers/beta/not-installed.yaml')).toMatch(
      /integrations:\n {2}misp: null {2}# not installed here\n$/,
    );
    expect(after.get('setpoint.yaml')).toContain(`
  beta:
    url: ${url}
    config: [integrations/, servers/beta/]
    secretsFile: beta.env
`);
    const beta = loaded(join(cwd, 'beta.env'));
    expect(beta).toEqual({ SETPOINT_JIRA_API_KEY: key });
    expect(await plan('beta', beta)).toEqual([0, []]);
    const first = loaded(join(cwd, 'first.env'));
    expect(await plan('first', first)).toEqual([0, []]);
    expect(pulledBy(await pull('', 'beta'))?.files).toEqual([]);
  });
  test('that is alike shares all layers, and has no folder', async () => {
    const { cwd, pull } = await secondServer({ jira: JIRA, misp: MISP });
    const report = pulledBy(await pull('', 'beta'));
    expect(report).toMatchObject({ differing: [], notInstalled: [] });
    expect(filesIn(cwd).get('setpoint.yaml')).toMatch(
      /\n {2}beta:\n {4}url: .*\n {4}config: \[integrations\/\]\n$/,
    );
    expect(pulledBy(await pull('', 'beta'))?.files).toEqual([]);
  });
  test('that waits for an apply gets no overlay by a later pull', async () => {
    const { cwd, pull } = await secondServer({ jira: CHANGED, misp: MISP });
    expect(pulledBy(await pull('', 'beta'))).toMatchObject({ adopted: 0 });
    const base = join(cwd, 'integrations/misp.yaml');
    const text = await readFile(base, 'utf8');
    await writeFile(base, text.replace('value: 1', 'value: 2'));
    expect(pulledBy(await pull('', 'beta'))?.files).toEqual([]);
  });
  test('that shares all its layers gets a folder for a null, and a step to list it', async () => {
    const { cwd, pull } = await secondServer({ jira: JIRA, misp: MISP });
    expect((await pull('', 'beta')).code).toBe(0);
    await writeFile(join(cwd, 'integrations/new.yaml'), NEW);
    const report = pulledBy(await pull('', 'beta'));
    expect(report?.notInstalled).toEqual(['new']);
    expect(report?.next[1]?.text).toContain('servers/beta/]');
    expect(pulledBy(await pull('', 'beta'))?.files).toEqual([]);
  });
  test('is pulled as a whole: --only is refused', async () => {
    const { pull } = await secondServer({ jira: JIRA });
    const result = await pull(' --only jira*', 'beta');
    expect([result.code, codesOf(result)]).toEqual([3, ['usage']]);
  });
  test('shares nothing with --separate, not even variables', async () => {
    const { cwd, pull, plan } = await secondServer({ jira: CHANGED });
    const flags = ' --separate --secrets-file s.env';
    const report = pulledBy(await pull(flags, 'beta'));
    expect(report?.files.map(({ path }) => path)).toEqual([
      'servers/beta/jira.yaml',
      'setpoint.yaml',
    ]);
    const secrets = loaded(join(cwd, 's.env'));
    expect(secrets).toEqual({ SETPOINT_BETA_JIRA_API_KEY: key });
    expect(await plan('beta', secrets)).toEqual([0, []]);
    expect(filesIn(cwd).get('setpoint.yaml')).toContain(
      'config: [servers/beta/]\n',
    );
  });
});

describe('nothing is written', () => {
  test.each([
    ['where the login fails', '', 'wrong', 4, 'login-refused'],
    [
      'where --only means nothing',
      ' --only none_*',
      'admin',
      3,
      'unknown-name',
    ],
    ['into git', ' --out .git/x', 'admin', 3, 'usage'],
    [
      'in place of secrets',
      ' --secrets-file s --report html=s',
      'admin',
      3,
      'usage',
    ],
  ])('%s', async (_, flags, SETPOINT_PASSWORD, code, finding) => {
    const { cwd, pull } = await serverOf({ jira: JIRA });
    const result = await pull(flags, 'main', { SETPOINT_PASSWORD });
    expect(result.code).toBe(code);
    expect(codesOf(result)).toEqual([finding]);
    expect([...filesIn(cwd)]).toEqual([]);
  });
  test('where the configuration that is there is broken', async () => {
    const cwd = await tempFolder({
      'integrations/a.yaml': 'version: 1\nintegration: {}\n',
    });
    const { pull, exchanges } = await serverOf({ jira: JIRA }, cwd);
    const result = await pull();
    expect(result.code).toBe(3);
    expect(codesOf(result)).toEqual(['unknown-key']);
    expect(exchanges).toEqual([]);
    expect([...filesIn(cwd).keys()]).toEqual(['integrations/a.yaml']);
  });
});

describe('the file of secrets', () => {
  test('is refused if git would take it', async () => {
    const { root } = await gitRepository({ '.gitignore': '*.env\n' });
    const { pull, exchanges } = await serverOf({ jira: JIRA }, root);
    const refused = await pull(' --secrets-file secrets.txt');
    expect(refused.code).toBe(3);
    expect(codesOf(refused)).toEqual(['file-unwritable']);
    expect(exchanges).toEqual([]);
    const inGit = await pull(' --secrets-file .git/secrets.env');
    expect(codesOf(inGit)).toEqual(['file-unwritable']);
    expect(codesOf(await pull(' --secrets-file secrets.env'))).toEqual([]);
  });
  test.each<[string, (path: string) => Promise<unknown>]>([
    ['a link', (path) => symlink('/tmp/elsewhere', path)],
    ['a file', (path) => writeFile(path, 'A=1\n', { mode: 0o600 })],
  ])('takes the place of no %s', async (_, make) => {
    const { cwd, pull, exchanges } = await serverOf({ jira: JIRA });
    await make(join(cwd, 's.env'));
    const result = await pull(' --secrets-file s.env');
    expect(result.code).toBe(3);
    expect(codesOf(result)).toEqual(['file-unwritable']);
    expect(exchanges).toEqual([]);
  });
  test('is not written over other secrets of a pull, nor is any other file', async () => {
    const { cwd, pull } = await serverOf({ jira: JIRA });
    const text =
      '# Secrets for setpoint: keep this file out of git.\nSETPOINT_OTHER=1\n';
    await writeFile(join(cwd, 's.env'), text);
    const result = await pull(' --secrets-file s.env');
    expect([result.code, codesOf(result)]).toEqual([3, ['file-unwritable']]);
    expect([...filesIn(cwd)]).toEqual([['s.env', text]]);
  });
});

test('a secret that no dotenv file can hold is left to a person', async () => {
  const hard = 'CANARY \'1\' "2" `3` \r\n#4\n';
  const HARD = configuration(option('apiKey', 'password', hard));
  const { cwd, pull } = await serverOf({ hard: HARD });
  const reason = 'no dotenv file can hold its text';
  expect(pulledBy(await pull(' --secrets-file a.env'))).toMatchObject({
    secrets: { path: 'a.env', count: 0 },
    leftOut: [{ address: 'hard.options.apiKey.value', reason }],
  });
  const files = filesIn(cwd);
  expect(files.get('integrations/hard.yaml')).toContain(
    '${env:SETPOINT_HARD_API_KEY}',
  );
  expect(files.get('a.env')).toMatch(
    `\n# SETPOINT_HARD_API_KEY=  # ${reason}\n`,
  );
});

test('a pull that is interrupted begins no file, least of all that of secrets', async () => {
  const stop: { signal?: (name: 'SIGINT') => void } = {};
  const catalog = await tempFolder({ 'jira.json': JIRA });
  const { url } = await liveSandbox({
    catalog,
    onExchange: ({ path }) =>
      path.endsWith('/logout') && stop.signal?.('SIGINT'),
  });
  const cwd = await tempFolder();
  const onStart = (signal: (name: 'SIGINT') => void) => {
    stop.signal = signal;
  };
  const line = `pull --url ${url} --secrets-file s.env`;
  const { code, stderr } = await run(line, { cwd, onStart });
  expect([code, [...filesIn(cwd).keys()]]).toEqual([130, []]);
  expect(stderr).toContain('interrupted');
});

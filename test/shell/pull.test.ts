import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import { configuration, liveSandbox, option } from '../support/live-sandbox.ts';
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
  const files = Object.entries(integrations).map(([name, text]) => [
    `${name}.json`,
    text,
  ]);
  const { url, exchanges } = await liveSandbox({
    catalog: await tempFolder(Object.fromEntries(files)),
  });
  const cwd = folder ?? (await tempFolder());
  const env = { ...ADMIN, PATH: process.env['PATH'] ?? '' };
  const pull = (
    flags: readonly string[] = [],
    server = 'main',
    more: object = {},
  ) =>
    run(
      ['pull', '--url', url, '--server', server, '--report', 'json', ...flags],
      {
        cwd,
        env: { ...env, ...more },
      },
    );
  return { url, cwd, pull, exchanges };
}

test('the files describe what is live, in as few words as possible', async () => {
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
      spare:
        # value: \${env:SETPOINT_MAIN_JIRA_SPARE}  # not set
        permission: lock-and-hide
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
  expect(
    files.get('setpoint.yaml'),
  ).toBe(`# yaml-language-server: $schema=schemas/setpoint.yaml.schema.json
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
    await writeFile(
      project,
      (await readFile(project, 'utf8')).replace(first.url, url),
    );
    const before = filesIn(cwd);
    expect(pulledBy(await pull(['--secrets-file', 's.env']))).toMatchObject({
      secrets: { path: 's.env', count: 1 },
      files: [
        { path: 'schemas/main.schema.json' },
        { path: 'integrations/main/misp.yaml' },
      ],
      adopted: 1,
      options: 2,
      managed: 1,
    });
    const after = filesIn(cwd);
    const changed = [...before].filter(
      ([path, text]) => after.get(path) !== text,
    );
    expect(changed.map(([path]) => path)).toEqual(['schemas/main.schema.json']);
    expect([...after.keys()].filter((path) => !before.has(path))).toEqual([
      'integrations/main/misp.yaml',
      's.env',
    ]);
    expect(loaded(join(cwd, 's.env'))).toEqual({
      SETPOINT_MAIN_JIRA_API_KEY: SECRET,
    });
  });
  test('keeps the entries and the secrets of two servers apart', async () => {
    const first = await serverOf({ jira: JIRA });
    const alone = ['pull', '--url', first.url, '--secrets-file', 'first.env'];
    expect((await run(alone, { cwd: first.cwd })).code).toBe(0);
    const other = 'CANARY-of-another-key';
    const second = await serverOf(
      { jira: JIRA.replaceAll(SECRET, other) },
      first.cwd,
    );
    const report = pulledBy(
      await second.pull(['--secrets-file', 's.env'], 'beta'),
    );
    expect(report?.files.map(({ path }) => path)).toEqual([
      'schemas/beta.schema.json',
      '.env.example',
      'beta/jira.yaml',
      'setpoint.yaml',
    ]);
    const secrets = ['first.env', 's.env'].map((name) =>
      loaded(join(first.cwd, name)),
    );
    expect(secrets).toEqual([
      { SETPOINT_JIRA_API_KEY: SECRET },
      { SETPOINT_BETA_JIRA_API_KEY: other },
    ]);
    expect(filesIn(first.cwd).get('setpoint.yaml')).toMatch(
      /\n {2}beta:\n {4}url: .*\n {4}config: \[beta\/\]\n$/,
    );
    const env = { ...ADMIN, ...secrets[0], ...secrets[1] };
    expect(
      (await run(['plan', '--exit-code'], { cwd: first.cwd, env })).code,
    ).toBe(0);
  });
});

describe('nothing is written', () => {
  test.each<[string, string[], object, number, string]>([
    [
      'where the login fails',
      [],
      { SETPOINT_PASSWORD: 'wrong' },
      4,
      'login-refused',
    ],
    ['where --only means nothing', ['--only', 'none_*'], {}, 3, 'unknown-name'],
    ['into git', ['--out', '.git/x'], {}, 3, 'usage'],
    [
      'where a report is to take the place of secrets',
      ['--secrets-file', 's', '--report', 'html=s'],
      {},
      3,
      'usage',
    ],
  ])('%s', async (_, flags, env, code, finding) => {
    const { cwd, pull } = await serverOf({ jira: JIRA });
    const result = await pull(flags, 'main', env);
    expect([result.code, codesOf(result), [...filesIn(cwd)]]).toEqual([
      code,
      [finding],
      [],
    ]);
  });
  test('where the configuration that is there is broken', async () => {
    const cwd = await tempFolder({
      'integrations/main/a.yaml': 'version: 1\nintegration: {}\n',
    });
    const { pull, exchanges } = await serverOf({ jira: JIRA }, cwd);
    const result = await pull();
    expect([result.code, codesOf(result), exchanges]).toEqual([
      3,
      ['unknown-key'],
      [],
    ]);
    expect([...filesIn(cwd).keys()]).toEqual(['integrations/main/a.yaml']);
  });
});

describe('the file of secrets', () => {
  test('is refused if git would take it', async () => {
    const { root } = await gitRepository({ '.gitignore': '*.env\n' });
    const { pull, exchanges } = await serverOf({ jira: JIRA }, root);
    const refused = await pull(['--secrets-file', 'secrets.txt']);
    expect([refused.code, codesOf(refused), exchanges]).toEqual([
      3,
      ['file-unwritable'],
      [],
    ]);
    expect(codesOf(await pull(['--secrets-file', '.git/secrets.env']))).toEqual(
      ['file-unwritable'],
    );
    expect(codesOf(await pull(['--secrets-file', 'secrets.env']))).toEqual([]);
  });
  test.each<[string, (path: string) => Promise<unknown>]>([
    ['a link', (path) => symlink('/tmp/elsewhere', path)],
    ['a file', (path) => writeFile(path, '', { mode: 0o600 })],
  ])('takes the place of no %s', async (_, make) => {
    const { cwd, pull, exchanges } = await serverOf({ jira: JIRA });
    await make(join(cwd, 's.env'));
    const result = await pull(['--secrets-file', 's.env']);
    expect([result.code, codesOf(result), exchanges]).toEqual([
      3,
      ['file-unwritable'],
      [],
    ]);
  });
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
  const { code, stderr } = await run(
    ['pull', '--url', url, '--secrets-file', 's.env'],
    {
      cwd,
      onStart: (signal) => {
        stop.signal = signal;
      },
    },
  );
  expect([code, [...filesIn(cwd).keys()]]).toEqual([130, []]);
  expect(stderr).toContain('interrupted');
});

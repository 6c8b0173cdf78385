import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { faultyProxy } from '../support/fault-proxy.ts';
import { type LiveSandbox, type LiveWish, liveSandbox } from '../support/live-sandbox.ts';
import { findingsOf, outcomeOf, serversOf } from '../support/report.ts';
import { json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const SECRETS = {
  SETPOINT_THREATLOOKUP_KEY: 'canary-lookup',
  SETPOINT_DETONATION_KEY: 'canary-detonation',
  SETPOINT_ASSETS_SECRET: 'canary-assets',
};
const env = {
  ...SECRETS,
  SETPOINT_SERVER_STAGING_USERNAME: 'manager',
  SETPOINT_SERVER_STAGING_PASSWORD: 'manager',
  SETPOINT_USERNAME: 'admin',
  SETPOINT_PASSWORD: 'admin',
};

/** The team's example with two servers of its own; `.git` marks the root that a search for setpoint.yaml ends at. */
async function team(urls: { staging: string; production: string }): Promise<string> {
  const folder = await tempFolder({ '.git/HEAD': '' });
  await cp('examples/team', folder, { recursive: true });
  const text = await readFile(join(folder, 'setpoint.yaml'), 'utf8');
  await writeFile(
    join(folder, 'setpoint.yaml'),
    text
      .replace('https://integrations-staging.example.com', urls.staging)
      .replace('https://integrations.example.com', urls.production),
  );
  return folder;
}

async function twoSandboxes(wish: LiveWish = {}): Promise<{ staging: LiveSandbox; production: LiveSandbox }> {
  return { staging: await liveSandbox(wish), production: await liveSandbox(wish) };
}

/** What a run reports, without notes: on a fresh server all secrets are empty, which is one. */
const plans = (result: Parameters<typeof json>[0]) => {
  const diagnostics = findingsOf(result).filter(({ severity }) => severity !== 'note');
  return { servers: serversOf(result), diagnostics };
};
const patches = ({ exchanges }: LiveSandbox) => exchanges.filter(({ method }) => method === 'PATCH').length;

describe('a project with several servers', () => {
  test('all are planned side by side and reported together, in the order of setpoint.yaml', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const result = await run(['plan', '--report', 'json'], { cwd, env });
    const { servers, diagnostics } = plans(result);
    expect([result.code, diagnostics]).toEqual([0, []]);
    expect(servers.map(({ name, summary }) => [name, summary.changed > 0])).toEqual([
      ['staging', true],
      ['production', true],
    ]);
    const urlOf = (name: string) =>
      servers
        .find((server) => server.name === name)
        ?.integrations.find((each) => each.name === 'tickets')
        ?.changes.find(({ address }) => address === 'tickets.options.url.value')?.after;
    expect([urlOf('staging'), urlOf('production')]).toEqual([
      'https://tickets.staging.example.com',
      'https://tickets.example.com',
    ]);
    for (const sandbox of [staging, production]) expect(patches(sandbox)).toBe(0);
  });
  test('is applied, verified, and then as desired', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const applied = await run(['apply', '--yes', '--report', 'json'], { cwd, env });
    expect([applied.code, applied.stderr]).toEqual([0, '']);
    expect([
      ...new Set(
        plans(applied).servers.flatMap(({ integrations }) =>
          integrations.flatMap((each) => outcomeOf(each) ?? []),
        ),
      ),
    ]).toEqual(['verified']);
    expect((await run(['plan', '--exit-code'], { cwd, env })).code).toBe(0);
    for (const secret of Object.values(SECRETS)) expect(applied.stdout).not.toContain(secret);
  });
  test('is found from a folder below', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const result = await run(['validate'], { cwd: join(cwd, 'base') });
    expect([result.code, result.stderr]).toEqual([0, '']);
  });
  test.each([
    [[], ['production.yaml', 'staging.yaml'], 3],
    [['--server', 'staging'], ['staging.yaml'], 3],
    [['--server', 'tier=production'], ['production.yaml'], 3],
    [['--server', 'none'], [undefined], 3],
    [['--server', 'staging', 'staging.yaml'], [undefined], 3],
  ])('validate %j validates only these servers', async (flags, files, code) => {
    const cwd = await team({ staging: 'https://a.example', production: 'https://b.example' });
    for (const name of ['production', 'staging'])
      await writeFile(join(cwd, `${name}.yaml`), 'version: 1\nintegrations: { x: { optons: {} } }\n');
    const result = await run(['validate', ...flags, '--report', 'json'], { cwd });
    const found = json<{ diagnostics: { file?: string }[] }>(result).diagnostics;
    expect([result.code, found.map(({ file }) => file)]).toEqual([code, files]);
  });
  test('the search ends at the root of the repository', async () => {
    const outer = await tempFolder({ 'setpoint.yaml': 'version: 1\n', 'inner/.git/HEAD': '' });
    const result = await run(['plan', '--report', 'json'], { cwd: join(outer, 'inner') });
    expect([result.code, plans(result).diagnostics.map(({ code }) => code)]).toEqual([
      3,
      ['no-configuration'],
    ]);
  });
  test.each([
    [['--server', 'staging'], ['staging']],
    [['--server', 'tier=production'], ['production']],
    [['--server', 'prod*'], ['production']],
    [
      ['--server', 'production', '--server', 'staging'],
      ['staging', 'production'],
    ],
  ])('%j selects', async (flags, names) => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const result = await run(['plan', ...flags, '--report', 'json'], { cwd, env });
    expect(plans(result).servers.map(({ name }) => name)).toEqual(names);
  });
  test.each([['stagin'], ['tier=none'], ['none=staging']])('--server %s is an error', async (selector) => {
    const cwd = await team({ staging: 'https://a.example', production: 'https://b.example' });
    const result = await run(['plan', '--server', selector, '--report', 'json'], { cwd, env });
    expect([result.code, plans(result).diagnostics.map(({ code }) => code)]).toEqual([3, ['unknown-name']]);
  });
  test.each([
    [
      'a name without its password',
      { SETPOINT_SERVER_STAGING_PASSWORD: '' },
      'SETPOINT_SERVER_STAGING_PASSWORD',
    ],
    [
      'a password without its name',
      { SETPOINT_SERVER_STAGING_USERNAME: '' },
      'SETPOINT_SERVER_STAGING_USERNAME',
    ],
    ['a general name without its password', { SETPOINT_PASSWORD: '' }, 'SETPOINT_PASSWORD'],
  ])('%s is not completed from another account; nothing is sent', async (_, half, missing) => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const result = await run(['plan', '--report', 'json'], { cwd, env: { ...env, ...half } });
    expect([result.code, plans(result).diagnostics.map(({ code }) => code)]).toEqual([3, ['no-credentials']]);
    expect(result.stdout).toContain(`${missing} is missing.`);
    expect([...staging.exchanges, ...production.exchanges]).toEqual([]);
  });
  test('each server gets its own account', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    await run(['plan'], { cwd, env });
    const users = [staging, production].map(
      ({ exchanges }) => (exchanges[0]?.body as { identification: string } | undefined)?.identification,
    );
    expect(users).toEqual(['manager', 'admin']);
  });
  test('only what the selected servers need is resolved', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const { SETPOINT_ASSETS_SECRET: _, ...some } = env;
    expect((await run(['plan', '--server', 'staging'], { cwd, env: some })).code).toBe(0);
    const both = await run(['plan', '--report', 'json'], { cwd, env: some });
    expect([both.code, plans(both).diagnostics.map(({ code }) => code)]).toEqual([3, ['reference-missing']]);
    expect(production.exchanges).toEqual([]);
  });
});

describe('when one server fails', () => {
  test('the plan of the others is shown, and the failure with its name', async () => {
    const { staging, production } = await twoSandboxes();
    const proxy = await faultyProxy(staging.url, ({ path }) =>
      path === '/api/integrations' ? { status: 500 } : undefined,
    );
    const cwd = await team({ staging: proxy.url, production: production.url });
    const result = await run(['plan', '--report', 'json'], { cwd, env });
    expect(result.code).toBe(1);
    expect(plans(result).servers.map(({ name }) => name)).toEqual(['production']);
    expect(plans(result).diagnostics).toMatchObject([{ code: 'bad-answer', server: 'staging' }]);
  });
  test('an apply writes nothing anywhere', async () => {
    const { staging, production } = await twoSandboxes();
    const proxy = await faultyProxy(staging.url, ({ path }) =>
      path === '/api/integrations' ? { status: 500 } : undefined,
    );
    const cwd = await team({ staging: proxy.url, production: production.url });
    const result = await run(['apply', '--yes', '--report', 'json'], { cwd, env });
    expect([
      result.code,
      plans(result)
        .diagnostics.map(({ code }) => code)
        .sort(),
    ]).toEqual([1, ['bad-answer', 'not-attempted']]);
    expect(patches(production)).toBe(0);
  });
  test('an apply writes nothing anywhere, and ends, if one session cannot even be opened', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const wrong = { ...env, SETPOINT_SERVER_STAGING_PASSWORD: 'wrong' };
    const result = await run(['apply', '--yes', '--report', 'json'], { cwd, env: wrong });
    const found = plans(result).diagnostics.map(({ code, server }) => [code, server]);
    expect([result.code, found]).toEqual([
      4,
      [
        ['login-refused', 'staging'],
        ['not-attempted', undefined],
      ],
    ]);
    expect(patches(production)).toBe(0);
  });
  test.each([
    [[], 0, 'not-attempted'],
    [['--keep-going'], 1, 'verified'],
  ] as const)('a refusal of the first stops the servers after it: %j', async (flags, written, outcome) => {
    const { staging, production } = await twoSandboxes();
    const proxy = await faultyProxy(staging.url, ({ method }) =>
      method === 'PATCH' ? { status: 400 } : undefined,
    );
    const cwd = await team({ staging: proxy.url, production: production.url });
    const result = await run(['apply', '--yes', ...flags, '--report', 'json'], { cwd, env });
    expect([result.code, Math.sign(patches(production))]).toEqual([5, written]);
    const outcomes = plans(result)
      .servers.find(({ name }) => name === 'production')
      ?.integrations.flatMap((each) => outcomeOf(each) ?? []);
    expect([...new Set(outcomes)]).toEqual([outcome]);
  });
  test('a risk on one server holds all back', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    await writeFile(
      join(cwd, 'staging.yaml'),
      'version: 1\nintegrations: { threatlookup: { options: { apiKey: { permission: lock-and-show } } } }\n',
    );
    const result = await run(['apply', '--yes'], { cwd, env });
    expect([result.code, patches(staging), patches(production)]).toEqual([6, 0, 0]);
  });
  test('what the policy of the project calls an error cannot be accepted away', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const project = join(cwd, 'setpoint.yaml');
    const text = await readFile(project, 'utf8');
    await writeFile(project, text.replace('subscribes-everyone: warn', 'subscribes-everyone: error'));
    for (const accept of [[], ['--allow', 'subscribes-everyone']]) {
      const refused = await run(['apply', '--yes', '--server', 'production', ...accept], { cwd, env });
      expect([refused.code, patches(production)]).toEqual([6, 0]);
    }
  });
  test('one question is asked for all', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const result = await run(['apply'], { cwd, env, answer: 'yes' });
    expect(result.code).toBe(0);
    expect(result.stderr.match(/Type yes/g)?.length).toBe(1);
    expect(result.stderr).toContain('Apply these changes to staging, then production?');
  });
});

describe('SETPOINT_URL', () => {
  const LOGIN = { SETPOINT_USERNAME: 'admin', SETPOINT_PASSWORD: 'admin' };
  const YAML = 'version: 1\nintegrations: { tickets: { match: ticket_desk_*, autosubscribe: true } }\n';
  test('stands for --url if files are named, also beside a setpoint.yaml', async () => {
    const { url } = await liveSandbox();
    const cwd = await team({ staging: 'https://a.example', production: 'https://b.example' });
    await writeFile(join(cwd, 'a.yaml'), YAML);
    const wish = { cwd, env: { ...LOGIN, SETPOINT_URL: url } };
    const result = await run(['plan', '-f', 'a.yaml', '--report', 'json'], wish);
    expect(plans(result).servers.map((each) => [each.url, each.summary.managed])).toEqual([[url, 1]]);
  });
  test('stands for --url where there is no setpoint.yaml', async () => {
    const { url } = await liveSandbox();
    const cwd = await tempFolder({ '.git/HEAD': '' });
    const wish = { cwd, env: { ...LOGIN, SETPOINT_URL: url } };
    expect((await run(['list'], wish)).stdout).toContain('8 integrations.');
    expect((await run(['pull'], wish)).code).toBe(0);
    expect(await readFile(join(cwd, 'setpoint.yaml'), 'utf8')).toContain(url);
  });
  test('counts for nothing if a setpoint.yaml names the servers', async () => {
    const { staging, production } = await twoSandboxes();
    const cwd = await team({ staging: staging.url, production: production.url });
    const wish = { cwd, env: { ...env, SETPOINT_URL: 'https://nowhere.invalid' } };
    const { servers } = plans(await run(['plan', '--report', 'json'], wish));
    expect(servers.map(({ name }) => name)).toEqual(['staging', 'production']);
  });
});

describe('mistakes in setpoint.yaml', () => {
  test.each([
    ['no servers', 'version: 1\n', ['missing-key']],
    [
      'an unknown key',
      'version: 1\nservers: { a: { url: https://a.example, config: [a.yaml], label: {} } }\n',
      ['unknown-key'],
    ],
    [
      'an unknown policy',
      'version: 1\nservers: { a: { url: https://a.example, config: [a.yaml] } }\npolicy: { exposes: warn }\n',
      ['unknown-key'],
    ],
    [
      'a policy that is none',
      'version: 1\nservers: { a: { url: https://a.example, config: [a.yaml] } }\npolicy: { exposes-secret: ignore }\n',
      ['not-allowed'],
    ],
    [
      'http to another machine',
      'version: 1\nservers: { a: { url: http://a.example, config: [a.yaml] } }\n',
      ['bad-url'],
    ],
    [
      'two servers with the same variables',
      'version: 1\nservers:\n  eu-1: { url: https://a.example, config: [a.yaml] }\n  EU_1: { url: https://b.example, config: [a.yaml] }\n',
      ['servers-alike'],
    ],
    [
      'a layer that does not exist',
      'version: 1\nservers: { a: { url: https://a.example, config: [none.yaml] } }\n',
      ['file-unreadable'],
    ],
    [
      'a glob that finds nothing',
      'version: 1\nservers: { a: { url: https://a.example, config: ["none-*.yaml"] } }\n',
      ['file-unreadable'],
    ],
    [
      'a glob that no file name needs',
      `version: 1\nservers: { a: { url: https://a.example, config: ["${'?'.repeat(60_000)}"] } }\n`,
      ['not-allowed'],
    ],
    ['no layers', 'version: 1\nservers: { a: { url: https://a.example, config: [] } }\n', ['not-allowed']],
  ])('%s', async (_, text, codes) => {
    const cwd = await tempFolder({ 'setpoint.yaml': text, 'a.yaml': 'version: 1\n', '.git/HEAD': '' });
    const result = await run(['plan', '--report', 'json'], { cwd, env });
    expect([result.code, plans(result).diagnostics.map(({ code }) => code)]).toEqual([3, codes]);
  });
  test('validate finds what is odd about servers, each at its place', async () => {
    const servers = [
      'prod: { url: https://a.example, config: [a.yaml] }',
      'dev: { url: https://A.example/, config: [a.yaml] }',
      'eu: { url: http://b.example, config: [a.yaml] }',
      'us: { url: "https://${env:SETPOINT_HOST}", config: [a.yaml] }',
    ];
    const cwd = await tempFolder({
      'setpoint.yaml': `version: 1\nservers:\n${servers.map((server) => `  ${server}\n`).join('')}`,
      'a.yaml': 'version: 1\nintegrations: { a: { autosubscribe: true } }\n',
      '.git/HEAD': '',
    });
    const result = await run(['validate', '--report', 'json'], { cwd });
    const found = json<{ diagnostics: { code: string; line: number; column: number }[] }>(result).diagnostics;
    expect(found.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([
      'servers-alike 4:15',
      'bad-url 5:14',
      'bad-url 6:14',
    ]);
  });
});

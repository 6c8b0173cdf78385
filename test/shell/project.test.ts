import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { faultyProxy } from '../support/fault-proxy.ts';
import { type LiveSandbox, liveSandbox } from '../support/live-sandbox.ts';
import { outcomeOf } from '../support/outcomes.ts';
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

/** Two sandboxes, and a folder with the team's example for them. */
async function both(): Promise<{ staging: LiveSandbox; production: LiveSandbox; cwd: string }> {
  const [staging, production] = [await liveSandbox(), await liveSandbox()];
  return { staging, production, cwd: await team({ staging: staging.url, production: production.url }) };
}

/** A folder with the team's example for servers that nobody asks. */
const nowhere = () => team({ staging: 'https://a.example', production: 'https://b.example' });

interface Report {
  readonly servers: ServerPlan[];
  readonly diagnostics: { code: string; server?: string }[];
}

/** A report without the note that the secrets of a sandbox are empty. */
function plans(result: Parameters<typeof json>[0]): Report {
  const { servers, diagnostics } = json<Report>(result);
  return { servers, diagnostics: diagnostics.filter(({ code }) => code !== 'hides-secrets') };
}

const codesOf = (result: Parameters<typeof json>[0]) => plans(result).diagnostics.map(({ code }) => code);
const patches = ({ exchanges }: LiveSandbox) => exchanges.filter(({ method }) => method === 'PATCH').length;

describe('a project with several servers', () => {
  test('all are planned side by side and reported together, in the order of setpoint.yaml', async () => {
    const { staging, production, cwd } = await both();
    const result = await run(['plan', '--report', 'json'], { cwd, env });
    expect([result.code, codesOf(result)]).toEqual([0, []]);
    const { servers } = plans(result);
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
    const { cwd } = await both();
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
    const { cwd } = await both();
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
    const cwd = await nowhere();
    for (const name of ['production', 'staging'])
      await writeFile(join(cwd, `${name}.yaml`), 'version: 1\nintegrations: { x: { optons: {} } }\n');
    const result = await run(['validate', ...flags, '--report', 'json'], { cwd });
    const found = json<{ diagnostics: { file?: string }[] }>(result).diagnostics;
    expect([result.code, found.map(({ file }) => file)]).toEqual([code, files]);
  });
  test('the search ends at the root of the repository', async () => {
    const outer = await tempFolder({ 'setpoint.yaml': 'version: 1\n', 'inner/.git/HEAD': '' });
    const result = await run(['plan', '--report', 'json'], { cwd: join(outer, 'inner') });
    expect([result.code, codesOf(result)]).toEqual([3, ['no-configuration']]);
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
    const { cwd } = await both();
    const result = await run(['plan', ...flags, '--report', 'json'], { cwd, env });
    expect(plans(result).servers.map(({ name }) => name)).toEqual(names);
  });
  test.each([
    ['tier=stagin', 'tier=staging'],
    ['tier', 'tier=production, tier=staging'],
    ['nothing-like-it', 'tier=production, tier=staging'],
    ['none=staging', 'tier=staging'],
    ['stagin', 'staging'],
  ])('--server %j is an error that suggests %s', async (selector, words) => {
    const cwd = await nowhere();
    const result = await run(['plan', '--server', selector, '--report', 'json'], { cwd, env });
    expect([result.code, plans(result).diagnostics]).toMatchObject([
      3,
      [{ code: 'unknown-name', hint: expect.stringContaining(words) }],
    ]);
  });
  test.each([
    ['--url needs -f', ['--url', 'https://a.example'], 'no-configuration', /--url and --live need that too/],
    [
      '--server cannot go with -f',
      ['-f', 'a.yaml', '--server', 'staging'],
      'usage',
      /cannot be used with option -f/,
    ],
    [
      'nor with --url',
      ['-f', 'a.yaml', '--url', 'https://a.example', '--server', 'a'],
      'usage',
      /cannot be used with option/,
    ],
    ['-f needs a server', ['-f', 'a.yaml'], 'usage', /No server was named/],
  ])('%s, whether or not there is a setpoint.yaml', async (_, flags, code, words) => {
    const cwd = await nowhere();
    const result = await run(['plan', ...flags, '--report', 'json'], { cwd: join(cwd, 'base'), env });
    expect([result.code, plans(result).diagnostics]).toMatchObject([3, [{ code }]]);
    expect(result.stdout).toMatch(words);
    expect(result.stdout).not.toContain('there is no setpoint.yaml');
  });
  test.each([['setpoint.yml'], ['Setpoint.yaml']])('%s is nearly found', async (name) => {
    const cwd = await tempFolder({ [name]: 'version: 1\n' });
    const result = await run(['plan', '--report', 'json'], { cwd, env });
    expect(json<{ diagnostics: unknown[] }>(result).diagnostics).toMatchObject([
      { code: 'no-configuration', hint: expect.stringContaining(name) },
    ]);
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
    const { staging, production, cwd } = await both();
    const result = await run(['plan', '--report', 'json'], { cwd, env: { ...env, ...half } });
    expect([result.code, codesOf(result)]).toEqual([3, ['no-credentials']]);
    expect(result.stdout).toContain(`${missing} is missing.`);
    expect([...staging.exchanges, ...production.exchanges]).toEqual([]);
  });
  test('half of a general account does not matter where each server has its own', async () => {
    const { cwd } = await both();
    const half = { SETPOINT_PASSWORD: '', SETPOINT_PASSWORD_FILE: 'no-such-file' };
    const result = await run(['plan', '--server', 'staging'], { cwd, env: { ...env, ...half } });
    expect([result.code, result.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  });
  test('each server gets its own account', async () => {
    const { staging, production, cwd } = await both();
    await run(['plan'], { cwd, env });
    const users = [staging, production].map(
      ({ exchanges }) => (exchanges[0]?.body as { identification: string } | undefined)?.identification,
    );
    expect(users).toEqual(['manager', 'admin']);
  });
  test('only what the selected servers need is resolved', async () => {
    const { production, cwd } = await both();
    const { SETPOINT_ASSETS_SECRET: _, ...some } = env;
    expect((await run(['plan', '--server', 'staging'], { cwd, env: some })).code).toBe(0);
    const all = await run(['plan', '--report', 'json'], { cwd, env: some });
    expect([all.code, codesOf(all)]).toEqual([3, ['reference-missing']]);
    expect(production.exchanges).toEqual([]);
  });
});

/** The same with a status in place of some answers of staging. */
async function broken(isMeant: (request: { method: string; path: string }) => boolean, status: number) {
  const { staging, production } = await both();
  const proxy = await faultyProxy(staging.url, (request) => (isMeant(request) ? { status } : undefined));
  return { production, cwd: await team({ staging: proxy.url, production: production.url }) };
}

describe('when one server fails', () => {
  test('the plan of the others is shown, and the failure with its name', async () => {
    const { cwd } = await broken(({ path }) => path === '/api/integrations', 500);
    const result = await run(['plan', '--report', 'json'], { cwd, env });
    expect(result.code).toBe(1);
    expect(plans(result).servers.map(({ name }) => name)).toEqual(['production']);
    expect(plans(result).diagnostics).toMatchObject([{ code: 'bad-answer', server: 'staging' }]);
  });
  test('an apply writes nothing anywhere', async () => {
    const { production, cwd } = await broken(({ path }) => path === '/api/integrations', 500);
    const result = await run(['apply', '--yes', '--report', 'json'], { cwd, env });
    expect([result.code, codesOf(result).sort()]).toEqual([1, ['bad-answer', 'not-attempted']]);
    expect(patches(production)).toBe(0);
  });
  test('an apply writes nothing anywhere, and ends, if one session cannot even be opened', async () => {
    const { production, cwd } = await both();
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
    const { production, cwd } = await broken(({ method }) => method === 'PATCH', 400);
    const result = await run(['apply', '--yes', ...flags, '--report', 'json'], { cwd, env });
    expect([result.code, Math.sign(patches(production))]).toEqual([5, written]);
    const outcomes = plans(result)
      .servers.find(({ name }) => name === 'production')
      ?.integrations.flatMap((each) => outcomeOf(each) ?? []);
    expect([...new Set(outcomes)]).toEqual([outcome]);
  });
  test('a risk on one server holds all back', async () => {
    const { staging, production, cwd } = await both();
    await writeFile(
      join(cwd, 'staging.yaml'),
      'version: 1\nintegrations: { threatlookup: { options: { apiKey: { permission: lock-and-show } } } }\n',
    );
    const result = await run(['apply', '--yes'], { cwd, env });
    expect([result.code, patches(staging), patches(production)]).toEqual([6, 0, 0]);
  });
  test('what the policy of the project calls an error cannot be accepted away', async () => {
    const { production, cwd } = await both();
    const project = join(cwd, 'setpoint.yaml');
    const text = await readFile(project, 'utf8');
    await writeFile(project, text.replace('subscribes-everyone: warn', 'subscribes-everyone: error'));
    for (const accept of [[], ['--allow', 'subscribes-everyone']]) {
      const refused = await run(['apply', '--yes', '--server', 'production', ...accept], { cwd, env });
      expect([refused.code, patches(production)]).toEqual([6, 0]);
    }
  });
  test('one question is asked for all', async () => {
    const { cwd } = await both();
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
    const cwd = await nowhere();
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
    const { cwd } = await both();
    const wish = { cwd, env: { ...env, SETPOINT_URL: 'https://nowhere.invalid' } };
    const { servers } = plans(await run(['plan', '--report', 'json'], wish));
    expect(servers.map(({ name }) => name)).toEqual(['staging', 'production']);
  });
  test('is no server for --server', async () => {
    const wish = { cwd: await tempFolder({ '.git/HEAD': '' }), env: { SETPOINT_URL: 'https://a.example' } };
    const result = await run(['list', '--server', 'a', '--report', 'json'], wish);
    expect([result.code, plans(result).diagnostics]).toMatchObject([3, [{ code: 'no-configuration' }]]);
  });
});

/** A setpoint.yaml with one server, and what follows it. */
const one = (server: string, rest = '') => `version: 1\nservers: { a: { ${server} } }\n${rest}`;

describe('mistakes in setpoint.yaml', () => {
  test.each([
    ['no servers', 'version: 1\n', ['missing-key']],
    ['an unknown key', one('url: https://a.example, config: [a.yaml], label: {}'), ['unknown-key']],
    [
      'an unknown policy',
      one('url: https://a.example, config: [a.yaml]', 'policy: { exposes: warn }\n'),
      ['unknown-key'],
    ],
    [
      'a policy that is none',
      one('url: https://a.example, config: [a.yaml]', 'policy: { exposes-secret: ignore }\n'),
      ['not-allowed'],
    ],
    ['http to another machine', one('url: http://a.example, config: [a.yaml]'), ['bad-url']],
    ['a layer that does not exist', one('url: https://a.example, config: [none.yaml]'), ['file-unreadable']],
    [
      'a glob that finds nothing',
      one('url: https://a.example, config: ["none-*.yaml"]'),
      ['file-unreadable'],
    ],
    [
      'a glob that no file name needs',
      one(`url: https://a.example, config: ["${'?'.repeat(60_000)}"]`),
      ['not-allowed'],
    ],
    ['no layers', one('url: https://a.example, config: []'), ['not-allowed']],
  ])('%s', async (_, text, codes) => {
    const cwd = await tempFolder({ 'setpoint.yaml': text, 'a.yaml': 'version: 1\n', '.git/HEAD': '' });
    const result = await run(['plan', '--report', 'json'], { cwd, env });
    expect([result.code, codesOf(result)]).toEqual([3, codes]);
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
  test('of one server all that is wrong is told', async () => {
    const cwd = await tempFolder({
      'setpoint.yaml':
        'version: 1\nservers:\n  a: { url: "https://u:p@a.example", config: [a.yaml], tls: { caFile: nope.pem } }\n  b: { url: "https://b.example:99999", config: [a.yaml] }\n',
      'a.yaml': 'version: 1\nintegrations: { a: { autosubscribe: true } }\n',
      '.git/HEAD': '',
    });
    for (const command of ['validate', 'plan']) {
      const result = await run([command, '--report', 'json'], { cwd, env });
      const found = json<{ diagnostics: { code: string; line: number }[] }>(result).diagnostics;
      expect(found.map(({ code, line }) => `${code} ${line}`)).toEqual([
        'bad-url 3',
        'file-unreadable 3',
        'bad-url 4',
      ]);
      expect(result.stdout + (await run([command], { cwd, env })).stderr).not.toContain('u:p');
    }
  });
  test.each([
    ['https://A.example:443/', 'https://a.example'],
    ['https://a.example/X/', 'https://a.example/X'],
  ])('%s is the same url as %s', async (one, other) => {
    const cwd = await tempFolder({
      'setpoint.yaml': `version: 1\nservers:\n  a: { url: "${one}", config: [a.yaml] }\n  b: { url: "${other}", config: [a.yaml] }\n`,
      'a.yaml': 'version: 1\nintegrations: { a: { autosubscribe: true } }\n',
      '.git/HEAD': '',
    });
    const result = await run(['validate', '--report', 'json'], { cwd });
    expect(codesOf(result)).toEqual(['servers-alike']);
  });
  test('of two servers with the same variables the second in the file is named', async () => {
    const cwd = await tempFolder({
      'setpoint.yaml':
        'version: 1\nservers:\n  eu-1: { url: https://a.example, config: [a.yaml] }\n  EU_1: { url: https://b.example, config: [a.yaml] }\n',
      '.git/HEAD': '',
      'a.yaml': 'version: 1\nintegrations: { vt: { autosubscribe: true } }\n',
    });
    const result = await run(['validate', '--report', 'json'], { cwd });
    expect(json<{ diagnostics: object[] }>(result).diagnostics).toMatchObject([
      { code: 'servers-alike', line: 4, column: 3 },
    ]);
  });
});

test('a layer may be a glob', async () => {
  const { url } = await liveSandbox();
  const cwd = await tempFolder({
    'setpoint.yaml': `version: 1\nservers: { a: { url: "${url}", config: ["team-*.yaml"] } }\n`,
    'team-a.yaml': 'version: 1\nintegrations: { a: { match: dns_*, autosubscribe: true } }\n',
    'team-b.yaml': 'version: 1\nintegrations: { b: { match: time_*, autosubscribe: true } }\n',
    '.git/HEAD': '',
  });
  const result = await run(['plan', '--report', 'json'], { cwd, env });
  expect(plans(result).servers[0]?.integrations.map(({ name }) => name)).toEqual(['a', 'b']);
});

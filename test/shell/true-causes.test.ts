import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configuration, liveSandbox, option, ownCatalog } from '../support/live-sandbox.ts';
import { changesOf, findingsOf } from '../support/report.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const found = (result: RunResult) =>
  findingsOf(result).map(({ code, line }) => (line === undefined ? code : `${code} ${line}`));
const hints = (result: RunResult) => findingsOf(result).map(({ hint }) => hint ?? '');

describe('a login with the variables of one server names these', () => {
  const attempt = async (env: Record<string, string>, files: Record<string, string> = {}) => {
    const { url } = await liveSandbox();
    const project = `version: 1\nservers:\n  my-staging: { url: "${url}", config: [a.yaml] }\n`;
    const cwd = await tempFolder({ 'setpoint.yaml': project, 'a.yaml': 'version: 1\n', ...files });
    return run(['plan', '--report', 'json'], { cwd, env });
  };
  const NAME = 'SETPOINT_SERVER_MY_STAGING_USERNAME';
  const WORD = 'SETPOINT_SERVER_MY_STAGING_PASSWORD';
  const TOKEN = 'SETPOINT_SERVER_MY_STAGING_TOKEN';
  test.each([
    ['a wrong password', { [NAME]: 'admin', [WORD]: 'mistyped' }, 'login-refused', [NAME, `${WORD}.`, TOKEN]],
    ['none', {}, 'no-credentials', [TOKEN, NAME, `${WORD} `, `${WORD}_FILE`]],
    ['a password file alone', { [`${WORD}_FILE`]: 'p' }, 'no-credentials', [NAME]],
  ])('%s', async (_, env, code, names) => {
    const result = await attempt(env, { p: 'mistyped' });
    expect(found(result)).toEqual([code]);
    for (const name of names) expect(hints(result)[0]).toContain(name);
  });
});

describe('an address or token that is nearly right', () => {
  const list = (url: string, env: Record<string, string> = ADMIN, more: readonly string[] = []) =>
    run(['list', '--url', url, '--report', 'json', ...more], { env });
  test.each([['/api'], ['/login'], ['/api/integrations'], ['/x/api']])('a path %s', async (path) => {
    const { url } = await liveSandbox();
    const result = await list(`${url}${path}`);
    expect(found(result)).toEqual(['login-refused']);
    expect(hints(result)[0]).toMatch(new RegExp(`Try ${url}${path.startsWith('/x') ? '/x' : ''}$`));
  });
  test.each([['Bearer canary-token'], ['bearer  canary-token'], ['Authorization: Bearer canary-token']])(
    'the token %s',
    async (token) => {
      const { url, exchanges } = await liveSandbox();
      const result = await list(url, { SETPOINT_TOKEN: token });
      expect([result.code, found(result), exchanges]).toEqual([3, ['usage'], []]);
      expect(hints(result)[0]).toContain('Bearer');
      expect(result.stdout).not.toContain('canary');
    },
  );
});

describe('the command line', () => {
  const YAML = 'version: 1\nintegrations:\n  l: { match: threat_lookup_*, options: { timeout: 20 } }\n';
  test('plan takes files as validate does, before those of -f', async () => {
    const { url } = await liveSandbox();
    const cwd = await tempFolder({ 'a.yaml': YAML, 'b.yaml': YAML.replace('20', '30') });
    const planned = async (...args: readonly string[]) => {
      const result = await run(['plan', ...args, '--url', url, '--report', 'json'], { cwd });
      return changesOf(result).map(({ after }) => after);
    };
    expect(await planned('a.yaml')).toEqual([20]);
    expect(await planned('a.yaml', 'b.yaml')).toEqual([30]);
    expect(await planned('b.yaml', '-f', 'a.yaml')).toEqual([20]);
  });
  test('apply takes no file of configuration as a plan', async () => {
    const { url, exchanges } = await liveSandbox();
    const cwd = await tempFolder({ 'a.yaml': YAML });
    const result = await run(['apply', 'a.yaml', '--url', url, '--yes', '--report', 'json'], { cwd });
    expect([result.code, found(result), exchanges]).toEqual([3, ['usage'], []]);
    expect(hints(result)[0]).toContain('-f a.yaml');
  });
  test.each([
    [['validate', 'a.yaml', '--report', 'json=-'], 0],
    [['paln', '--report', 'json=-'], 3],
    [['validate', 'a.yaml', '--report', 'json=-', '--report', 'text=a.yaml'], 3],
  ])('a report to - goes to stdout: %j', async (args, code) => {
    const cwd = await tempFolder({ 'a.yaml': YAML });
    const result = await run(args, { cwd });
    expect(result.code).toBe(code);
    expect(json(result)).toHaveProperty('diagnostics');
  });
});

describe('what a person says is no secret', () => {
  const catalog = {
    one: configuration(option('apiKey', 'text'), option('token', 'text'), option('pin', 'password')),
  };
  const shown = (result: RunResult) => changesOf(result).map(({ address, after }) => [address, after]);
  const CLEAR = 'glpat-canary-in-clear-01';
  const yaml = (mark: boolean) =>
    `one: { options: { apiKey: { value: ${CLEAR}, sensitive: ${mark} }, token: { value: "${CLEAR}", sensitive: false } } }`;
  test('is planned and shown in clear, whatever it looks like', async () => {
    const { attempt, cwd, sandbox } = await ownCatalog(catalog, yaml(false));
    const result = await attempt(['plan']);
    expect([result.code, found(result), shown(result)]).toEqual([
      0,
      [],
      [
        ['one.options.apiKey.value', CLEAR],
        ['one.options.token.value', CLEAR],
      ],
    ]);
    const text = await run(['plan', join(cwd, 'a.yaml'), '--url', sandbox.url], { cwd });
    expect(text.stdout).toContain(CLEAR);
  });
  test('does not count for a password, also in what a line shows', async () => {
    const clear =
      'one: { match: { name: Of* }, options: { pin: { value: canary words, sensitive: false } } }';
    const { cwd, attempt } = await ownCatalog(catalog, clear);
    expect((await attempt(['plan'])).stdout).not.toContain('canary');
    const folder = await tempFolder({ 'one.json': catalog.one });
    const result = await run(['validate', 'a.yaml', '--catalog', folder], { cwd });
    expect([result.code, result.stderr]).toEqual([3, expect.stringContaining('plain-secret')]);
    expect(result.stderr).not.toContain('canary');
  });
});

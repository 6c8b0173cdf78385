import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { codesOf, placesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';

const OPTIONS = (options: string) =>
  `version: 1\nintegrations:\n  lookup: { options: { ${options} } }\n`;
const BASE =
  'version: 1\nintegrations:\n  lookup: { match: threat_lookup_* }\n';
const ENV = { ...ADMIN, PATH: process.env['PATH'] ?? '' };

const project = (url: string, ...layers: readonly [string, string]) =>
  `version: 1\nservers:\n  staging: { url: "${url}", config: [${layers[0]}] }\n  production: { url: https://p.example.com, config: [${layers[1]}] }\n`;

/** A repository in which the overlay of each server lies inside the folder that both read. */
async function nested() {
  const { url, exchanges } = await liveSandbox();
  const repository = await gitRepository({
    'setpoint.yaml': project(url, 'base/, base/staging/', 'base/, base/prod/'),
    'base/a.yaml': BASE,
    'base/staging/a.yaml': OPTIONS('timeout: 30'),
    'base/prod/a.yaml': OPTIONS('mode: thorough'),
  });
  const attempt = (...args: readonly string[]) =>
    run([...args, '--report', 'json'], { cwd: repository.root, env: ENV });
  return { ...repository, url, exchanges, attempt };
}

const OVERLAP = expect.stringMatching(/^layers-overlap setpoint\.yaml:3:\d+$/);

describe('a layer inside the folder of another one', () => {
  test.each([
    ['plan', '--server', 'staging'],
    ['apply', '--yes', '--server', 'production'],
    ['validate'],
    ['list'],
    ['diff', 'HEAD'],
    ['pull', '--server', 'staging'],
  ])('is refused by %s, and nothing is sent', async (...args) => {
    const { attempt, exchanges } = await nested();
    const result = await attempt(...args);
    expect(result.code).toBe(3);
    expect(placesOf(result)).toEqual([OVERLAP]);
    expect(exchanges).toEqual([]);
  });
  test('may be mended by a branch: its base is read as it was', async () => {
    const { attempt, write, url } = await nested();
    await write({
      'setpoint.yaml': project(url, 'base/, staging/', 'base/, prod/'),
      'base/staging/a.yaml': null,
      'base/prod/a.yaml': null,
      'staging/a.yaml': OPTIONS('timeout: 30'),
      'prod/a.yaml': OPTIONS('mode: thorough'),
    });
    const base = ['--base', 'HEAD', '--server', 'staging'];
    for (const args of [
      ['diff', 'HEAD'],
      ['plan', ...base],
    ]) {
      const { code } = await attempt(...args);
      expect([args, code]).toEqual([args, 0]);
    }
  });
  test('is refused of flags too', async () => {
    const { attempt, url } = await nested();
    const flags = ['-f', 'base', '-f', './base/staging/'];
    for (const command of [
      ['plan', '--url', url],
      ['validate'],
      ['diff', 'HEAD'],
    ])
      expect(codesOf(await attempt(...command, ...flags))).toEqual([
        'layers-overlap',
      ]);
  });
});

describe('pull makes no layer that shares a file with another one', () => {
  test.each<[string, string, string]>([
    ['integrations/shared/, staging.yaml', 'other/', 'servers/staging/'],
    ['staging.yaml', 'integrations/', 'servers/staging/'],
  ])('beside [%s] and [%s]', async (own, others, into) => {
    const { url } = await liveSandbox();
    const empty = 'version: 1\nintegrations: {}\n';
    const names = [own, others].flatMap((layers) => layers.split(', '));
    const files = names.map((name): [string, string] => [
      name.replace(/\/$/, '/x.yaml'),
      empty,
    ]);
    const { root } = await gitRepository({
      'setpoint.yaml': project(url, own, others),
      ...Object.fromEntries(files),
    });
    const result = await run(
      ['pull', '--server', 'staging', '--report', 'json'],
      { cwd: root, env: ENV },
    );
    expect(codesOf(result)).toEqual([]);
    expect(result.stdout).toContain(`"path": "${into}threat-lookup.yaml"`);
  });
});

describe('an overlay of an entry that was renamed', () => {
  const named = (name: string, fields: string) =>
    `version: 1\nintegrations:\n  ${name}: { ${fields} }\n`;
  const MATCH = 'match: threat_lookup_*, options: { timeout: 10 }';
  const renamed = async (overlay: string, flag = '') => {
    const { url, exchanges } = await liveSandbox();
    const { root, write } = await gitRepository({
      'setpoint.yaml': project(url, 'base/, staging/', 'base/'),
      'base/a.yaml': named('lookup', `${flag}${MATCH}`),
      'staging/a.yaml': named('lookup', overlay),
    });
    await write({ 'base/a.yaml': named('reputation', `${flag}${MATCH}`) });
    const attempt = (...args: readonly string[]) =>
      run([...args, '--report', 'json'], { cwd: root, env: ENV });
    return { exchanges, attempt };
  };
  test.each([
    ['plan'],
    ['apply', '--yes'],
    ['validate'],
    ['diff', 'HEAD'],
    ['pull', '--server', 'staging'],
  ])(
    'is refused by %s, which asks for its name, and nothing is sent',
    async (...args) => {
      const { attempt, exchanges } = await renamed('options: { timeout: 30 }');
      const result = await attempt(...args);
      expect([result.code, exchanges]).toEqual([3, []]);
      expect(placesOf(result)).toEqual(['no-match staging/a.yaml:3:3']);
      expect(result.stdout).toContain('Was it renamed to reputation?');
    },
  );
  test('is refused if it has a subscription alone', async () => {
    const overlay = 'autosubscribe: false';
    const flag = 'autosubscribe: true, ';
    const { attempt, exchanges } = await renamed(overlay, flag);
    const result = await attempt('apply', '--yes');
    expect([result.code, exchanges]).toEqual([3, []]);
    expect(result.stdout).toContain('Was it renamed to reputation?');
  });
  test('is refused if it has the match alone that an upgrade brought', async () => {
    const { attempt } = await renamed('match: threat_lookup_2_*');
    const result = await attempt('plan');
    expect([result.code, placesOf(result)]).toEqual([
      3,
      expect.arrayContaining(['no-match staging/a.yaml:3:3']),
    ]);
    expect(result.stdout).toContain('Was it renamed to reputation?');
  });
  test.each([
    ['a match of its own', 'match: log_*, options: { timeout: 30 }'],
    ['other options', 'options: { query: x }'],
  ])('may mean another integration if it has %s', async (_, overlay) => {
    const { attempt } = await renamed(overlay);
    expect((await attempt('validate')).stdout).not.toContain('renamed');
  });
});

describe('a file that no server reads', () => {
  const { url } = { url: 'https://s.example.com' };
  const files = {
    'setpoint.yaml': project(
      url,
      'integrations/, servers/staging/',
      'integrations/',
    ),
    'integrations/a.yaml': BASE.replace(' }', ', autosubscribe: false }'),
    'servers/staging/a.yaml': OPTIONS('timeout: 30'),
    'servers/production/x.yaml': OPTIONS('timeout: 30'),
    'servers/production/y.yaml': OPTIONS('mode: fast'),
    'servers/.hidden/x.yaml': 'a: 1\n',
    'servers/chart/values.yaml': 'replicas: 2\n',
    'docs/x.yaml': 'a: 1\n',
  };
  test.each([['validate'], ['diff', 'HEAD'], ['plan', '--server', 'staging']])(
    'is a warning of %s, with the line that lists it',
    async (...args) => {
      const { url: live } = await liveSandbox();
      const { root } = await gitRepository({
        ...files,
        'setpoint.yaml': files['setpoint.yaml'].replace(url, live),
      });
      const attempt = (...more: readonly string[]) =>
        run([...args, ...more], { cwd: root, env: ENV });
      const result = await attempt('--report', 'json');
      expect(result.code).toBe(0);
      expect(placesOf(result)).toEqual([
        'unread-file servers/production/x.yaml:1:1',
      ]);
      const { stderr } = await attempt();
      expect(stderr).toContain('servers/production/');
      expect(stderr).toContain('config: [integrations/, servers/production/]');
    },
  );
});

import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { codesOf, placesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { sampled } from '../support/soak.ts';

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
  const attempt = (line: string) =>
    run(`${line} --report json`, { cwd: repository.root, env: ENV });
  return { ...repository, url, exchanges, attempt };
}

const OVERLAP = expect.stringMatching(/^layers-overlap setpoint\.yaml:3:\d+$/);

describe('a layer inside the folder of another one', () => {
  const refusing = [
    ...['validate', 'plan --server staging', 'diff HEAD', 'list'],
    ...['apply --yes --server production', 'pull --server staging'],
  ];
  test.each(sampled(refusing, 2))(
    'is refused by %s, and nothing is sent',
    async (line) => {
      const { attempt, exchanges } = await nested();
      const result = await attempt(line);
      expect(result.code).toBe(3);
      expect(placesOf(result)).toEqual([OVERLAP]);
      expect(exchanges).toEqual([]);
    },
  );
  test('may be mended by a branch: its base is read as it was', async () => {
    const { attempt, write, url } = await nested();
    await write({
      'setpoint.yaml': project(url, 'base/, staging/', 'base/, prod/'),
      'base/staging/a.yaml': null,
      'base/prod/a.yaml': null,
      'staging/a.yaml': OPTIONS('timeout: 30'),
      'prod/a.yaml': OPTIONS('mode: thorough'),
    });
    for (const line of ['diff HEAD', 'plan --base HEAD --server staging'])
      expect((await attempt(line)).code, line).toBe(0);
  });
  test('is refused of flags too', async () => {
    const { attempt, url } = await nested();
    for (const command of [`plan --url ${url}`, 'validate', 'diff HEAD']) {
      const result = await attempt(`${command} -f base -f ./base/staging/`);
      expect(codesOf(result)).toEqual(['layers-overlap']);
    }
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
    const files = names.map((name) => [name.replace(/\/$/, '/x.yaml'), empty]);
    const { root } = await gitRepository({
      'setpoint.yaml': project(url, own, others),
      ...Object.fromEntries(files),
    });
    const wish = { cwd: root, env: ENV };
    const result = await run('pull --server staging --report json', wish);
    expect(codesOf(result)).toEqual([]);
    expect(result.stdout).toContain(`"path": "${into}threat-lookup.yaml"`);
  });
});

describe('an overlay of an entry that was renamed', () => {
  const named = (name: string, fields: string) =>
    `version: 1\nintegrations:\n  ${name}: { ${fields} }\n`;
  const MATCH = 'match: threat_lookup_*, options: { timeout: 10 }';
  const renamed = async () => {
    const { url, exchanges } = await liveSandbox();
    const { root, write } = await gitRepository({
      'setpoint.yaml': project(url, 'base/, staging/', 'base/'),
      'base/a.yaml': named('lookup', MATCH),
      'staging/a.yaml': named('lookup', 'options: { timeout: 30 }'),
    });
    await write({ 'base/a.yaml': named('reputation', MATCH) });
    const attempt = (line: string) =>
      run(`${line} --report json`, { cwd: root, env: ENV });
    return { exchanges, attempt };
  };
  const refusing = ['plan', 'validate', 'apply --yes', 'diff HEAD'];
  test.each(sampled([...refusing, 'pull --server staging'], 2))(
    'is refused by %s, which asks for its name, and nothing is sent',
    async (line) => {
      const { attempt, exchanges } = await renamed();
      const result = await attempt(line);
      expect([result.code, exchanges]).toEqual([3, []]);
      expect(placesOf(result)).toEqual(['no-match staging/a.yaml:3:3']);
      expect(result.stdout).toContain('Was it renamed to reputation?');
    },
  );
});

describe('a file that no server reads', () => {
  const STAGING = 'integrations/, servers/staging/';
  const files = {
    'integrations/a.yaml': BASE.replace(' }', ', autosubscribe: false }'),
    'servers/staging/a.yaml': OPTIONS('timeout: 30'),
    'servers/production/x.yaml': OPTIONS('timeout: 30'),
    'servers/production/y.yaml': OPTIONS('mode: fast'),
    'servers/.hidden/x.yaml': 'a: 1\n',
    'servers/chart/values.yaml': 'replicas: 2\n',
    'docs/x.yaml': 'a: 1\n',
  };
  test.each(['validate', 'diff HEAD', 'plan --server staging'])(
    'is a warning of %s, with the line that lists it',
    async (line) => {
      const { url } = await liveSandbox();
      const setpoint = project(url, STAGING, 'integrations/');
      const repository = { ...files, 'setpoint.yaml': setpoint };
      const { root } = await gitRepository(repository);
      const wish = { cwd: root, env: ENV };
      const result = await run(`${line} --report json`, wish);
      expect(result.code).toBe(0);
      const place = 'unread-file servers/production/x.yaml:1:1';
      expect(placesOf(result)).toEqual([place]);
      const { stderr } = await run(line, wish);
      expect(stderr).toContain('servers/production/');
      expect(stderr).toContain('config: [integrations/, servers/production/]');
    },
  );
});

import { execFileSync } from 'node:child_process';
import { rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codesOf, findingsOf, placesOf } from '../support/report.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const ENTRY =
  'version: 1\nintegrations: { a: { match: dns_*, autosubscribe: true } }\n';

describe('what is wrong with a project and with its files is found together', () => {
  const project = `version: 1
servers:
  a: { url: http://a.example, config: [none.yaml, a.yaml] }
  b: { url: https://b.example, config: [big.yaml, latin.yaml, "x-*.yaml"], tls: { caFile: ca.pem } }
  c: { url: ftp://c.example, config: [a.yaml] }
  d: { url: https://d.example, config: [d.yaml] }
`;
  const files = {
    'setpoint.yaml': project,
    'a.yaml': 'version: 1\nintegrations: { a: { autosubscribe: yes } }\n',
    'big.yaml': '',
    'latin.yaml': '',
    'd.yaml': 'version: 1\nvalue: {}\n',
    '.git/HEAD': '',
  };
  const expected = [
    'not-allowed a.yaml:2:37',
    'unknown-key d.yaml:2:1',
    'bad-url setpoint.yaml:3:13',
    'file-unreadable setpoint.yaml:3:40',
    'file-unreadable setpoint.yaml:4:41',
    'file-unreadable setpoint.yaml:4:51',
    'file-unreadable setpoint.yaml:4:63',
    'file-unreadable setpoint.yaml:4:91',
    'bad-url setpoint.yaml:5:13',
  ];
  test.each([['validate'], ['plan']])('by %s', async (command) => {
    const cwd = await tempFolder(files);
    await truncate(join(cwd, 'big.yaml'), 2 * 1024 * 1024 + 1);
    await writeFile(join(cwd, 'latin.yaml'), Buffer.from([0xe9, 0x0a]));
    const result = await run([command, '--report', 'json'], { cwd });
    expect([result.code, placesOf(result)]).toEqual([3, expected]);
  });
  test('a project that is broken itself is told whole; its files wait, as nobody knows which they are', async () => {
    const broken = `${project}  e: { config: [none/], label: {} }\n  f: { url: !x 1, config: [d.yaml] }\n`;
    const cwd = await tempFolder({ ...files, 'setpoint.yaml': broken });
    const result = await run('validate --report json', { cwd });
    expect(result.code).toBe(3);
    expect(placesOf(result)).toEqual([
      'missing-key setpoint.yaml:7:3',
      'unknown-key setpoint.yaml:7:25',
      'yaml-syntax setpoint.yaml:8:13',
    ]);
  });
});

describe('layers', () => {
  const projectOf = (layer: string) =>
    `version: 1\nservers: { a: { url: https://a.example, config: ["${layer}"] } }\n`;
  const validated = async (
    layer: string,
    files: Readonly<Record<string, string>>,
  ) => {
    const cwd = await tempFolder({
      'setpoint.yaml': projectOf(layer),
      '.git/HEAD': '',
      ...files,
    });
    return run('validate --report json', { cwd });
  };
  test('a folder is read with all its YAML files, whatever the case of their extensions', async () => {
    const paths = ['base/a.yaml', 'base/b.YAML', 'base/c/d.Yml'];
    const broken = paths.map((path) => [path, 'version: 1\nx: 1\n']);
    const files = { ...Object.fromEntries(broken), 'base/e.json': '{' };
    const places = paths.map((path) => `unknown-key ${path}:2:1`);
    expect(placesOf(await validated('base/', files))).toEqual(places);
  });
  test('are no patterns', async () => {
    const result = await validated('base/*.yaml', { 'base/a.yaml': ENTRY });
    expect(result.code).toBe(3);
    expect(codesOf(result)).toContain('file-unreadable');
  });
  test('may lie outside of the folder, but not of the work tree', async () => {
    const cwd = await tempFolder({
      'shared/a.yaml': ENTRY,
      'team/setpoint.yaml': projectOf('../shared'),
      '.git/HEAD': '',
    });
    const validate = () =>
      run('validate --report json', { cwd: join(cwd, 'team') });
    const result = await validate();
    expect([result.code, placesOf(result)]).toEqual([0, []]);
    expect(json(result)['integrations']).toBe(1);
    await rename(join(cwd, '.git'), join(cwd, 'team/.git'));
    const place = 'file-unreadable setpoint.yaml:2:50';
    expect(placesOf(await validate())).toEqual([place]);
  });
});

/** References to what is no plain file of the folder, or no secret of the configuration, and what is said of each. */
const REFUSED: readonly (readonly [path: string, reason: string])[] = [
  ['../outside', 'outside'],
  ['/etc/hostname', 'outside'],
  ['link', 'outside'],
  ['folder', 'not a regular file'],
  ['.git/HEAD', 'git'],
  ['folder/.GIT/config', 'git'],
  ['head', 'git'],
  ['password', 'of setpoint itself'],
  ['alias', 'of setpoint itself'],
  ['pipe', 'not a regular file'],
  ['a\0b', 'character that no path can have'],
  ['large', '65536'],
  ['empty', 'empty'],
  ['latin', 'UTF-8'],
  ['../none', 'outside'],
];

test('a reference to what is no plain file of the folder, or a password of setpoint, is refused', async () => {
  const options = REFUSED.map(
    ([path], at) => `      o${at}: ${JSON.stringify(`\${file:${path}}`)}\n`,
  );
  const folder = await tempFolder({
    outside: 'canary',
    'team/.git/HEAD': 'canary',
    'team/folder/.GIT/config': 'canary',
    'team/password': 'canary',
    'team/other': 'canary',
    'team/large': 'x'.repeat(65_537),
    'team/empty': '',
    'team/a.yaml': `version: 1\nintegrations:\n  a:\n    match: dns_*\n    options:\n${options.join('')}`,
  });
  const cwd = join(folder, 'team');
  const links = { head: '.git/HEAD', alias: 'other', link: '../outside' };
  for (const [path, target] of Object.entries(links))
    await symlink(target, join(cwd, path));
  execFileSync('mkfifo', [join(cwd, 'pipe')]);
  await writeFile(join(cwd, 'latin'), Buffer.from([0xe9]));
  const own = {
    SETPOINT_PASSWORD_FILE: 'password',
    SETPOINT_SERVER_EU_PASSWORD_FILE: join(cwd, 'other'),
  };
  const args = 'plan -f a.yaml --url https://a.example --report json';
  const result = await run(args, { cwd, env: { ...ADMIN, ...own } });
  expect(result.code).toBe(3);
  expect(findingsOf(result)).toMatchObject(
    REFUSED.map(([, reason], at) => ({
      code: 'file-unreadable',
      places: [{ file: 'a.yaml', line: 6 + at }],
      message: expect.stringContaining(reason),
    })),
  );
  expect(result.stdout + result.stderr).not.toContain('canary');
});

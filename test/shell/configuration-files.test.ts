import { execFileSync } from 'node:child_process';
import { mkdir, rename, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findingsOf, placesOf } from '../support/report.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const ENTRY = 'version: 1\nintegrations: { a: { match: dns_*, autosubscribe: true } }\n';

describe('what is wrong with a project and with its files is found together', () => {
  const project = [
    'version: 1',
    'servers:',
    '  a: { url: http://a.example, config: [none.yaml, a.yaml] }',
    '  b: { url: https://b.example, config: [big.yaml, latin.yaml, "x-*.yaml"], tls: { caFile: ca.pem } }',
    '  c: { url: ftp://c.example, config: [a.yaml] }',
    '  d: { url: https://d.example, config: [d.yaml] }',
    '',
  ].join('\n');
  const files = {
    'setpoint.yaml': project,
    'a.yaml': 'version: 1\nintegrations: { a: { autosubscribe: yes } }\n',
    'big.yaml': '',
    'latin.yaml': '',
    'd.yaml': 'version: 1\nvalue: {}\n',
    '.git/HEAD': '',
  };
  const expected = [
    'wrong-type a.yaml:2:37',
    'too-large big.yaml:1:1',
    'unknown-key d.yaml:2:1',
    'bad-url setpoint.yaml:3:13',
    'file-unreadable setpoint.yaml:3:40',
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
    const result = await run(['validate', '--report', 'json'], { cwd });
    expect([result.code, placesOf(result)]).toEqual([
      3,
      ['missing-key setpoint.yaml:7:3', 'unknown-key setpoint.yaml:7:25', 'yaml-syntax setpoint.yaml:8:13'],
    ]);
  });
});

describe('layers', () => {
  const projectOf = (layer: string) =>
    `version: 1\nservers: { a: { url: https://a.example, config: ["${layer}"] } }\n`;
  const validated = async (layer: string, files: Readonly<Record<string, string>>) => {
    const cwd = await tempFolder({ 'setpoint.yaml': projectOf(layer), '.git/HEAD': '', ...files });
    return run(['validate', '--report', 'json'], { cwd });
  };
  test.each([['./'], ['.'], ['*.yaml']])('%s leaves setpoint.yaml out', async (layer) => {
    const result = await validated(layer, { 'a.yaml': ENTRY });
    expect([result.code, placesOf(result), json(result)['files']]).toEqual([0, [], 2]);
  });
  test('a folder is read with all its YAML files, whatever the case of their extensions', async () => {
    const broken = 'version: 1\nx: 1\n';
    const files = {
      'base/a.yaml': broken,
      'base/b.YAML': broken,
      'base/c/d.Yml': broken,
      'base/e.json': '{',
    };
    expect(placesOf(await validated('base/', files))).toEqual([
      'unknown-key base/a.yaml:2:1',
      'unknown-key base/b.YAML:2:1',
      'unknown-key base/c/d.Yml:2:1',
    ]);
  });
  test('a glob that matches nothing has its place', async () => {
    expect(placesOf(await validated('base/[*.yaml', {}))).toEqual(['file-unreadable setpoint.yaml:2:50']);
  });
  test.each([['*a'.repeat(30)], ['**/*.yaml'], ['base/*/a.yaml']])(
    'a pattern has one wildcard, in its last part: %s',
    async (layer) => {
      const files = { [`${'a'.repeat(200)}.yaml`]: ENTRY };
      expect(placesOf(await validated(layer, files))).toEqual(['file-unreadable setpoint.yaml:2:50']);
    },
  );
  test('a glob may lead out of the folder, but not out of the work tree', async () => {
    const cwd = await tempFolder({
      'shared/a.yaml': ENTRY,
      'team/setpoint.yaml': projectOf('../shared/*.yaml'),
      '.git/HEAD': '',
    });
    const validate = () => run(['validate', '--report', 'json'], { cwd: join(cwd, 'team') });
    const result = await validate();
    expect([result.code, placesOf(result), json(result)['integrations']]).toEqual([0, [], 1]);
    await rename(join(cwd, '.git'), join(cwd, 'team/.git'));
    expect(placesOf(await validate())).toEqual(['file-unreadable setpoint.yaml:2:50']);
  });
  test('links in a circle end', async () => {
    const cwd = await tempFolder({ 'base/a.yaml': ENTRY, '.git/HEAD': '' });
    await symlink('..', join(cwd, 'base/up'));
    const folder = await run(['validate', 'base', '--report', 'json'], { cwd });
    expect([folder.code, json(folder)['files']]).toEqual([0, 1]);
  });
});

describe('files behind references and variables', () => {
  const planned = async (reference: string, prepare: (folder: string) => Promise<void> | void = () => {}) => {
    const cwd = await tempFolder({
      'team/.git/HEAD': 'canary',
      'team/key': 'canary\n',
      'team/a.yaml': `version: 1\nintegrations: { a: { match: dns_*, options: { apiKey: ${JSON.stringify(reference)} } } }\n`,
      outside: 'canary',
    });
    await prepare(cwd);
    const args = ['plan', '-f', 'a.yaml', '--url', 'https://a.example', '--report', 'json'];
    const files = {
      SETPOINT_PASSWORD_FILE: 'password',
      SETPOINT_SERVER_EU_PASSWORD_FILE: join(cwd, 'team/other'),
    };
    return run(args, { cwd: join(cwd, 'team'), env: { ...ADMIN, ...files } });
  };
  test.each([
    ['leads out', '${file:../outside}', 'outside'],
    ['is absolute', '${file:/etc/hostname}', 'outside'],
    ['is the folder itself', '${file:.}', 'outside'],
    ['is a link that leads out', '${file:link}', 'outside'],
    ['is below a link that leads out', '${file:up/outside}', 'outside'],
    ['is a folder', '${file:folder}', 'not a regular file'],
    ['is .git', '${file:.git}', 'git'],
    ['is in .git', '${file:.git/HEAD}', 'git'],
    ['is in a .git below, in capitals', '${file:folder/.GIT/config}', 'git'],
    ['is a link into .git', '${file:head}', 'git'],
    ['is a file with a password of setpoint', '${file:password}', 'password'],
    ['is a link to a file with a password of a server', '${file:alias}', 'password'],
    ['is a pipe', '${file:pipe}', 'not a regular file'],
    ['is a link to itself', '${file:loop}', 'loop'],
    ['holds a NUL', '${file:a\0b}', 'character that no path can have'],
    ['is too large', '${file:large}', '65536'],
    ['is empty', '${file:empty}', 'empty'],
    ['holds a line end alone', '${file:line}', 'empty'],
    ['is not UTF-8', '${file:latin}', 'UTF-8'],
    ['does not exist', '${file:none}', 'no such file'],
  ])('a path that %s', async (_, reference, reason) => {
    const result = await planned(reference, async (folder) => {
      const team = join(folder, 'team');
      await mkdir(join(team, 'folder/.GIT'), { recursive: true });
      await writeFile(join(team, 'folder/.GIT/config'), 'canary');
      await symlink('.git/HEAD', join(team, 'head'));
      await writeFile(join(team, 'password'), 'canary');
      await writeFile(join(team, 'other'), 'canary');
      await symlink('other', join(team, 'alias'));
      await symlink('../outside', join(team, 'link'));
      await symlink('..', join(team, 'up'));
      await symlink('loop', join(team, 'loop'));
      execFileSync('mkfifo', [join(team, 'pipe')]);
      await writeFile(join(team, 'large'), 'x'.repeat(65_537));
      await writeFile(join(team, 'empty'), '');
      await writeFile(join(team, 'line'), '\r\n');
      await writeFile(join(team, 'latin'), Buffer.from([0xe9]));
    });
    const [first] = findingsOf(result);
    expect([result.code, placesOf(result)]).toEqual([3, ['reference-file a.yaml:2:55']]);
    expect(first?.message).toContain(reason);
    expect(result.stdout + result.stderr).not.toContain('canary');
  });
});

describe('many findings', () => {
  const many = `version: 1\nvalues:\n${Array.from({ length: 130 }, (_, index) => `  k${index}: 0${index}\n`).join('')}integrations:\n  a: {}\n`;
  test('as text 100 are shown and the rest is counted; JSON has all', async () => {
    const cwd = await tempFolder({ 'a.yaml': many });
    const result = await run(['validate', 'a.yaml'], { cwd });
    expect(result.stderr.match(/error ambiguous-scalar/g)).toHaveLength(100);
    expect(result.stderr).toMatch(/130 errors\. 30 more are not shown\.\n$/);
    const both = await run(['validate', 'a.yaml', '--report', 'json'], { cwd });
    expect(findingsOf(both).length).toBe(130);
  });
});

import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { codesOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const lookup = 'threat_lookup_node_18_1717337597';
const CONFIG = `version: 1\nintegrations:\n  ${lookup}: { options: { timeout: 30, apiKey: "\${file:key}" } }\n`;

describe('a report that would take the place of what the run reads is refused, and nothing is sent', () => {
  test.each([
    ['a configuration file', 'a.conf'],
    ['a file that a reference names', 'key'],
    ['the password file', 'password'],
    ['any YAML file that is there', 'other.yaml'],
  ])('%s', async (_, path) => {
    const sandbox = await liveSandbox();
    const files = {
      'a.conf': CONFIG,
      key: 'k-12345678',
      password: 'admin',
      'other.yaml': 'x',
      'sub/x': '',
    };
    const cwd = await tempFolder(files);
    await symlink('a.conf', join(cwd, 'link'));
    const env = {
      SETPOINT_USERNAME: 'admin',
      SETPOINT_PASSWORD_FILE: 'password',
    };
    const reports = `--report json=${path} --report json`;
    const line = `apply -f a.conf --url ${sandbox.url} --yes ${reports}`;
    const result = await run(line, { cwd, env });
    expect([result.code, codesOf(result)]).toEqual([3, ['file-unwritable']]);
    expect(sandbox.exchanges).toEqual([]);
    for (const [name, text] of Object.entries(files))
      expect(await readFile(join(cwd, name), 'utf8')).toBe(text);
  });
  test('the project file, and two reports to one file', async () => {
    const cwd = await tempFolder({
      'setpoint.yaml': 'version: 1\nservers: {}\n',
      'x.txt': '',
    });
    const onto = await run(['validate', '--report', 'json=setpoint.yaml'], {
      cwd,
    });
    expect(onto.code).toBe(3);
    expect(onto.stderr).toContain('file-unwritable');
    const twice = await run(
      ['validate', '--report', 'json=x.txt', '--report', 'text=./x.txt'],
      { cwd },
    );
    expect(twice.code).toBe(3);
    expect(twice.stderr).toContain('file-unwritable');
  });
  test('a mistake before anything was read does not cost the file either', async () => {
    const cwd = await tempFolder({ 'a.yaml': CONFIG });
    const args =
      'apply -f a.yaml --url http://127.0.0.1:1 --report json=a.yaml';
    expect((await run(args, { cwd })).code).toBe(3);
    expect(await readFile(join(cwd, 'a.yaml'), 'utf8')).toBe(CONFIG);
  });
});

test.each([
  '.git/index',
  '.git/hooks/post-checkout',
  'sub/.GIT/config',
  'link/index',
])('a report never goes into a folder of git: %s', async (path) => {
  const git = {
    '.git/index': 'mine',
    '.git/hooks/x': '',
    'sub/.GIT/config': 'mine',
  };
  const cwd = await tempFolder({ 'a.yaml': CONFIG, ...git });
  await symlink('.git', join(cwd, 'link'));
  const result = await run(['validate', 'a.yaml', '--report', `json=${path}`], {
    cwd,
  });
  expect(result.code).toBe(3);
  expect(result.stderr).toContain('file-unwritable');
  for (const name of ['.git/index', 'sub/.GIT/config'])
    expect(await readFile(join(cwd, name), 'utf8')).toBe('mine');
});

describe('a report goes into the folder that it is named in', () => {
  test.each([
    ['a link to a file elsewhere', 'link.json', 3],
    ['a link to no file, which it replaces', 'new.json', 0],
    ['a link to a folder elsewhere', 'reports/old.json', 3],
    ['a new file below that', 'reports/new.json', 3],
    ['a file elsewhere', '../elsewhere/old.json', 0],
  ])('%s', async (_, path, code) => {
    const folder = await tempFolder({
      'work/a.yaml':
        'version: 1\nintegrations: { a: { autosubscribe: true } }\n',
      'elsewhere/old.json': 'old',
    });
    const cwd = join(folder, 'work');
    await symlink('../elsewhere/old.json', join(cwd, 'link.json'));
    await symlink('../elsewhere/new.json', join(cwd, 'new.json'));
    await symlink('../elsewhere', join(cwd, 'reports'));
    const result = await run(
      ['validate', 'a.yaml', '--report', 'json', '--report', `text=${path}`],
      { cwd },
    );
    expect(result.code).toBe(code);
    expect(codesOf(result)).toEqual(code === 0 ? [] : ['file-unwritable']);
    expect(await readdir(join(folder, 'elsewhere'))).toEqual(['old.json']);
    const isWritten =
      (await readFile(join(folder, 'elsewhere/old.json'), 'utf8')) !== 'old';
    expect(isWritten).toBe(path === '../elsewhere/old.json');
  });
});

test('--quiet leaves what decides about the exit code', async () => {
  const warned =
    'vt: { options: { url: { value: x, permission: user-provides }, mode: "${value:none}" } }';
  const cwd = await tempFolder({
    'a.yaml': `version: 1\nintegrations:\n  ${warned}\n`,
  });
  const found = async (...flags: readonly string[]) => {
    const { code, stderr } = await run(['validate', 'a.yaml', ...flags], {
      cwd,
    });
    return [code, stderr.match(/(?:error|warning)\[[\w-]+\](?=:)/g)];
  };
  expect(await found()).toEqual([
    3,
    ['warning[user-provides-value]', 'error[reference-missing]'],
  ]);
  expect(await found('--quiet')).toEqual([3, ['error[reference-missing]']]);
  const flags = ['--url', 'http://127.0.0.1:1', '--quiet', '--strict'];
  const { stderr } = await run(['plan', 'a.yaml', ...flags], { cwd });
  expect(stderr).toContain('warning[user-provides-value]');
});

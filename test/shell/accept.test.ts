import { chmod, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { ADMIN, json, type RunWish, run } from '../support/run.ts';
import { tempFolder, writeFiles } from '../support/temp.ts';

/** The sandbox has a timeout of 10, the mode `fast`, and the types `ip` and `domain`. */
const LOOKUP =
  'version: 1\nintegrations:\n  lookup:\n    match: threat_lookup_*\n    options:\n      timeout: 30 # seconds\n';

/** A file, a server, and what runs `accept` with both. */
async function scene(text = LOOKUP) {
  const { url, seen } = await liveSandbox();
  const cwd = await tempFolder({ 'a.yaml': text });
  const accept = (words: string, wish: RunWish = {}) =>
    run(`accept ${words} -f a.yaml --url ${url}`, { cwd, ...wish });
  const content = (path = 'a.yaml') => readFile(join(cwd, path), 'utf8');
  return { url, cwd, accept, content, seen };
}

describe('one file', () => {
  test('is edited where it differs, byte for byte, and then nothing is left to plan', async () => {
    const before = `\ufeff${LOOKUP.replaceAll('\n', '\r\n')}\r\n# end`;
    const { accept, content, cwd, url, seen } = await scene(before);
    await chmod(join(cwd, 'a.yaml'), 0o640);
    const accepted = await accept('--all --yes --report json');
    expect([accepted.code, json(accepted)['isWritten']]).toEqual([0, true]);
    expect(await content()).toBe(before.replace('30', '10'));
    expect((await stat(join(cwd, 'a.yaml'))).mode & 0o777).toBe(0o640);
    expect(seen().filter((each) => /^(PATCH|PUT)/.test(each))).toEqual([]);
    const plan = `plan -f a.yaml --url ${url} --exit-code`;
    expect((await run(plan, { cwd })).code).toBe(0);
    const again = await accept('--all --yes');
    expect(again.stdout).toBe('No drift to accept.\n');
  });
  test('stays as it is without a yes', async () => {
    const { accept, content } = await scene();
    expect(await accept('--all')).toMatchObject({ code: 3 });
    const declined = await accept('--all', { answer: 'no' });
    expect([declined.code, declined.stdout]).toEqual([6, '']);
    expect(await content()).toBe(LOOKUP);
    const asked = await accept('--all', { answer: 'yes' });
    expect(asked.code).toBe(0);
    expect(asked.stdout).toBe('Accepted: 1 field in 1 file.\n');
    const line = 'a.yaml:6 lookup.options.timeout.value 30 -> 10\n';
    expect(asked.stderr).toContain(line);
    expect(await content()).toBe(LOOKUP.replace('30', '10'));
  });
  test('is not written to through a link that leads out of its folder', async () => {
    const { cwd, url } = await scene();
    const away = await tempFolder({ 'c.yaml': LOOKUP });
    await symlink(join(away, 'c.yaml'), join(cwd, 'c.yaml'));
    const line = `accept --all --yes -f c.yaml --url ${url}`;
    const refused = await run(line, { cwd });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('it is a link');
    expect(await readFile(join(away, 'c.yaml'), 'utf8')).toBe(LOOKUP);
  });
});

describe('what is named', () => {
  const TWO = `${LOOKUP}      mode: thorough\n`;
  test.each(['--yes', '--all lookup', 'lookup.options.mode lookup.timout'])(
    '%s is no choice',
    async (words) => {
      const { accept, content } = await scene(TWO);
      expect(await accept(words)).toMatchObject({ code: 3 });
      expect(await content()).toBe(TWO);
    },
  );
  test('is left to a person if integrations that --only leaves out use the line', async () => {
    const text =
      'version: 1\nintegrations:\n  all: { match: "*", expect: any, options: { url: https://old.example.com } }\n';
    const { accept, content } = await scene(text);
    const result = await accept('--all --yes --only threat_*');
    expect([result.code, result.stdout]).toEqual([5, '']);
    expect(result.stderr).toContain('2 more use the same');
    expect(await content()).toBe(text);
  });
  test('against a waiver is refused; --all leaves it alone', async () => {
    const { cwd, url, content } = await scene();
    await writeFiles(cwd, {
      'setpoint.yaml': `version: 1\nservers:\n  one: { url: "${url}", config: [a.yaml] }\nwaivers:\n  - { address: lookup.options.timeout, until: 2999-12-31, reason: known }\n`,
    });
    const accept = (words: string) =>
      run(`accept ${words} --yes --report json`, { cwd });
    expect(codesOf(await accept('--all'))).toEqual([]);
    expect(codesOf(await accept('lookup.timeout'))).toEqual(['not-accepted']);
    expect(await content()).toBe(LOOKUP);
  });
});

test('a line that servers share is overridden in a folder of one, which setpoint.yaml is to list', async () => {
  const { cwd, url, content } = await scene();
  const project = (config: string) =>
    writeFiles(cwd, {
      'setpoint.yaml': `version: 1\nservers:\n  one: { url: "${url}", config: ${config} }\n  two: { url: https://two.example.com, config: [a.yaml] }\n`,
    });
  await project('[a.yaml]');
  const accept = () => run('accept --all --yes --server one', { cwd });
  const made = await accept();
  const line = 'config: [a.yaml, servers/one/]';
  expect([made.code, made.stdout]).toEqual([0, expect.stringContaining(line)]);
  const path = 'servers/one/lookup.yaml';
  const text =
    'version: 1\nintegrations:\n  lookup:\n    options:\n      timeout: 10\n';
  expect([await content(), await content(path)]).toEqual([LOOKUP, text]);
  // Nobody reads the folder yet: what is in it is left alone.
  const unread = await accept();
  expect([unread.code, unread.stderr]).toEqual([
    5,
    expect.stringContaining('Merge into a file that no other server reads'),
  ]);
  expect(await content(path)).toBe(text);
  await project('[a.yaml, servers/one/]');
  expect((await accept()).stdout).toBe('No drift to accept.\n');
});

test('a folder that another server would read is made for none', async () => {
  const { cwd, url, content } = await scene();
  await writeFiles(cwd, {
    'servers/all.yaml':
      'version: 1\nintegrations:\n  lookup: { options: { mode: fast } }\n',
    'setpoint.yaml': `version: 1\nservers:\n  one: { url: "${url}", config: [a.yaml] }\n  two: { url: https://two.example.com, config: [a.yaml, servers/] }\n`,
  });
  const left = await run('accept --all --yes --server one', { cwd });
  expect(left.code).toBe(5);
  expect(left.stderr).toContain('Merge into a file that no other server reads');
  expect(await content()).toBe(LOOKUP);
});

test('with one server of two that cannot be read nothing is written', async () => {
  const { url, cwd, content } = await scene();
  await writeFiles(cwd, {
    'setpoint.yaml': `version: 1\nservers:\n  staging: { url: "${url}", config: [a.yaml] }\n  production: { url: "http://127.0.0.1:1", config: [b.yaml] }\n`,
    'b.yaml': LOOKUP,
  });
  const accept = (flags = '') =>
    run(`accept --all --yes --report json${flags}`, { cwd });
  const failed = await accept();
  expect(failed.code).toBe(1);
  const found = {
    code: 'unreachable',
    severity: 'error',
    server: 'production',
  };
  expect(findingsOf(failed)).toMatchObject([found]);
  expect(await content()).toBe(LOOKUP);
  const rest = await accept(' --server staging');
  expect([rest.code, codesOf(rest)]).toEqual([0, []]);
  expect(await content()).toBe(LOOKUP.replace('30', '10'));
});

test('with a base, what the branch changed is no drift', async () => {
  const { accept, content, cwd } = await scene(LOOKUP.replace('30', '10'));
  const { write } = await gitRepository({}, cwd);
  await write({ 'a.yaml': LOOKUP });
  const env = { ...ADMIN, PATH: process.env['PATH'] ?? '' };
  const words = 'lookup.timeout --yes --base main --report json';
  const result = await accept(words, { env });
  expect(result.code).toBe(5);
  expect(codesOf(result)).toEqual(['not-accepted']);
  expect(await content()).toEqual(LOOKUP);
});

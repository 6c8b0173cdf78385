import { execFileSync } from 'node:child_process';
import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENV, labels, project, vt } from '../support/branch-project.ts';
import type { Files } from '../support/git-repository.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

/** Swaps letters, as a stand-in for encryption. */
const SWAP = 'tr a-zA-Z n-za-mN-ZA-M';

/** A project whose attributes name a filter; `trap` makes every filter start a program that writes to `record`. */
async function filtered(files: Files) {
  const all = await project({});
  const home = await tempFolder({ '.gitconfig': '' });
  const settings = join(home, '.gitconfig');
  const env = { ...ENV, HOME: home };
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: all.root,
      encoding: 'utf8',
      env: { ...process.env, GIT_CONFIG_GLOBAL: settings },
      stdio: 'pipe',
    });
  git('config', '--global', 'user.name', 'a');
  git('config', '--global', 'user.email', 'a@example.com');
  for (const filter of ['swap', 'lfs'])
    for (const key of ['clean', 'smudge'])
      git('config', '--global', `filter.${filter}.${key}`, SWAP);
  const commit = async (changes: Files) => {
    await all.write(changes);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'change');
  };
  await commit(files);
  const attempt = (args: readonly string[]) =>
    run([...args, '--report', 'json'], { cwd: all.root, env });
  /** Makes git's index unsure of a file that did not change. */
  const touch = (path: string) => utimes(join(all.root, path), 1, 1);
  const record = join(await tempFolder({ started: '' }), 'started');
  const trap = () => {
    for (const scope of ['--global', '--local'])
      for (const filter of ['swap', 'lfs'])
        for (const key of ['clean', 'smudge', 'process'])
          git('config', scope, `filter.${filter}.${key}`, `echo x > ${record}`);
  };
  const started = () => readFile(record, 'utf8');
  return { ...all, git, commit, attempt, touch, trap, started };
}

const SECRET = {
  '.gitattributes': 'k.pem filter=swap\n',
  'base/vt.yaml': vt('key: "${file:k.pem}"'),
  'k.pem': 'an old key',
};
const YAML = {
  '.gitattributes': '*.yaml filter=swap\n',
  'base/vt.yaml': vt('a: one'),
};

test('a file behind a filter that did not change is that of the work tree', async () => {
  const yaml = await filtered(YAML);
  expect(yaml.git('show', 'HEAD:base/vt.yaml')).toContain('irefvba: 1');
  yaml.trap();
  const same = await yaml.attempt(['diff', 'HEAD', '--exit-code']);
  expect([same.code, same.stderr]).toEqual([0, '']);
  expect(await yaml.started()).toBe('');
});

test.each(['swap', 'lfs'])(
  'of a file behind the filter %s that a reference names, git tells that it changed',
  async (filter) => {
    const secret = await filtered({
      ...SECRET,
      '.gitattributes': `k.pem filter=${filter}\n`,
    });
    await secret.commit({ 'k.pem': 'another key' });
    secret.trap();
    for (const args of [
      ['diff', 'HEAD~1'],
      ['diff', 'HEAD~1', 'HEAD'],
      ['plan', '--base', 'HEAD~1'],
    ]) {
      const result = await secret.attempt(args);
      expect([args, labels(result)]).toEqual([
        args,
        { 'vt.options.key.value': 'change' },
      ]);
      expect(codesOf(result)).not.toContain('revision-incomplete');
    }
    expect(labels(await secret.attempt(['diff', 'HEAD']))).toEqual({});
    expect(await secret.started()).toBe('');
  },
);

test('configuration behind a filter that changed is an error', async () => {
  const yaml = await filtered({ ...YAML, 'base/x.yaml': vt('b: x', 'x') });
  await yaml.commit({ 'base/vt.yaml': vt('a: two') });
  yaml.trap();
  const diffed = await yaml.attempt(['diff', 'HEAD~1']);
  expect([diffed.code, codesOf(diffed)]).toEqual([3, ['revision-broken']]);
  const [{ message = '', hint = '' } = {}] = findingsOf(diffed);
  expect(message).toMatch(/base\/vt\.yaml.*filter swap/);
  expect(hint).toContain('Keep configuration out of the filter');
  expect(await yaml.started()).toBe('');
});

test('a file that git has to look at is named, and git status helps', async () => {
  const { attempt, touch, git } = await filtered(SECRET);
  await touch('k.pem');
  const unsure = await attempt(['diff', 'HEAD', '--exit-code']);
  const [{ code, message, hint } = {}] = findingsOf(unsure);
  expect([unsure.code, code]).toEqual([0, 'revision-incomplete']);
  expect([message, hint]).toEqual([
    expect.stringMatching(/k\.pem.*filter swap/),
    expect.stringContaining('git status'),
  ]);
  git('status');
  const sure = await attempt(['diff', 'HEAD', '--exit-code']);
  expect([sure.code, codesOf(sure)]).toEqual([0, []]);
});

test('the line ends that attributes ask for are no change', async () => {
  const all = await filtered({
    '.gitattributes': 'k.pem eol=crlf\nbase/*.yaml text\n',
    'base/vt.yaml': `# a\r\n${vt('key: "${file:k.pem}"')}`,
    'k.pem': 'two\nlines\n',
  });
  all.git('rm', '--cached', '--quiet', '-r', '.');
  all.git('reset', '--quiet', '--hard');
  expect(await readFile(join(all.root, 'k.pem'), 'utf8')).toContain('\r\n');
  const result = await all.attempt(['diff', 'HEAD', '--exit-code']);
  expect([result.code, labels(result)]).toEqual([0, {}]);
});

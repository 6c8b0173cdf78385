import { execFileSync } from 'node:child_process';
import { chmod, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENV, labels, project, vt } from '../support/branch-project.ts';
import type { Files } from '../support/git-repository.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

/** Swaps letters, as a stand-in for encryption. */
const SWAP = 'tr a-zA-Z n-za-mN-ZA-M';

interface Filter {
  readonly smudge?: string;
  readonly clean?: string;
  readonly required?: string;
}

/** A project whose attributes name a filter, which the user's own settings or those of the repository define. */
async function filtered(
  files: Files,
  filter: Filter = { clean: SWAP, smudge: SWAP },
  scope: '--global' | '--local' = '--global',
) {
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
  const configure = (changed: Filter) => {
    for (const [key, value] of Object.entries(changed))
      git('config', scope, `filter.swap.${key}`, value);
  };
  configure(filter);
  const commit = async (changes: Files) => {
    await all.write(changes);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'change');
  };
  await commit(files);
  const attempt = (args: readonly string[]) =>
    run([...args, '--report', 'json'], { cwd: all.root, env });
  const planned = (ref: string) => attempt(['plan', '--base', ref]);
  /** Makes git's index unsure of a file that did not change. */
  const touch = (path: string) => utimes(join(all.root, path), 1, 1);
  return { ...all, git, configure, commit, attempt, planned, touch };
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

test('a file that a filter of the user keeps otherwise in git is read through it', async () => {
  const yaml = await filtered(YAML);
  expect(yaml.git('show', 'HEAD:base/vt.yaml')).toContain('irefvba: 1');
  await yaml.touch('base/vt.yaml');
  const same = await yaml.attempt(['diff', 'HEAD', '--exit-code']);
  expect([same.code, codesOf(same)]).toEqual([0, []]);
  await yaml.commit({ 'base/vt.yaml': vt('a: two') });
  expect(labels(await yaml.attempt(['diff', 'HEAD~1']))).toEqual({
    'vt.options.a.value': 'change',
  });
  const secret = await filtered(SECRET);
  await secret.touch('k.pem');
  expect(labels(await secret.attempt(['diff', 'HEAD']))).toEqual({});
  await secret.commit({ 'k.pem': 'another key' });
  expect(labels(await secret.attempt(['diff', 'HEAD~1']))).toEqual({
    'vt.options.key.value': 'change',
  });
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

test.each([
  ['fails', { smudge: 'false' }],
  ['is missing and required', { smudge: 'no-such-filter', required: 'true' }],
] as const)(
  'a filter that %s is named, and nothing is planned',
  async (_, broken) => {
    const secret = await filtered(SECRET);
    await secret.commit({ 'k.pem': 'another key' });
    secret.configure(broken);
    const planned = await secret.planned('HEAD~1');
    const found = findingsOf(planned).find(
      ({ code }) => code === 'revision-incomplete',
    );
    expect([planned.code, found?.severity]).toEqual([0, 'warning']);
    expect(found?.message).toMatch(/k\.pem.*swap/);
    // Only what the server lacks, as without a base.
    expect(labels(planned)['vt.options.key.value']).not.toBe('change');
    const yaml = await filtered({ ...YAML, 'base/x.yaml': vt('b: x', 'x') });
    await yaml.commit({ 'base/vt.yaml': vt('a: two') });
    yaml.configure(broken);
    const diffed = await yaml.attempt(['diff', 'HEAD~1']);
    expect([diffed.code, codesOf(diffed)]).toEqual([3, ['revision-broken']]);
    expect(findingsOf(diffed)[0]?.message).toMatch(/base\/vt\.yaml.*swap/);
    // The work tree has what did not change.
    expect((await yaml.attempt(['diff', 'HEAD', '--exit-code'])).code).toBe(0);
  },
);

test('no filter of the repository is run: what did not change comes from the work tree', async () => {
  const record = join(await tempFolder({ started: '' }), 'started');
  const evil = join(await tempFolder({ evil: '' }), 'evil');
  const all = await filtered(YAML, { clean: SWAP, smudge: SWAP }, '--local');
  await all.commit({ 'base/vt.yaml': vt('a: two') });
  await writeFile(evil, `#!/bin/sh\necho started >> '${record}'\n${SWAP}\n`);
  await chmod(evil, 0o755);
  all.configure({ clean: evil, smudge: evil, required: 'true' });
  const same = await all.attempt(['diff', 'HEAD', '--exit-code']);
  expect([same.code, same.stderr]).toEqual([0, '']);
  const changed = await all.attempt(['diff', 'HEAD~1']);
  expect([changed.code, codesOf(changed)]).toEqual([3, ['revision-broken']]);
  expect(findingsOf(changed)[0]?.message).toMatch(/base\/vt\.yaml.*swap/);
  await all.touch('base/vt.yaml');
  expect((await all.attempt(['diff', 'HEAD'])).code).toBe(3);
  expect(await readFile(record, 'utf8')).toBe('');
});

test('a pointer of Git LFS is read as it is, and fetches nothing', async () => {
  const record = join(await tempFolder({ started: '' }), 'started');
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n';
  const all = await filtered({
    ...SECRET,
    '.gitattributes': '',
    'k.pem': pointer,
  });
  await all.write({ '.gitattributes': 'k.pem filter=lfs', 'k.pem': 'the key' });
  for (const key of ['smudge', 'process'])
    all.git('config', '--global', `filter.lfs.${key}`, `echo x >> '${record}'`);
  all.git('config', '--global', 'filter.lfs.required', 'true');
  const result = await all.attempt(['diff', 'HEAD']);
  expect([result.code, labels(result), codesOf(result)]).toEqual([0, {}, []]);
  expect(await readFile(record, 'utf8')).toBe('');
});

test('the settings of a repository change no filter of the user', async () => {
  const record = join(await tempFolder({ started: '' }), 'started');
  const all = await filtered(YAML);
  await all.commit({ 'base/vt.yaml': vt('a: two') });
  expect((await all.attempt(['diff', 'HEAD~1'])).code).toBe(0);
  // As git-crypt writes it when it unlocks.
  all.git('config', 'filter.swap.smudge', SWAP);
  expect((await all.attempt(['diff', 'HEAD~1'])).code).toBe(0);
  for (const key of ['smudge', 'process', 'clean'])
    all.git('config', `filter.swap.${key}`, `echo started >> '${record}'`);
  expect((await all.attempt(['diff', 'HEAD~1'])).code).toBe(0);
  expect(await readFile(record, 'utf8')).toBe('');
});

import { execFileSync } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };
const entry = (name: string) =>
  `version: 1\nintegrations:\n  ${name}: { match: ${name}_*, options: { a: base } }\n`;

describe('a run that ends while git reads', () => {
  /** A git that says through a pipe that it runs, and then stands still. */
  const stuck = async () => {
    const { root } = await gitRepository({ 'base/a.yaml': entry('a') });
    const bin = await tempFolder({ git: '' });
    const pipe = join(bin, 'pipe');
    execFileSync('mkfifo', [pipe]);
    execFileSync('tee', [join(bin, 'git')], {
      input: `#!/bin/sh\necho runs > '${pipe}'\nkill -STOP $$\n`,
      stdio: 'pipe',
    });
    await chmod(join(bin, 'git'), 0o755);
    return { wish: { cwd: root, env: { PATH: bin } }, runs: readFile(pipe) };
  };
  test('says so of its deadline', async () => {
    const { wish } = await stuck();
    const args = ['diff', 'HEAD', '-f', 'base', '--deadline', '0.5', '--report', 'json'];
    const result = await run(args, wish);
    expect([result.code, codesOf(result)]).toEqual([1, ['timeout']]);
  });
  test('says so of a signal', async () => {
    const { wish, runs } = await stuck();
    const onStart = (signal: (name: 'SIGINT') => void) => void runs.then(() => signal('SIGINT'));
    const result = await run(['diff', 'HEAD', '-f', 'base', '--report', 'json'], { ...wish, onStart });
    expect([result.code, codesOf(result)]).toEqual([130, ['interrupted']]);
  });
});

async function diffed(cwd: string, ref: string) {
  const result = await run(['diff', '-f', 'base', '--report', 'json', '--', ref], { cwd, env: ENV });
  return [result.code, codesOf(result), findingsOf(result)[0]?.message];
}

describe('a ref that means no commit', () => {
  test('is unknown', async () => {
    const { root } = await gitRepository({ 'base/a.yaml': entry('a') });
    for (const ref of ['@{u}', '@{push}', 'main@{9}', 'none@{u}', 'HEAD:../x'])
      expect([ref, ...(await diffed(root, ref))]).toEqual([
        ...[ref, 3, ['no-revision']],
        expect.stringContaining('has no revision'),
      ]);
  });
  test('is told apart from a commit that git cannot read', async () => {
    const { root, git } = await gitRepository({ 'base/a.yaml': entry('a') });
    const id = git('rev-parse', 'HEAD').trim();
    const object = join(root, '.git/objects', id.slice(0, 2), id.slice(2));
    execFileSync('sh', ['-c', 'chmod u+w "$1" && echo junk > "$1"', 'sh', object]);
    expect(await diffed(root, 'main')).toEqual([3, ['no-revision'], expect.stringContaining('cannot read')]);
  });
});

import { execFileSync } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import { codesOf, findingsOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
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

describe('a ref that means no commit', () => {
  test('is unknown, and never an option', async () => {
    const { root } = await gitRepository({ 'base/a.yaml': entry('a') });
    const refs = [
      '',
      '--upload-pack=x',
      'a\u0007b',
      '@{u}',
      'main@{9}',
      'main..main',
      'HEAD:../x',
      'HEAD^{tree}',
    ];
    for (const ref of refs) {
      const args = ['plan', `--base=${ref}`, '-f', 'base', '--url', 'http://127.0.0.1:1'];
      const { code, stderr } = await run(args, { cwd: root, env: { ...ADMIN, ...ENV } });
      expect([ref, code, stderr]).toEqual([ref, 3, expect.not.stringContaining('unreachable')]);
    }
  });
  test('is told apart from a commit that git cannot read', async () => {
    const { root, git } = await gitRepository({ 'base/a.yaml': entry('a') });
    const id = git('rev-parse', 'HEAD').trim();
    const object = join(root, '.git/objects', id.slice(0, 2), id.slice(2));
    execFileSync('sh', ['-c', 'chmod u+w "$1" && echo junk > "$1"', 'sh', object]);
    const result = await run(['diff', 'main', '-f', 'base', '--report', 'json'], { cwd: root, env: ENV });
    expect([result.code, findingsOf(result)]).toEqual([
      3,
      [expect.objectContaining({ code: 'no-revision', message: expect.stringContaining('cannot read') })],
    ]);
  });
});

import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withDeadline } from '../support/deadline.ts';
import { gitRepository } from '../support/git-repository.ts';
import { codesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };
const entry = (name: string) =>
  `version: 1\nintegrations:\n  ${name}: { match: ${name}_*, options: { a: base } }\n`;

test.each([
  ['its deadline', 0.5, 1, 'timeout'],
  ['a signal', 1_000, 130, 'interrupted'],
] as const)(
  'a run that ends while git reads says so of %s',
  async (_, seconds, code, finding) => {
    const { root } = await gitRepository({ 'base/a.yaml': entry('a') });
    // A git that says through a pipe that it runs, and then stands still.
    const bin = await tempFolder({ git: '' });
    const pipe = join(bin, 'pipe');
    execFileSync('mkfifo', [pipe]);
    await writeFile(
      join(bin, 'git'),
      `#!/bin/sh\necho runs > '${pipe}'\nkill -STOP $$\n`,
    );
    await chmod(join(bin, 'git'), 0o755);
    let hasRun = false;
    const runs = readFile(pipe).then(() => {
      hasRun = true;
    });
    const onStart = (signal: (name: 'SIGINT') => void) =>
      void runs.then(() => finding === 'interrupted' && signal('SIGINT'));
    const args = ['diff', 'HEAD', '-f', 'base', '--report', 'json'];
    const wish = { cwd: root, env: { PATH: bin }, onStart };
    const result = await withDeadline(
      seconds,
      (deadline) => run([...args, '--deadline', deadline], wish),
      () => hasRun,
    );
    expect([result.code, codesOf(result)]).toEqual([code, [finding]]);
  },
);

test('a ref that means no commit is unknown, and never an option', async () => {
  const { root } = await gitRepository({ 'base/a.yaml': entry('a') });
  const refs = [
    ...['', '--upload-pack=x', 'a\u0007b', '@{u}', 'main@{9}'],
    ...['main..main', 'HEAD:../x', 'HEAD^{tree}'],
  ];
  for (const ref of refs) {
    const args = `plan --base=${ref} -f base --url http://127.0.0.1:1`;
    const { code, stderr } = await run(args, {
      cwd: root,
      env: { ...ADMIN, ...ENV },
    });
    expect([ref, code, stderr]).toEqual([
      ref,
      3,
      expect.not.stringContaining('unreachable'),
    ]);
  }
});

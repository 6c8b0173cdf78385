import { execFileSync } from 'node:child_process';
import { chmod, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Signal } from '../../src/shell/runtime.ts';
import { gitRepository } from '../support/git-repository.ts';
import { json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const ENV = { PATH: process.env['PATH'] ?? '' };
const entry = (name: string) =>
  `version: 1\nintegrations:\n  ${name}: { match: ${name}_*, options: { a: base } }\n`;
const codes = (result: { readonly stdout: string }) =>
  json<{ diagnostics: { code: string }[] }>(result).diagnostics.map(({ code }) => code);

/** A repository with links, by their paths; the base of a comparison has them as well. */
async function linked(
  files: Readonly<Record<string, string>>,
  links: readonly (readonly [string, string])[],
) {
  const made = await gitRepository(files);
  for (const [path, target] of links) await symlink(target, join(made.root, path));
  await made.commit();
  const attempt = (...args: readonly string[]) => run(args, { cwd: made.root, env: ENV });
  return { ...made, attempt };
}

/** Folders in a row, each with two links to the next one: twice as many ways lead into each as into the one before it. */
const doubling = () => {
  const names = Array.from({ length: 31 }, (_, index) => `d${index + 10}`);
  const files = names.map((name): [string, string] => [`x/${name}/z.yaml`, entry(name)]);
  const links = names
    .slice(1)
    .flatMap((next, index) => ['a', 'b'].map((link) => [`x/${names[index]}/${link}`, `../${next}`] as const));
  return { files: Object.fromEntries(files), links: [...links, ['base/deep', '../x/d10'] as const] };
};

describe('links in a folder of a revision are those of the work tree', () => {
  const FILES = {
    'base/a.yaml': entry('a'),
    'base/sub/b.yaml': entry('b'),
    'shared/c.yaml': entry('c'),
    'shared/in/d.yaml': entry('d'),
  };
  test.each([
    ['to a folder beside it', [['base/link', '../shared']], 4],
    ['to a folder in it', [['base/link', 'sub']], 2],
    ['to a folder around it', [['base/up', '..']], 4],
    [
      'to a folder around the one that another leads to',
      [
        ['base/link', '../shared/in'],
        ['shared/in/up', '..'],
      ],
      3,
    ],
    [
      'in a circle',
      [
        ['base/link', '../shared'],
        ['shared/back', '../base'],
      ],
      4,
    ],
    [
      'to a link to a folder',
      [
        ['base/link', '../other'],
        ['other', 'shared'],
      ],
      4,
    ],
    ['to a file', [['base/c.yaml', '../shared/c.yaml']], 3],
    [
      'to a file by a link to a folder',
      [
        ['base/c.yaml', '../other/c.yaml'],
        ['other', 'shared'],
      ],
      3,
    ],
  ] as const)('%s', async (_, links, files) => {
    const { attempt } = await linked(FILES, links);
    for (const layer of ['base', 'base/**/*.yaml']) {
      const valid = await attempt('validate', layer, '--report', 'json');
      expect([valid.code, json<{ files: number }>(valid).files]).toEqual([0, files]);
      const { stdout, stderr } = await attempt('diff', 'HEAD', '-f', layer);
      expect([stdout, stderr]).toEqual([expect.stringContaining('No differences.'), '']);
    }
  });
  test('are followed on no more ways than there may be names, on both sides', async () => {
    const { files, links } = doubling();
    const { attempt, root } = await linked({ 'base/a.yaml': entry('a'), ...files }, links);
    const valid = await attempt('validate', 'base', '--report', 'json');
    expect([valid.code, codes(valid)]).toEqual([3, ['file-unreadable']]);
    expect(valid.stdout).toContain('more than 100000 files and folders');
    await rm(join(root, 'base/deep'));
    const result = await attempt('diff', 'HEAD', '-f', 'base', '--report', 'json');
    expect([result.code, codes(result)]).toEqual([3, ['revision-broken']]);
    expect(result.stdout).toContain('more than 100000 files and folders');
  }, 20_000);
});

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
    expect([result.code, codes(result)]).toEqual([1, ['timeout']]);
  });
  test('says so of a signal', async () => {
    const { wish, runs } = await stuck();
    const onStart = (signal: (name: Signal) => void) => void runs.then(() => signal('SIGINT'));
    const result = await run(['diff', 'HEAD', '-f', 'base', '--report', 'json'], { ...wish, onStart });
    expect([result.code, codes(result)]).toEqual([130, ['interrupted']]);
  });
});

test('a deadline that ends while files are parsed is told as such', async () => {
  const names = Array.from({ length: 1_500 }, (_, index) => [`base/${index}.yaml`, entry(`a${index}`)]);
  const cwd = await tempFolder(Object.fromEntries(names));
  const result = await run(['validate', 'base', '--deadline', '0.1', '--report', 'json'], { cwd });
  expect([result.code, codes(result)]).toEqual([1, ['timeout']]);
});

describe('a ref that means no commit', () => {
  test.each(['@{u}', '@{push}', 'main@{9}', 'none@{u}', 'HEAD:../x'])('%s is unknown', async (ref) => {
    const { root, attempt } = await linked({ 'base/a.yaml': entry('a') }, []);
    const result = await attempt('diff', '-f', 'base', '--report', 'json', '--', ref);
    expect([result.code, codes(result)]).toEqual([3, ['unknown-revision']]);
    const flags = ['--url', 'http://127.0.0.1:1', '-f', 'base', `--base=${ref}`, '--report', 'json'];
    const env = { ...ENV, SETPOINT_TOKEN: 'token' };
    expect(codes(await run(['plan', ...flags], { cwd: root, env }))).toEqual(['unknown-revision']);
  });
  test('is told apart from a commit that git cannot read', async () => {
    const { root, git, attempt } = await linked({ 'base/a.yaml': entry('a') }, []);
    const id = git('rev-parse', 'HEAD').trim();
    const object = join(root, '.git/objects', id.slice(0, 2), id.slice(2));
    execFileSync('sh', ['-c', 'chmod u+w "$1" && echo junk > "$1"', 'sh', object]);
    const result = await attempt('diff', 'main', '-f', 'base', '--report', 'json');
    expect([result.code, codes(result)]).toEqual([1, ['git-failed']]);
  });
  test('is told apart from a repository that git cannot read', async () => {
    const { root, attempt } = await linked({ 'base/a.yaml': entry('a') }, []);
    execFileSync('sh', ['-c', 'echo "[broken" > .git/config'], { cwd: root });
    const result = await attempt('diff', '-f', 'base', '--report', 'json', '--', '@{u}');
    expect([result.code, codes(result)]).toEqual([1, ['git-failed']]);
  });
});

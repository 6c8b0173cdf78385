import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { liveSandbox } from './support/live-sandbox.ts';
import { ADMIN, run } from './support/run.ts';
import { tempFolder } from './support/temp.ts';

const CLI = resolve('dist/cli.cjs');
const env = {
  ...process.env,
  ...ADMIN,
  SETPOINT_THREATLOOKUP_KEY: 'k-12345678',
};
const start = promisify(execFile);

/** Runs the program that ships, in a process of its own. */
async function shipped(args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await start(process.execPath, [CLI, ...args], {
    cwd,
    env,
  });
  return stdout;
}

describe('the bundle that ships', () => {
  test('does what the installed package is not asked for, each command loaded when it is called', async () => {
    const { url } = await liveSandbox();
    const yaml =
      'version: 1\nintegrations: { t: { match: threat_*, options: { timeout: 25 } } }\n';
    const cwd = await tempFolder({ 'a.yaml': yaml });
    const catalog = ['--catalog', resolve('examples/catalog')];
    for (const [args, printed] of [
      [['schema', ...catalog], '"definitions"'],
      [
        ['pull', '--url', url, '--out', 'pulled'],
        '8 integrations with 44 options',
      ],
      [['explain', 'unknown-option'], 'An integration has no such option'],
      [
        ['accept', 't.timeout', '-f', 'a.yaml', '--url', url, '--yes'],
        'Accepted: 1 field in 1 file.',
      ],
      [['list', '--url', url], '8 integrations.'],
      [['errors', '--url', url], '0 integration errors.'],
    ] as const)
      expect(await shipped(args, cwd)).toContain(printed);
  });
  test('prints nothing of a file that it reads, whatever the environment asks its libraries for', async () => {
    const cwd = await tempFolder({
      'a.yaml': 'version: 1\nvalues: { note: hunter2 }\n',
    });
    const loud = {
      ...env,
      LOG_TOKENS: '1',
      LOG_STREAM: '1',
      DEBUG: '*',
      NODE_DEBUG: 'yaml',
    };
    const { stdout, stderr } = await start(
      process.execPath,
      [CLI, 'validate', 'a.yaml'],
      { cwd, env: loud },
    );
    expect(stdout).toMatch(/^Valid: 1 file, 0 entries\.\n/);
    expect(stderr).not.toContain('hunter2');
  });
  test('loads no package that lies beside it', async () => {
    const { url } = await liveSandbox();
    const cwd = await tempFolder({
      'watch.cjs':
        "process.on('exit', () => process.stderr.write(Object.keys(require.cache).join('\\n')));",
      'yaml/a.yaml': await readFile(
        'test/fixtures/three/integrations.yaml',
        'utf8',
      ),
    });
    const watching = {
      ...env,
      NODE_OPTIONS: `--require ${join(cwd, 'watch.cjs')}`,
    };
    for (const args of [
      ['validate', 'yaml', '--catalog', resolve('examples/catalog')],
      ['plan', '-f', 'yaml', '--url', url, '--report', 'html=report.html'],
    ]) {
      const { stderr } = await start(process.execPath, [CLI, ...args], {
        cwd,
        env: watching,
      });
      expect(stderr).toContain(CLI);
      expect(stderr).not.toContain('node_modules');
    }
  });
  test('checks the files of a project without what talks to its servers', async () => {
    const cwd = await tempFolder({
      'watch.cjs':
        "process.on('exit', () => process.stderr.write(Object.keys(require.cache).join('\\n')));",
      'setpoint.yaml':
        'version: 1\nservers: { s: { url: "https://s.example", config: [a.yaml] } }\n',
      'a.yaml':
        'version: 1\nintegrations: { t: { match: threat_*, options: { timeout: 25 } } }\n',
    });
    const NODE_OPTIONS = `--require ${join(cwd, 'watch.cjs')}`;
    const { stdout, stderr } = await start(
      process.execPath,
      [CLI, 'validate'],
      {
        cwd,
        env: { ...env, NODE_OPTIONS },
      },
    );
    expect(stdout).toMatch(/^Valid: 2 files, 1 entry\.\n/);
    expect(stderr).toContain(join('chunks', 'servers-'));
    expect(stderr).not.toContain(join('chunks', 'rest-'));
  });
  test('prints the help that the sources print, however it is asked', async () => {
    const { stdout: help } = await run(['--help']);
    for (const args of [[], ['-h'], ['--help'], ['help']])
      expect(await shipped(args, '.')).toBe(help);
  });
});

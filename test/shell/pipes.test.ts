import { execFileSync, spawn } from 'node:child_process';
import { open, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withDeadline } from '../support/deadline.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { program } from '../support/program.ts';
import {
  addressesOf,
  codesOf,
  outcomesOf,
  placesOf,
} from '../support/report.ts';
import { ADMIN, type RunWish, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

/** The sandbox has a timeout of 10. */
const LOOKUP =
  'version: 1\nintegrations:\n  lookup: { match: threat_lookup_*, options: { timeout: 30 } }\n';
const TIMEOUT = 'lookup.options.timeout.value';

/** A folder with a pipe that has a name, and what runs setpoint there. */
async function folder(files: Readonly<Record<string, string>> = {}) {
  const cwd = await tempFolder(files);
  const pipe = join(cwd, 'pipe');
  execFileSync('mkfifo', [pipe]);
  /** Writes to the pipe what a command prints. */
  const feed = (command: string) => {
    const child = spawn('/bin/sh', ['-c', `exec ${command} > pipe`], {
      ...{ cwd, stdio: 'ignore' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
  };
  const setpoint = (line: string, wish: RunWish = {}) =>
    run(`${line} --report json`, { cwd, ...wish });
  return { cwd, pipe, feed, setpoint };
}

describe('a pipe that a flag names is read', () => {
  test('as a configuration, and named as it was typed', async () => {
    const { feed, setpoint } = await folder();
    feed('echo version: 2');
    const result = await setpoint('validate -f pipe');
    expect(result.code).toBe(3);
    expect(placesOf(result)).toEqual(['not-allowed pipe:1:10']);
  });
  test.each(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'])(
    'as a configuration that a shell passes, with the files of the working directory: %s',
    async (path) => {
      const { url } = await liveSandbox();
      const yaml = LOOKUP.replace('30', '30, url: "${file:note.txt}", mdoe: 1');
      const cwd = await tempFolder({ 'note.txt': 'x', 'a.yaml': yaml });
      const args = ['plan', '-f', path, '--url', url, '--report', 'json'];
      const shell = 'cat a.yaml | "$@"';
      const { ended, stdout } = program(args, { cwd, env: ADMIN, shell });
      expect(await ended).toBe(3);
      const column = (yaml.split('\n')[2] ?? '').indexOf('mdoe') + 1;
      expect(placesOf({ stdout: stdout() })).toEqual([
        `unknown-option ${path}:3:${column}`,
      ]);
    },
  );
  test.each([
    {
      of: 'secrets',
      flags: ['--secrets-file', '/dev/stdin'],
      text: 'SETPOINT_LIMIT=30',
      env: ADMIN,
    },
    {
      of: 'the password of a login',
      flags: [],
      text: 'admin',
      env: {
        SETPOINT_USERNAME: 'admin',
        SETPOINT_PASSWORD_FILE: '/dev/stdin',
        SETPOINT_LIMIT: '30',
      },
    },
  ])(
    'as $of that a shell passes, beside a report file',
    async ({ flags, text, env }) => {
      const { url } = await liveSandbox();
      const yaml = LOOKUP.replace('30', '"${env:SETPOINT_LIMIT}"');
      const cwd = await tempFolder({ 'a.yaml': yaml, text });
      const files = ['-f', 'a.yaml', '--report', 'json=plan.json'];
      const args = ['plan', ...files, '--url', url, ...flags];
      const shell = 'cat text | "$@"';
      const { ended, stdout } = program(args, { cwd, env, shell });
      expect(await ended).toBe(0);
      expect(stdout()).toContain('1 change in 1 integration');
    },
  );
  test('as a configuration, and accept does not put a file in its place', async () => {
    const { url } = await liveSandbox();
    const { feed, setpoint, pipe } = await folder({ 'a.yaml': LOOKUP });
    feed('cat a.yaml');
    const line = `accept --all --yes -f pipe --url ${url}`;
    const accepted = await setpoint(line);
    expect(accepted.code).toBe(1);
    expect(codesOf(accepted)).toEqual(['file-unwritable']);
    expect((await stat(pipe)).isFIFO()).toBe(true);
  });
  test('as a snapshot, and as a saved plan to show and to apply', async () => {
    const { url } = await liveSandbox();
    const { cwd, feed, setpoint } = await folder({ 'a.yaml': LOOKUP });
    const server = `-f a.yaml --url ${url}`;
    await setpoint(`snapshot --out live.json --url ${url}`);
    feed('cat live.json');
    const offline = await setpoint('plan -f a.yaml --live pipe');
    expect(addressesOf(offline)).toEqual([TIMEOUT]);
    const plan = await setpoint(`plan ${server}`);
    await writeFile(join(cwd, 'plan.json'), plan.stdout);
    feed('cat plan.json');
    const applied = await setpoint(`apply pipe ${server} --yes`);
    expect(outcomesOf(applied)).toEqual(['verified']);
    const shell = 'cat plan.json | "$@"';
    const shown = program(['show', '/dev/stdin'], { cwd, shell });
    expect(await shown.ended).toBe(0);
    expect(shown.stdout()).toContain('~ timeout  10 -> 30');
  });
});

describe('a pipe holds up no run', () => {
  test('that has too much in it', async () => {
    const { feed, setpoint } = await folder();
    feed('yes');
    const result = await setpoint('validate pipe');
    expect([result.code, placesOf(result)]).toEqual([3, ['file-unreadable']]);
  });
  test('whose writer never comes: the deadline ends it', async () => {
    const { setpoint } = await folder();
    const result = await withDeadline(
      0.2,
      (deadline) => setpoint(`validate pipe --deadline ${deadline}`),
      ({ stdout }) => stdout.includes('timeout'),
    );
    expect([result.code, placesOf(result)]).toEqual([1, ['timeout']]);
  });
  test('whose writer says nothing: a signal ends it', async () => {
    const { pipe, setpoint } = await folder();
    // Opening it waits for its reader.
    const writer = open(pipe, 'w');
    const result = await setpoint('validate pipe', {
      onStart: (signal) => void writer.then(() => signal('SIGINT')),
    });
    await (await writer).close();
    expect([result.code, placesOf(result)]).toEqual([130, ['interrupted']]);
  });
});

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitRepository } from '../support/git-repository.ts';
import {
  configuration,
  installed,
  liveSandbox,
  option,
} from '../support/live-sandbox.ts';
import { program } from '../support/program.ts';
import { addressesOf, codesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { seeds } from '../support/soak.ts';

/** What no other file than those of secrets may hold. */
const CANARY = 'cánary';

const PRELOAD = new URL('../support/kill-at-write.mjs', import.meta.url);

const ENV = { ...ADMIN, PATH: process.env['PATH'] ?? '' };

test('a pull that is killed between any two writes leaves no secret to git, and another file of secrets finishes it', async () => {
  const texts = [`${CANARY}-1`, `${CANARY} in\ntwo lines`];
  const integrations = texts.map((text) =>
    configuration(
      option('apiKey', 'password', text),
      option('limit', 'number', 5),
    ),
  );
  const [one = '', two = ''] = integrations;
  const { url } = await liveSandbox(await installed({ one, two }));
  const pullInto = (file: string) => [
    ...['pull', '--url', url],
    ...['--secrets-file', file],
  ];
  const pullKilled = async (at: number) => {
    const ignored = { '.gitignore': '*.env\n' };
    const { root: cwd, git } = await gitRepository(ignored);
    const env = {
      ...ADMIN,
      NODE_OPTIONS: `--import ${PRELOAD.href}`,
      KILL_AT: `${at}`,
    };
    const child = program(pullInto('s.env'), { cwd, env });
    return { end: await child.ended, stderr: child.stderr(), cwd, git };
  };
  const whole = await pullKilled(0);
  const [, writes] = /writes: (\d+)/.exec(whole.stderr) ?? [];
  const count = Number(writes);
  expect([whole.end, count > 10]).toEqual([0, true]);
  const few = Math.ceil(count / seeds(3, count));
  for (let at = 1; at <= count; at += few) {
    const { end, cwd, git } = await pullKilled(at);
    expect(end).toBe('SIGKILL');
    const status = git('status', '--porcelain', '-z', '-uall').split('\0');
    for (const path of status.map((line) => line.slice(3)).filter(Boolean))
      expect(readFileSync(join(cwd, path), 'utf8'), path).not.toContain(
        CANARY.slice(0, 4),
      );
    const isBegun = existsSync(join(cwd, 's.env'));
    const file = isBegun ? 't.env' : 's.env';
    const command = [...pullInto(file), '--report', 'json'];
    const finished = await run(command, { cwd, env: ENV });
    expect([at, finished.code, codesOf(finished)]).toEqual([at, 0, []]);
    const planned = await run(
      [
        ...['plan', '--strict', '--report', 'json'],
        ...['--secrets-file', file, '--secrets-file', 's.env'],
      ],
      { cwd, env: ENV },
    );
    expect([at, planned.code, addressesOf(planned)]).toEqual([at, 0, []]);
  }
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { bundled } from './child-process.ts';

/** Setpoint in a process of its own. */
export interface Program {
  readonly process: ChildProcess;
  /** What it wrote so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when its stderr holds a text. */
  says(text: string): Promise<void>;
  /** Its exit code, or the signal that ended it, once all that it wrote is read. */
  readonly ended: Promise<number | string>;
}

export interface ProgramWish {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A shell command around it, with `"$@"` where it stands. */
  readonly shell?: string;
  readonly uid?: number;
}

/** Bundles setpoint for the tests of one file; gives what starts it. */
export function useProgram(): (args: readonly string[], wish: ProgramWish) => Program {
  const made: string[] = [];
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'setpoint-program-'));
    made.push(folder, await bundled(resolve('src/cli.ts'), folder));
    // Another user may start it as well.
    await chmod(folder, 0o755);
  }, 30_000);
  afterAll(() => rm(made[0] ?? '', { recursive: true }));
  return (args, wish) => start(made[1] ?? '', args, wish);
}

function start(bundle: string, args: readonly string[], { cwd, env, shell, uid }: ProgramWish): Program {
  const command = [process.execPath, bundle, ...args];
  const [file = '', ...rest] = shell === undefined ? command : ['/bin/sh', '-c', shell, 'sh', ...command];
  const child = spawn(file, rest, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    written.stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    written.stderr += String(chunk);
  });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return {
    process: child,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    says: async (text) => {
      while (!written.stderr.includes(text))
        if ((await Promise.race([once(child.stderr, 'data'), ended.then(() => 'ended')])) === 'ended')
          throw new Error(`it ended without saying ${text}: ${written.stderr}`);
    },
    ended,
  };
}

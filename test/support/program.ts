import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The program as it ships; `npm test` builds it first. */
export const PROGRAM = resolve('dist/cli.cjs');

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).map(
  (path) => join('src', path),
);
const built = statSync(PROGRAM).mtimeMs;
if (sources.some((path) => statSync(path).mtimeMs > built))
  throw new Error('dist is older than src: run npm run build');

/** Setpoint in a process of its own. */
export interface Program {
  readonly process: ChildProcess;
  /** What it wrote so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves when it has written a text; fails if it ends before. */
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
  /** Another copy of the program. */
  readonly path?: string;
}

/** Starts setpoint. */
export function program(
  args: readonly string[],
  { cwd, env, shell, uid, path = PROGRAM }: ProgramWish,
): Program {
  const command = [process.execPath, path, ...args];
  const [file = '', ...rest] =
    shell === undefined ? command : ['/bin/sh', '-c', shell, 'sh', ...command];
  const child = spawn(file, rest, {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid }),
  });
  const written = { stdout: '', stderr: '' };
  const more = new EventEmitter();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk) => {
      written[name] += String(chunk);
      more.emit('text');
    });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  return {
    process: child,
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    says: async (text) => {
      while (!`${written.stdout}${written.stderr}`.includes(text))
        if (
          (await Promise.race([
            once(more, 'text'),
            ended.then(() => 'ended'),
          ])) === 'ended'
        )
          throw new Error(`it ended without saying ${text}: ${written.stderr}`);
    },
    ended,
  };
}

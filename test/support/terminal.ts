import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

/** A program in a terminal of its own that can be closed. */
export interface Terminal {
  /** Resolves when the terminal shows a text. */
  shows(text: string): Promise<void>;
  type(text: string): void;
  /** Closes the terminal as when its window is gone. */
  close(): void;
  /** The exit code of the program, also where its terminal has gone. */
  readonly ended: Promise<number>;
}

/** Whether whoever is in a terminal is told by a signal that it has gone, or sees it only when reading and writing. */
type Told = 'by a signal' | 'by nothing';

/** Starts a command in a terminal; `script` of util-linux holds it. */
export function terminal(
  command: readonly string[],
  told: Told,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Terminal {
  const words = command.map((word) => `'${word}'`).join(' ');
  // The shell outlives the terminal, to note how the program ends.
  const noted = `trap '' HUP; ${words}; echo $? > ended`;
  const session = told === 'by nothing' ? 'setsid ' : '';
  const inside = `${session}sh -c "${noted.replaceAll('$', '\\$')}"`;
  const child: ChildProcess = spawn('/bin/sh', ['-c', 'exec script -qefc "$1" /dev/null', 'sh', inside], {
    cwd,
    env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = { text: '' };
  child.stdout?.on('data', (chunk) => {
    written.text += String(chunk);
  });
  return {
    shows: async (text) => {
      while (!written.text.includes(text)) await once(child.stdout ?? child, 'data');
    },
    type: (text) => void child.stdin?.write(text),
    close: () => void child.kill('SIGKILL'),
    get ended() {
      return codeIn(join(cwd, 'ended'));
    },
  };
}

async function codeIn(path: string): Promise<number> {
  const read = () => readFile(path, 'utf8').catch(() => '');
  await expect.poll(read, { timeout: 20_000 }).toMatch(/\n$/);
  return Number(await read());
}

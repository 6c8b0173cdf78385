import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** How a process ended, and what it took. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Seconds of processor time, of user and system. */
  readonly cpu: number;
  /** Peak memory in MiB. */
  readonly memory: number;
  /** When it had ended, in milliseconds by `performance.now()` of this process. */
  readonly at: number;
}

/** What a process tells of itself on its fourth channel just before it is gone. */
const PROBE = `data:text/javascript,${encodeURIComponent(
  "import{writeSync}from'node:fs';process.on('exit',()=>writeSync(3,JSON.stringify(process.resourceUsage())));",
)}`;

/** Milliseconds after which a program hangs. */
const HANG = 50_000;

/** Runs a program in a process of its own to its end, and measures it. Its stdin is open, and never gives anything. */
export async function measured(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(process.execPath, ['--import', PROBE, program, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    timeout: HANG,
    killSignal: 'SIGKILL',
  });
  const [stdout, stderr, probe] = [child.stdout, child.stderr, child.stdio[3]].map((stream) =>
    text(stream as NodeJS.ReadableStream),
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  const at = performance.now();
  const usage = JSON.parse((await probe) || '{}') as NodeJS.ResourceUsage;
  return {
    code,
    stdout: (await stdout) ?? '',
    stderr: (await stderr) ?? '',
    cpu: (usage.userCPUTime + usage.systemCPUTime) / 1e6,
    memory: usage.maxRSS / 1024,
    at,
  };
}

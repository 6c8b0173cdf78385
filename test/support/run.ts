import { main } from '../../src/shell/program.ts';
import type { Runtime } from '../../src/shell/runtime.ts';

type Signal = Parameters<Parameters<Runtime['onSignal']>[0]>[0];

/** What a test gives to a run beside its arguments. */
export interface RunWish {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The answer to a question; without it nobody can be asked. */
  readonly answer?: string | (() => Promise<string>);
  readonly now?: () => number;
  readonly columns?: number;
  readonly isTTY?: boolean;
  /** Called with the milliseconds that the run would have waited. */
  readonly onSleep?: (milliseconds: number) => void | Promise<void>;
  readonly random?: () => number;
  /** Called with all that was printed so far whenever something is printed to stdout. */
  readonly onOutput?: (stdout: string) => void;
  /** Given a function that sends a signal to the run. */
  readonly onStart?: (signal: (name: Signal) => void) => void;
  /** Given a function that makes an error that no code waits for. */
  readonly onDefect?: (fail: (thrown: unknown) => void) => void;
}

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, and what was asked, in the order in which they were written. */
  readonly screen: string;
}

/** Credentials of the sandbox's administrator. */
export const ADMIN = { SETPOINT_USERNAME: 'admin', SETPOINT_PASSWORD: 'admin' };

/** What is typed after `setpoint`; a text is split at its spaces. */
export type CommandLine = string | readonly string[];

/** Runs setpoint in this process with its own environment and streams. */
export async function run(
  line: CommandLine,
  wish: RunWish = {},
): Promise<RunResult> {
  const out = { stdout: '', stderr: '', screen: '' };
  const listeners = new Set<(signal: Signal) => void>();
  const defects = new Set<(thrown: unknown) => void>();
  const sink = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      out[name] += text;
      out.screen += text;
      if (name === 'stdout') wish.onOutput?.(out.stdout);
    },
    lost: async () => undefined,
    isTTY: wish.isTTY ?? false,
    isFile: false,
    columns: wish.columns ?? 80,
  });
  const { answer } = wish;
  const runtime: Runtime = {
    env: wish.env ?? ADMIN,
    cwd: wish.cwd ?? process.cwd(),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    canAsk: answer !== undefined,
    ask: async (question) => {
      out.stderr += question;
      out.screen += question;
      return typeof answer === 'function' ? answer() : answer;
    },
    now: wish.now ?? Date.now,
    // A test does not wait: it sees by the requests that something was tried again.
    sleep: async (milliseconds) => wish.onSleep?.(milliseconds),
    random: wish.random ?? Math.random,
    onSignal: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onDefect: (listener) => {
      defects.add(listener);
      return () => defects.delete(listener);
    },
  };
  wish.onDefect?.((thrown) => {
    for (const listener of [...defects]) listener(thrown);
  });
  wish.onStart?.((name) => {
    for (const listener of [...listeners]) listener(name);
  });
  const args = typeof line === 'string' ? line.split(' ') : line;
  const code = await main(args, runtime);
  return { code, ...out };
}

/** The one JSON document that a run printed. */
export function json<T = Record<string, unknown>>({
  stdout,
}: Pick<RunResult, 'stdout'>): T {
  return JSON.parse(stdout) as T;
}

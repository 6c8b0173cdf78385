import {
  closeSync,
  fstatSync,
  openSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';

/** Somewhere to write to. */
export interface Sink {
  write: (text: string) => void;
  /**
   * Why text that was written is lost; undefined if it is not, or if its reader
   * had enough of it.
   */
  lost: () => Promise<string | undefined>;
  isTTY: boolean;
  /** Whether what is written stays in a file. */
  isFile: boolean;
  /** Characters in a line. */
  columns: number;
}

/** The environment variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A signal that ends a run. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** All that is ambient, as a parameter: tests pass their own. */
export interface Runtime extends Surroundings {
  stdout: Sink;
  stderr: Sink;
  /**
   * Asks on stderr and returns the line that was typed; undefined at the end of
   * input.
   */
  ask: (question: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** All that is ambient, except where a run writes: only its writer does. */
export interface Surroundings {
  env: Environment;
  /** The working directory. */
  cwd: string;
  /** Whether a person can be asked. */
  canAsk: boolean;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /**
   * Resolves after some milliseconds, or at once when the signal is aborted.
   */
  sleep: (milliseconds: number, aborted: AbortSignal) => Promise<void>;
  /** Evenly drawn from 0 (included) to 1 (excluded). */
  random: () => number;
  /** Calls back on each signal until the returned function is called. */
  onSignal: (listener: (signal: Signal) => void) => () => void;
  /**
   * Calls back on each error that no code waits for until the returned function
   * is called.
   */
  onDefect: (listener: (thrown: unknown) => void) => () => void;
}

/** The real process as a runtime. */
export function processRuntime(): Runtime {
  const terminals = [0, 1, 2].filter(isTerminal);
  process.once('exit', () => leaveTerminals(terminals));
  return {
    env: process.env,
    cwd: workingDirectory(),
    stdout: sinkOf(1, () => process.stdout),
    stderr: sinkOf(2, () => process.stderr),
    canAsk: terminals.includes(0) && terminals.includes(2),
    ask,
    now: Date.now,
    sleep,
    random: Math.random,
    onSignal: (listener) =>
      listening(['SIGINT', 'SIGTERM', 'SIGHUP'], listener),
    onDefect: (listener) =>
      listening(['uncaughtException', 'unhandledRejection'], listener),
  };
}

/** The working directory, or where it was: it may have been removed. */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env['PWD'] ?? '/';
  }
}

/** Ends what runs here as a signal would: a terminal may go without one. */
function hangUp(): void {
  process.emit('SIGHUP', 'SIGHUP');
}

/**
 * Puts nothing in the place of terminals that have gone: Node would crash when
 * it resets them at its end.
 */
function leaveTerminals(fds: readonly number[]): void {
  for (const fd of fds) {
    if (isTerminal(fd)) continue;
    closeSync(fd);
    openSync('/dev/null', 'r+');
  }
}

/**
 * Makes a sink of a descriptor. A reader that goes away
 * (`setpoint plan | head`) ends the output, not the run; a terminal that does
 * ends both.
 */
function sinkOf(fd: number, stream: () => NodeJS.WriteStream): Sink {
  const kind = kindOf(fd);
  const isTTY = kind === 'terminal';
  let problem: unknown;
  let isHeard = false;
  const close = (thrown: unknown): void => {
    problem ??= thrown;
    if (isTTY) hangUp();
  };
  const send = (text: string): void => {
    if (kind === 'file') {
      writeWhole(fd, text);
      return;
    }
    // Node loads much for a stream: it is made for the first text.
    if (!isHeard) stream().on('error', close);
    isHeard = true;
    stream().write(text);
  };
  return {
    write: (text) => {
      if (problem !== undefined) return;
      try {
        send(text);
      } catch (thrown) {
        close(thrown);
      }
    },
    lost: async () => {
      // The end of a pipe is known only after the write.
      await setImmediate();
      if (problem === undefined) return undefined;
      const { errorCode, systemReason } = await import('./failure.ts');
      const isReaderGone = errorCode(problem) === 'EPIPE';
      return isReaderGone ? undefined : systemReason(problem);
    },
    isTTY,
    isFile: kind === 'file',
    get columns() {
      return isTTY ? stream().columns : 80;
    },
  };
}

/**
 * What a descriptor leads to: a terminal, a file or a device such as /dev/null,
 * where each write is over when it returns, or anything else.
 */
function kindOf(fd: number): 'terminal' | 'file' | 'stream' {
  let stats: Stats;
  try {
    stats = fstatSync(fd);
  } catch {
    // It is closed.
    return 'stream';
  }
  if (stats.isFile()) return 'file';
  if (!stats.isCharacterDevice()) return 'stream';
  // `node:tty` takes long to load: /dev/null is known without it.
  const nothing = statSync('/dev/null', { throwIfNoEntry: false });
  if (stats.rdev === nothing?.rdev) return 'file';
  const { isatty } = process.getBuiltinModule('node:tty');
  return isatty(fd) ? 'terminal' : 'file';
}

function isTerminal(fd: number): boolean {
  return kindOf(fd) === 'terminal';
}

/**
 * A disk that is nearly full takes a part; the stream of Node would take that
 * for all.
 */
function writeWhole(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

async function ask(
  question: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({
    input: process.stdin,
    output: process.stderr,
  });
  const closed = new Promise<undefined>((resolve) =>
    reader.once('close', () => resolve(undefined)),
  );
  // In raw mode the terminal hands Ctrl-C to the reader, not to the process.
  reader.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // A person who types Ctrl-D ends the reader alone.
  process.stdin.once('end', hangUp).on('error', hangUp);
  reader.on('error', hangUp);
  try {
    return await Promise.race([reader.question(question, { signal }), closed]);
  } catch (thrown) {
    if (signal.aborted) return undefined;
    throw thrown;
  } finally {
    reader.close();
  }
}

/**
 * A timer may ring up to a millisecond early, but a pause that a server asks
 * for must not be too short.
 */
async function sleep(
  milliseconds: number,
  aborted: AbortSignal,
): Promise<void> {
  await setTimeout(Math.ceil(milliseconds) + 1, undefined, {
    signal: aborted,
  }).catch(() => {});
}

function listening<Value>(
  events: readonly string[],
  listener: (value: Value) => void,
): () => void {
  for (const event of events) process.on(event, listener);
  return () => {
    for (const event of events) process.off(event, listener);
  };
}

#!/usr/bin/env node
import module from 'node:module';
import { processRuntime } from './shell/runtime.ts';

/** The help of the program; the bundler puts it in, the source has none. */
declare const SETPOINT_HELP: string | undefined;

// Node 22 keeps what it has compiled. Not in a folder of all users: whoever
// writes to it could run code here.
const { HOME = '', XDG_CACHE_HOME: cache = `${HOME}/.cache` } = process.env;
const { enableCompileCache } = module as {
  enableCompileCache?: (folder: string) => void;
};
if (HOME !== '') enableCompileCache?.(`${cache}/setpoint`);

// A second hang-up after the run has ended must not change the exit code.
process.on('SIGHUP', () => undefined);

// Not awaited: it ships as CommonJS, which starts faster.
start(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // A connection that a run has given up must not keep the process.
  setTimeout(exit, 1_000).unref();
});

/** Prints the help, for which nothing is loaded, or runs the program. */
async function start(argv: readonly string[]): Promise<number> {
  const runtime = processRuntime();
  if (isHelp(argv) && typeof SETPOINT_HELP === 'string') {
    runtime.stdout.write(SETPOINT_HELP);
    return 0;
  }
  const { main } = await import('./shell/program.ts');
  return main(argv, runtime);
}

function isHelp(argv: readonly string[]): boolean {
  const [word = '--help', ...others] = argv;
  return others.length === 0 && (word === '-h' || word === '--help');
}

/** Ends the process once a slow reader, such as a pager, has taken it all. */
function exit(): void {
  const { stdout, stderr } = process;
  const isWaiting = stdout.writableLength + stderr.writableLength > 0;
  if (isWaiting) setTimeout(exit, 100);
  else process.exit();
}

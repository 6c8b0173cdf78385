#!/usr/bin/env node
import module from 'node:module';
import { processRuntime } from './shell/runtime.ts';

/** What the program prints as its help, put in by the bundler; in the source tree there is none. */
declare const SETPOINT_HELP: string | undefined;

// Node 22 keeps what it has compiled. Not in a folder of all users: whoever writes to it could run code here.
const { HOME = '', XDG_CACHE_HOME: cache = `${HOME}/.cache` } = process.env;
const { enableCompileCache } = module as {
  enableCompileCache?: (folder: string) => void;
};
if (HOME !== '') enableCompileCache?.(`${cache}/setpoint`);

// A closed terminal may be told once more after the run has ended by it: that must not change the exit code.
process.on('SIGHUP', () => undefined);

// Not awaited: it ships as CommonJS, which starts faster.
start(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  // What a run has given up, such as a connection after a defect, must not keep the process.
  setTimeout(exit, 1_000).unref();
});

/** Prints the help at once, for which nothing is loaded, or runs the program. Returns the exit code. */
async function start(argv: readonly string[]): Promise<number> {
  const runtime = processRuntime();
  const isHelp =
    argv.length === 0 ||
    (argv.length === 1 && /^(-h|--help)$/.test(argv[0] ?? ''));
  if (!isHelp || typeof SETPOINT_HELP !== 'string')
    return (await import('./shell/program.ts')).main(argv, runtime);
  runtime.stdout.write(SETPOINT_HELP);
  return 0;
}

/** Ends the process once a slow reader, such as a pager, has taken all that was written. */
function exit(): void {
  if (process.stdout.writableLength + process.stderr.writableLength > 0)
    setTimeout(exit, 100);
  else process.exit();
}

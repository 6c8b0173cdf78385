#!/usr/bin/env node
import module from 'node:module';
import { main } from './shell/main.ts';
import { processRuntime } from './shell/runtime.ts';

// Node 22 keeps what it has compiled. Not in a folder of all users: whoever writes to it could run code here.
const { HOME = '', XDG_CACHE_HOME: cache = `${HOME}/.cache` } = process.env;
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => void };
if (HOME !== '') enableCompileCache?.(`${cache}/setpoint`);

// Not awaited: it ships as CommonJS, which starts faster.
main(process.argv.slice(2), processRuntime()).then((code) => {
  process.exitCode = code;
  // What a run has given up, such as a connection after a defect, must not keep the process.
  setTimeout(exit, 1_000).unref();
});

/** Ends the process once a slow reader, such as a pager, has taken all that was written. */
function exit(): void {
  if (process.stdout.writableLength + process.stderr.writableLength > 0) setTimeout(exit, 100);
  else process.exit();
}

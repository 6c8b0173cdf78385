#!/usr/bin/env node
import { main } from './shell/main.ts';
import { processRuntime } from './shell/runtime.ts';

process.exitCode = await main(process.argv.slice(2), processRuntime());
// What a run has given up, such as a connection after a defect, must not keep the process.
setTimeout(() => process.exit(), 1_000).unref();

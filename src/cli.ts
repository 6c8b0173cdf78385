#!/usr/bin/env node
import { main } from './shell/main.ts';
import { processRuntime } from './shell/runtime.ts';

process.exitCode = await main(process.argv.slice(2), processRuntime());

export { main } from './shell/main.ts';
export { processRuntime, type Runtime, type Signal, type Sink } from './shell/runtime.ts';

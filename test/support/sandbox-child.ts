import { startSandbox } from '../../src/sandbox/server.ts';
import { read } from './read.ts';

/** A sandbox in a process of its own: the catalog and perhaps a data file come as arguments, the address goes to stdout. */
const [catalog = '', dataFile] = process.argv.slice(2);
const { url } = await startSandbox({
  read,
  catalog,
  ...(dataFile === undefined ? {} : { dataFile }),
  host: '127.0.0.1',
  port: 0,
  settings: { dialect: 'included', passwords: 'clear' },
  now: Date.now,
});
process.stdout.write(`${url}\n`);

import { startDialect } from './dialects.ts';

/** A sandbox in a process of its own: the catalog and a data file come as arguments, the address goes to stdout. */
const [catalog = '', dataFile = ''] = process.argv.slice(2);
const { url } = await startDialect({ catalog, dataFile });
process.stdout.write(`${url}\n`);

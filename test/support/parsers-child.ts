import { parseAll } from './parsers.ts';

const [name = '', count = '', seed = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(parseAll(name, Number(count), Number(seed))));

import { thrownBy } from './parsers.ts';

const [name = '', count = '', seed = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify(thrownBy(name, Number(count), Number(seed))));

// Ends with 1 unless the file has this SHA-256.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [path, expected] = process.argv.slice(2);
const sum = createHash('sha256').update(readFileSync(path)).digest('hex');
process.exitCode = sum === expected.toLowerCase() ? 0 : 1;

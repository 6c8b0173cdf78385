import type { ReadFile } from '../../src/sandbox/read-file.ts';
import { readRegularFile } from '../../src/shell/sources/files.ts';

/** Reads files for a sandbox as its command does. */
export const read: ReadFile = (path, most) => readRegularFile({ reportFiles: new Map() }, path, { most });

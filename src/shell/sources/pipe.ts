import { constants, openSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { fail } from '../failure.ts';
import type { Run } from '../run.ts';

/**
 * True for a path that shells give to what they pass: `/dev/stdin`,
 * `/dev/fd/63`.
 */
export function isOfShell(absolute: string): boolean {
  return /^\/(dev|proc)\//.test(absolute);
}

/** True for the path of a pipe itself. Links in a repository lead to none. */
export async function isPipe(absolute: string): Promise<boolean> {
  const reading = isOfShell(absolute) ? stat(absolute) : lstat(absolute);
  const stats = await reading.catch(() => undefined);
  return stats?.isFIFO() === true;
}

/** Opens a pipe that has no writer yet, too. */
const OPEN =
  constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Reads a pipe up to its end, or up to one byte more than `most`. Waits for
 * its writer, but not longer than the run: its end is that of the reading.
 */
export async function readPipe(
  run: Run,
  absolute: string,
  most: number,
): Promise<Uint8Array> {
  const { interruption } = run;
  interruption.check();
  const { Socket } = await import('node:net');
  const fd = openSync(absolute, OPEN);
  const signal = interruption.aborted;
  const socket = new Socket({ fd, readable: true, writable: false, signal });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of socket) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) break;
    }
  } catch (thrown) {
    // A run that ended while it waited names the pipe.
    const { expired } = interruption;
    if (expired?.code === 'timeout') {
      const request = `reading ${absolute}`;
      fail(diagnostic('timeout', { ...expired.facts, request }));
    }
    interruption.check();
    throw thrown;
  } finally {
    socket.destroy();
  }
  return Buffer.concat(chunks).subarray(0, most + 1);
}

import { createHash } from 'node:crypto';

/** The range from which the number at the end of an id is drawn: seconds of some years, ten digits each. */
const FIRST_SECOND = 1_600_000_000;
const SECONDS = 180_000_000;

/**
 * An id in the form of real ones, the same on each start: the name with `_` for all but letters and digits, the runtime,
 * and ten digits that look like the Unix time of the installation.
 */
export function integrationIdFor(name: string): string {
  const digest = createHash('sha256').update(name).digest();
  return `${name.replace(/[^0-9A-Za-z]/g, '_')}_node_18_${FIRST_SECOND + (digest.readUInt32BE(0) % SECONDS)}`;
}

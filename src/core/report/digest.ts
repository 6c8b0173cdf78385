import { createHash } from 'node:crypto';

/** A digest of a text that holds no secret: 32 hex digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

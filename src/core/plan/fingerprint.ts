import { createHash, createHmac } from 'node:crypto';
import { reveal, type Secret } from '../model/secret.ts';
import { canonicalText, type OptionValue } from '../model/value.ts';
import type { ServerPlan } from './plan.ts';

/** Turns an address and a value into a keyed digest. */
export type Fingerprint = (address: string, value: OptionValue | Secret<OptionValue>) => string;

/** Fingerprints of sensitive values under a key: HMAC-SHA-256 over address and canonical text, 32 hex digits. */
export function fingerprinter(key: () => Buffer): Fingerprint {
  return (address, value) =>
    createHmac('sha256', key())
      .update(`value\0${address}\0${canonicalText(reveal(value))}`)
      .digest('hex')
      .slice(0, 32);
}

/** The identity of a whole plan: a digest of its document, which holds no secret. It changes with every field. */
export function planFingerprint(servers: readonly ServerPlan<null>[]): string {
  return createHash('sha256').update(JSON.stringify(servers)).digest('hex').slice(0, 32);
}

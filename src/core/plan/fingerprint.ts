import { createHmac } from 'node:crypto';
import { canonicalText, type OptionValue } from '../model/value.ts';
import type { ServerPlan } from './plan.ts';
import type { Fingerprint } from './withheld.ts';

/** Fingerprints of sensitive values under a key: HMAC-SHA-256 over address and canonical text, 32 hex digits. */
export function fingerprinter(key: () => Buffer): Fingerprint {
  return (address: string, value: OptionValue) => digest(key(), `value\0${address}\0${canonicalText(value)}`);
}

/** The fingerprint of a whole plan, over its servers as JSON. It changes with every field of the plan. */
export function planFingerprint(key: Buffer, servers: readonly ServerPlan[]): string {
  return digest(key, `plan\0${JSON.stringify(servers)}`);
}

function digest(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}

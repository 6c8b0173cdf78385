import { createHash, createHmac } from 'node:crypto';
import { reveal, type Secret } from '../model/secret.ts';
import { canonicalText, isChoiceList, type OptionValue } from '../model/value.ts';
import type { ServerPlan } from './plan.ts';

/** Shorter secrets have no fingerprint: whoever learns the key could guess them. */
const SHORTEST_SECRET = 8;

/** Keyed digests of secrets, so that two plans can be compared without them. */
export interface Fingerprints {
  /** Tells the key from other keys: a digest of nothing under it. */
  readonly key: () => string;
  /** The digest of a value at an address; undefined where the value is too short to have one. */
  readonly of: (address: string, value: OptionValue | Secret<OptionValue>) => string | undefined;
}

/** Fingerprints under a key: HMAC-SHA-256 over address and canonical text, 32 hex digits. */
export function fingerprinter(key: () => Buffer): Fingerprints {
  const digest = (address: string, text: string) =>
    createHmac('sha256', key()).update(`value\0${address}\0${text}`).digest('hex').slice(0, 32);
  return {
    key: () => digest('', ''),
    of: (address, value) =>
      isFingerprinted(value) ? digest(address, canonicalText(reveal(value))) : undefined,
  };
}

/** Whether a secret is long enough to have a fingerprint where there is a key; of a list, one of its members. */
export function isFingerprinted(value: OptionValue | Secret<OptionValue>): boolean {
  const open = reveal(value);
  const texts = (isChoiceList(open) ? open : [open]).map(canonicalText);
  return texts.some(({ length }) => length >= SHORTEST_SECRET);
}

/** Whether a plan changes secrets and was made without a key: then they can be compared by their references alone. */
export function lacksFingerprints<H>({
  fingerprintKey,
  integrations,
}: Pick<ServerPlan<H>, 'fingerprintKey' | 'integrations'>): boolean {
  if (fingerprintKey !== undefined) return false;
  return integrations.some(({ changes }) => changes.some(({ sensitive }) => sensitive));
}

/** The identity of a whole plan: a digest of its document, which holds no secret. It changes with every field. */
export function planFingerprint(servers: readonly ServerPlan<null>[]): string {
  return digestOf(JSON.stringify(servers));
}

/** A digest of a text that holds no secret: 32 hex digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

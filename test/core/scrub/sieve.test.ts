import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folded, readingsOf } from '../../../src/core/scrub/reading.ts';
import { sieve } from '../../../src/core/scrub/sieve.ts';

const letters = (from: number, to: number) =>
  fc.string({
    unit: fc.constantFrom(...'abcXYZ0189_-./ '),
    minLength: from,
    maxLength: to,
  });
const secrets = fc.string({
  unit: fc.constantFrom(..."abcdefXYZ0189_.:%&=\\u+'n;#é"),
  minLength: 8,
  maxLength: 24,
});

/** The ways in which a plain text may hold a secret, one inside of another. */
const WAYS: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  (secret) => secret.toUpperCase(),
  (secret) => Buffer.from(secret).toString('base64url'),
  (secret) => Buffer.from(secret).toString('hex'),
  (secret) => [...Buffer.from(secret).toString('hex')].join(' '),
  (secret) => Buffer.from(encodeURIComponent(secret)).toString('base64url'),
  (secret) => Buffer.from(JSON.stringify(JSON.stringify(secret))).toString('base64url'),
  (secret) => Buffer.from(Buffer.from(secret).toString('base64')).toString('hex'),
  (secret) => [...Buffer.from(secret).toString('base64url')].join(' '),
  (secret) => Buffer.from([...secret].map((each) => `\\${each}`).join('')).toString('base64url'),
  (secret) => Buffer.from([...secret].map((each) => `&#${each.codePointAt(0)};`).join('')).toString('hex'),
];

/** Whether any reading of a text holds any of the parts, searched one by one. */
function holds(text: string, parts: readonly string[]): boolean {
  return readingsOf(text).some((reading) => parts.some((part) => folded(reading).text.includes(part)));
}

function partsOf(secret: string): string[] {
  const readings = [secret, Buffer.from(secret).toString('latin1')];
  return readings.map((text) => folded({ text, origin: (from, to) => [from, to] }).text);
}

test('a text that a sieve lets through holds none of the secrets, in any reading', () => {
  const seen = { free: 0, held: 0 };
  fc.assert(
    fc.property(
      fc.array(secrets, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...WAYS),
      letters(0, 12),
      letters(0, 12),
      fc.boolean(),
      (all, way, before, after, isHeld) => {
        const parts = all.flatMap(partsOf).filter(({ length }) => length >= 4);
        const text = `${before}${isHeld ? way(all[0] ?? '') : ''}${after}`;
        const isFree = sieve(parts)(text);
        if (isFree) expect(holds(text, parts)).toBe(false);
        seen[isFree ? 'free' : 'held'] += 1;
      },
    ),
    { numRuns: 20_000 },
  );
  expect(Math.min(seen.free, seen.held)).toBeGreaterThan(1_000);
});

test('ids and names are let through beside many secrets that they do not hold', () => {
  const parts = Array.from({ length: 1_000 }, (_, index) => `k-${(index * 2_654_435_761).toString(36)}-9f3a`);
  const isFree = sieve(parts);
  const ids = Array.from(
    { length: 1_000 },
    (_, index) => `integration_${index}_node_18_${1_700_000_000 + index}`,
  );
  expect(ids.filter(isFree).length).toBeGreaterThan(700);
});

test('a secret that is too short to begin anything lets nothing through', () => {
  expect(sieve(['abc'])('nothing')).toBe(false);
});

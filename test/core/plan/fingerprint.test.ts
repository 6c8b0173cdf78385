import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hide } from '../../../src/core/model/secret.ts';
import type { OptionValue } from '../../../src/core/model/value.ts';
import { fingerprinter, isFingerprinted } from '../../../src/core/plan/fingerprint.ts';
import { documentOf } from '../../../src/core/plan/plan.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const KEYED = fingerprinter(() => Buffer.alloc(32, 1));
const choice = (value: string) => ({ value, display: 'A display that is long' });

describe('a secret that is too short has no fingerprint', () => {
  test.each<[OptionValue, boolean]>([
    ['1234567', false],
    ['12345678', true],
    [1_234_567, false],
    [12_345_678, true],
    [true, false],
    [choice('short'), false],
    [choice('long enough'), true],
    [[choice('short'), choice('as well'), choice('and this')], true],
    [[choice('short'), choice('as well')], false],
    [[], false],
  ])('%j: %s', (value, expected) => {
    expect([isFingerprinted(value), KEYED.of('a', value) !== undefined]).toEqual([expected, expected]);
  });
  test('whatever it is, on either side of a change', () => {
    const short = fc.stringMatching(/^[a-w]{1,7}$/);
    fc.assert(
      fc.property(short, short, (before, after) => {
        const document = planOf(before, after, KEYED);
        expect(JSON.stringify(document)).not.toMatch(/"(fingerprint|beforeFingerprint)"/);
        expect(document.fingerprintKey).toBe(document.summary.changes === 0 ? undefined : KEYED.key());
      }),
    );
  });
});

describe('a plan', () => {
  test('has no fingerprint without a key, and the same bytes each time', () => {
    const text = fc.stringMatching(/^[a-w]{1,40}$/);
    fc.assert(
      fc.property(text, text, (before, after) => {
        const bytes = JSON.stringify(planOf(before, after, undefined));
        expect(bytes).not.toMatch(/fingerprint/i);
        expect(JSON.stringify(planOf(before, after, undefined))).toBe(bytes);
      }),
    );
  });
  test('has fingerprints that depend on key, address and value alone', () => {
    const other = fingerprinter(() => Buffer.alloc(32, 2));
    const found = KEYED.of('a', 'a long secret');
    expect(found).toMatch(/^[0-9a-f]{32}$/);
    expect(KEYED.of('a', hide('a long secret'))).toBe(found);
    const others = [
      other.of('a', 'a long secret'),
      KEYED.of('b', 'a long secret'),
      KEYED.of('a', 'another one'),
    ];
    expect(new Set([found, ...others, KEYED.key(), other.key()]).size).toBe(6);
  });
});

/** The plan that replaces one password by another, as it is saved. */
function planOf(before: string, after: string, fingerprints: typeof KEYED | undefined) {
  const live = [liveIntegration('vt', [liveOption('o', { type: 'password', value: readable(before) })])];
  const desired = desiredOf(validConfig(entries(`vt: { options: { o: ${JSON.stringify(after)} } }`)), live);
  const { value } = planServer({
    server: { name: 's', url: 'https://s' },
    desired,
    live,
    reads: 1,
    secrets: {
      fingerprints,
      isKnown: () => false,
      writesUnreadable: () => true,
      writesUnknownFlags: () => false,
    },
  });
  if (value === undefined) throw new Error('no plan');
  return documentOf(value.plan);
}

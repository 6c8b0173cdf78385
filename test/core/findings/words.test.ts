import { expect, test } from 'vitest';
import { otherForm, storedHint } from '../../../src/core/findings/words.ts';

const stored = { address: 'vt.options.a.value', isStored: true };
const refused = { address: 'vt.options.b.value', isStored: true, isRefused: true } as const;

test('a hint never advises to write what the YAML refuses', () => {
  const plain = storedHint([stored]);
  expect(plain).toMatch(/write in the YAML/);
  expect(storedHint([refused])).toBe(otherForm([refused.address]));
  expect(storedHint([refused])).not.toMatch(/write in the YAML/);
  expect(storedHint([refused, stored])).toBe(`${plain} ${otherForm([refused.address])}`);
});

test('there is none where the server stored nothing of its own', () => {
  expect(storedHint([{ ...stored, isStored: false }])).toBeUndefined();
  expect(storedHint([{ ...refused, isStored: false }])).toBeUndefined();
});

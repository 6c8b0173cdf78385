import { expect, test } from 'vitest';
import { FINDINGS } from '../../../src/core/findings/diagnostic.ts';
import type { Entry } from '../../../src/core/findings/entry.ts';

const entries = Object.entries(FINDINGS).map(([code, entry]): [string, Entry<never>] => [code, entry]);

test.each(entries)('%s has a title and a message', (_, { title, message }) => {
  expect(title).toMatch(/[^\s.]$/);
  expect(typeof message === 'function' || message.endsWith('.')).toBe(true);
});

test('a title tells a code from all others', () => {
  expect(new Set(entries.map(([, { title }]) => title)).size).toBe(entries.length);
});

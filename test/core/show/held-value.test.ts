import { describe, expect, test } from 'vitest';
import { hide } from '../../../src/core/model/secret.ts';
import { heldValue, initialValue } from '../../../src/core/show/held-value.ts';
import { liveOption, readable } from '../../support/live.ts';

const held = (key: string, type: string | undefined, value: string | number, said = {}) => {
  const { type: _, ...untyped } = liveOption(key);
  const option = { ...untyped, ...(type === undefined ? {} : { type }), value: readable(value) };
  return heldValue(option, said).kind;
};

describe('what a server holds is', () => {
  test.each([
    ['url', 'text', 'https://a.example', {}, 'shown'],
    ['timeout', 'number', 5, {}, 'shown'],
    ['apiKey', 'password', 'plain', {}, 'hidden'],
    ['apiKey', 'password', 'plain', { mark: false }, 'hidden'],
    ['apiKey', undefined, 'plain', {}, 'hidden'],
    ['clientSecret', 'text', 'an-odd-one', {}, 'shown'],
    ['note', 'text', 'ghp_0123456789abcdefghij0123456789abcdefgh', {}, 'hidden'],
    ['note', 'text', 'plain', { mark: true }, 'hidden'],
    ['note', 'text', 'plain', { isFromOutside: true }, 'hidden'],
  ] as const)('%s of type %s with %s, of which %j is said: %s', (key, type, value, said, expected) => {
    expect(held(key, type, value, said)).toBe(expected);
  });
  test('hidden, empty or unreadable as it was read', () => {
    const all = [
      { kind: 'readable', value: hide('x') },
      { kind: 'empty' },
      { kind: 'unreadable', reason: 'masked' },
    ] as const;
    const shown = all.map((value) => heldValue(liveOption('x', { value }), {}));
    expect(shown).toEqual([{ kind: 'hidden' }, { kind: 'empty' }, { kind: 'unreadable', reason: 'masked' }]);
  });
});

test('the default of a password is hidden, and an empty one is none', () => {
  const initial = (type: string, value: string) => initialValue(liveOption('k', { type, initial: value }));
  expect([
    initial('password', 'changeme'),
    initial('text', ''),
    initial('text', 'x'),
    initialValue(liveOption('k')),
  ]).toEqual([{ kind: 'hidden' }, { kind: 'empty' }, { kind: 'shown', value: 'x' }, undefined]);
});

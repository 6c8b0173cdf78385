import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lazyMap } from '../../../src/core/model/lazy-map.ts';

test('is like the map of all its values', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.nat())), fc.string(), (entries, other) => {
      const raw = new Map(entries);
      const lazy = lazyMap(raw, (value, key) => `${key} ${value}`);
      const whole = new Map([...raw].map(([key, value]) => [key, `${key} ${value}`]));
      const seen: unknown[] = [];
      lazy.forEach((value, key) => {
        seen.push([key, value]);
      });
      expect([[...lazy], [...lazy.entries()], seen]).toEqual([[...whole], [...whole], [...whole]]);
      expect([[...lazy.keys()], [...lazy.values()]]).toEqual([[...whole.keys()], [...whole.values()]]);
      expect([lazy.size, lazy.has(other), lazy.get(other)]).toEqual([
        whole.size,
        whole.has(other),
        whole.get(other),
      ]);
    }),
  );
});

test('makes each value once, when it is asked for', () => {
  const made: string[] = [];
  const lazy = lazyMap(
    new Map([
      ['a', 1],
      ['b', 2],
    ]),
    (value, key) => {
      made.push(key);
      return { value };
    },
  );
  expect([lazy.size, lazy.has('a'), made]).toEqual([2, true, []]);
  expect(lazy.get('b')).toBe(lazy.get('b'));
  expect(made).toEqual(['b']);
  expect([...lazy].length).toBe(2);
  expect(made).toEqual(['b', 'a']);
});

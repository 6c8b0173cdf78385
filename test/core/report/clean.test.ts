import { expect, test } from 'vitest';
import { hide } from '../../../src/core/model/secret.ts';
import { cleaned } from '../../../src/core/report/clean.ts';
import { isFormat, RENDERERS } from '../../../src/core/report/formats.ts';
import { scrubber } from '../../../src/core/scrub/scrubber.ts';

const clean = <T>(data: T) => cleaned(data, scrubber(['hunter2-secret']));

test('a known secret is taken out of every text of a report, and of nothing else', () => {
  const hidden = hide('hunter2-secret');
  const data = { a: ['is hunter2-secret', 5, true, null, undefined], hunter2_secret: { b: 'fine' }, hidden };
  expect(clean(data)).toEqual({ ...data, a: ['is [secret]', 5, true, null, undefined] });
  expect(clean(data)['hidden']).toBe(hidden);
});

test("a server's words are not shown with a part of a secret", () => {
  const words = { detail: 'it ends in -secret', title: 'it begins with hunter2', name: 'the-secret-one' };
  const [one, other] = [clean(words), clean([{ error: words }])];
  expect(one.detail).toMatch(/^\(not shown/);
  expect(one.title).toMatch(/^\(not shown/);
  expect(one.name).toBe('the-secret-one');
  expect(other).toEqual([{ error: one }]);
});

test('the keys of a schema are foreign, and its titles are nobody’s words', () => {
  const schema = { properties: { 'x-hunter2-secret': { title: 'the-secret', enum: ['hunter2-secret'] } } };
  expect(clean({ schema })).toEqual({
    schema: {
      properties: { 'x-[secret]': { title: expect.stringContaining('not shown'), enum: ['[secret]'] } },
    },
  });
  expect(clean({ 'hunter2-secret': 1 })).toEqual({ 'hunter2-secret': 1 });
});

test('a format is known by its name alone', () => {
  expect(Object.keys(RENDERERS).every(isFormat)).toBe(true);
  expect(['', 'TEXT', 'toString'].some(isFormat)).toBe(false);
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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

describe('a secret that is a mere word', () => {
  const word = (data: object) => cleaned(data, scrubber(['production']));
  test.each([
    'name',
    'id',
    'url',
    'only',
    'server',
    'address',
    'option',
    'before',
    'after',
    'display',
    'value',
  ])('leaves the %s as it is, by which plans are compared', (name) => {
    expect(word({ [name]: 'production' })).toEqual({ [name]: 'production' });
  });
  test('leaves the names and addresses of servers as they are, and is hidden in all other texts', () => {
    const servers = [{ name: 'production', url: 'https://production.example', note: 'in production' }];
    expect(word({ servers, message: 'for production' })).toEqual({
      servers: [{ ...servers[0], note: 'in [secret]' }],
      message: 'for [secret]',
    });
  });
  test('is hidden in the fallback of a reference alone', () => {
    const reference = (fallback: string) => `\${env:SETPOINT_production:-${fallback}}`;
    expect(word({ reference: reference('production') })).toEqual({ reference: reference('[secret]') });
    for (const fallback of ['abc', 'abcd'])
      expect(word({ reference: reference(fallback) })).toEqual({ reference: reference(fallback) });
  });
});

test('the words that a plan document is made of stay, though one of them be a secret', () => {
  const schema = readFileSync('schemas/plan.schema.json', 'utf8');
  const enums = [...schema.matchAll(/"enum": (\[[^\]]*\])/g)].flatMap(([, list]) => JSON.parse(list ?? '[]'));
  const words = enums.filter((each): each is string => typeof each === 'string');
  expect(words.length).toBeGreaterThan(20);
  const kept = words.filter((word) => cleaned({ word }, scrubber([word])).word === word);
  expect(kept).toEqual(words);
});

test.each([
  ['list', 'acronym'],
  ['errors', 'code'],
  ['errors', 'occurredOn'],
  ['schema', 'description'],
])('in a report of the kind %s, the %s is what a server said', (kind, name) => {
  const said = { [name]: 'ends in -secret' };
  expect(JSON.stringify(clean({ kind, ...said }))).toContain('not shown');
  expect(clean({ kind: 'plan', ...said })).toEqual({ kind: 'plan', ...said });
});

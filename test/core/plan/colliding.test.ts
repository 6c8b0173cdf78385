import { describe, expect, test } from 'vitest';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { collidingOptions, unknownNamesakes } from '../../../src/core/plan/colliding.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const installed = (id: string, ...keys: string[]) =>
  liveIntegration(
    id,
    keys.map((key) => liveOption(key)),
  );

const byId = (live: readonly LiveIntegration[]) => new Map(live.map((each) => [each.id, each]));

/** The ids that collide, as `address: other integration, its key`. */
function found(yaml: string, ...live: LiveIntegration[]): string[] {
  const { integrations } = desiredOf(validConfig(entries(yaml)), live);
  return integrations
    .flatMap((each) => collidingOptions(each, byId(live)))
    .map(({ facts }) => {
      const { address, integration, key } = facts as Record<string, string>;
      return `${address}: ${integration}, ${key}`;
    });
}

describe('options that collide', () => {
  const a = installed('a', 'b-c', 'd');
  const ab = installed('a-b', 'c');
  test.each<[string, string, LiveIntegration[], string[]]>([
    ['the longer key', 'a: { options: { b-c: x } }', [a, ab], ['a.options.b-c: a-b, c']],
    ['the longer id', 'a-b: { options: { c: x } }', [a, ab], ['a-b.options.c: a, b-c']],
    [
      'both',
      'a: { options: { b-c: x } }\na-b: { options: { c: x } }',
      [a, ab],
      ['a.options.b-c: a-b, c', 'a-b.options.c: a, b-c'],
    ],
    [
      'a permission alone',
      'a-b: { options: { c: { permission: lock-and-show } } }',
      [a, ab],
      ['a-b.options.c: a, b-c'],
    ],
    [
      'one of three',
      'a-b: { options: { c-d: x } }',
      [installed('a', 'b-c-d'), installed('a-b', 'c-d'), installed('a-b-c', 'd')],
      ['a-b.options.c-d: a, b-c-d', 'a-b.options.c-d: a-b-c, d'],
    ],
    [
      'dashes that begin and end keys',
      'a: { options: { -b: x } }',
      [installed('a', '-b'), installed('a-', 'b')],
      ['a.options.-b: a-, b'],
    ],
    ['not another option', 'a: { options: { d: x } }', [a, ab], []],
    ['not one that is not managed', 'a: { options: { b-c: null, d: x } }', [a, ab], []],
    ['not with a key that the other lacks', 'a: { options: { b-c: x } }', [a, installed('a-b', 'd')], []],
    ['not with an integration that is not installed', 'a: { options: { b-c: x } }', [a], []],
    [
      'not by defaults that ask for an option that the integration lacks',
      'all: { match: "*", expect: any, options: { c: x } }',
      [installed('a', 'b-c'), installed('a-b', 'd'), installed('e', 'c')],
      [],
    ],
  ])('%s', (_, yaml, live, expected) => {
    expect(found(yaml, ...live)).toEqual(expected);
  });
});

describe('integrations whose keys have to be known', () => {
  const asked = (yaml: string, ...live: LiveIntegration[]) => {
    const { integrations } = desiredOf(validConfig(entries(yaml)), live);
    return unknownNamesakes(integrations, byId(live)).map(({ id }) => id);
  };
  const yaml = 'a: { options: { b-c: x, b-d: x } }';
  test.each<[string, LiveIntegration[], string[]]>([
    ['one whose id and some key compose the same', [installed('a'), installed('a-b')], ['a-b']],
    ['not one whose keys are known', [installed('a'), installed('a-b', 'c')], []],
    ['not one that begins otherwise', [installed('a'), installed('ab'), installed('b')], []],
    ['none for an option that is known to be missing', [installed('a', 'd'), installed('a-b')], []],
  ])('%s', (_, live, expected) => {
    expect(asked(yaml, ...live)).toEqual(expected);
  });
});

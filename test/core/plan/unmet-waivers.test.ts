import { describe, expect, test } from 'vitest';
import type { Subject } from '../../../src/core/model/subject.ts';
import {
  unmetEverywhere,
  unmetWaivers,
} from '../../../src/core/plan/unmet-waivers.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const place = { file: 'setpoint.yaml', line: 9, column: 5 };

const waiver = (address: string, servers: readonly string[] = ['a']) => ({
  address,
  addressPlace: place,
  servers,
});

const live = [liveIntegration('vt_1', [liveOption('limit')])];
const desired = desiredOf(
  validConfig(
    entries('all: { match: "*", expect: any, options: { limit: x } }'),
  ),
  live,
);
const DECLARED: readonly Subject[] = [
  { kind: 'value', integration: 'splunk', option: 'timeout' },
];

const unmetOf = (address: string) =>
  unmetWaivers([waiver(address)], DECLARED, desired);

describe('a waiver', () => {
  test.each([
    'splunk',
    'splunk.timeout',
    'splunk.options.timeout',
    'splunk.options.timeout.value',
    'vt_1.limit',
  ])('of %s names a field', (address) => {
    expect(unmetOf(address).size).toBe(0);
  });
  test.each<[string, string[]]>([
    ['splunk.timout', ['splunk.timeout']],
    ['splunk.options.timeout.permision', ['splunk.options.timeout.value']],
    ['nothing', []],
  ])('of %s names none: a warning at its address', (address, known) => {
    expect([...unmetOf(address).values()]).toMatchObject([
      {
        code: 'unknown-name',
        place,
        facts: {
          word: address,
          severity: 'warning',
          known: known.map((name) => expect.stringMatching(name)),
        },
      },
    ]);
  });
});

describe('a waiver of two servers', () => {
  const both = waiver('nothing', ['a', 'b']);
  const server = (name: string, ...waivers: (typeof both)[]) => ({
    plan: { name },
    unmet: unmetWaivers(waivers, DECLARED, desired),
  });
  test('is unmet once if it names nothing on both', () => {
    const found = unmetEverywhere([server('a', both), server('b', both)]);
    expect(found).toHaveLength(1);
  });
  test.each<[string, ReturnType<typeof server>[]]>([
    ['it names something on one', [server('a', both), server('b')]],
    ['one was not planned', [server('a', both)]],
  ])('is not unmet if %s', (_, planned) => {
    expect(unmetEverywhere(planned)).toEqual([]);
  });
});

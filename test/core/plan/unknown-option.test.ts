import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { compareIntegration } from '../../../src/core/plan/compare.ts';
import { mistypedDefaults } from '../../../src/core/plan/unknown-option.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const having = (
  id: string,
  keys: readonly string[],
  changes: Partial<LiveIntegration> = {},
) =>
  liveIntegration(
    id,
    keys.map((key) => liveOption(key)),
    changes,
  );

/** Keys that are spelled like nothing else. */
const strange = (count: number) =>
  Array.from({ length: count }, (_, index) => `number-${index + 1}`);

describe('the hint of an unknown key', () => {
  const factsOf = (keys: readonly string[]) => {
    const live = having('vt', keys);
    const [desired] = desiredOf(
      validConfig(entries('vt: { options: { host: x } }')),
      [live],
    );
    if (desired === undefined) throw new Error('not desired');
    return compareIntegration(desired, live).diagnostics[0]?.facts;
  };
  test('names the keys that are spelled like it, and no others', () => {
    expect(factsOf(['hots', 'port', 'token'])).toEqual({
      key: 'host',
      integration: 'vt',
      known: ['hots'],
    });
  });
  test('else names all that there are', () => {
    expect(factsOf(['port', 'token'])).toMatchObject({
      known: ['port', 'token'],
      total: 2,
    });
    expect(factsOf([])).toMatchObject({ known: [], total: 0 });
  });
  test('of many names the first, and says how many there are', () => {
    expect(factsOf(strange(21))).toMatchObject({
      known: strange(20),
      total: 21,
    });
  });
});

describe('defaults', () => {
  /** The facts of what defaults ask for in vain, by the options of each integration that they match. */
  function misfits(
    asked: string,
    live: readonly LiveIntegration[],
  ): Diagnostic['facts'][] {
    const desired = desiredOf(
      validConfig(
        entries(`all: { match: "*", expect: any, options: { ${asked} } }`),
      ),
      live,
    );
    return [...mistypedDefaults(desired, live).values()].map(
      ({ facts }) => facts,
    );
  }

  const [a, b] = [
    having('a', ['port', 'zone']),
    having('b', ['port', 'hots', 'ab']),
  ];
  test('that fit none know the keys of all, each once and in order, whatever else is missing', () => {
    const known = { known: ['ab', 'hots', 'port', 'zone'], total: 4 };
    expect(misfits('colour: 1, elsewhere: 2', [a, b])).toEqual([
      { key: 'colour', ...known },
      { key: 'elsewhere', ...known },
    ]);
  });
});

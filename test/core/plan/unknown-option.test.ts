import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { compareIntegration } from '../../../src/core/plan/compare.ts';
import { mistypedDefaults } from '../../../src/core/plan/unknown-option.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

function having(id: string, keys: readonly string[]): LiveIntegration {
  const options = keys.map((key) => liveOption(key));
  return liveIntegration(id, options);
}

/** Keys that are spelled like nothing else. */
const strange = (count: number) =>
  Array.from({ length: count }, (_, index) => `number-${index + 1}`);

describe('the hint of an unknown key', () => {
  const factsOf = (keys: readonly string[]) => {
    const live = having('vt', keys);
    const config = validConfig(entries('vt: { options: { host: x } }'));
    const [desired] = desiredOf(config, [live]);
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
    const all = { known: ['port', 'token'], total: 2 };
    expect(factsOf(['port', 'token'])).toMatchObject(all);
    expect(factsOf([])).toMatchObject({ known: [], total: 0 });
  });
  test('of many names the first, and says how many there are', () => {
    const first = { known: strange(20), total: 21 };
    expect(factsOf(strange(21))).toMatchObject(first);
  });
});

describe('defaults', () => {
  /** The facts of what defaults ask for in vain, by the options of each integration that they match. */
  function misfits(
    asked: string,
    live: readonly LiveIntegration[],
  ): Diagnostic['facts'][] {
    const yaml = `all: { match: "*", expect: any, options: { ${asked} } }`;
    const desired = desiredOf(validConfig(entries(yaml)), live);
    const found = [...mistypedDefaults(desired, live).values()];
    return found.map(({ facts }) => facts);
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

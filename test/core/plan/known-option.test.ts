import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { Suggestions } from '../../../src/core/model/near-names.ts';
import { isSkipped, misfitDefaults, unknownOption } from '../../../src/core/plan/known-option.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const at = { file: 'a.yaml', line: 1, column: 1 };

const having = (id: string, keys: readonly string[], changes: Partial<LiveIntegration> = {}) =>
  liveIntegration(
    id,
    keys.map((key) => liveOption(key)),
    changes,
  );

/** Keys that are spelled like nothing else. */
const strange = (count: number) => Array.from({ length: count }, (_, index) => `number-${index + 1}`);

/** Suggestions that have been looked for so long that there are no more. */
function exhausted(): Suggestions {
  const suggestions = new Suggestions();
  suggestions.near('x', () => Array.from({ length: 100_000 }, () => 'far too long'));
  return suggestions;
}

describe('the hint of an unknown key', () => {
  const factsOf = (keys: readonly string[], suggestions = new Suggestions()) =>
    unknownOption({ key: 'host', place: at }, having('vt', keys), suggestions).facts;
  test('names the keys that are spelled like it, and no others', () => {
    expect(factsOf(['hots', 'port', 'token'])).toEqual({ key: 'host', integration: 'vt', known: ['hots'] });
  });
  test('else names all that there are', () => {
    expect(factsOf(['port', 'token'])).toMatchObject({ known: ['port', 'token'], total: 2 });
    expect(factsOf([])).toMatchObject({ known: [], total: 0 });
  });
  test('of many names the first, and says how many there are', () => {
    expect(factsOf(strange(21))).toMatchObject({ known: strange(20), total: 21 });
  });
  test('names none where looking for them takes too long by now', () => {
    expect(factsOf(['hots'], exhausted())).toEqual({ key: 'host', integration: 'vt' });
  });
});

test('an unknown key is found at its place, in an integration by its name where it has one', () => {
  const found = (live: LiveIntegration) => unknownOption({ key: 'host', place: at }, live, new Suggestions());
  expect(found(having('vt_1', [], { name: 'VirusTotal' }))).toMatchObject({
    code: 'unknown-option',
    facts: { integration: 'VirusTotal' },
    place: at,
  });
  const { name: _name, ...nameless } = having('vt_1', []);
  expect(found(nameless)).toMatchObject({ facts: { integration: 'vt_1' } });
});

test('an option is skipped where only defaults ask for it and the integration does not list it', () => {
  const option = { key: 'host', place: at };
  expect(isSkipped({ ...option, isDefault: true }, having('vt', ['port']))).toBe(true);
  expect(isSkipped(option, having('vt', ['port']))).toBe(false);
  const listed = having('vt', [], { optionKeys: new Set(['host']) });
  expect(isSkipped({ ...option, isDefault: true }, listed)).toBe(false);
});

describe('defaults', () => {
  /** The facts of what defaults ask for in vain, by the options of each integration that they match. */
  function misfits(
    asked: string,
    live: readonly LiveIntegration[],
    { managed = live, suggestions = new Suggestions(), read = live } = {},
  ): Diagnostic['facts'][] {
    const { integrations, defaults } = desiredOf(
      validConfig(entries(`all: { match: "*", expect: any, options: { ${asked} } }`)),
      live,
    );
    const ids = new Set(managed.map(({ id }) => id));
    const desired = { integrations: integrations.filter(({ id }) => ids.has(id)), defaults };
    const byId = new Map(read.map((each) => [each.id, each]));
    return misfitDefaults(desired, byId, suggestions).map(({ finding }) => finding.facts);
  }

  const [a, b] = [having('a', ['port', 'zone']), having('b', ['port', 'hots', 'ab'])];
  test('may ask for what any of their integrations has, though its value was not read', () => {
    expect(misfits('zone: 1, hots: 2', [a, b])).toEqual([]);
    expect(misfits('host: 1', [a, having('b', [], { optionKeys: new Set(['host']) })])).toEqual([]);
  });
  test('that fit none of several integrations name none of them', () => {
    expect(misfits('host: 1', [a, b])).toEqual([{ key: 'host', known: ['hots'] }]);
  });
  test('that fit none know the keys of all, each once and in order, whatever else is missing', () => {
    const known = { known: ['ab', 'hots', 'port', 'zone'], total: 4 };
    expect(misfits('colour: 1, elsewhere: 2', [a, b])).toEqual([
      { key: 'colour', ...known },
      { key: 'elsewhere', ...known },
    ]);
  });
  test('that match one integration say which', () => {
    expect(misfits('host: 1', [b])).toEqual([{ key: 'host', integration: 'b', known: ['hots'] }]);
  });
  test('are not judged where one of their integrations is not managed: its options are unknown', () => {
    expect(misfits('host: 1', [a, b], { managed: [a] })).toEqual([]);
  });
  test('are not judged by integrations that are not defined at all', () => {
    expect(misfits('host: 1', [a, b], { read: [] })).toEqual([]);
    expect(misfits('host: 1', [a, b], { read: [b] })).toMatchObject([{ integration: 'b' }]);
  });
  test('that fit none are found also where no suggestion is looked for any more', () => {
    expect(misfits('host: 1', [a, b], { suggestions: exhausted() })).toEqual([{ key: 'host' }]);
  });
});

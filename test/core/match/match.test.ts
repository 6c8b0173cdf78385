import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareText } from '../../../src/core/findings/diagnostic.ts';
import { LiveIndex } from '../../../src/core/match/match.ts';
import { globMatcher } from '../../../src/core/model/glob.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { liveIntegration } from '../../support/live.ts';

const ATTRIBUTES = ['id', 'name', 'acronym'] as const;

describe('the index of what is installed', () => {
  const word = fc
    .array(fc.constantFrom('a', 'b', '_'), { minLength: 1, maxLength: 4 })
    .map((all) => all.join(''));
  const installed = fc.uniqueArray(fc.record({ id: word, name: fc.option(word), acronym: fc.option(word) }), {
    selector: ({ id }) => id,
    maxLength: 12,
  });
  const glob = fc
    .array(fc.constantFrom('a', 'b', '_', '*', '?', '{a,b}'), { minLength: 1, maxLength: 4 })
    .map((all) => all.join(''));
  const selector = fc
    .record({ id: glob, name: glob, acronym: glob }, { requiredKeys: [] })
    .filter((all) => Object.keys(all).length > 0);
  test('finds what a look at each one finds, ordered by id', () => {
    fc.assert(
      fc.property(installed, selector, (rows, wanted) => {
        const live = rows.map(({ id, name, acronym }): LiveIntegration => {
          const { name: _, acronym: __, ...bare } = liveIntegration(id, []);
          return { ...bare, ...(name === null ? {} : { name }), ...(acronym === null ? {} : { acronym }) };
        });
        const globs: Partial<Record<string, string>> = wanted;
        const expected = live
          .filter((each) =>
            ATTRIBUTES.every((attribute) => {
              const [pattern, text] = [globs[attribute], each[attribute]];
              return pattern === undefined || (text !== undefined && globMatcher(pattern)(text));
            }),
          )
          .map(({ id }) => id)
          .sort(compareText);
        expect(new LiveIndex(live).found(wanted).map(({ id }) => id)).toEqual(expected);
      }),
      { numRuns: 1_000, seed: 4711 },
    );
  });
  test('10,000 entries find theirs among 10,000', () => {
    const ids = Array.from({ length: 10_000 }, (_, index) => `i${index}_node_18_1700000000`);
    const index = new LiveIndex(ids.map((id) => liveIntegration(id, [])));
    expect(ids.filter((id) => index.found({ id }).length !== 1)).toEqual([]);
    expect(ids.filter((_, at) => index.found({ id: `i${at}_*` }).length !== 1)).toEqual([]);
  }, 20_000);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Selector } from '../../../src/core/config/declaration.ts';
import { LiveIndex } from '../../../src/core/match/live-index.ts';
import { globMatcher } from '../../../src/core/model/glob.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { liveIntegration } from '../../support/live.ts';
import { seeds } from '../../support/soak.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 2 });
const glob = fc.oneof(
  word,
  word.map((text) => `*${text}`),
  word.map((text) => `${text}*`),
);

const named = fc.record({ id: word, name: word, acronym: word });
const integrations = fc.uniqueArray(named, {
  selector: ({ id }) => id,
  maxLength: 7,
});

const selector = fc.record(
  { id: glob, name: glob, acronym: glob },
  { requiredKeys: [] },
);

interface Named {
  readonly id: string;
  readonly name: string;
  readonly acronym: string;
}

function live({ id, name, acronym }: Named): LiveIntegration {
  return liveIntegration(id, [], { name, acronym });
}

/** Looks at each integration. */
function matching(
  all: readonly LiveIntegration[],
  { id = '*', name = '*', acronym = '*' }: Selector,
): string[] {
  const isMeant = (integration: LiveIntegration) =>
    globMatcher(id)(integration.id) &&
    globMatcher(name)(integration.name ?? '') &&
    globMatcher(acronym)(integration.acronym ?? '');
  return all.filter(isMeant).map((integration) => integration.id);
}

test('an index finds what a look at each integration finds, ordered by id', () => {
  let found = 0;
  fc.assert(
    fc.property(integrations, selector, (installed, globs) => {
      const index = new LiveIndex(installed.map(live));
      const ids = index.found(globs).map(({ id }) => id);
      expect(ids).toEqual(matching(index.all, globs));
      expect(ids).toEqual([...ids].sort());
      found += ids.length;
    }),
    { numRuns: seeds(500, 10_000) },
  );
  expect(found).toBeGreaterThan(0);
});

test('a name without wildcards is no part of other names', () => {
  const installed: Named[] = [
    { id: 'one', name: 'Splunk', acronym: 'SP' },
    { id: 'three', name: 'Splunk', acronym: 'SPL' },
    { id: 'two', name: 'Splunk Cloud', acronym: 'SP' },
  ];
  const index = new LiveIndex(installed.map(live));
  const idsOf = (globs: Selector) => index.found(globs).map(({ id }) => id);
  expect(idsOf({ name: 'Splunk' })).toEqual(['one', 'three']);
  expect(idsOf({ acronym: 'SP' })).toEqual(['one', 'two']);
  expect(idsOf({ name: 'Splunk', acronym: 'SP' })).toEqual(['one']);
  expect(idsOf({ id: '*o', acronym: 'SP' })).toEqual(['two']);
  expect(idsOf({ name: 'splunk' })).toEqual([]);
});

import { expect, test } from 'vitest';
import { pairIntegrations } from '../../../src/core/diff/pair-integrations.ts';
import { liveIntegration } from '../../support/live.ts';

/** An integration by its id, its name and its acronym, as `id name acronym`. */
function integration(text: string) {
  const [id = '', name, acronym] = text.split(' ');
  return liveIntegration(id, [], { name, acronym });
}

function paired(before: readonly string[], after: readonly string[]) {
  const { pairs, ambiguous } = pairIntegrations({
    before: before.map(integration),
    after: after.map(integration),
  });
  return {
    pairs: pairs.map((pair) => {
      return `${pair.name}: ${pair.before?.id} ${pair.after?.id}`;
    }),
    ambiguous: ambiguous.map(({ base }) => base),
  };
}

test.each([
  [
    'by what upgrades leave of their ids',
    ['vt_3_1_0_node_18_1'],
    ['vt_3_2_0_node_20_22'],
    ['vt: vt_3_1_0_node_18_1 vt_3_2_0_node_20_22'],
  ],
  [
    'by equal ids before all else',
    ['vt_node_1_1 East', 'vt_node_1_2 West'],
    ['vt_node_1_2 East'],
    [
      'vt_node_1_1: vt_node_1_1 undefined',
      'vt_node_1_2: vt_node_1_2 vt_node_1_2',
    ],
  ],
  [
    'several of one base by name',
    ['vt_node_1_1 East', 'vt_node_1_2 West'],
    ['vt_node_1_3 West', 'vt_node_1_4 East'],
    [
      'vt_node_1_3: vt_node_1_2 vt_node_1_3',
      'vt_node_1_4: vt_node_1_1 vt_node_1_4',
    ],
  ],
  [
    'others by name and acronym, under the name of the second',
    ['old_node_1_1 Lookup L'],
    ['new_node_1_1 Lookup L'],
    ['new: old_node_1_1 new_node_1_1'],
  ],
  [
    'not by a name and an acronym that two have',
    ['a_node_1_1 Lookup L'],
    ['b_node_1_1 Lookup L', 'c_node_1_1 Lookup L'],
    [
      'a: a_node_1_1 undefined',
      'b: undefined b_node_1_1',
      'c: undefined c_node_1_1',
    ],
  ],
])('integrations are paired %s', (_, before, after, expected) => {
  expect(paired(before, after)).toEqual({ pairs: expected, ambiguous: [] });
});

test('what several could be stands alone, and is reported', () => {
  const before = ['vt_node_1_1 East E', 'vt_node_1_2 East E'];
  expect(paired(before, ['vt_node_1_3 East E'])).toEqual({
    pairs: [
      'vt_node_1_1: vt_node_1_1 undefined',
      'vt_node_1_2: vt_node_1_2 undefined',
      'vt_node_1_3: undefined vt_node_1_3',
    ],
    ambiguous: ['vt'],
  });
});

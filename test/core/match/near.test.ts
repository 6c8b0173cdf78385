import { expect, test } from 'vitest';
import { NearNames } from '../../../src/core/match/near.ts';
import { liveIntegration } from '../../support/live.ts';

const IDS = [
  'log_search_2_node_18_1',
  'log_search_3_node_18_2',
  'log_search_4_node_18_3',
  'log_search_node_18_4',
  'threat_lookup_node_18_5',
];
const near = new NearNames(IDS.map((id) => liveIntegration(id)));

test.each([
  { glob: 'log_search_nod_*', first: 'log_search_node_18_4' },
  { glob: 'LOG_SEARCH_NODE_*', first: 'log_search_node_18_4' },
  { glob: 'log_serch_3_node_*', first: 'log_search_3_node_18_2' },
  { glob: 'lookup_node_*', first: 'threat_lookup_node_18_5' },
])('$glob means $first most likely', ({ glob, first }) => {
  const [candidate] = near.find([glob]);
  expect(candidate?.id).toBe(first);
});

test('a glob that resembles nothing has no candidates', () => {
  expect(near.find(['wizz_node_*'])).toEqual([]);
});

import { expect, test } from 'vitest';
import { nearIntegrations, spellingsOf } from '../../../src/core/match/near.ts';
import { liveIntegration } from '../../support/live.ts';

const IDS = [
  'log_search_2_node_18_1',
  'log_search_3_node_18_2',
  'log_search_4_node_18_3',
  'log_search_node_18_4',
  'threat_lookup_node_18_5',
  'tree_nodes_node_18_6',
];
const spellings = spellingsOf(IDS.map((id) => liveIntegration(id)));

test.each([
  { glob: 'LOG_SEARCH_NODE_*', first: 'log_search_node_18_4' },
  { glob: 'log_serch_3_node_*', first: 'log_search_3_node_18_2' },
  { glob: 'lookup_node_*', first: 'threat_lookup_node_18_5' },
  { glob: 'threat_lookop_node', first: 'threat_lookup_node_18_5' },
  { glob: '*hrea*', first: 'threat_lookup_node_18_5' },
  { glob: 'tree_nodez_*', first: 'tree_nodes_node_18_6' },
])('$glob means $first most likely', ({ glob, first }) => {
  const [candidate] = nearIntegrations([glob], spellings);
  expect(candidate?.id).toBe(first);
});

test.each(['wizz_node_*', 'lx*'])(
  '%s resembles nothing: it has no candidates',
  (glob) => {
    expect(nearIntegrations([glob], spellings)).toEqual([]);
  },
);

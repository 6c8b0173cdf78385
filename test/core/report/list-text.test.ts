import { expect, test } from 'vitest';
import { PLAIN } from '../../../src/core/report/report.ts';
import { renderLists } from '../../../src/core/report/text/list.ts';

const VIEW = { paint: PLAIN, width: 80 };

const VT = {
  ...{ id: 'virustotal_node_18', name: 'VirusTotal', acronym: 'VT', status: 'running' },
  ...{ autosubscribe: true, errors: 12, options: 5 },
};

test('integrations are a table that fits the screen; what is not known of one is a dash', () => {
  const bare = { id: 'b', acronym: 'B', options: 5, managedOptions: 3 };
  const wide = { ...VT, name: 'Name '.repeat(20), id: 'w' };
  const servers = [{ name: 's', url: 'https://s', integrations: [VT, wide, bare] }];
  expect(renderLists({ servers }, VIEW).split('\n')).toEqual([
    'STATUS   AUTO  ERR  OPTIONS  ID                  NAME',
    'running  yes    12        5  virustotal_node_18  VirusTotal',
    'running  yes    12        5  w                   Name Name Name Name Name Name …',
    '-        -       -      3/5  b                   -',
    '',
    '3 integrations.',
    'AUTO: autosubscribe. ERR: integration errors. OPTIONS: managed/all.',
    '',
  ]);
});

test('integration errors have each different word once, and several servers their names', () => {
  const error = {
    ...{ id: '1', integration: 'vt', code: 'E_QUOTA', title: 'Too many', detail: 'E_QUOTA' },
    ...{ count: 3, occurredOn: '2026-01-15T12:00:00Z', status: 429 },
  };
  const servers = [
    { name: 'a', url: 'https://a', errors: [error] },
    { name: 'b', url: 'https://b', errors: [] },
  ];
  expect(renderLists({ servers }, VIEW)).toBe(
    'a\n\n2026-01-15T12:00:00Z  vt  (3 times, HTTP 429)\n  E_QUOTA\n  Too many\n\n1 integration error.\n\nb\n\n0 integration errors.\n',
  );
});

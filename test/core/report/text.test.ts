import { expect, test } from 'vitest';
import type { ListedIntegration } from '../../../src/core/report/report.ts';
import { rendered } from '../../support/rendered.ts';

const VT: ListedIntegration = {
  id: 'virustotal_node_18',
  name: 'VirusTotal',
  acronym: 'VT',
  status: 'running',
  autosubscribe: true,
  errors: 12,
  options: 5,
};

function list(...integrations: readonly Partial<ListedIntegration>[]): string[] {
  const all = integrations.map((each) => ({ ...VT, ...each }));
  const text = rendered('text', {
    kind: 'list',
    servers: [{ name: 's', url: 'https://s', integrations: all }],
  });
  return text.split('\n');
}

test('integrations are a table; what is not known of one is a dash', () => {
  const { name: _name, status: _status, autosubscribe: _autosubscribe, ...bare } = VT;
  const integrations = [
    VT,
    { ...VT, id: 'x', name: 'X', autosubscribe: false, errors: 0 },
    { ...bare, id: 'b' },
  ];
  const servers = [{ name: 's', url: 'https://s', integrations }];
  expect(rendered('text', { kind: 'list', servers }).split('\n')).toEqual([
    'STATUS   AUTOSUBSCRIBE  ERRORS  OPTIONS  NAME        ID',
    'running  yes            12      5        VirusTotal  virustotal_node_18',
    'running  no             0       5        X           x',
    '-        -              12      5        -           b',
    '',
    '3 integrations.',
    '',
  ]);
});

test('with a configuration the table says how many options are managed', () => {
  expect(list({ managedOptions: 3 }, { managedOptions: 0 }).slice(1)).toEqual([
    'running  yes            12      3/5      VirusTotal  virustotal_node_18',
    'running  yes            12      0/5      VirusTotal  virustotal_node_18',
    '',
    '2 integrations.',
    'OPTIONS: managed/all.',
    '',
  ]);
  expect(list({ managedOptions: 3 }, {}).at(-2)).toBe('OPTIONS: managed/all.');
});

test('a long name widens its column up to 100 characters, and moves no other line further', () => {
  const lines = list({ name: 'n'.repeat(99), id: 'a' }, { name: 'n'.repeat(150), id: 'b' }, { id: 'c' });
  const column = lines[0]?.indexOf('ID') ?? 0;
  expect([lines[1]?.indexOf(' a'), lines[3]?.indexOf(' c')]).toEqual([column - 1, column - 1]);
  expect(column).toBe((lines[0]?.indexOf('NAME') ?? 0) + 102);
  expect(lines[2]).toContain(`${'n'.repeat(150)}  b`);
});

test('integration errors have their time, integration and how often, then each different word once', () => {
  const error = { id: '1', code: 'E_QUOTA', title: 'Too many requests', detail: 'Wait.', status: 429 };
  const errors = [
    { ...error, integration: 'vt', count: 3, occurredOn: '2026-01-15T12:00:00Z' },
    {
      ...error,
      integration: 'x',
      count: 1,
      occurredOn: '2026-01-15T12:00:01Z',
      title: '',
      detail: 'E_QUOTA',
      status: null,
    },
  ];
  const text = (some: typeof errors) =>
    rendered('text', { kind: 'errors', servers: [{ name: 's', url: 'https://s', errors: some }] }).split(
      '\n',
    );
  expect(text(errors)).toEqual([
    '2026-01-15T12:00:00Z  vt  (3 times, HTTP 429)',
    '  E_QUOTA',
    '  Too many requests',
    '  Wait.',
    '2026-01-15T12:00:01Z  x  (1 time)',
    '  E_QUOTA',
    '',
    '2 integration errors.',
    '',
  ]);
  expect(text([])).toEqual(['0 integration errors.', '']);
});

test('several servers stand below their names, with a line between them', () => {
  const servers = ['a', 'b'].map((name) => ({ name, url: 'https://s', errors: [] }));
  expect(rendered('text', { kind: 'errors', servers })).toBe(
    'a\n\n0 integration errors.\n\nb\n\n0 integration errors.\n',
  );
});

test('a valid configuration is counted', () => {
  const valid = { kind: 'validation', files: 1, integrations: 2, valid: true } as const;
  expect(rendered('text', valid)).toBe('Valid: 1 file, 2 entries.\n');
  expect(rendered('text', { ...valid, files: 2, integrations: 1 })).toBe('Valid: 2 files, 1 entry.\n');
});

import widthOf from 'fast-string-width';
import { expect, test } from 'vitest';
import { PLAIN } from '../../../../src/core/report/report.ts';
import {
  type Listed,
  renderLists,
} from '../../../../src/core/report/text/list.ts';

const INTEGRATIONS: readonly Listed[] = [
  {
    id: 'virustotal_node_18_1725278818',
    name: 'VirusTotal',
    status: 'running',
    autosubscribe: true,
    errors: 12,
    options: 5,
  },
  {
    id: 'a_rather_long_id_of_an_integration_node_18_1683909561',
    name: 'A name for which there is no room beside the id of it, at all',
    autosubscribe: false,
    options: 5,
    managedOptions: 3,
  },
  { id: 'tokyo_node_18_1683909562', name: '東京の検索', options: 1 },
];

function rowsOf(isPiped: boolean, width = 80): string[] {
  const servers = [{ name: 'prod', integrations: INTEGRATIONS }];
  const text = renderLists(
    { servers, isFleet: false },
    { paint: PLAIN, width, isPiped },
  );
  return text.split('\n\n')[0]?.split('\n') ?? [];
}

test.each([60, 80, 200])('a list fits %i columns with whole names', (width) => {
  const rows = rowsOf(false, width);
  const text = rows.join(' ').replace(/\s+/g, ' ');
  for (const { id, name = '' } of INTEGRATIONS) {
    expect(text).toContain(id);
    expect(text).toContain(name);
  }
  // Only an id may be wider: people copy it.
  for (const row of rows) {
    if (!row.includes('a_rather_long_id') || width > 82) {
      expect(widthOf(row)).toBeLessThanOrEqual(width);
    }
  }
});

test('a program reads one line an integration', () => {
  const rows = rowsOf(true);
  expect(rows).toHaveLength(1 + INTEGRATIONS.length);
  for (const [at, { id, name = '' }] of INTEGRATIONS.entries()) {
    expect(rows[at + 1]).toMatch(new RegExp(`${id} +${name}$`));
  }
});

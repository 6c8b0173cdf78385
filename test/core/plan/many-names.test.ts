import { expect, test, vi } from 'vitest';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { entries, matchedWith, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

/** Quadratic work takes many minutes, a busy machine one. */
vi.setConfig({ testTimeout: 600_000 });

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');
const live = (count: number, keys: number) =>
  Array.from({ length: count }, (_, index) =>
    liveIntegration(
      `i${index}_node_18_1`,
      Array.from({ length: keys }, (_key, key) => liveOption(`key${key}`)),
    ),
  );

function planned(yaml: string, installed: readonly LiveIntegration[]) {
  const matched = matchedWith(validConfig(entries(yaml)), installed);
  const server = { name: 's', url: 'https://s' };
  const { plan, diagnostics } = planServer({
    server,
    desired: matched.integrations,
    live: installed,
    reads: 1,
  });
  return {
    matched: matched.diagnostics,
    diagnostics,
    changed: plan.summary.changes,
  };
}

test('2,000 unknown options beside 8,000 keys: each is found, the first with what it may mean', () => {
  const known = lines(2_000, (index) => `    key${index}: x`);
  const unknown = lines(2_000, (index) => `    kez${index}: x`);
  const yaml = `a:\n  match: i0_*\n  options:\n${known}\n${unknown}`;
  const { diagnostics } = planned(yaml, live(1, 8_000));
  expect(diagnostics).toHaveLength(2_000);
  expect(diagnostics[0]).toMatchObject({
    facts: { known: expect.arrayContaining(['key0']) },
  });
  expect(JSON.stringify(diagnostics).length).toBeLessThan(800_000);
});

test('1,000 entries of defaults that each set one option of 20 integrations', () => {
  const yaml = lines(
    1_000,
    (index) =>
      `a${index}: { match: i*, expect: any, options: { key${index}: x } }`,
  );
  expect(planned(yaml, live(20, 1_000)).changed).toBe(20_000);
});

test('1,000 entries that match none of 5,000 integrations', () => {
  const yaml = lines(
    1_000,
    (index) => `a${index}: { match: "j${index}_*", autosubscribe: true }`,
  );
  const { matched } = planned(yaml, live(5_000, 0));
  expect(matched.filter(({ code }) => code === 'no-match')).toHaveLength(1_000);
});

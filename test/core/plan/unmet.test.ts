import { describe, expect, test } from 'vitest';
import type { DesiredIntegration } from '../../../src/core/model/desired.ts';
import type { ServerPlan } from '../../../src/core/plan/plan.ts';
import { unmetChoices } from '../../../src/core/plan/unmet.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { SERVER } from '../../support/planned.ts';

const live = [liveIntegration('vt_1', [liveOption('k'), liveOption('mode')])];
const desired = desiredOf(
  validConfig(
    entries(
      'vt: { match: vt_*, autosubscribe: true, options: { k: v, mode: { permission: lock-and-show } } }',
    ),
  ),
  live,
);

/** A server on which so many integrations are managed, and what errors leave out. */
function planned(of: readonly DesiredIntegration[], isPartial = false) {
  const summary = { ...SUMMARY, managed: of.length };
  const plan: ServerPlan = { ...SERVER, summary, integrations: [] };
  return { plan, desired: of, live, isPartial };
}

const unmet = (
  choice: Parameters<typeof unmetChoices>[0],
  ...servers: ReturnType<typeof planned>[]
) =>
  unmetChoices(choice, ['vt', 'all', 'vt'], servers).map(({ code, facts }) => ({
    code,
    ...facts,
  }));

describe('--only', () => {
  test('that selects nothing on any server has the names of entries and what is installed', () => {
    const facts = {
      of: 'entry or integration',
      names: ['vt', 'all'],
      known: ['vt_1', 'vt_1'],
      severity: 'warning',
    };
    expect(unmet({ only: 'no*' }, planned([]), planned([]))).toEqual([
      { code: 'unknown-name', word: 'no*', ...facts },
    ]);
  });
  test.each<[string, string | undefined, ...ReturnType<typeof planned>[]]>([
    ['selects on one server', 'no*', planned([]), planned(desired)],
    ['selects what errors leave out', 'no*', planned([], true)],
    ['names an entry that matches nothing', 'al?', planned([])],
    ['is not given', undefined, planned([])],
    ['has no plan to be checked in', 'no*'],
  ])('%s', (_, only, ...servers) => {
    expect(unmet({ only }, ...servers)).toEqual([]);
  });
});

describe('--write-hidden', () => {
  test.each([
    'all',
    'vt',
    'vt.k',
    'vt.options.k.value',
    'vt.options.mode',
    'vt.autosubscribe',
  ])('%s', (word) => {
    const servers = [planned([]), planned(desired)];
    expect(unmet({ writeHidden: [word] }, ...servers)).toEqual([]);
  });
  test('with an address that names no managed field has the addresses', () => {
    const known = [
      'vt.options.k.value',
      'vt.k',
      'vt.options.mode.permission',
      'vt.autosubscribe',
    ];
    const facts = { word: 'vt.no', names: ['vt'], of: 'managed field' };
    const found = unmet({ writeHidden: ['vt.k', 'vt.no'] }, planned(desired));
    expect(found).toEqual([
      { code: 'unknown-name', ...facts, known: expect.arrayContaining(known) },
    ]);
  });
  test('all of no field', () => {
    expect(unmet({ writeHidden: ['all'] }, planned([]))).toMatchObject([
      { word: 'all', known: [] },
    ]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeOpen, hide } from '../../../src/core/model/secret.ts';
import { serverDocument } from '../../../src/core/plan/document.ts';
import { type Change, hasChanges, type ServerPlan } from '../../../src/core/plan/plan.ts';
import { SUMMARY } from '../../support/plan-summary.ts';

const base = { label: 'change', risks: [], source: { file: 'a.yaml', line: 1, column: 1 } } as const;
const plain: Change = {
  ...base,
  address: 'vt.options.host.value',
  field: 'value',
  option: 'host',
  sensitive: false,
  before: 'old',
  after: 'new',
};
const flag: Change = {
  ...base,
  address: 'vt.autosubscribe',
  field: 'autosubscribe',
  sensitive: false,
  before: false,
  after: true,
};
const secret = (before: string | null, after: string): Change => ({
  ...base,
  address: 'vt.options.key.value',
  field: 'value',
  option: 'key',
  sensitive: true,
  reference: '${env:KEY}',
  before: before === null ? null : hide(before),
  after: hide(after),
});

/** A plan of one integration for each list of changes. */
const planOf = (...changes: readonly (readonly Change[])[]): ServerPlan => ({
  name: 's',
  url: 'https://s',
  summary: SUMMARY,
  integrations: changes.map((each, index) => ({
    name: `vt_${index}`,
    id: `vt_${index}`,
    status: 'running',
    blocked: false,
    changes: each,
    cannotTell: [],
    unmanagedOptions: 0,
  })),
});

test('a plan has changes where any of its integrations has one', () => {
  expect(hasChanges(planOf())).toBe(false);
  expect(hasChanges(planOf([]))).toBe(false);
  expect(hasChanges(planOf([], [plain]))).toBe(true);
});

describe('the document of a plan', () => {
  test('has all of a change that is no secret', () => {
    const [first] = serverDocument(planOf([plain, flag]), []).integrations;
    expect(first?.changes.map(({ address, before, after }) => [address, before, after])).toEqual([
      [plain.address, 'old', 'new'],
      [flag.address, false, true],
    ]);
  });
  test('holds no byte of a secret, even where hidden values are opened', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^#\w{4,20}$/), fc.stringMatching(/^#\w{4,20}$/), (before, after) => {
        const document = encodeOpen(serverDocument(planOf([secret(before, after)]), []));
        expect(document).not.toContain(before);
        expect(document).not.toContain(after);
      }),
    );
  });
});

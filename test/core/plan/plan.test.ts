import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeOpen, hide, isHidden, reveal } from '../../../src/core/model/secret.ts';
import {
  type Change,
  documentOf,
  hasChanges,
  type ServerPlan,
  shownPlan,
} from '../../../src/core/plan/plan.ts';
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
  test('says the same of all that is no secret', () => {
    const plan = planOf([plain, flag], []);
    expect(documentOf(plan)).toEqual(plan);
  });
  test('leaves out both sides of a secret, and nothing else of it', () => {
    const [first] = documentOf(planOf([secret('0ld', 'n3w'), plain])).integrations;
    expect(first?.changes).toEqual([{ ...secret(null, ''), before: null, after: null }, plain]);
  });
  test('holds no byte of a secret, even where hidden values are opened', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^#\w{4,20}$/), fc.stringMatching(/^#\w{4,20}$/), (before, after) => {
        const document = encodeOpen(documentOf(planOf([secret(before, after)])));
        expect(document).not.toContain(before);
        expect(document).not.toContain(after);
      }),
    );
  });
});

describe('a plan that is shown from its document', () => {
  const shown = shownPlan(documentOf(planOf([secret('0ld', 'n3w'), plain, flag], [])));
  test('is the plan but for its secrets', () => {
    const changes = [{ ...secret(null, ''), before: null, after: expect.anything() }, plain, flag];
    expect(shown.integrations.map((each) => each.changes)).toEqual([changes, []]);
    expect({ ...shown, integrations: [] }).toEqual(planOf());
  });
  test('has a hidden value where a secret is to be written, which holds nothing', () => {
    const after = shown.integrations[0]?.changes[0]?.after ?? 'nothing';
    expect([isHidden(after), reveal(after)]).toEqual([true, '']);
  });
  test('makes the same document again', () => {
    expect(documentOf(shown)).toEqual(documentOf(planOf([secret('0ld', 'n3w'), plain, flag], [])));
  });
});

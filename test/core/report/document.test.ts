import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeOpen, hide } from '../../../src/core/model/secret.ts';
import {
  type Change,
  NOTHING,
  type ServerPlan,
} from '../../../src/core/plan/plan.ts';
import {
  secretChange,
  subscribingChange,
  valueChange,
} from '../../support/changes.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { documented } from '../../support/saved-plan.ts';

const plain = valueChange('host');
const flag = subscribingChange();
const secret = (before: string | null, after: string): Change =>
  secretChange('key', before === null ? null : hide(before), hide(after));

/** A plan of one integration for each list of changes. */
const planOf = (...changes: readonly (readonly Change[])[]): ServerPlan => ({
  name: 's',
  url: 'https://s',
  summary: SUMMARY,
  integrations: changes.map((each, index) => ({
    name: `vt_${index}`,
    id: `vt_${index}`,
    status: 'running',
    ...NOTHING,
    changes: each,
  })),
});

describe('the document of a plan', () => {
  test('has all of a change that is no secret', () => {
    const [first] = documented(planOf([plain, flag])).integrations;
    expect(
      first?.changes.map(({ address, before, after }) => [
        address,
        before,
        after,
      ]),
    ).toEqual([
      [plain.address, 'old', 'new'],
      [flag.address, false, true],
    ]);
  });
  test('holds no byte of a secret, even where hidden values are opened', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^#\w{4,20}$/),
        fc.stringMatching(/^#\w{4,20}$/),
        (before, after) => {
          const document = encodeOpen(
            documented(planOf([secret(before, after)])),
          );
          expect(document).not.toContain(before);
          expect(document).not.toContain(after);
        },
      ),
    );
  });
});

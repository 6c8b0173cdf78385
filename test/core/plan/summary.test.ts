import { expect, test } from 'vitest';
import { sidesOf } from '../../../src/core/plan/compare.ts';
import type { Reason } from '../../../src/core/plan/decide.ts';
import { type IntegrationPlan, NOTHING } from '../../../src/core/plan/plan.ts';
import { isNothingPlanned, summaryOf } from '../../../src/core/plan/summary.ts';
import {
  comparedValue,
  subscribingChange,
  valueChange,
} from '../../support/changes.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { SERVER } from '../../support/planned.ts';

const REASONS: readonly Reason[] = [
  'hidden',
  'unread',
  'waived',
  'not-reviewed',
];

/** An integration in which nothing is to be done, unless told otherwise. */
function integration(own: Partial<IntegrationPlan> = {}): IntegrationPlan {
  return { ...NOTHING, name: 'vt', id: 'vt', status: null, ...own };
}

/** One field left for each reason, named after it. */
const LEFT = REASONS.map((because) => {
  const comparison = comparedValue(because);
  return { subject: comparison.subject, because, comparison };
});

test.each<{ servers: readonly (readonly boolean[])[]; isNothing: boolean }>([
  { servers: [], isNothing: false },
  { servers: [[]], isNothing: false },
  { servers: [[], []], isNothing: false },
  { servers: [[true]], isNothing: true },
  { servers: [[true], [true, true]], isNothing: true },
  { servers: [[true], [false]], isNothing: false },
  { servers: [[true], [true, false]], isNothing: false },
])(
  'nothing is planned if all integrations of all servers have errors: $servers is $isNothing',
  ({ servers, isNothing }) => {
    const plans = servers.map((errors) => {
      const integrations = errors.map((hasError) =>
        integration({ unplanned: hasError || undefined }),
      );
      return { ...SERVER, summary: SUMMARY, integrations };
    });
    expect(isNothingPlanned(plans)).toBe(isNothing);
  },
);

test('what is only shown counts as changed; what is hidden and what is unread count apart, and what was not reviewed not at all', () => {
  const field = comparedValue('a');
  const integrations = [
    integration({ left: LEFT }),
    integration({
      changes: [valueChange('a'), valueChange('b'), subscribingChange()],
      left: [
        {
          subject: { kind: 'autosubscribe', integration: 'vt' },
          because: 'settled',
        },
      ],
    }),
    integration({ changes: [subscribingChange()] }),
    integration({ shown: [{ ...field, sides: sidesOf(field) }] }),
  ];
  const others = {
    managed: 3,
    unmanagedOptions: 7,
    unmanagedIntegrations: 4,
    reads: 2,
  };
  expect(summaryOf(integrations, others)).toEqual({
    ...others,
    changed: 3,
    changes: 5,
    left: { hidden: 1, unread: 1, waived: 1, settled: 1, released: 0 },
    writes: 3,
  });
});

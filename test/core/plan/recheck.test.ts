import { describe, expect, test } from 'vitest';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { addressOf } from '../../../src/core/model/subject.ts';
import { judge } from '../../../src/core/plan/judge.ts';
import { type ServerPlan, UNINSTALLED } from '../../../src/core/plan/plan.ts';
import {
  endSince,
  recheck,
  type Standing,
} from '../../../src/core/plan/recheck.ts';
import {
  liveIntegration,
  liveOption,
  MASKED,
  readable,
} from '../../support/live.ts';
import { plannedFor, readingsOf } from '../../support/planned.ts';

/** Plans the YAML of one integration `vt`, with all that is hidden. */
function planned(yaml: string, live: LiveIntegration): ServerPlan {
  const { plan } = plannedFor(`vt: ${yaml}`, [live], { writeHidden: ['all'] });
  expect(plan.summary.changes).toBeGreaterThan(0);
  return plan;
}

/** A plan, and the integration as it is by now. */
interface Reading {
  readonly yaml: string;
  readonly was: LiveIntegration;
  readonly now: LiveIntegration | undefined;
}

/** How each planned change stands, by its address without the name. */
function standings({ yaml, was, now }: Reading): Record<string, Standing> {
  const standing: Record<string, Standing> = {};
  for (const integration of planned(yaml, was).integrations) {
    for (const rechecked of recheck(integration, now)) {
      const address = addressOf(rechecked.change.comparison.subject);
      standing[address.slice('vt.'.length)] = rechecked.standing;
    }
  }
  return standing;
}

/** The fields that have moved since they were shown, or that nothing is left to write. */
function moved({ yaml, was, now }: Reading): string[] | string | undefined {
  const plan = planned(yaml, was);
  const [integration] = plan.integrations;
  const end = integration && endSince(plan, integration, now);
  if (end?.kind !== 'stale') return end?.kind;
  return end.moved.map(({ address }) => address.slice('vt.'.length));
}

/** What the server holds instead of what was written, in words. */
function held({ yaml, was, now }: Reading): string[] {
  const plan = planned(yaml, was);
  const end = { kind: 'acknowledged' } as const;
  const integrations = plan.integrations.map((each) => ({ ...each, end }));
  const readBack = new Map(now === undefined ? [] : [['vt', now]]);
  const readings = readingsOf(integrations, readBack);
  const judged = judge({ ...plan, integrations }, readings);
  const reasons: string[] = [];
  for (const { changes } of judged.plan.integrations) {
    for (const { reason } of changes) {
      if (reason !== undefined) reasons.push(reason);
    }
  }
  return reasons.map((reason) => reason.replace('the server holds ', ''));
}

const vt = (
  option: Partial<LiveOption>,
  own: Partial<LiveIntegration> = {},
): LiveIntegration => liveIntegration('vt', [liveOption('o', option)], own);
const select = (value: string, display = `The ${value} one`) =>
  vt({ type: 'select', value: readable({ value, display }) });

/** What a second reading of one value means: before it is written, and after. */
interface Row {
  readonly name: string;
  readonly was: LiveIntegration;
  readonly now: LiveIntegration | undefined;
  readonly standing: Standing;
  /** `moved`, `done`, or undefined if it is written. */
  readonly before: 'moved' | 'done' | undefined;
  /** What the server holds instead after writing it. */
  readonly after: readonly string[];
}

function expectReading(yaml: string, row: Row): void {
  const reading = { yaml, was: row.was, now: row.now };
  const address = 'options.o.value';
  expect(standings(reading)).toEqual({ [address]: row.standing });
  const end = row.before === 'moved' ? [address] : row.before;
  expect(moved(reading)).toEqual(end);
  expect(held(reading)).toEqual(row.after);
}

describe('what was planned from and what is there now', () => {
  const [a, b] = [vt({ value: readable('a') }), vt({ value: readable('b') })];
  test.each<Row>([
    {
      name: 'a text',
      was: a,
      now: b,
      standing: 'other',
      before: 'moved',
      after: ['"b"'],
    },
    {
      name: 'already as desired',
      was: a,
      now: vt({ value: readable('x') }),
      standing: 'planned',
      before: 'done',
      after: [],
    },
    {
      name: 'at rest',
      was: a,
      now: a,
      standing: 'unmoved',
      before: undefined,
      after: ['"a"'],
    },
    {
      name: 'a select whose display alone is another',
      was: select('a'),
      now: select('a', 'Renamed'),
      standing: 'unmoved',
      before: undefined,
      after: ['a'],
    },
    {
      name: 'a value that is no longer shown',
      was: a,
      now: liveIntegration('vt', [], { optionKeys: new Set(['o']) }),
      standing: 'hidden',
      before: 'moved',
      after: [],
    },
  ])('$name', (row) => {
    expectReading('{ options: { o: x } }', row);
  });
  test('a permission that is not shown has not moved while it still is not', () => {
    const yaml = '{ options: { o: { permission: lock-and-show } } }';
    const unknown = vt({ permission: 'unknown' });
    const address = 'options.o.permission';
    expect(moved({ yaml, was: unknown, now: unknown })).toBeUndefined();
    expect(moved({ yaml, was: unknown, now: vt({}) })).toEqual([address]);
    expect(moved({ yaml, was: vt({}), now: unknown })).toEqual([address]);
  });
  test('only an integration that is gone says so', () => {
    const plan = planned('{ options: { o: x } }', a);
    const [integration] = plan.integrations;
    const moved = [{ address: 'vt.options.o.value', by: 'server' }];
    expect(integration && endSince(plan, integration, undefined)).toEqual({
      kind: 'stale',
      moved: [],
      detail: UNINSTALLED,
    });
    expect(integration && endSince(plan, integration, b)).toEqual({
      kind: 'stale',
      moved,
    });
  });
});

test('a secret whose option users see meanwhile has moved', () => {
  const [hidden, shown] = [vt({}), vt({ permission: 'lock-and-show' })];
  const yaml = (more: string) =>
    `{ options: { o: { value: k3y-of-vt, sensitive: true${more} } } }`;
  expect(moved({ yaml: yaml(''), was: hidden, now: shown })).toEqual([
    'options.o.value',
  ]);
  // This plan hides it, and that one said that it is shown.
  const hiding = yaml(', permission: lock-and-hide');
  expect(moved({ yaml: hiding, was: shown, now: shown })).toBeUndefined();
  expect(moved({ yaml: yaml(''), was: shown, now: shown })).toBeUndefined();
});

test('a risk that the policy turns off moves nothing', () => {
  const yaml = '{ options: { o: { value: k3y-of-vt, sensitive: true } } }';
  const plan = planned(yaml, vt({}));
  const [integration] = plan.integrations;
  if (integration === undefined) throw new Error('not planned');
  const shown = vt({ permission: 'lock-and-show' });
  const lenient = { ...plan, policy: { 'exposes-secret': 'off' } } as const;
  expect(endSince(plan, integration, shown)?.kind).toBe('stale');
  expect(endSince(lenient, integration, shown)).toBeUndefined();
});

describe('a secret is never told', () => {
  const secret = (value: LiveSide) => vt({ value });
  const old = secret(readable('old-key'));
  const byHand = secret(readable('by-hand-key'));
  const masked = secret(MASKED);
  const likeMask = secret(readable('a***b'));
  test.each<Row>([
    {
      name: 'another one',
      was: old,
      now: byHand,
      standing: 'other',
      before: 'moved',
      after: ['a different secret'],
    },
    {
      name: 'taken away while it was masked',
      was: masked,
      now: secret({ kind: 'unset' }),
      standing: 'other',
      before: 'moved',
      after: [],
    },
    {
      name: 'hidden since',
      was: old,
      now: masked,
      standing: 'hidden',
      before: 'moved',
      after: [],
    },
    {
      name: 'shown since',
      was: masked,
      now: byHand,
      standing: 'other',
      before: 'moved',
      after: ['a different secret'],
    },
    {
      name: 'one that looks like a mask, at rest',
      was: likeMask,
      now: likeMask,
      standing: 'hidden',
      before: undefined,
      after: [],
    },
  ])('$name', (row) => {
    expectReading('{ options: { o: { value: n3w, sensitive: true } } }', row);
  });
});

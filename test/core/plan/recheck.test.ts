import { describe, expect, test } from 'vitest';
import type {
  LiveIntegration,
  LiveOption,
} from '../../../src/core/model/live.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { judge } from '../../../src/core/plan/judge.ts';
import { UNINSTALLED } from '../../../src/core/plan/outcome.ts';
import type { ServerPlan } from '../../../src/core/plan/plan.ts';
import { endSince, recheck } from '../../../src/core/plan/recheck.ts';
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

/** The plan for an integration as it was, and its end if it is read again: moved fields, or its kind. */
function endOf(yaml: string, was: LiveIntegration, now?: LiveIntegration) {
  const plan = planned(yaml, was);
  const [integration] = plan.integrations;
  if (integration === undefined) throw new Error('not planned');
  const end = endSince(plan, integration, now);
  const moved = end?.kind === 'stale' ? end.moved : undefined;
  const addresses = moved?.map(({ address }) => address.slice('vt.'.length));
  return { plan, integration, end, moved: addresses ?? end?.kind };
}

/** What a second reading of one value means: how it stands, what is moved, and what the server holds if it was written. */
function readAgain(yaml: string, was: LiveIntegration, now: LiveIntegration) {
  const { plan, integration, moved } = endOf(yaml, was, now);
  const standings = recheck(integration, now).map(({ standing }) => standing);
  const written = [{ ...integration, end: { kind: 'acknowledged' } as const }];
  const readings = readingsOf(written, new Map([['vt', now]]));
  const judged = judge({ ...plan, integrations: written }, readings);
  const changes = judged.plan.integrations.flatMap((each) => each.changes);
  const held = changes.map(({ reason = '' }) => reason);
  return [...standings, moved, ...held];
}

const VALUE = ['options.o.value'];

const vt = (
  option: Partial<LiveOption>,
  own: Partial<LiveIntegration> = {},
): LiveIntegration => liveIntegration('vt', [liveOption('o', option)], own);
const text = (value: string) => vt({ value: readable(value) });
const select = (value: string, display: string) =>
  vt({ type: 'select', value: readable({ value, display }) });

describe('what was planned from and what is there now', () => {
  const [a, b, x] = [text('a'), text('b'), text('x')];
  const again = (was: LiveIntegration, now: LiveIntegration) =>
    readAgain('{ options: { o: x } }', was, now);
  test('is another value, the planned one, or the same', () => {
    expect(again(a, b)).toEqual(['other', VALUE, 'the server holds "b"']);
    expect(again(a, x)).toEqual(['planned', 'done', '']);
    const atRest = ['unmoved', undefined, 'the server holds "a"'];
    expect(again(a, a)).toEqual(atRest);
  });
  test('is the same if the display alone of a choice is another', () => {
    const [was, now] = [select('a', 'The a one'), select('a', 'Renamed')];
    const atRest = ['unmoved', undefined, 'the server holds a'];
    expect(again(was, now)).toEqual(atRest);
  });
  test('is hidden if it is no longer shown', () => {
    const unread = liveIntegration('vt', [], { optionKeys: new Set(['o']) });
    expect(again(a, unread)).toEqual(['hidden', VALUE, '']);
  });
  test('a permission that is not shown has not moved while it still is not', () => {
    const yaml = '{ options: { o: { permission: lock-and-show } } }';
    const unknown = vt({ permission: 'unknown' });
    const address = 'options.o.permission';
    expect(endOf(yaml, unknown, unknown).end).toBeUndefined();
    expect(endOf(yaml, unknown, vt({})).moved).toEqual([address]);
    expect(endOf(yaml, vt({}), unknown).moved).toEqual([address]);
  });
  test('is done only if all of it is', () => {
    const both = (o: string) =>
      liveIntegration('vt', [
        liveOption('o', { value: readable(o) }),
        liveOption('p'),
      ]);
    const { end } = endOf('{ options: { o: x, p: x } }', both('a'), both('x'));
    expect(end).toMatchObject({ kind: 'stale' });
  });
  test('only an integration that is gone says so', () => {
    const stale = {
      kind: 'stale',
      moved: [{ address: 'vt.options.o.value', by: 'server' }],
    };
    const yaml = '{ options: { o: x } }';
    expect(endOf(yaml, a, b).end).toEqual(stale);
    const gone = { kind: 'stale', moved: [], detail: UNINSTALLED };
    expect(endOf(yaml, a, undefined).end).toEqual(gone);
  });
});

describe('a secret whose option users see meanwhile', () => {
  const [hidden, shown] = [vt({}), vt({ permission: 'lock-and-show' })];
  const yaml = (more = '') =>
    `{ options: { o: { value: k3y-of-vt, sensitive: true${more} } } }`;
  test('has moved', () => {
    expect(endOf(yaml(), hidden, shown).moved).toEqual(VALUE);
    // This plan hides it, and that one said that it is shown.
    const hiding = yaml(', permission: lock-and-hide');
    expect(endOf(hiding, shown, shown).end).toBeUndefined();
    expect(endOf(yaml(), shown, shown).end).toBeUndefined();
  });
  test('has not if the policy turns that risk off', () => {
    const { plan, integration } = endOf(yaml(), hidden, shown);
    const lenient = { ...plan, policy: { 'exposes-secret': 'off' } } as const;
    expect(endSince(lenient, integration, shown)).toBeUndefined();
  });
});

describe('a secret is never told', () => {
  const again = (was: LiveSide, now: LiveSide) => {
    const yaml = '{ options: { o: { value: n3w, sensitive: true } } }';
    return readAgain(yaml, vt({ value: was }), vt({ value: now }));
  };
  const [old, byHand] = [readable('old-key'), readable('by-hand-key')];
  test('that is another one, is hidden or is shown since', () => {
    const different = 'the server holds a different secret';
    expect(again(old, byHand)).toEqual(['other', VALUE, different]);
    expect(again(old, MASKED)).toEqual(['hidden', VALUE, '']);
    expect(again(MASKED, byHand)).toEqual(['other', VALUE, different]);
  });
  test('that was one by its old value alone, and is gone', () => {
    const was = text('https://me:hunter22@b');
    const found = readAgain('{ options: { o: "https://b" } }', was, text(''));
    expect(found).toEqual(['other', VALUE, 'the server holds nothing']);
  });
  test('that was taken away while it was masked', () => {
    expect(again(MASKED, { kind: 'unset' })).toEqual(['other', VALUE, '']);
  });
  test('that looks like a mask, and is at rest', () => {
    const likeMask = readable('a***b');
    expect(again(likeMask, likeMask)).toEqual(['hidden', undefined, '']);
  });
});

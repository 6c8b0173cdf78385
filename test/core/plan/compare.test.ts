import { describe, expect, test } from 'vitest';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import type { LiveIntegration, LiveOption } from '../../../src/core/model/live.ts';
import { leftSince } from '../../../src/core/plan/compare.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { masker } from '../../../src/core/report/mask.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const masked = { kind: 'unreadable', reason: 'masked' } as const;

/** Plans the YAML of one integration `vt`, and gives what has moved once another one is live, as `before -> now`. */
function moved(yaml: string, planned: LiveIntegration, later: LiveIntegration | undefined) {
  const desired = desiredOf(validConfig(entries(`vt: ${yaml}`)), [planned]);
  const server = { name: 's', url: 'https://s' };
  const { plan } = planServer({
    server,
    desired,
    live: [planned],
    reads: 1,
    writeHidden: ['all'],
  });
  expect(plan.summary.changes).toBeGreaterThan(0);
  const [integration] = plan.integrations;
  const left = integration && leftSince(plan, integration, later);
  if (left?.kind === 'done') return ['done'];
  return (left?.kind === 'stale' ? left.moved : []).flatMap((each) =>
    each.by === 'server' ? [`${each.before} -> ${each.now}`] : [],
  );
}

const vt = (option: Partial<LiveOption>, changes: Partial<LiveIntegration> = {}) =>
  liveIntegration('vt', [liveOption('o', option)], changes);
const choice = (value: string) => ({ value, display: `The ${value} one` });

test('a secret whose option users see meanwhile', () => {
  const [hidden, shown] = [vt({}), vt({ permission: 'lock-and-show' })];
  const yaml = (more: string) => `{ options: { o: { value: k3y-of-vt, sensitive: true${more} } } }`;
  expect(moved(yaml(''), hidden, shown)).toEqual(['not shown to users -> lock-and-show']);
  // This plan hides it, and that one said that it is shown.
  expect(moved(yaml(', permission: lock-and-hide'), shown, shown)).toEqual([]);
  expect(moved(yaml(''), shown, shown)).toEqual([]);
});

describe('what was planned from and what is there now', () => {
  test.each<[string, string, LiveIntegration, LiveIntegration | undefined, string[]]>([
    ['a text', 'x', vt({ value: readable('a') }), vt({ value: readable('b') }), ['"a" -> "b"']],
    ['nothing at first', 'x', vt({}), vt({ value: readable('b') }), ['nothing -> "b"']],
    ['emptied', 'x', vt({ value: readable('a') }), vt({}), ['"a" -> nothing']],
    ['already as desired', 'x', vt({ value: readable('a') }), vt({ value: readable('x') }), ['done']],
    ['at rest', 'x', vt({ value: readable('a') }), vt({ value: readable('a') }), []],
    [
      'a select',
      'x',
      vt({ type: 'select', value: readable(choice('a')) }),
      vt({ type: 'select', value: readable(choice('b')) }),
      ['a -> b'],
    ],
    [
      'a select whose display alone is another',
      'x',
      vt({ type: 'select', value: readable(choice('a')) }),
      vt({ type: 'select', value: readable({ value: 'a', display: 'Renamed' }) }),
      [],
    ],
    [
      'a number that is stored as text now',
      '5',
      vt({ type: 'number', value: readable(4) }),
      vt({ type: 'number', value: readable('4') }),
      [],
    ],
    [
      'a choice that is called nothing, where there was nothing',
      'x',
      vt({ type: 'select', value: { kind: 'empty' } }),
      vt({ type: 'select', value: readable(choice('nothing')) }),
      ['nothing -> nothing'],
    ],
    ['an integration that is gone', 'x', vt({ value: readable('a') }), undefined, ['"a" -> gone']],
    ['an option that is gone', 'x', vt({ value: readable('a') }), liveIntegration('vt', []), ['"a" -> gone']],
    [
      'a value that is no longer shown',
      'x',
      vt({ value: readable('a') }),
      liveIntegration('vt', [], { optionKeys: new Set(['o']) }),
      ['"a" -> not shown by the server'],
    ],
  ])('%s', (_, written, planned, later, expected) => {
    expect(moved(`{ options: { o: ${written} } }`, planned, later)).toEqual(expected);
  });
  test('of long values the part that differs, and no part of a secret', () => {
    const long = 'abcdefghij'.repeat(50);
    const [before = '', now = ''] = [`${long}1`, `${long}hunter2-secret`];
    const moved = [{ address: 'vt.o', by: 'server', before, now }] as const;
    const found = diagnostic('stale', { integration: 'vt', moved });
    const { message } = explain(masker(['hunter2-secret']).data(found));
    expect(message.length).toBeLessThan(300);
    expect(message).toContain('hij1');
    expect(message).toContain('hij(secret)');
    expect(message).not.toContain('hunter');
  });
  test('a permission that is not shown has not moved while it still is not', () => {
    const yaml = '{ options: { o: { permission: lock-and-show } } }';
    const unknown = vt({ permission: 'unknown' });
    expect(moved(yaml, unknown, unknown)).toEqual([]);
    expect(moved(yaml, unknown, vt({}))).toEqual(['not shown by the server -> lock-and-hide']);
    expect(moved(yaml, vt({}), unknown)).toEqual(['lock-and-hide -> not shown by the server']);
  });
  test('a permission, and whether all are subscribed', () => {
    const yaml = '{ autosubscribe: true, options: { o: { permission: lock-and-show } } }';
    const later = vt({ permission: 'user-provides' }, { autosubscribe: true });
    expect(moved(yaml, vt({}), later)).toEqual([
      'lock-and-hide -> user-provides',
      'false -> true, as planned',
    ]);
  });
});

describe('a secret is never told', () => {
  const secret = (value: LiveOption['value']) => vt({ value });
  test.each<[string, LiveOption['value'], LiveOption['value'], string[]]>([
    ['another one', readable('old-key'), readable('by-hand-key'), ['a secret -> a different secret']],
    ['the desired one', readable('old-key'), readable('n3w'), ['done']],
    ['the first one', readable(''), readable('by-hand-key'), ['nothing -> a secret']],
    ['taken away', readable('old-key'), { kind: 'empty' }, ['a secret -> nothing']],
    ['hidden since', readable('old-key'), masked, ['a secret -> not shown by the server']],
    ['shown since', masked, readable('by-hand-key'), ['not shown by the server -> a secret']],
    ['shown since, and as desired', masked, readable('n3w'), ['done']],
    ['masked all the time', masked, masked, []],
    ['masked all the time, as a text', masked, readable('********'), []],
    ['one that looks like a mask, at rest', readable('a***b'), readable('a***b'), []],
  ])('%s', (_, before, now, expected) => {
    const found = moved('{ options: { o: { value: n3w, sensitive: true } } }', secret(before), secret(now));
    expect(found).toEqual(expected);
    expect(found.join()).not.toMatch(/old-key|by-hand-key|n3w/);
  });
});

import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import type { Permission } from '../../../src/core/model/permission.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { addressOf } from '../../../src/core/model/subject.ts';
import { decide } from '../../../src/core/plan/decide.ts';
import { riskFinder } from '../../../src/core/plan/risk.ts';
import { compared, REFERENCE } from '../../support/compared.ts';
import { NO_REFERENCES } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

/** The addresses of the changes that expose a secret; `choices` are the fields that people named. */
function exposing(
  yaml: string,
  options: readonly LiveOption[],
  choices: { readonly hidden?: string; readonly waived?: string } = {},
  table?: typeof NO_REFERENCES,
): string[] {
  const live = liveIntegration('vt', options);
  const { hidden = '', waived = '' } = choices;
  const waiver = { address: waived, until: '2026-12-31' };
  const all = { writeHidden: [hidden], waivers: [waiver] };
  const { comparisons } = compared(yaml, live, table);
  const decisions = comparisons.map((comparison) => {
    return { comparison, fate: decide(comparison, all) };
  });
  const risksOf = riskFinder(decisions, live.options);
  const exposed: string[] = [];
  for (const { comparison, fate } of decisions) {
    if (fate !== 'change') continue;
    if (!risksOf(comparison).includes('exposes-secret')) continue;
    exposed.push(addressOf(comparison.subject));
  }
  return exposed;
}

const VALUE = 'vt.options.o.value';
const PERMISSION = 'vt.options.o.permission';

describe('a secret that users will see is a risk', () => {
  const secret = (permission: LiveOption['permission'], value: LiveSide) =>
    liveOption('o', { type: 'password', value, permission });
  /** What exposes a secret whose permission is held, and asked for. */
  const found = (
    held: LiveOption['permission'],
    asked: Permission,
    choices?: Parameters<typeof exposing>[2],
  ) => {
    const yaml = `{ options: { o: { value: "${REFERENCE}", permission: ${asked} } } }`;
    const option = secret(held, readable('0ldkey-of-vt'));
    return exposing(yaml, [option], choices);
  };
  const [hide, show] = ['lock-and-hide', 'lock-and-show'] as const;
  test('if its flags change, which carry it, or are as desired', () => {
    expect(found(hide, show)).toEqual([PERMISSION]);
    expect(found(show, show)).toEqual([VALUE]);
  });
  test('if its flags are not served, unless it is to be hidden', () => {
    expect(found('unknown', show)).toEqual([VALUE]);
    expect(found('unknown', show, { hidden: 'all' })).toEqual([PERMISSION]);
    expect(found('unknown', hide)).toEqual([]);
  });
  test('but not if the same plan hides it, unless a waiver keeps it from that', () => {
    const waiver = { waived: PERMISSION };
    expect(found(show, hide)).toEqual([]);
    expect(found(show, hide, waiver)).toEqual([VALUE]);
    expect(found(hide, show, waiver)).toEqual([]);
  });
  test('also of a reference that was not read: it will hold something', () => {
    const option = secret(show, { kind: 'unset' });
    const yaml = `{ options: { o: "${REFERENCE}" } }`;
    expect(exposing(yaml, [option], {}, NO_REFERENCES)).toEqual([VALUE]);
  });
  test('but not if users see that there is nothing', () => {
    const yaml = '{ options: { o: "" } }';
    expect(exposing(yaml, [secret(show, readable('old'))])).toEqual([]);
  });
  test('of its own permission, not of the one before it', () => {
    const options = [
      liveOption('a', { value: readable('old'), permission: hide }),
      liveOption('b', { value: readable('old'), permission: show }),
    ];
    const yaml =
      '{ options: { a: { permission: lock-and-show, sensitive: true }, b: { value: new, sensitive: true } } }';
    expect(exposing(yaml, options)).toEqual([
      'vt.options.a.permission',
      'vt.options.b.value',
    ]);
  });
  test('if a snapshot leaves out what is shown, unless it is marked as none', () => {
    const found = (reason: 'snapshot' | 'absent', mark = '') => {
      const option = liveOption('o', { value: { kind: 'hidden', reason } });
      const yaml = `{ options: { o: { permission: lock-and-show${mark} } } }`;
      return exposing(yaml, [option]);
    };
    expect(found('snapshot')).toEqual([PERMISSION]);
    expect(found('snapshot', ', sensitive: false')).toEqual([]);
    expect(found('absent')).toEqual([]);
  });
});

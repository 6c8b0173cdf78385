import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
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

interface Row {
  readonly name: string;
  /** The permission that is asked for; none if absent. */
  readonly asked?: string;
  readonly held: LiveOption['permission'];
  readonly hidden?: string;
  readonly waived?: string;
  readonly exposing: readonly string[];
}

describe('a secret that users will see is a risk', () => {
  test.each<Row>([
    {
      name: 'its flags change, and carry it',
      asked: 'lock-and-show',
      held: 'lock-and-hide',
      exposing: [PERMISSION],
    },
    {
      name: 'its flags are as desired',
      asked: 'lock-and-show',
      held: 'lock-and-show',
      exposing: [VALUE],
    },
    {
      name: 'its flags are not served, and asked for',
      asked: 'lock-and-show',
      held: 'unknown',
      exposing: [VALUE],
    },
    {
      name: 'and are written: they carry it',
      asked: 'lock-and-show',
      held: 'unknown',
      hidden: 'all',
      exposing: [PERMISSION],
    },
    {
      name: 'but not where it is to be hidden',
      asked: 'lock-and-hide',
      held: 'unknown',
      exposing: [],
    },
    {
      name: 'nor where the same plan hides it',
      asked: 'lock-and-hide',
      held: 'lock-and-show',
      exposing: [],
    },
    {
      name: 'unless a waiver keeps the plan from hiding it',
      asked: 'lock-and-hide',
      held: 'lock-and-show',
      waived: PERMISSION,
      exposing: [VALUE],
    },
    {
      name: 'nor where a waiver keeps it hidden',
      asked: 'lock-and-show',
      held: 'lock-and-hide',
      waived: PERMISSION,
      exposing: [],
    },
  ])('$name', ({ asked, held, exposing: expected, ...choices }) => {
    const option = liveOption('o', {
      type: 'password',
      value: readable('0ldkey-of-vt'),
      permission: held,
    });
    const permission = asked === undefined ? '' : `, permission: ${asked}`;
    const yaml = `{ options: { o: { value: "${REFERENCE}"${permission} } } }`;
    expect(exposing(yaml, [option], choices)).toEqual(expected);
  });
  test('also of a reference that was not read: it will hold something', () => {
    const option = liveOption('o', {
      type: 'password',
      value: { kind: 'unset' },
      permission: 'lock-and-show',
    });
    const yaml = `{ options: { o: "${REFERENCE}" } }`;
    expect(exposing(yaml, [option], {}, NO_REFERENCES)).toEqual([VALUE]);
  });
  test('of its own permission, not of the one before it', () => {
    const secret = (key: string, permission: LiveOption['permission']) =>
      liveOption(key, { value: readable('old'), permission });
    const yaml =
      '{ options: { a: { permission: lock-and-show, sensitive: true }, b: { value: new, sensitive: true } } }';
    const options = [
      secret('a', 'lock-and-hide'),
      secret('b', 'lock-and-show'),
    ];
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

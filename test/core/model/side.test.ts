import { describe, expect, test } from 'vitest';
import {
  contentOf,
  flagSide,
  isSameSide,
  type Side,
  secretSide,
  shownSide,
} from '../../../src/core/model/side.ts';
import { MASKED } from '../../support/live.ts';

const UNSET: Side = { kind: 'unset' };
const UNREAD: Side = { kind: 'unread', written: '${env:SETPOINT_X}' };

describe('a side', () => {
  test('holds what is shown, also a secret, and nothing else', () => {
    const sides = [shownSide('x'), shownSide(false), secretSide('x')];
    expect(sides.map(contentOf)).toEqual(['x', false, 'x']);
    expect([UNSET, MASKED, UNREAD].map(contentOf)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
  test('of a secret prints nothing of it', () => {
    expect(JSON.stringify(secretSide('hunter2'))).not.toContain('hunter2');
  });
  test('of a secret that is empty is not set', () => {
    expect([secretSide(''), secretSide([])]).toEqual([UNSET, UNSET]);
    expect(secretSide('0').kind).toBe('secret');
  });
  test('of a flag that is not sent is hidden', () => {
    const absent = { kind: 'hidden', reason: 'absent' };
    expect(flagSide(undefined)).toEqual(absent);
    expect(flagSide('unknown')).toEqual(absent);
    expect(flagSide(false)).toEqual(shownSide(false));
    expect(flagSide('invalid')).toEqual(shownSide('invalid'));
  });
});

describe('two sides hold the same', () => {
  test.each<{ one: Side; other: Side; type?: string; isSame: boolean }>([
    { one: shownSide('x'), other: shownSide('x'), isSame: true },
    { one: shownSide('x'), other: shownSide('y'), isSame: false },
    { one: shownSide('x'), other: secretSide('x'), isSame: true },
    { one: secretSide('x'), other: secretSide('y'), isSame: false },
    { one: UNSET, other: shownSide(''), isSame: true },
    { one: UNSET, other: shownSide([]), isSame: true },
    { one: UNSET, other: shownSide(false), isSame: false },
    { one: UNSET, other: UNSET, isSame: true },
    {
      one: shownSide('42.0'),
      other: shownSide(42),
      type: 'number',
      isSame: true,
    },
    {
      one: shownSide('42.0'),
      other: shownSide(42),
      type: 'text',
      isSame: false,
    },
  ])('$one.kind, $other.kind: $isSame', ({ one, other, type, isSame }) => {
    expect(isSameSide(one, other, type)).toBe(isSame);
    expect(isSameSide(other, one, type)).toBe(isSame);
  });
});

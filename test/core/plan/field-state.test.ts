import { describe, expect, test } from 'vitest';
import type { LiveIntegration, LiveValue } from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import type { OptionValue } from '../../../src/core/model/value.ts';
import { afterWords, beforeWords, statesOf, wasUnreadable } from '../../../src/core/plan/field-state.ts';
import type { Change } from '../../../src/core/plan/plan.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const base = { label: 'change', risks: [], source: { file: 'a.yaml', line: 1, column: 1 } } as const;

/** A change of option `o` in clear text. */
const text = (before: OptionValue | null, after: OptionValue): Change => ({
  ...base,
  address: 'vt.options.o.value',
  field: 'value',
  option: 'o',
  sensitive: false,
  before,
  after,
});

/** A change of the secret in option `o` to `n3w`. */
const secret = (before: string | null, more: object = {}, after = 'n3w'): Change => ({
  ...base,
  address: 'vt.options.o.value',
  field: 'value',
  option: 'o',
  sensitive: true,
  before: before === null ? null : hide(before),
  after: hide(after),
  ...more,
});

const unreadable = { unreadable: true };

const permission = (before: 'lock-and-hide' | 'unknown'): Change => ({
  ...base,
  address: 'vt.options.o.permission',
  field: 'permission',
  option: 'o',
  sensitive: false,
  before,
  after: 'lock-and-show',
});

const autosubscribe: Change = {
  ...base,
  address: 'vt.autosubscribe',
  field: 'autosubscribe',
  sensitive: false,
  before: false,
  after: true,
};

/** The state of a change and what the server holds now, in words. */
function held(change: Change, live: LiveIntegration | undefined): string[] {
  const plan = {
    name: 'vt',
    id: 'vt',
    status: 'running',
    blocked: false,
    changes: [change],
    cannotTell: [],
    unmanagedOptions: 0,
  };
  return statesOf(plan, live).map(({ state, now }) => `${state}: ${now}`);
}

const holding = (value: LiveValue) => liveIntegration('vt', [liveOption('o', { value })]);
const empty: LiveValue = { kind: 'empty' };
const masked: LiveValue = { kind: 'unreadable', reason: 'masked' };

describe('what the server holds of a change', () => {
  test.each<[string, Change, LiveValue, string]>([
    ['the old value', text('old', 'new'), readable('old'), 'before: "old"'],
    ['the new value', text('old', 'new'), readable('new'), 'after: "new"'],
    ['another value', text('old', 'new'), readable('x'), 'other: "x"'],
    ['nothing any more', text('old', 'new'), empty, 'other: nothing'],
    ['nothing as before', text(null, 'new'), empty, 'before: nothing'],
    ['nothing, as desired', text('old', ''), empty, 'after: nothing'],
    ['another text that looks like a mask', text('old', 'new'), readable('****'), 'other: "****"'],
    ['a mask', text('old', 'new'), masked, 'untold: unreadable'],
    ['the old secret', secret('0ld'), readable('0ld'), 'before: a different secret'],
    ['the new secret', secret('0ld'), readable('n3w'), 'after: the secret that was to be written'],
    ['another secret', secret('0ld'), readable('x'), 'other: a different secret'],
    ['a first secret', secret(null), readable('x'), 'other: a secret'],
    ['no secret any more', secret('0ld'), empty, 'other: nothing'],
    ['a text that is the mask of a secret', secret('0ld'), readable('****'), 'untold: unreadable'],
    ['an old secret like a mask', secret('s***t'), readable('s***t'), 'before: a different secret'],
    [
      'a new secret like a mask',
      secret('0ld', {}, 's***t'),
      readable('s***t'),
      'after: the secret that was to be written',
    ],
    [
      'what may be the mask of a secret that could never be read',
      secret(null, unreadable, 's***t'),
      readable('s***t'),
      'untold: unreadable',
    ],
  ])('%s', (_, change, value, expected) => {
    expect(held(change, holding(value))).toEqual([expected]);
  });
  test.each<[string, Partial<LiveIntegration>, Change, string]>([
    ['the old permission', {}, permission('lock-and-hide'), 'before: lock-and-hide'],
    ['another permission', {}, permission('unknown'), 'other: lock-and-hide'],
    ['nobody is subscribed', {}, autosubscribe, 'before: false'],
    ['all are subscribed', { autosubscribe: true }, autosubscribe, 'after: true'],
  ])('%s', (_, changes, change, expected) => {
    expect(held(change, { ...holding(empty), ...changes })).toEqual([expected]);
  });
  test('flags that are not shown are not told, also where they were not before', () => {
    const { autosubscribe: _flag, ...hidden } = liveIntegration('vt', [
      liveOption('o', { permission: 'unknown' }),
    ]);
    for (const change of [permission('lock-and-hide'), permission('unknown'), autosubscribe])
      expect(held(change, hidden)).toEqual(['untold: not shown by the server']);
  });
  test.each([text('old', 'new'), permission('unknown')])(
    'an option may be listed, or gone: $field',
    (change) => {
      const listed = liveIntegration('vt', [], { optionKeys: new Set(['o']) });
      expect(held(change, listed)).toEqual(['untold: not shown by the server']);
      expect(held(change, liveIntegration('vt'))).toEqual(['other: gone with its option']);
      expect(held(change, undefined)).toEqual(['other: gone with its integration']);
    },
  );
});

const choice = { value: 'f', display: 'Fast' };

test.each<[string, Change, string, string]>([
  ['a text', text('old', 'new'), '"old"', '"new"'],
  ['nothing', text(null, ''), 'nothing', 'nothing'],
  ['a number', text(4, 5), '4', '5'],
  ['a select, by its value', text(choice, [choice]), 'f', '["f"]'],
  ['a secret', secret('0ld'), 'a secret', 'a secret'],
  ['an empty secret', secret(null, { empty: true }), 'nothing', 'a secret'],
  ['a secret that cannot be read', secret(null, unreadable), 'unreadable', 'a secret'],
  ['a permission', permission('lock-and-hide'), 'lock-and-hide', 'lock-and-show'],
  ['autosubscribe', autosubscribe, 'false', 'true'],
])('the two sides of a change in words: %s', (_, change, before, after) => {
  expect([beforeWords(change), afterWords(change)]).toEqual([before, after]);
});

test('what could not be read when it was planned', () => {
  const could = [text(null, 'new'), secret('0ld'), secret(null), permission('lock-and-hide'), autosubscribe];
  expect(could.map(wasUnreadable)).toEqual(could.map(() => false));
  expect([secret(null, unreadable), permission('unknown')].map(wasUnreadable)).toEqual([true, true]);
});

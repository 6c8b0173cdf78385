import { expect, test } from 'vitest';
import { asTold, showsPasswords } from '../../../src/core/live/told.ts';
import type { LiveValue } from '../../../src/core/model/live.ts';
import { hide } from '../../../src/core/model/secret.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const nothing: LiveValue = { kind: 'empty' };
const clear: LiveValue = { kind: 'readable', value: hide('hunter2') };
const unread = (reason: 'masked' | 'null' | 'absent' | 'empty'): LiveValue => ({
  kind: 'unreadable',
  reason,
});

/** What an empty password tells on a server where another password and a text read as given. */
function toldBeside(other: LiveValue): LiveValue | undefined {
  const passwords = [nothing, other].map((value, index) =>
    liveOption(`p${index}`, { type: 'password', value }),
  );
  const live = liveIntegration('vt', [
    ...passwords,
    liveOption('url', { value: readable('https://a.example') }),
  ]);
  return asTold(live, showsPasswords([live])).options.get('p0')?.value;
}

test.each<[string, LiveValue, LiveValue]>([
  ['in clear', clear, nothing],
  ['masked', unread('masked'), nothing],
  ['empty as well', nothing, unread('empty')],
  ['null', unread('null'), unread('empty')],
  ['not served', unread('absent'), unread('empty')],
])('an empty password beside one that is %s', (_, other, expected) => {
  expect(toldBeside(other)).toEqual(expected);
});

test.each<[string, string, LiveValue]>([
  ['text', 'url', { kind: 'empty' }],
  ['select', 'mode', { kind: 'empty' }],
  ['password', 'apiKey', unread('absent')],
])('a %s that is not served', (type, key, expected) => {
  const live = liveIntegration('vt', [liveOption(key, { type, value: unread('absent') })]);
  expect(asTold(live, true).options.get(key)?.value).toEqual(expected);
});

test('an empty text is empty, whatever passwords read as', () => {
  const live = liveIntegration('vt', [liveOption('url')]);
  expect(new Map(asTold(live, false).options)).toEqual(live.options);
});

import { expect, test } from 'vitest';
import { fitsPlainly } from '../../../src/core/match/plain.ts';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const choices = ['a', '1'].map((value) => ({ display: value, value }));
const LIVE = liveIntegration('vt', [
  liveOption('text', { type: 'text' }),
  liveOption('number', { type: 'number' }),
  liveOption('flag', { type: 'boolean' }),
  liveOption('key', { type: 'password' }),
  liveOption('one', { type: 'select', choices }),
  liveOption('some', { type: 'select', choices, multiple: true }),
  liveOption('odd', { type: 'date' } satisfies Partial<LiveOption>),
]);

/** Whether an entry with these options surely fits. */
function fits(options: string): boolean {
  const config = validConfig(entries(`vt: { options: { ${options} } }`));
  const [entry] = config.entries;
  if (entry === undefined) throw new Error('no entry');
  return fitsPlainly(entry, LIVE);
}

test.each([
  'text: a',
  'text: { value: a, permission: lock-and-show }',
  'number: 5',
  'flag: true',
  'key: "${env:SETPOINT_KEY}"',
  'key: "${file:a/b-c.pem}"',
  'key: { value: "${env:SETPOINT_KEY}", permission: lock-and-hide }',
  'key: { permission: user-provides, rotated: 2026-11-21 }',
  'one: a',
  'some: [a, "1"]',
  'text: a, number: 5',
])('%s is left out of the check in full', (options) => {
  expect(fits(options)).toBe(true);
});

test.each([
  'other: a',
  'text: a, other: b',
  'text: 5',
  'text: "${value:x}"',
  'number: "5"',
  'flag: "true"',
  'key: plain',
  'key: 5',
  'key: "${env:SETPOINT_KEY:-x}"',
  'key: "a ${env:SETPOINT_KEY}"',
  'key: "${env:SETPOINT_KEY} b"',
  'key: { value: "${env:SETPOINT_KEY}", permission: lock-and-show }',
  'key: { value: "${env:SETPOINT_KEY}", sensitive: false }',
  'one: b',
  'one: [a]',
  'one: { display: a, value: a }',
  'some: a',
  'some: [a, b]',
  'odd: a',
])('%s is checked in full', (options) => {
  expect(fits(options)).toBe(false);
});

test('a null asks for nothing', () => {
  expect(fits('text: { value: null, permission: lock-and-hide }')).toBe(true);
});

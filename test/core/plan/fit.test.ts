import { describe, expect, test } from 'vitest';
import type { DesiredIntegration } from '../../../src/core/model/desired.ts';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { checkFit } from '../../../src/core/plan/diff.ts';
import { brief, desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

/** What is found where the YAML of an option meets its definition. */
function found(written: string, option: Partial<LiveOption>): string[] {
  const defined = [liveIntegration('vt', [liveOption('o', option)])];
  const desired = desiredOf(validConfig(entries(`vt: { options: { o: ${written} } }`)), defined);
  return checkFit(desired, defined).map(({ code }) => code);
}

const choice = { display: 'F', value: 'f' };
const select = { type: 'select', choices: [choice] };

describe('without a server, a value is checked against the definition of its option', () => {
  test.each<[string, string, Partial<LiveOption>, string[]]>([
    ['a text', 'x', {}, []],
    ['a number for a number', '5', { type: 'number' }, []],
    ['a text for a number', 'x', { type: 'number' }, ['wrong-value']],
    ['a choice', 'f', select, []],
    ['a choice that is none', 'g', select, ['wrong-value']],
    ['a password in clear', 'hunter2', { type: 'password' }, ['plain-secret']],
    ['a password without a value', '""', { type: 'password' }, []],
    ['a password in clear that a person calls none', '{ value: x, sensitive: false }', {}, []],
  ])('%s', (_, written, option, expected) => {
    expect(found(written, option)).toEqual(expected);
  });
});

test('what does not fit is found by its address and at its place', () => {
  const defined = [
    liveIntegration('vt', [liveOption('key', { type: 'password' }), liveOption('port', { type: 'number' })]),
  ];
  const yaml = 'vt: { options: { key: hunter2, port: x } }';
  const desired = desiredOf(validConfig(entries(yaml)), defined);
  const found = (state: readonly DesiredIntegration[]) =>
    checkFit(state, defined).map((each) => [brief(each), 'address' in each.facts && each.facts.address]);
  expect(found(desired)).toEqual([
    ['plain-secret 3:25', 'vt.options.key.value'],
    ['wrong-value 3:40', 'vt.options.port.value'],
  ]);
});

test('a key that sounds like a secret is none where its type is served, or where a person says so', () => {
  const clear = (written: string, type: object) => {
    const { type: _type, ...option } = liveOption('apiToken');
    const defined = [liveIntegration('vt', [{ ...option, ...type }])];
    const desired = desiredOf(validConfig(entries(`vt: { options: { apiToken: ${written} } }`)), defined);
    return checkFit(desired, defined).map(({ code }) => code);
  };
  expect(clear('hunter2', { type: 'password' })).toEqual(['plain-secret']);
  expect(clear('hunter2', { type: 'text' })).toEqual([]);
  expect(clear('{ value: hunter2, sensitive: false }', {})).toEqual([]);
});

test('what is not installed, or not asked for by name, is not checked', () => {
  const live = [liveIntegration('a', [liveOption('o')]), liveIntegration('b')];
  const desired = desiredOf(
    validConfig(entries('all: { match: "*", expect: any, options: { o: x } }\nb: { options: { p: x } }')),
    live,
  );
  expect(checkFit(desired, live).map(brief)).toEqual(['unknown-option 4:19']);
  expect(checkFit(desired, []).map(brief)).toEqual([]);
});

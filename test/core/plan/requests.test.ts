import { describe, expect, test } from 'vitest';
import { encodeOpen, hide } from '../../../src/core/model/secret.ts';
import type { Trait } from '../../../src/core/model/trait.ts';
import { encodeValue, wireFormOf } from '../../../src/core/plan/requests.ts';
import { liveIntegration } from '../../support/live.ts';

const fast = { display: 'Fast', value: 'fast' };
const DOCUMENTED_FORM = { optionType: 'integration-options', hasBareSelects: false } as const;
const values = { ...DOCUMENTED_FORM, hasBareSelects: true } as const;
const singular = { ...DOCUMENTED_FORM, optionType: 'integration-option' } as const;

describe('the form of a server is that of its own options', () => {
  const shown =
    (...traits: Trait[]) =>
    () =>
      wireFormOf([liveIntegration('vt'), liveIntegration('otx', [], { traits: new Set(traits) })]);
  test.each([
    ['nothing shown', shown(), DOCUMENTED_FORM],
    ['plural', shown('integration-options'), DOCUMENTED_FORM],
    ['singular', shown('integration-option'), singular],
    ['both', shown('integration-option', 'integration-options'), DOCUMENTED_FORM],
    ['a choice as its value', shown('bare-choices'), values],
  ])('%s', (_, found, expected) => {
    expect(found()).toEqual(expected);
  });
});

test.each([
  ['a choice', fast, 'fast'],
  ['choices', [fast], ['fast']],
  ['a text', 'x', 'x'],
  ['a number', 5, 5],
  ['a secret choice', hide(fast), 'fast'],
])('%s as its value alone', (_, after, expected) => {
  const encoded = encodeValue(after, values);
  expect(JSON.parse(encodeOpen({ encoded }))).toEqual({ encoded: expected });
  if (typeof after === 'object' && 'toJSON' in after) expect(JSON.stringify(encoded)).not.toContain('fast');
});

test('a choice is sent whole where choices are', () => {
  expect(encodeValue(fast, DOCUMENTED_FORM)).toEqual(fast);
});

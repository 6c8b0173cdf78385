import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { encodeOpen, hide } from '../../../src/core/model/secret.ts';
import { encodeValue, type WireForm, wireFormOf } from '../../../src/core/plan/requests.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const fast = { display: 'Fast', value: 'fast' };
const DOCUMENTED_FORM = { optionType: 'integration-options', hasBareSelects: false } as const;
const values = { ...DOCUMENTED_FORM, hasBareSelects: true } as const;
const singular = { ...DOCUMENTED_FORM, optionType: 'integration-option' } as const;

describe('the form of a server is that of its own options', () => {
  const singularOption = { isSingular: true } as const;
  test.each<[string, readonly Partial<LiveOption>[], WireForm]>([
    ['nothing shown', [], DOCUMENTED_FORM],
    ['plural', [{}], DOCUMENTED_FORM],
    ['singular', [singularOption], singular],
    ['both', [singularOption, {}], DOCUMENTED_FORM],
    ['a choice as its value', [{}, { isBare: true }], values],
  ])('%s', (_, options, expected) => {
    const shown = options.map((each, index) => liveOption(`o${index}`, each));
    expect(wireFormOf([liveIntegration('vt'), liveIntegration('otx', shown)])).toEqual(expected);
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

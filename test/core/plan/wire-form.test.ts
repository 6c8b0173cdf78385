import { describe, expect, test } from 'vitest';
import { encodeOpen, hide } from '../../../src/core/model/secret.ts';
import type { Trait } from '../../../src/core/model/trait.ts';
import type { PermissionChange, ValueChange } from '../../../src/core/plan/plan.ts';
import { DOCUMENTED_FORM, encodeValue, otherForm, wireFormOf } from '../../../src/core/plan/wire-form.ts';
import { liveIntegration } from '../../support/live.ts';

const base = {
  address: 'vt.options.mode.value',
  label: 'change',
  risks: [],
  source: { file: 'a.yaml', line: 1, column: 1 },
  field: 'value',
  option: 'mode',
} as const;
const fast = { display: 'Fast', value: 'fast' };
const select: ValueChange = { ...base, sensitive: false, before: null, after: fast };
const text: ValueChange = { ...base, sensitive: false, before: null, after: 'fast' };
const values = { ...DOCUMENTED_FORM, selects: 'values' } as const;
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
  const encoded = encodeValue({ ...select, after } as ValueChange, values);
  expect(JSON.parse(encodeOpen({ encoded }))).toEqual({ encoded: expected });
  if (typeof after === 'object' && 'toJSON' in after) expect(JSON.stringify(encoded)).not.toContain('fast');
});

test('a choice is sent whole where choices are', () => {
  expect(encodeValue(select, DOCUMENTED_FORM)).toEqual(fast);
});

describe('the form to try after a refusal', () => {
  const said = (detail: string, pointer?: string) => [
    { detail, ...(pointer === undefined ? {} : { pointer }) },
  ];
  test.each([
    ['by pointer at the type', 400, said('no', '/data/0/type'), select, singular],
    ['by words on the type', 409, said('`type` must be integration-option'), text, singular],
    ['of a choice', 422, said('mode must be a string'), select, values],
    ['of a text that is no choice', 422, said('mode must be a string'), text, undefined],
    ['of a value', 422, said('mode must not be empty'), select, undefined],
    ['without a word', 400, [], select, undefined],
    ['for want of rights', 403, said('wrong type'), select, undefined],
    ['for want of the option', 404, said('wrong type'), select, undefined],
  ])('%s', (_, status, errors, change, expected) => {
    expect(otherForm(DOCUMENTED_FORM, { status, errors }, [change])).toEqual(expected);
  });
  test('is the documented one where the other was refused', () => {
    const refusal = (detail: string) => ({ status: 422, errors: said(detail) });
    expect(otherForm(singular, refusal('wrong type'), [text])).toEqual(DOCUMENTED_FORM);
    expect(otherForm(values, refusal('mode must be an object'), [select])).toEqual(DOCUMENTED_FORM);
  });
  test('is that of selects where one of several changes is a select, in any order', () => {
    const refusal = { status: 422, errors: [...said('b is too long'), { title: 'Not a string' }] };
    const permission: PermissionChange = {
      ...base,
      field: 'permission',
      before: 'lock-and-hide',
      after: 'lock-and-show',
      sensitive: false,
    };
    const list: ValueChange = { ...select, after: [fast] };
    expect(otherForm(DOCUMENTED_FORM, refusal, [permission, text, select])).toEqual(values);
    expect(otherForm(DOCUMENTED_FORM, refusal, [list, text])).toEqual(values);
    expect(otherForm(DOCUMENTED_FORM, refusal, [permission, text])).toBeUndefined();
  });
  test('of an attribute of an integration', () => {
    const change = {
      ...base,
      field: 'autosubscribe',
      before: false,
      after: true,
      sensitive: false,
    } as const;
    const refusal = { status: 409, errors: said('`type` must be integrations') };
    expect(otherForm(DOCUMENTED_FORM, refusal, [change])).toEqual({
      ...DOCUMENTED_FORM,
      namesIntegrations: true,
    });
  });
});

import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { encodeOpen, hide } from '../../../src/core/model/secret.ts';
import type { Change } from '../../../src/core/plan/plan.ts';
import { requestsOf, wireFormOf } from '../../../src/core/plan/requests.ts';
import { valueChange } from '../../support/changes.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const fast = { display: 'Fast', value: 'fast' };
const DOCUMENTED_FORM = { optionType: 'integration-options', hasBareSelects: false } as const;
const values = { ...DOCUMENTED_FORM, hasBareSelects: true } as const;
const singular = { ...DOCUMENTED_FORM, optionType: 'integration-option' } as const;

describe('the form of a server is that of its own options', () => {
  const singularOption = { isSingular: true } as const;
  test.each<[string, readonly Partial<LiveOption>[], ReturnType<typeof wireFormOf>]>([
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

/** How a value is sent: in a request in which secrets are hidden, and in one in which they are open. */
function sent(after: Change['after'], form: ReturnType<typeof wireFormOf>) {
  const changes = [{ ...valueChange('o'), after }];
  const [request] = requestsOf({ id: 'vt', changes }, form);
  const data = (value: unknown) => ({
    data: [{ id: 'vt-o', type: 'integration-options', attributes: { value } }],
  });
  return { hidden: JSON.stringify(request?.body), open: JSON.parse(encodeOpen(request?.body)), data };
}

test.each([
  ['a choice', fast, 'fast'],
  ['choices', [fast], ['fast']],
  ['a text', 'x', 'x'],
  ['a number', 5, 5],
  ['a secret choice', hide(fast), 'fast'],
])('%s as its value alone', (_, after, expected) => {
  const { hidden, open, data } = sent(after, values);
  expect(open).toEqual(data(expected));
  if (typeof after === 'object' && 'toJSON' in after) expect(hidden).not.toContain('fast');
});

test('a choice is sent whole where choices are', () => {
  const { open, data } = sent(fast, DOCUMENTED_FORM);
  expect(open).toEqual(data(fast));
});

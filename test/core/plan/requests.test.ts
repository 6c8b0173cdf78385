import { expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { encodeOpen, hide } from '../../../src/core/model/secret.ts';
import type { Change } from '../../../src/core/plan/plan.ts';
import { encoderFor } from '../../../src/core/plan/requests.ts';
import { valueChange } from '../../support/changes.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const fast = { display: 'Fast', value: 'fast' };

/** The request for a value, with secrets hidden and open, to a server that shows its options in some form. */
function sent(after: Change['after'], shown: readonly Partial<LiveOption>[]) {
  const options = shown.map((each, index) => liveOption(`o${index}`, each));
  const encode = encoderFor([liveIntegration('vt'), liveIntegration('otx', options)]);
  const [request] = encode({ id: 'vt', changes: [{ ...valueChange('o'), after }] });
  return { hidden: JSON.stringify(request?.body), open: JSON.parse(encodeOpen(request?.body)) };
}

const data = (value: unknown, type = 'integration-options') => ({
  data: [{ id: 'vt-o', type, attributes: { value } }],
});

test.each<[string, readonly Partial<LiveOption>[], object]>([
  ['nothing shown', [], data(fast)],
  ['plural', [{}], data(fast)],
  ['singular', [{ isSingular: true }], data(fast, 'integration-option')],
  ['both', [{ isSingular: true }, {}], data(fast)],
  ['a choice as its value', [{}, { isBare: true }], data('fast')],
])('the form of a server is that of its own options: %s', (_, shown, expected) => {
  expect(sent(fast, shown).open).toEqual(expected);
});

test.each([
  ['choices', [fast], ['fast']],
  ['a text', 'x', 'x'],
  ['a number', 5, 5],
  ['a secret choice', hide(fast), 'fast'],
])('%s as its value alone', (_, after, expected) => {
  const { hidden, open } = sent(after, [{ isBare: true }]);
  expect(open).toEqual(data(expected));
  if (typeof after === 'object' && 'toJSON' in after) expect(hidden).not.toContain('fast');
});

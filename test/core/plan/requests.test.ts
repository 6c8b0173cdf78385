import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { encodeOpen, hide } from '../../../src/core/model/secret.ts';
import { type Side, shownSide } from '../../../src/core/model/side.ts';
import type { Change } from '../../../src/core/plan/plan.ts';
import { blamedPlace, encoderFor } from '../../../src/core/plan/requests.ts';
import {
  changeOfField,
  comparedValue,
  permissionChange,
  subscribingChange,
  valueChange,
} from '../../support/changes.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const fast = { display: 'Fast', value: 'fast' };

/** The request for a value, with secrets hidden and open, to a server that shows its options in some form. */
function sent(after: Side, shown: readonly Partial<LiveOption>[]) {
  const options = shown.map((each, index) => liveOption(`o${index}`, each));
  const encode = encoderFor([
    liveIntegration('vt'),
    liveIntegration('otx', options),
  ]);
  const [request] = encode({
    id: 'vt',
    changes: [changeOfField({ ...comparedValue('o'), after })],
  });
  return {
    hidden: JSON.stringify(request?.body),
    open: JSON.parse(encodeOpen(request?.body)),
  };
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
])(
  'the form of a server is that of its own options: %s',
  (_, shown, expected) => {
    expect(sent(shownSide(fast), shown).open).toEqual(expected);
  },
);

test.each<[string, Side, unknown]>([
  ['choices', shownSide([fast]), ['fast']],
  ['a text', shownSide('x'), 'x'],
  ['a number', shownSide(5), 5],
  ['a secret choice', { kind: 'secret', value: hide(fast) }, 'fast'],
])('%s as its value alone', (_, after, expected) => {
  const { hidden, open } = sent(after, [{ isBare: true }]);
  expect(open).toEqual(data(expected));
  if (after.kind === 'secret') expect(hidden).not.toContain('fast');
});

test('a change without a value is never sent', () => {
  const unread = { kind: 'unread', written: '${env:SETPOINT_X}' } as const;
  for (const after of [unread, { kind: 'unset' } as const]) {
    expect(() => sent(after, [])).toThrow();
  }
});

describe('the requests of an integration', () => {
  const encode = encoderFor([]);
  const locked = permissionChange('b', 'lock-and-show', 'lock-and-hide');
  const subscribing = subscribingChange();
  const unsubscribing = subscribingChange(1, false);
  const options = [
    valueChange('z'),
    locked,
    valueChange('b'),
    valueChange('a'),
  ];
  /** The ids of the options in the body of a request, in their order. */
  const keysIn = (body: unknown): unknown => {
    const { data } = JSON.parse(encodeOpen(body));
    return Array.isArray(data) ? data.map(({ id }) => id) : data.id;
  };
  const encoded = (...changes: readonly Change[]) => {
    return encode({ id: 'vt', changes }).map(({ body, ...request }) => ({
      ...request,
      keys: keysIn(body),
    }));
  };
  const optionsRequest = {
    method: 'PATCH',
    path: '/api/integration-options',
    keys: ['vt-z', 'vt-b', 'vt-a'],
    changes: options,
  };
  test('have the options in the order of the plan, each once', () => {
    expect(encoded(...options)).toEqual([optionsRequest]);
  });
  test('subscribe last, and unsubscribe first', () => {
    const own = { method: 'PATCH', path: '/api/integrations/vt', keys: 'vt' };
    expect(encoded(subscribing, ...options)).toEqual([
      optionsRequest,
      { ...own, changes: [subscribing] },
    ]);
    expect(encoded(...options, unsubscribing)).toEqual([
      { ...own, changes: [unsubscribing] },
      optionsRequest,
    ]);
  });
});

const changes: readonly Change[] = [
  permissionChange('a', 'invalid', 'lock-and-hide', 1),
  valueChange('a', 2),
  valueChange('k-e', 3),
  valueChange('b-c', 4),
  subscribingChange(5),
];

test.each([
  ['/data/0/attributes/value', 2],
  ['/data/0/attributes/admin-only', 1],
  ['/data/0/attributes/user-can-edit', 1],
  ['/data/0', 2],
  ['/data/2/attributes/value', 4],
  ['/data/attributes/k-e', 3],
  ['/data/attributes/options/b-c/value', 4],
  ['/data/vt-b-c/attributes/value', 4],
  ['/data/attributes/autosubscribe', 5],
  ['/data/9/attributes/value', undefined],
  ['/data//attributes/value', undefined],
  ['/data/0x1/attributes/value', undefined],
  ['/meta/1/attributes/value', undefined],
  ['/meta/data/1/attributes/value', undefined],
  ['/data/attributes/host', undefined],
  ['', undefined],
  [undefined, undefined],
])('the pointer %s', (pointer, line) => {
  const blame = pointer === undefined ? {} : { pointer };
  expect(blamedPlace(blame, { id: 'vt', changes })?.line).toBe(line);
});

test('a key names its option; a pointer that names something goes first', () => {
  const blamed = (blame: Parameters<typeof blamedPlace>[0]) =>
    blamedPlace(blame, { id: 'vt', changes })?.line;
  const key = 'b-c';
  expect(blamed({ key })).toBe(4);
  expect(blamed({ key: 'host' })).toBeUndefined();
  expect(blamed({ key: 'autosubscribe' })).toBe(5);
  expect(blamed({ pointer: '/data/0/attributes/value', key })).toBe(2);
  expect(blamed({ pointer: '/data/attributes/host', key })).toBe(4);
  // Its key only ends like another.
  const pointer = '/data/vt-x-b-c/attributes/value';
  expect(blamed({ pointer })).toBeUndefined();
});

test('the field of an option is blamed wherever it is among its changes', () => {
  const pointer = '/data/0/attributes/admin-only';
  const reversed = { id: 'vt', changes: changes.slice(0, 2).reverse() };
  expect(blamedPlace({ pointer }, reversed)?.line).toBe(1);
});

import { expect, test } from 'vitest';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const hidden = { type: 'password', value: { kind: 'unreadable', reason: 'empty' } } as const;

/** An integration whose password reads as empty on a server that shows none, and whose other options hold `text`. */
const vt = (id: string, text: string, others = ['a', 'b']): LiveIntegration =>
  liveIntegration(id, [
    liveOption('apiKey', hidden),
    ...others.map((key) => liveOption(key, { value: readable(text) })),
  ]);

/** An option whose value a snapshot keeps out. */
const keptOut = (key: string) => liveOption(key, { value: { kind: 'unreadable', reason: 'snapshot' } });

/** The options that change, and those that cannot be told, of these integrations: all is to be `x`. */
function planned(live: readonly LiveIntegration[], writesUnreadable = false) {
  const yaml = live.map(({ id, options }) => {
    const written = [...options.keys()].map((key) => `${key}: x`).join(', ');
    return `${id}: { options: { ${written} } }`;
  });
  const { value } = planServer({
    server: { name: 'test', url: 'http://127.0.0.1' },
    desired: desiredOf(validConfig(entries(yaml.join('\n'))), live),
    live,
    reads: 1,
    secrets: {
      fingerprints: undefined,
      isKnown: () => false,
      writesUnreadable: () => writesUnreadable,
      writesUnknownFlags: () => false,
    },
  });
  const key = ({ address }: { readonly address: string }) => address.replace(/\.options|\.value/g, '');
  const integrations = value?.plan.integrations ?? [];
  return {
    changes: integrations.flatMap(({ changes }) => changes.map(key)),
    cannotTell: integrations.flatMap(({ cannotTell }) => cannotTell.map(key)),
  };
}

test.each([
  ['nothing is as desired: it is not set yet', [vt('one', '')], ['one.a', 'one.apiKey', 'one.b'], []],
  ['all else is as desired', [vt('one', 'x')], [], ['one.apiKey']],
  ['it is all that is managed', [vt('one', '', [])], [], ['one.apiKey']],
  [
    'less than half differs',
    [vt('one', ''), vt('two', 'x', ['a', 'b', 'c'])],
    ['one.a', 'one.b'],
    ['one.apiKey', 'two.apiKey'],
  ],
  [
    'most differs, but not in its integration',
    [vt('one', ''), vt('two', 'x', ['a'])],
    ['one.a', 'one.apiKey', 'one.b'],
    ['two.apiKey'],
  ],
  [
    'most differs, though not all in its integration',
    [liveIntegration('one', [...vt('one', '').options.values(), liveOption('c', { value: readable('x') })])],
    ['one.a', 'one.apiKey', 'one.b'],
    [],
  ],
  [
    'most differs, and it is all that is managed in its integration',
    [vt('one', ''), vt('two', '', [])],
    ['one.a', 'one.apiKey', 'one.b', 'two.apiKey'],
    [],
  ],
  [
    'most differs, beside a password that is masked',
    [
      liveIntegration('one', [
        ...vt('one', '').options.values(),
        liveOption('token', { type: 'password', value: { kind: 'unreadable', reason: 'masked' } }),
      ]),
    ],
    ['one.a', 'one.apiKey', 'one.b'],
    ['one.token'],
  ],
  [
    'what differs is no more than a snapshot keeps out',
    [liveIntegration('one', [...vt('one', '').options.values(), keptOut('c'), keptOut('d')])],
    ['one.a', 'one.b'],
    ['one.apiKey', 'one.c', 'one.d'],
  ],
  [
    'most differs, but in its integration a snapshot keeps all else out',
    [vt('one', ''), liveIntegration('two', [liveOption('apiKey', hidden), keptOut('c')])],
    ['one.a', 'one.apiKey', 'one.b'],
    ['two.apiKey', 'two.c'],
  ],
])('an empty password where passwords may be hidden, and %s', (_, live, changes, cannotTell) => {
  expect(planned(live)).toEqual({ changes, cannotTell });
});

test('is written on request whatever else differs', () => {
  expect(planned([vt('one', 'x')], true)).toEqual({ changes: ['one.apiKey'], cannotTell: [] });
});

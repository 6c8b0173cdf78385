import { expect, test } from 'vitest';
import { diagnostic } from '../../../src/core/findings/diagnostic.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { planServer } from '../../../src/core/plan/plan-server.ts';
import { mayBeWithheld } from '../../../src/core/plan/withheld.ts';
import { brief, desiredOf, entries, validConfig } from '../../support/config.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

/** An integration as an account without hidden options sees it: its password is left out. */
const shown = (id: string, ...keys: readonly string[]): LiveIntegration =>
  liveIntegration(
    id,
    ['host', ...keys].map((key) => liveOption(key, { permission: 'lock-and-show' })),
  );

/** What the plan of these entries finds, and what is left of it for an account that may not see hidden options. */
function judged(yaml: string, live: readonly LiveIntegration[]) {
  const desired = desiredOf(validConfig(entries(yaml)), live);
  const { diagnostics } = planServer({
    server: { name: 's', url: 'https://s' },
    desired,
    live,
    reads: 1,
    secrets: {
      isKnown: () => false,
      writesHidden: () => false,
    },
  });
  return { diagnostics, desired, judged: mayBeWithheld(diagnostics, desired, live) };
}

/** The addresses that may be withheld, and the other findings. */
function withheld(yaml: string, live: readonly LiveIntegration[]) {
  const found = judged(yaml, live).judged;
  return found?.flatMap((each) =>
    each.code === 'options-withheld' ? [brief(each), ...each.facts.addresses] : brief(each),
  );
}

test('options that are not shown are one finding with their addresses, at the first of them', () => {
  const yaml = 'vt: { options: { apiKey: x, host: y, token: z } }\nab: { options: { apiKey: x } }';
  expect(withheld(yaml, [shown('ab'), shown('vt')])).toEqual([
    'options-withheld 4:20',
    'ab.options.apiKey',
    'vt.options.apiKey',
    'vt.options.token',
  ]);
});

test('an option of defaults is named with each integration that they ask for it', () => {
  const yaml = 'all: { match: "*", expect: any, options: { apiKey: x, host: y } }';
  expect(withheld(yaml, [shown('ab'), shown('vt')])).toEqual([
    'options-withheld 3:46',
    'ab.options.apiKey',
    'vt.options.apiKey',
  ]);
});

test('an option of defaults that all their integrations set themselves is named by its key', () => {
  const yaml =
    'all: { match: vt, expect: any, options: { apiKey: x, host: y } }\nvt: { options: { apiKey: z } }';
  expect(withheld(yaml, [shown('vt')])).toEqual(['options-withheld 4:20', 'vt.options.apiKey', 'apiKey']);
});

test('other findings stay, and so does a key that is nearly one that is shown', () => {
  const number = liveOption('port', { type: 'number', permission: 'lock-and-show' });
  const live = liveIntegration('vt', [...shown('vt').options.values(), number]);
  expect(withheld('vt: { options: { apiKey: x, hots: y, port: z } }', [live])).toEqual([
    'options-withheld 3:20',
    'vt.options.apiKey',
    'unknown-option 3:31',
    'wrong-value-type 3:46',
  ]);
});

test('a key for which no suggestion was looked for may be withheld', () => {
  const { diagnostics, desired } = judged('vt: { options: { apiKey: x } }', [shown('vt')]);
  const unhinted = diagnostics.map(({ place }) =>
    diagnostic('unknown-option', { key: 'apiKey', integration: 'vt' }, place),
  );
  expect(mayBeWithheld(unhinted, desired, [shown('vt')])?.map(brief)).toEqual(['options-withheld 3:20']);
});

test('so may those of an integration that shows no option at all', () => {
  expect(withheld('vt: { options: { apiKey: x } }', [liveIntegration('vt')])).toEqual([
    'options-withheld 3:20',
    'vt.options.apiKey',
  ]);
});

test.each<[string, string, readonly LiveIntegration[]]>([
  ['each option is there', 'vt: { options: { host: x } }', [shown('vt')]],
  ['there are findings, but each option is there', 'vt: { options: { host: [x] } }', [shown('vt')]],
  ['each missing key is nearly one that is shown', 'vt: { options: { hots: x } }', [shown('vt')]],
  [
    'one option is hidden and shown all the same, beside others and in another integration',
    'vt: { options: { apiKey: x } }',
    [
      shown('vt'),
      liveIntegration('other', [liveOption('a'), liveOption('b')], { traits: new Set(['hidden-options']) }),
    ],
  ],
])('nothing is withheld where %s', (_, yaml, live) => {
  expect(withheld(yaml, live)).toBeUndefined();
});

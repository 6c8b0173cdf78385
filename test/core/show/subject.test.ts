import { describe, expect, test } from 'vitest';
import { show } from '../../../src/core/show/show.ts';
import { knownServer } from '../../support/known-server.ts';
import { liveIntegration, liveOption } from '../../support/live.ts';

const YAML = `version: 1
values: { proxy: "http://proxy:3128", key: "\${env:SETPOINT_KEY}" }
integrations:
  everything: { match: "*", expect: any, autosubscribe: false }
  vt: { match: vt_*, options: { apiKey: "\${value:key}", a.value: x, timeout: 5, url: "\${value:proxy}" } }
  vt-eu: { match: eu_*, options: { timeout: 6 } }
`;

const OFFLINE = [knownServer([{ 'a.yaml': YAML }])];
const LIVE = [
  knownServer([{ 'a.yaml': YAML }], {
    installed: [
      liveIntegration(
        'vt_node_18_1',
        ['apiKey', 'timeout', 'retries', 'a.value', 'url'].map((key) =>
          liveOption(key, key === 'timeout' ? { type: 'number' } : {}),
        ),
      ),
      liveIntegration('splunk_node_18_2', [liveOption('url')]),
      liveIntegration('a.b', [liveOption('c.d')]),
    ],
  }),
];

const shown = (servers: typeof OFFLINE, ...words: string[]) => {
  const { value, diagnostics } = show(servers, { words, uses: [] });
  return [
    ...value.integrations.map(({ name }) => name),
    ...value.fields.map(({ address }) => address),
    ...diagnostics.map((each) => (each.code === 'unknown-name' ? `near ${each.facts.near}` : each.code)),
  ];
};

describe('a word means', () => {
  test.each([
    ['vt', ['vt']],
    ['vt-eu', ['vt-eu']],
    ['everything', ['everything']],
    ['v*', ['vt', 'vt-eu']],
    ['*', ['vt', 'vt-eu']],
    ['vt.autosubscribe', ['vt.autosubscribe']],
    ['vt.options.timeout', ['vt.options.timeout.value']],
    ['vt.options.timeout.value', ['vt.options.timeout.value']],
    ['vt.options.timeout.permission', ['vt.options.timeout.permission']],
    ['vt-eu.options.timeout', ['vt-eu.options.timeout.value']],
    ['vt.options.a.value', ['vt.options.a.value.value']],
    ['vt.options.a.value.value', ['vt.options.a.value.value']],
    ['vt.options.timeot', ['near vt.options.timeout']],
    ['vt.option.timeout.value', ['near vt.options.timeout.value']],
    ['vt.autosubscribed', ['near vt.autosubscribe']],
    ['vt.options.retries', ['near undefined']],
    ['vt-eu2', ['near vt-eu']],
    ['everthing', ['near everything']],
    ['everthing.autosubscribe', ['near everything.autosubscribe']],
    ['nothing-like-it', ['near undefined']],
  ])('offline, %s', (word, expected) => {
    expect(shown(OFFLINE, word)).toEqual(expected);
  });
  test.each([
    ['vt', ['vt']],
    ['vt_node_18_1', ['vt']],
    ['vt_*', ['vt']],
    ['splunk_*', ['splunk_node_18_2']],
    ['splunk', ['near splunk_*']],
    ['vt.options.retries', ['vt.options.retries.value']],
    ['splunk_node_18_2.options.url.value', ['splunk_node_18_2.options.url.value']],
    ['everything', ['everything']],
    ['a.b', ['a.b']],
    ['a.b.options.c.d.value', ['a.b.options.c.d.value']],
    ['*', ['a.b', 'splunk_node_18_2', 'vt', 'vt-eu']],
  ])('with a server, %s', (word, expected) => {
    expect(shown(LIVE, word)).toEqual(expected);
  });
  test('several words are answered in their order, each', () => {
    expect(shown(OFFLINE, 'vt-eu', 'nothing-like-it', 'vt')).toEqual(['vt-eu', 'vt', 'near undefined']);
  });
});

describe('--uses', () => {
  const used = (...uses: string[]) => {
    const { value, diagnostics } = show(OFFLINE, { words: [], uses });
    return [
      ...value.uses.map(
        ({ kind, name, on }) => `${kind}:${name} ${on.flatMap(({ fields }) => fields).length}`,
      ),
      ...diagnostics.map((each) => (each.code === 'unknown-name' ? `near ${each.facts.near}` : each.code)),
    ];
  };
  test.each([
    ['value:proxy', ['value:proxy 1']],
    ['proxy', ['value:proxy 1']],
    ['SETPOINT_KEY', ['env:SETPOINT_KEY 1']],
    ['env:proxy', ['near value:proxy']],
    ['proxi', ['near proxy']],
    ['env:SETPOINT_KEI', ['near env:SETPOINT_KEY']],
  ])('%s', (word, expected) => {
    expect(used(word)).toEqual(expected);
  });
});

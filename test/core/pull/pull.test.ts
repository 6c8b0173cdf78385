import { describe, expect, test } from 'vitest';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { addressOf } from '../../../src/core/model/subject.ts';
import { entries, file } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';
import { pulledInto } from '../../support/pull-input.ts';

test.each([
  ['', 'virustotal', 'apiKey', 'SETPOINT_VIRUSTOTAL_API_KEY'],
  ['eu-1', 'jira', 'URLToken', 'SETPOINT_EU_1_JIRA_URL_TOKEN'],
  ['', 'vault', 'token', 'SETPOINT_VAULT_TOKEN'],
  ['', 'password', 'file', 'SETPOINT_OPTION_PASSWORD_FILE'],
  ['server', 'jira', 'token', 'SETPOINT_OPTION_SERVER_JIRA_TOKEN'],
])(
  'on the server %j, %s.%s is read from its own variable, never one of a login',
  (server, id, key, name) => {
    // The second key differs in nothing that a variable can have.
    const options = [key, `${key}_`].map((each) =>
      liveOption(each, { type: 'password', value: readable('x7Gq2-hunter') }),
    );
    const live = [liveIntegration(id, options)];
    const prefix = server;
    const { variables } = pulledInto(live, [[]], 'alone', { prefix });
    expect(variables.map(({ variable }) => variable)).toEqual([
      name,
      `${name}_2`,
    ]);
  },
);

/** What a pull tells of these integrations, beside the entries of some YAML. */
function pulled(live: readonly LiveIntegration[], yaml?: string) {
  const layers = yaml === undefined ? [[], []] : [[file(entries(yaml))], []];
  return pulledInto(live, layers, 'alone');
}

describe('secrets that read as empty', () => {
  const key = (value: LiveSide) =>
    liveOption('apiKey', { type: 'password', value });
  const empty = key({ kind: 'unset' });
  const masked = key({ kind: 'hidden', reason: 'masked' });
  const own = { ...empty, permission: 'user-provides' } as const;
  const vt = liveIntegration('vt', [empty, liveOption('url')]);
  const other = (option: typeof empty) => liveIntegration('other', [option]);
  const ADDRESS = 'vt.options.apiKey.value';
  test.each<[string, LiveIntegration[], string[]]>([
    ['are all that there are', [vt], [ADDRESS]],
    ['are beside those of users', [vt, other(own)], [ADDRESS]],
    ['are beside one that is shown', [vt, other(key(readable('x')))], []],
    ['are beside one that is masked', [vt, other(masked)], []],
    ['are none', [liveIntegration('vt', [liveOption('url')])], []],
  ])('%s', (_, live, expected) => {
    expect(pulled(live).emptySecrets.map(addressOf)).toEqual(expected);
  });
  test('are told of new entries alone', () => {
    expect(pulled([vt], 'vt: { autosubscribe: false }').emptySecrets).toEqual(
      [],
    );
  });
});

describe('the variable of a secret that was emptied', () => {
  const read = '{ options: { key: "${env:SETPOINT_K}" } }';
  const key = (value: LiveSide) =>
    liveOption('key', { type: 'password', value });
  const emptied = liveIntegration('vt', [key({ kind: 'unset' })]);
  const masked = key({ kind: 'hidden', reason: 'masked' });
  const other = (option: typeof masked) => liveIntegration('other', [option]);
  test.each<[string, LiveIntegration[], string, string]>([
    ['is not set', [emptied, other(key(readable('K-1')))], '', 'unset'],
    [
      'is not set on a server with masks',
      [emptied, other(masked)],
      '',
      'unset',
    ],
    ['may be hidden on a server without any secret', [emptied], '', 'hidden'],
    [
      'has the text of another option that reads it',
      [emptied, other(key(readable('K-1')))],
      `\nother: ${read}`,
      'text',
    ],
    [
      'is hidden if that is masked',
      [emptied, other(masked)],
      `\nother: ${read}`,
      'hidden',
    ],
  ])('%s', (_, live, more, expected) => {
    const { shown } = pulled(live, `vt: ${read}${more}`);
    expect(shown.get('SETPOINT_K')?.kind).toBe(expected);
  });
});

test('options that the server lists and does not show are told as left out', () => {
  const optionKeys = new Set(['url', 'apiKey', 'limit']);
  const live = [liveIntegration('vt', [liveOption('url')], { optionKeys })];
  expect(pulled(live).leftOut.map(({ address }) => address)).toEqual([
    'vt.options.apiKey',
    'vt.options.limit',
  ]);
});

test('values with U+FFFD, which stands for what was lost, are left out', () => {
  const lost = readable('Zugriff f\ufffdr alle');
  const choice = readable({ value: 'a', display: '\ufffd' });
  const live = [
    liveIntegration('vt', [
      liveOption('url', { value: readable('https://x') }),
      liveOption('text', { value: lost }),
      liveOption('key', { type: 'password', value: lost }),
      liveOption('mode', { type: 'select', value: choice }),
    ]),
  ];
  const { files, leftOut } = pulled(live);
  const text = JSON.stringify(files);
  expect(text).toContain('https://x');
  expect(text).not.toContain('\ufffd');
  expect(leftOut).toEqual(
    ['text', 'key', 'mode'].map((key) => ({
      address: `vt.options.${key}.value`,
      reason: expect.stringContaining('U+FFFD'),
    })),
  );
});

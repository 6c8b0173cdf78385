import { describe, expect, test } from 'vitest';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import type { LiveSide } from '../../../src/core/model/side.ts';
import { UNSET, UNSHOWN } from '../../../src/core/pull/secrets.ts';
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
  test.each<[string, LiveIntegration[], string]>([
    ['may be hidden if they are all that there are', [vt], 'hidesSecrets'],
    ['so beside those of users', [vt, other(own)], 'hidesSecrets'],
    ['are not set beside one', [vt, other(key(readable('x')))], 'not set'],
    ['are not set beside a masked one', [vt, other(masked)], 'not set'],
  ])('%s', (_, live, reason) => {
    const address = 'vt.options.apiKey.value';
    const { leftOut } = pulled(live);
    expect(leftOut).toEqual([
      { address, reason: expect.stringContaining(reason) },
    ]);
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
    ['is not set', [emptied, other(key(readable('K-1')))], '', UNSET],
    ['is not set on a server with masks', [emptied, other(masked)], '', UNSET],
    ['may be hidden on a server without any secret', [emptied], '', UNSHOWN],
    [
      'has the text of another option that reads it',
      [emptied, other(key(readable('K-1')))],
      `\nother: ${read}`,
      '(secret)',
    ],
    [
      'is hidden if that is masked',
      [emptied, other(masked)],
      `\nother: ${read}`,
      UNSHOWN,
    ],
  ])('%s', (_, live, more, expected) => {
    const { shown } = pulled(live, `vt: ${read}${more}`);
    expect(String(shown.get('SETPOINT_K'))).toBe(expected);
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

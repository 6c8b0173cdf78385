import { describe, expect, test } from 'vitest';
import { type Referent, referentsIn, usesOf } from '../../../src/core/config/uses.ts';
import { file, merged } from '../../support/config.ts';

const YAML = `version: 1
values:
  domain: example.com
  host: api.example.com
  both: [ x, "\${env:SETPOINT_X}" ]
  spare: "\${file:certs/ca.pem}"
integrations:
  all: { match: "*", expect: any, options: { proxy: "http://\${value:domain}:3128" } }
  vt:
    match: vt_*
    options:
      url: https://\${value:host}/v3
      hosts: \${value:both}
      key: { value: "\${env:SETPOINT_X:-none}", permission: lock-and-hide }
      note: plain
`;

const config = merged([[file(YAML)]]).value;
const uses = (referent: Referent) =>
  usesOf(config, referent).map(({ address, place, isDefault, through }) =>
    [
      `${address}${isDefault ? ' (default)' : ''} ${place.line}:${place.column}`,
      ...through.map((each) => `${each.name} ${each.place.line}:${each.place.column}`),
    ].join(' <- '),
  );

describe('what is fed by', () => {
  test.each([
    [{ kind: 'value', name: 'domain' }, ['all.options.proxy.value (default) 8:53']],
    [{ kind: 'value', name: 'host' }, ['vt.options.url.value 12:12']],
    [
      { kind: 'env', name: 'SETPOINT_X' },
      ['vt.options.hosts.value 13:14 <- both 5:9', 'vt.options.key.value 14:21'],
    ],
    [{ kind: 'file', name: 'certs/ca.pem' }, []],
    [{ kind: 'value', name: 'SETPOINT_X' }, []],
  ] as const)('%j', (referent, expected) => {
    expect(uses(referent)).toEqual(expected);
  });
  test('what a later layer overrides feeds nothing', () => {
    const over = 'version: 1\nintegrations: { vt: { options: { url: null, hosts: [a] } } }\n';
    const later = merged([[file(YAML)], [file(over, 'b.yaml')]]).value;
    expect(usesOf(later, { kind: 'value', name: 'host' })).toEqual([]);
  });
});

test('all that there is to ask for is told once', () => {
  expect(referentsIn(config).map(({ kind, name }) => `${kind}:${name}`)).toEqual([
    'value:domain',
    'value:host',
    'value:both',
    'value:spare',
    'env:SETPOINT_X',
    'file:certs/ca.pem',
  ]);
});

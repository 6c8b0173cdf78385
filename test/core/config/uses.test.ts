import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Referent, referentsIn, usesOf } from '../../../src/core/config/uses.ts';
import { file, merged } from '../../support/config.ts';

const YAML = `version: 1
values:
  domain: example.com
  host: api.\${value:domain}
  both: [ "\${value:host}", "\${env:SETPOINT_X}" ]
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
    [
      { kind: 'value', name: 'domain' },
      [
        'all.options.proxy.value (default) 8:53',
        'vt.options.url.value 12:12 <- host 4:9',
        'vt.options.hosts.value 13:14 <- both 5:9 <- host 4:9',
      ],
    ],
    [
      { kind: 'value', name: 'host' },
      ['vt.options.url.value 12:12', 'vt.options.hosts.value 13:14 <- both 5:9'],
    ],
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

test('of random chains every field that a name leads to is told, by steps that are there', () => {
  const names = Array.from({ length: 7 }, (_, index) => `v${index}`);
  // Each value names some of those behind it, so that there is no cycle.
  const chains = fc.tuple(
    fc.tuple(...names.map((_, index) => fc.subarray(names.slice(index + 1)))),
    fc.array(fc.subarray(names), { minLength: 1, maxLength: 4 }),
  );
  const refer = (to: readonly string[]) =>
    JSON.stringify(`x${to.map((name) => `\${value:${name}}`).join('')}`);
  fc.assert(
    fc.property(chains, ([steps, fields]) => {
      const values = steps.map((to, index) => `  v${index}: ${refer(to)}\n`).join('');
      const options = fields.map((to, index) => `o${index}: ${refer(to)}`).join(', ');
      const text = `version: 1\nvalues:\n${values}integrations: { vt: { options: { ${options} } } }\n`;
      const { value } = merged([[file(text)]]);
      const next = (name: string) => steps[names.indexOf(name)] ?? [];
      const reached = (from: readonly string[]): string[] =>
        from.flatMap((name) => [name, ...reached(next(name))]);
      for (const name of names) {
        const found = usesOf(value, { kind: 'value', name });
        const expected = fields.flatMap((to, index) =>
          reached(to).includes(name) ? [`vt.options.o${index}.value`] : [],
        );
        expect(found.map(({ address }) => address)).toEqual(expected);
        for (const { address, through } of found) {
          const way = [...through.map((each) => each.name), name];
          const start = fields[Number(/o(\d)/.exec(address)?.[1])] ?? [];
          expect(
            way.every((each, index) => (index === 0 ? start : next(way[index - 1] ?? '')).includes(each)),
          ).toBe(true);
        }
      }
    }),
  );
});

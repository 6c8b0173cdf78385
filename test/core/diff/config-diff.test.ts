import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../../src/core/config/resolve.ts';
import {
  type DiffInput,
  diffConfigs,
} from '../../../src/core/diff/config-diff.ts';
import { entries, validConfig } from '../../support/config.ts';
import { SUMMARY } from '../../support/plan-summary.ts';
import { SERVER } from '../../support/planned.ts';
import { documented } from '../../support/saved-plan.ts';

/** The entries of a diff, as a document has them. */
function diffed(input: DiffInput) {
  const integrations = diffConfigs(input);
  return documented({ ...SERVER, summary: SUMMARY, integrations }).integrations;
}

/** The changes as `[address, before, after, ...risks]`. */
function changes(base: string, head: string) {
  const [before, after] = [base, head].map((text) =>
    resolveConfig(
      validConfig(text.startsWith('version') ? text : entries(text)),
    ),
  );
  const sides = { before: before ?? [], after: after ?? [] };
  return diffed(sides).flatMap((entry) =>
    entry.changes.map(
      ({
        address,
        before,
        after,
        beforeReference,
        reference,
        secret,
        risks,
      }) => [
        address,
        secret === true ? (beforeReference ?? 'secret') : before,
        secret === true ? (reference ?? 'secret') : after,
        ...risks,
      ],
    ),
  );
}

const vt = (options: string) => `vt: { options: { ${options} } }`;
const option = (base: string, head: string) => changes(vt(base), vt(head));
const values = (base: string, head: string) =>
  option(base, head).filter(([address]) => String(address).endsWith('.value'));

describe('what two revisions declare differently', () => {
  test('is each field, by the names of entries, in order', () => {
    expect(
      changes(
        'vt: { match: vt_*, autosubscribe: true, options: { a: 1, b: { value: 2, rotated: 2026-01-01 } } }\nsame: {}',
        'same: {}\nvt: { match: vt_1*, expect: optional, options: { b: { value: 2, rotated: 2026-02-01 }, c: [x, y] } }',
      ),
    ).toEqual([
      ['vt.autosubscribe', true, null],
      ['vt.expect', null, 'optional'],
      ['vt.match', 'vt_*', 'vt_1*'],
      ['vt.options.a.value', 1, null],
      ['vt.options.b.rotated', '2026-01-01', '2026-02-01'],
      [
        'vt.options.c.value',
        null,
        [
          { display: 'x', value: 'x' },
          { display: 'y', value: 'y' },
        ],
      ],
    ]);
  });
  test('of an entry that is new or gone is all that it declares, and its match', () => {
    expect(
      changes(
        'gone: { options: { a: 1 } }',
        'made: { match: { name: M }, options: { a: 1 } }',
      ),
    ).toEqual([
      ['gone.match', 'gone', null],
      ['gone.options.a.value', 1, null],
      ['made.match', null, 'name: M'],
      ['made.options.a.value', null, 1],
    ]);
  });
  test('of an entry under another name is its name, and the few fields that differ', () => {
    const many = 'options: { a: 1, b: 2, c: { permission: lock-and-hide } }';
    expect(
      changes(
        `old: { match: vt_*, ${many} }`,
        `new: { match: { id: vt_* }, ${many.replace('2', '3')} }`,
      ),
    ).toEqual([
      ['new.name', 'old', 'new'],
      ['new.options.b.value', 2, 3],
    ]);
    const all = (name: string) =>
      `${name}: { match: "*", expect: any, options: { a: 1 } }`;
    expect(changes(all('x'), all('y'))).toEqual([['y.name', 'x', 'y']]);
  });
  test.each([
    ['by its name alone', 'old: { OPTIONS }', 'new: { OPTIONS }'],
    [
      'as defaults',
      'old: { match: vt_*, OPTIONS }',
      'new: { match: vt_*, expect: any, OPTIONS }',
    ],
    [
      'twice',
      'old: { match: vt_*, OPTIONS }',
      'n1: { match: vt_*, OPTIONS }\nn2: { match: vt_*, options: { b: 2 } }',
    ],
  ])('is not renamed if the other selects %s', (_, base, head) => {
    const [was, is] = [base, head].map((each) =>
      each.replace('OPTIONS', 'options: { a: 1 }'),
    );
    const found = changes(was ?? '', is ?? '').map(([address]) => address);
    expect(found).toContain('old.options.a.value');
    expect(found.join()).not.toContain('.name');
  });
  test('is nothing where a default is written down, or a list has another order', () => {
    expect(changes('vt: {}', 'vt: { match: vt, expect: one }')).toEqual([]);
    expect(option('a: [x, y]', 'a: [y, x]')).toEqual([]);
  });
  test('compares named values by what they hold', () => {
    const named = (values: string, name: string) =>
      `version: 1\nvalues: { ${values} }\nintegrations: { vt: { options: { url: "\${value:${name}}" } } }\n`;
    expect(changes(named('a: one', 'a'), named('b: one', 'b'))).toEqual([]);
    expect(changes(named('a: one', 'a'), named('a: two', 'a'))).toEqual([
      ['vt.options.url.value', 'one', 'two'],
    ]);
  });
});

describe('secrets are shown by their references', () => {
  test.each<[string, string, unknown[]]>([
    [
      'apiKey: "${env:SETPOINT_A}"',
      'apiKey: "${env:SETPOINT_B}"',
      ['${env:SETPOINT_A}', '${env:SETPOINT_B}'],
    ],
    ['apiKey: first-literal', 'apiKey: second-literal', ['secret', 'secret']],
    [
      'apiKey: "${env:SETPOINT_A}"',
      'apiKey: in-clear',
      ['${env:SETPOINT_A}', 'secret'],
    ],
    [
      'host: in-clear',
      'host: "${env:SETPOINT_H}"',
      ['secret', '${env:SETPOINT_H}'],
    ],
    [
      'o: { value: one, sensitive: true }',
      'o: { value: two, sensitive: false }',
      ['secret', 'secret'],
    ],
    ['o: 5', 'o: AKIAIOSFODNN7EXAMPLE', ['secret', 'secret']],
    [
      '"${env:A:-one1!}"',
      '"${env:A:-two2!}"',
      ['${env:A:-(secret)}', '${env:A:-(secret)} (changed)'],
    ],
  ])('%s, then %s', (base, head, sides) => {
    const [wrapped, other] = [base, head].map((each) =>
      each.startsWith('"') ? `apiKey: ${each}` : each,
    );
    const [found] = values(wrapped ?? '', other ?? '');
    const shown = JSON.stringify(found?.slice(1, 3)).replaceAll(
      '[secret]',
      '(secret)',
    );
    expect(JSON.parse(shown)).toEqual(sides);
  });
  test('also where a value moves between defaults and an entry, or to an entry of another name', () => {
    const OUT = 'host: "${env:SETPOINT_H}"';
    const all = (options: string) =>
      `all: { match: "*", expect: any, options: { ${options} } }\n`;
    const own = (options: string, name = 'vt') =>
      `${name}: { match: vt_1*, options: { ${options} } }\n`;
    for (const [base, head] of [
      [
        all('host: OldClear, p: 1') + own('p: 1'),
        all('p: 1') + own(`${OUT}, p: 1`),
      ],
      [
        all('p: 1') + own('host: OldClear, p: 1'),
        all(`${OUT}, p: 1`) + own('p: 1'),
      ],
      [own('host: OldClear, p: 1'), own(`${OUT}, q: 1`, 'other')],
    ] as const)
      for (const found of [changes(base, head), changes(head, base)]) {
        expect(JSON.stringify(found)).toContain('${env:SETPOINT_H}');
        expect(JSON.stringify(found)).not.toContain('OldClear');
      }
  });
});

describe('a value of one address is no secret for that of another', () => {
  const out = (selects: string) =>
    `out: { ${selects}, options: { host: "\${env:SETPOINT_H}" } }\n`;
  const clear = (value: string) =>
    `vt: { match: vt_1*, options: { host: ${value} } }\n`;
  test.each<[string, string, string]>([
    ['as the other selects other ids', '', out('match: splunk_*')],
    ['as the other is exactly another', '', out('match: vt_2')],
    ['as the other has both too', out('match: us_*'), out('match: us_*')],
    ['as defaults are overridden', '', out('match: "*", expect: any')],
  ])('%s', (_, base, head) => {
    expect(changes(base + clear('one'), head + clear('two'))).toContainEqual([
      'vt.options.host.value',
      'one',
      'two',
    ]);
  });
  test('on a server that the base lacks', () => {
    const found = changes('{}', out('match: splunk_*') + clear('two'));
    expect(found).toContainEqual(['vt.options.host.value', null, 'two']);
    // Of an integration that both may mean, nobody knows.
    const moved = changes(out('match: "{vt,us}_*"'), clear('two'));
    expect(moved).toContainEqual(['vt.options.host.value', 'secret', 'secret']);
  });
  test('but is where defaults mark it', () => {
    const all =
      'all: { match: "*", expect: any, options: { host: { sensitive: true } } }\n';
    const found = changes(all + clear('one'), all + clear('two'));
    expect(found).toEqual([['vt.options.host.value', 'secret', 'secret']]);
    const none = all.replace('"*"', 'us_*');
    expect(changes(none + clear('one'), none + clear('two'))).toEqual([
      ['vt.options.host.value', 'one', 'two'],
    ]);
  });
});

describe('risks that show without a server', () => {
  test.each<[string, string, string[]]>([
    [
      'apiKey: { permission: lock-and-hide }',
      'apiKey: { permission: lock-and-show }',
      ['exposes-secret'],
    ],
    [
      'o: { permission: user-provides }',
      'o: { permission: lock-and-hide }',
      ['overrides-users'],
    ],
    [
      'o: x',
      'o: { value: "${env:SETPOINT_A}", permission: lock-and-show }',
      ['exposes-secret'],
    ],
    [
      'timeout: { permission: lock-and-hide }',
      'timeout: { permission: lock-and-show }',
      [],
    ],
  ])('%s, then %s', (base, head, risks) => {
    expect([
      ...new Set(option(base, head).flatMap((each) => each.slice(3))),
    ]).toEqual(risks);
  });
});

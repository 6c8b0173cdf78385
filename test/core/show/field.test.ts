import { describe, expect, test } from 'vitest';
import { readFile } from '../../../src/core/config/read-file.ts';
import type { ReferenceTable } from '../../../src/core/config/resolve.ts';
import type { LivePermission } from '../../../src/core/model/permission.ts';
import { hide } from '../../../src/core/model/secret.ts';
import { brief, entries, file } from '../../support/config.ts';
import { fieldOn, knownServer, originText } from '../../support/known-server.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const HEAD = 'version: 1\nintegrations:\n';
const BASE = `${HEAD}  vt:\n    match: vt_*\n    options:\n      url: https://base.example\n`;

/** The origins of `vt.options.url.value` in these layers. */
function origins(...layers: readonly string[]) {
  const files = layers.map((text, index) => ({ [`l${index}.yaml`]: text }));
  const [on] = fieldOn([knownServer(files)], 'vt.options.url.value');
  return on?.origins ?? [];
}

describe('each kind of origin has its file and line', () => {
  test('a base alone', () => {
    expect(origins(BASE).map(originText)).toEqual(['> base l0.yaml:6:12']);
  });
  test('an overlay wins over the base', () => {
    const overlay = `${HEAD}  vt:\n    options:\n      url: { value: https://over.example }\n`;
    expect(origins(BASE, overlay).map(originText)).toEqual(['base l0.yaml:6:12', '> overlay l1.yaml:5:21']);
  });
  test('a default, in whatever layer, lies below the entry', () => {
    const defaults = `${HEAD}  all: { match: "*", expect: any, options: { url: https://all.example } }\n`;
    expect(origins(BASE, defaults).map(originText)).toEqual(['default l1.yaml:3:51', '> base l0.yaml:6:12']);
  });
  test('a default that only what is installed proves counts for nothing, and is told', () => {
    const maybe = `${HEAD}  some: { match: "v*", expect: any, options: { url: https://some.example } }\n  vt: { match: vt_*, autosubscribe: true }\n`;
    const other = `${HEAD}  none: { match: "x*", expect: any, options: { url: https://none.example } }\n`;
    const [only, ...others] = origins(maybe, other);
    expect([only && originText(only), only?.isUncertain, others]).toEqual(['default l0.yaml:3:53', true, []]);
  });
  test('a null stops what is below it, at the field, the option, all options and the entry', () => {
    const nulls = ['options: { url: { value: null } }', 'options: { url: null }', 'options: null'];
    for (const text of nulls) {
      const [, last] = origins(BASE, `${HEAD}  vt: { ${text} }\n`);
      expect([last && originText(last), last?.declared]).toEqual([
        `> overlay l1.yaml:3:${`  vt: { ${text}`.indexOf('null') + 1}`,
        undefined,
      ]);
    }
    expect(origins(BASE, `${HEAD}  vt: null\n`).map(originText)).toEqual([
      'base l0.yaml:6:12',
      '> overlay l1.yaml:3:7',
    ]);
  });
  test('an alias of a value, and of what is around it: the alias, and what it leads to', () => {
    const scalar = `${HEAD}  a: { match: a_*, options: { url: &shared https://shared.example } }\n  vt:\n    options: { url: *shared }\n`;
    const [one] = origins(scalar);
    expect([one && originText(one), one?.declared]).toEqual([
      '> base l0.yaml:5:21',
      { value: 'https://shared.example' },
    ]);
    expect([one?.aliased?.alias, one?.aliased?.written]).toMatchObject([
      { line: 5, column: 21 },
      { line: 3, column: 44 },
    ]);
    const map = `${HEAD}  a:\n    options: &shared\n      url: https://shared.example\n  vt: { options: *shared }\n`;
    const [other] = origins(map);
    expect(other && originText(other)).toBe('> base l0.yaml:5:12');
    expect([other?.aliased?.alias, other?.aliased?.written]).toMatchObject([
      { line: 6, column: 18 },
      { line: 5, column: 12 },
    ]);
  });
  test('an alias behind another one is the outer one', () => {
    const nested = `${HEAD}  a: { options: { x: &x https://x.example } }\n  b: { options: &all { url: *x } }\n  vt: { options: *all }\n`;
    expect(origins(nested)[0]?.aliased).toMatchObject({
      alias: { line: 5, column: 18 },
      written: { line: 3, column: 25 },
    });
  });
  test('there are no merge keys', () => {
    const { diagnostics } = readFile(file(entries('a: &a { options: { url: x } }\nvt: { <<: *a }')));
    expect(diagnostics.map(brief)).toEqual(['yaml-syntax 4:9']);
  });
  test('named values with every definition', () => {
    const base = `version: 1\nvalues:\n  host: api.example.com\nintegrations:\n  vt: { options: { url: "https://\${value:host}/v3" } }\n`;
    const overlay = 'version: 1\nvalues: { host: api.staging.example.com }\n';
    const [only] = origins(base, overlay);
    expect(only).toMatchObject({
      declared: { value: 'https://api.staging.example.com/v3' },
      reference: 'https://${value:host}/v3',
      names: [
        { name: 'host', layer: 'l0.yaml', source: { line: 3, column: 9 }, wins: false },
        { name: 'host', layer: 'l1.yaml', source: { line: 2, column: 17 }, wins: true },
      ],
    });
  });
  test('a named value that no winning declaration uses is told too, and is no null', () => {
    const base = `version: 1\nvalues: { old: https://old.example }\nintegrations: { vt: { match: vt_*, options: { url: "\${value:old}" } } }\n`;
    const overlay = `${HEAD}  vt: { options: { url: https://new.example } }\n`;
    expect(origins(base, overlay)).toMatchObject([
      { declared: { value: 'https://old.example' }, reference: '${value:old}', wins: false },
      { declared: { value: 'https://new.example' }, wins: true },
    ]);
    expect(origins(base, overlay).map(({ isNull }) => isNull)).toEqual([undefined, undefined]);
  });
  test('one that is missing in what is overridden is told by its reference', () => {
    const base = `${HEAD}  vt: { match: vt_*, options: { url: "\${value:gone}" } }\n`;
    const overlay = `${HEAD}  vt: { options: { url: https://new.example } }\n`;
    const [first] = origins(base, overlay);
    expect([first?.isNull, first?.declared, first?.reference]).toEqual([
      undefined,
      undefined,
      '${value:gone}',
    ]);
  });
});

const TABLE: ReferenceTable = {
  env: new Map([
    ['SETPOINT_A', { text: hide('alpha-secret') }],
    ['SETPOINT_B', { text: hide('alpha-secret') }],
    ['SETPOINT_C', { text: hide('another-one') }],
    ['HOME', { reason: 'forbidden' }],
  ]),
  file: new Map([['keys/a.pem', { text: hide('alpha-secret') }]]),
};

describe('what a value refers to outside', () => {
  const outside = (text: string) => {
    const server = knownServer([{ 'a.yaml': `${HEAD}  vt: { options: { url: "${text}" } }\n` }], {
      table: TABLE,
    });
    return fieldOn([server], 'vt.options.url.value')[0]?.origins[0]?.outside;
  };
  test.each([
    ['${env:SETPOINT_A}', [{ kind: 'env', name: 'SETPOINT_A', found: 'given' }]],
    ['${env:SETPOINT_NONE:-https://x.example}', [{ kind: 'env', name: 'SETPOINT_NONE', found: 'fallback' }]],
    ['${env:SETPOINT_NONE}', [{ kind: 'env', name: 'SETPOINT_NONE', found: 'missing' }]],
    ['${env:HOME}', [{ kind: 'env', name: 'HOME', found: 'forbidden' }]],
    ['${file:keys/a.pem}', [{ kind: 'file', name: 'keys/a.pem', found: 'given' }]],
    ['${file:keys/none}', [{ kind: 'file', name: 'keys/none', found: 'missing' }]],
  ])('%s', (text, expected) => {
    expect(outside(text)).toEqual(expected);
  });
  test('is found behind a named value too, and only of what wins', () => {
    const base =
      'version: 1\nvalues: { key: "${env:SETPOINT_A}" }\nintegrations: { vt: { options: { url: "${env:SETPOINT_C}" } } }\n';
    const over = 'version: 1\nintegrations: { vt: { options: { url: "${value:key}" } } }\n';
    const server = knownServer([{ 'a.yaml': base }, { 'b.yaml': over }], { table: TABLE });
    const found = fieldOn([server], 'vt.options.url.value')[0]?.origins.map((each) => each.outside);
    expect(found).toEqual([[], [{ kind: 'env', name: 'SETPOINT_A', found: 'given' }]]);
  });
});

describe('side by side', () => {
  const yaml = (value: string) => [{ 'a.yaml': `${HEAD}  vt: { match: vt_*, options: { k: ${value} } }\n` }];
  const held = (value: Parameters<typeof readable>[0]) => [
    liveIntegration('vt_1', [liveOption('k', { value: readable(value) })]),
  ];
  const likeness = (servers: readonly (readonly [string | undefined, Parameters<typeof readable>[0]?])[]) =>
    fieldOn(
      servers.map(([value, live], index) =>
        knownServer(
          value === undefined
            ? [{ 'a.yaml': `${HEAD}  vt: { match: vt_*, autosubscribe: true }\n` }]
            : yaml(value),
          {
            name: `s${index}`,
            table: TABLE,
            ...(live === undefined ? {} : { installed: held(live) }),
          },
        ),
      ),
      'vt.options.k.value',
    ).map((each) => each.likeness);

  test.each([
    ['the same values in other forms', [['4'], ['"4"'], ['5']], ['same', 'same', 'differs']],
    ['one that is not managed', [['4'], [undefined]], ['same', 'missing']],
    ['the first one lacks it', [[undefined], ['4'], ['4'], ['5']], ['missing', 'same', 'same', 'differs']],
    [
      'secrets under other names',
      [['"${env:SETPOINT_A}"'], ['"${env:SETPOINT_B}"'], ['"${env:SETPOINT_C}"'], ['"${file:keys/a.pem}"']],
      ['same', 'same', 'differs', 'same'],
    ],
    [
      'secrets that this run lacks',
      [['"${env:SETPOINT_X}"'], ['"${env:SETPOINT_X}"'], ['"${env:SETPOINT_Y}"'], ['4']],
      ['same', 'same', 'cannot-tell', 'cannot-tell'],
    ],
    ['lists as sets', [['[a, b]'], ['[b, a]'], ['[a]']], ['same', 'same', 'differs']],
  ] as const)('what is declared: %s', (_, servers, expected) => {
    expect(likeness(servers).map((each) => each?.declared)).toEqual(expected);
  });
  const SAME = { declared: 'same', live: 'same' };
  test.each([
    [
      'the same declared, another live',
      [
        ['x', 'x'],
        ['x', 'y'],
      ],
      [SAME, { declared: 'same', live: 'differs' }],
    ],
    [
      'one that holds unmanaged what the other one declares',
      [
        ['x', 'y'],
        [undefined, 'x'],
      ],
      [SAME, { declared: 'missing', live: 'differs' }],
    ],
    ['one that was not read', [['x', 'x'], ['y']], [{ declared: 'same' }, { declared: 'differs' }]],
    [
      'none that is declared',
      [
        [undefined, 'x'],
        [undefined, 'x'],
      ],
      [{ live: 'same' }, { live: 'same' }],
    ],
  ] as const)('live with live alone: %s', (_, servers, expected) => {
    expect(likeness(servers)).toEqual(expected);
  });
  test('a permission that is declared on one server alone is not compared with that of the other', () => {
    const server = (name: string, declared: string, permission: LivePermission) =>
      knownServer([{ 'a.yaml': `${HEAD}  vt: { match: vt_*, options: { k: ${declared} } }\n` }], {
        name,
        installed: [liveIntegration('vt_1', [liveOption('k', { permission })])],
      });
    const both = [
      server('one', '{ permission: lock-and-hide }', 'lock-and-show'),
      server('two', '4', 'lock-and-hide'),
    ];
    expect(fieldOn(both, 'vt.options.k.permission').map((each) => each.likeness)).toEqual([
      SAME,
      { declared: 'missing', live: 'differs' },
    ]);
  });
  test('one server alone is compared with none', () => {
    expect(likeness([['4']])).toEqual([undefined]);
  });
});

describe('a server that was not asked', () => {
  const one = knownServer([{ 'a.yaml': `${HEAD}  desk: { match: desk_* }\n` }], {
    name: 'one',
    installed: [liveIntegration('vt_1', [liveOption('k')])],
  });
  const other = (yaml: string) => knownServer([{ 'b.yaml': HEAD + yaml }], { name: 'two' });
  const onOther = (yaml: string) => fieldOn([one, other(yaml)], 'vt_1.autosubscribe')[1];

  test('is shown what its entries declare for the id', () => {
    const on = onOther(
      '  all: { match: "*", expect: any, autosubscribe: false }\n  vt: { match: vt_*, autosubscribe: true }\n',
    );
    expect([on?.lack, on?.origins.map(originText)]).toEqual([
      undefined,
      ['default b.yaml:3:50', '> base b.yaml:4:37'],
    ]);
  });
  test('may have what an entry means by its name there', () => {
    const on = onOther(`  vt: { match: { name: "*" }, autosubscribe: true }\n`);
    expect(on?.origins.map((each) => [each.isUncertain, each.wins])).toEqual([[true, false]]);
  });
  test('is not said to lack what no entry means', () => {
    const on = onOther('  mail: { match: mail_*, autosubscribe: true }\n');
    expect([on?.lack, on?.likeness]).toEqual(['not-known', {}]);
  });
  test('that was read and has nothing of the name lacks it', () => {
    const two = knownServer([{ 'b.yaml': `${HEAD}  mail: { match: mail_* }\n` }], {
      name: 'two',
      installed: [],
    });
    const [, on] = fieldOn([one, two], 'vt_1.autosubscribe');
    expect([on?.lack, on?.likeness]).toEqual(['missing', { live: 'missing' }]);
  });
});

describe('beside what is live', () => {
  const server = knownServer(
    [
      {
        'a.yaml': `${HEAD}  vt: { match: vt_*, autosubscribe: true, options: { k: 4, s: { permission: lock-and-show } } }\n`,
      },
    ],
    {
      installed: [
        liveIntegration('vt_1', [
          liveOption('k', { type: 'number', value: readable(5) }),
          liveOption('s', {
            type: 'password',
            value: { kind: 'unreadable', reason: 'masked' },
            permission: 'lock-and-show',
          }),
        ]),
      ],
    },
  );
  test.each([
    ['vt.options.k.value', { kind: 'shown', value: 5 }, 'differs'],
    ['vt.options.k.permission', { kind: 'shown', value: 'lock-and-hide' }, undefined],
    ['vt.options.s.value', { kind: 'unreadable', reason: 'masked' }, undefined],
    ['vt.options.s.permission', { kind: 'shown', value: 'lock-and-show' }, 'as-desired'],
    ['vt.autosubscribe', { kind: 'shown', value: false }, 'differs'],
    ['vt_1.options.k.value', { kind: 'shown', value: 5 }, 'differs'],
  ])('%s', (address, live, verdict) => {
    const [on] = fieldOn([server], address);
    expect([on?.live, on?.verdict, on?.id, on?.status]).toEqual([live, verdict, 'vt_1', 'running']);
  });
});

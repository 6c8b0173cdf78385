import { describe, expect, test } from 'vitest';
import { exitCode } from '../../../src/core/findings/exit-code.ts';
import { explain } from '../../../src/core/findings/explain.ts';
import { accepting, planOf } from '../../support/accepting.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const held = (value: string | number, id = 'vt') =>
  liveIntegration(id, [
    liveOption('k', {
      type: typeof value === 'number' ? 'number' : 'text',
      value: readable(value),
    }),
  ]);
const base = (value: string, entry = 'vt') =>
  `version: 1\nintegrations:\n  ${entry}: { options: { k: ${value} } } # why\n`;
const reasons = ({ diagnostics }: ReturnType<typeof accepting>) =>
  diagnostics.flatMap((found) =>
    found.code === 'not-accepted' ? [found.facts.reason] : [found.code],
  );

test('drift of a line that nothing else uses is accepted, and nothing is left to plan', () => {
  const server = { name: 'one', layers: [['base.yaml']], live: [held('new')] };
  const { texts, diagnostics } = accepting([server], {
    'base.yaml': base('old'),
  });
  expect([diagnostics, texts['base.yaml']]).toEqual([[], base('new')]);
  expect(planOf(server, texts).summary.changes).toBe(0);
  expect(accepting([server], texts).files).toEqual([]);
});

describe('a line of a file that other servers read', () => {
  const one = {
    name: 'one',
    layers: [['base.yaml'], ['one.yaml']],
    own: 'one.yaml',
    live: [held('new')],
  };
  const two = { name: 'two', layers: [['base.yaml']], live: [held('other')] };
  const texts = {
    'base.yaml': base('old'),
    'one.yaml': 'version: 1\n# ours',
  };
  const overridden =
    'version: 1\n# ours\nintegrations:\n  vt:\n    options:\n      k: new\n';
  test('is overridden in the own layer of one, and left to a person without such a layer', () => {
    const { texts: after, diagnostics } = accepting([one, two], texts);
    expect(after).toEqual({ ...texts, 'one.yaml': overridden });
    expect(planOf(one, after).summary.changes).toBe(0);
    const facts = {
      addresses: ['vt.options.k.value'],
      reason: 'shared',
      file: 'a file that no other server reads',
      yaml: ['vt:', '  options:', '    k: other'],
    };
    const place = { file: 'base.yaml', line: 3 };
    expect(diagnostics).toMatchObject([{ code: 'not-accepted', facts, place }]);
  });
  test.each([
    [
      'would change more with it',
      '  vt: { options: &all { k: { permission: lock-and-hide } } }\n  gone: { expect: optional, options: *all }\n',
    ],
    ['has it in braces', '  vt: { autosubscribe: false }\n'],
    [
      'has the option',
      '  vt:\n    options:\n      k:\n        sensitive: false\n',
    ],
  ])('is left to a person if the own layer %s', (_, entries) => {
    const own = `version: 1\nintegrations:\n${entries}`;
    const all = { ...texts, 'one.yaml': own };
    const found = accepting([one, { name: 'two', layers: two.layers }], all);
    expect([reasons(found), found.texts]).toEqual([['edit'], all]);
    expect(found.diagnostics[0]?.facts).toMatchObject({
      file: 'one.yaml',
      yaml: ['vt:', '  options:', '    k: new'],
    });
  });
  test('of other integrations of the server is left to a person', () => {
    const text =
      'version: 1\nintegrations:\n  all: { match: "*", expect: any, options: { k: old } }\n';
    const server = {
      name: 'one',
      layers: [['a.yaml']],
      own: 'a.yaml',
      live: [held('new'), held('old', 'b')],
    };
    const [found, ...more] = accepting([server], {
      'a.yaml': text,
    }).diagnostics;
    expect([found?.facts, more]).toMatchObject([
      {
        reason: 'shared',
        others: ['b.options.k.value'],
        file: 'a.yaml',
        yaml: ['vt:', '  options:', '    k: new'],
      },
      [],
    ]);
  });
});

test.each([
  [
    'an alias',
    'version: 1\nintegrations:\n  j: { options: { k: &a old } }\n  vt: { options: { k: *a } }\n',
    'alias',
  ],
  [
    'a value below an anchor',
    'version: 1\nintegrations:\n  vt: { options: &all { k: old } }\n  gone: { expect: optional, options: *all }\n',
    'alias',
  ],
  ['a named value', `${base('"${value:x}"')}values: { x: old }\n`, 'reference'],
  [
    'a comment in it',
    'version: 1\nintegrations:\n  vt:\n    options:\n      k: # why\n        old\n',
    'comment',
  ],
])('%s is left to a person', (_, text, reason) => {
  const server = {
    name: 'one',
    layers: [['a.yaml']],
    live: [held('new'), held('old', 'j')],
  };
  const found = accepting([server], { 'a.yaml': text });
  expect([reasons(found), found.files]).toEqual([[reason], []]);
});

test('a secret is skipped, by its key or its type', () => {
  const value = readable('s3cret-x1');
  const { type: _, ...token } = liveOption('token', { value });
  const password = liveOption('k', { type: 'password', value });
  for (const [option, asked] of [
    [token, 'old-0000'],
    [password, '""'],
  ] as const) {
    const live = [liveIntegration('vt', [option])];
    const server = { name: 'one', layers: [['a.yaml']], live };
    const text = `version: 1\nintegrations:\n  vt: { options: { ${option.key}: ${asked} } }\n`;
    const found = accepting([server], { 'a.yaml': text });
    expect([reasons(found), found.files]).toEqual([['secret'], []]);
  }
});

describe('beside what is named', () => {
  const key = liveOption('key', {
    type: 'password',
    value: { kind: 'hidden', reason: 'masked' },
  });
  const k = liveOption('k', {
    value: readable('new'),
    permission: 'lock-and-show',
  });
  const server = {
    name: 'one',
    layers: [['a.yaml']],
    live: [liveIntegration('vt', [k, key])],
  };
  const text =
    'version: 1\nintegrations:\n  vt: { options: { k: { value: old, permission: lock-and-hide }, key: "${env:SETPOINT_K}" } }\n';
  const accept = (...named: string[]) => {
    const { files, diagnostics } = accepting(
      [server],
      { 'a.yaml': text },
      { named },
    );
    const fields = files.flatMap((file) => file.fields);
    return {
      accepted: fields.map(({ address }) => address),
      skipped: diagnostics
        .map((each) => explain(each))
        .filter(({ code }) => code === 'not-accepted')
        .map(({ severity, message }) => `${severity} ${message}`),
      exit: exitCode(diagnostics),
    };
  };
  const both = ['vt.options.k.permission', 'vt.options.k.value'];
  test('the name of an entry means what drifted in it, not what is hidden', () => {
    expect(accept('vt')).toEqual({ accepted: both, skipped: [], exit: 0 });
    expect(accept('vt.key')).toMatchObject({
      accepted: [],
      skipped: [expect.stringMatching(/^error .*vt\.options\.key\.value/)],
      exit: 5,
    });
  });
  test('the name of an option means its value', () => {
    const value = ['vt.options.k.value'];
    expect(accept('vt.k')).toEqual({ accepted: value, skipped: [], exit: 0 });
    const whole = { accepted: both, skipped: [], exit: 0 };
    expect(accept('vt.options.k')).toEqual(whole);
    expect(accept('vt.k', 'vt.options.k.permission')).toEqual(whole);
    expect(accept('vt', 'vt.k')).toEqual(whole);
  });
});

import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import type { OptionValue } from '../../../src/core/model/value.ts';
import { accepting, planOf } from '../../support/accepting.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const choices = ['fast', 'slow', 'ip', 'url', 'domain'].map((value) => ({
  value,
  display: value.toUpperCase(),
}));

/** The text of an own file after all drift of one integration is taken back; checks that none is left. */
function taken(text: string, options: Readonly<Record<string, Partial<LiveOption>>>, autosubscribe = false) {
  const live = [
    liveIntegration(
      'vt',
      Object.entries(options).map(([key, changes]) => liveOption(key, changes)),
      { autosubscribe },
    ),
  ];
  const server = { name: 'one', layers: [['a.yaml']], live };
  const { texts, diagnostics } = accepting([server], { 'a.yaml': text });
  expect(diagnostics.filter(({ code }) => code !== 'accept-risk')).toEqual([]);
  expect(planOf(server, texts).integrations.flatMap(({ changes }) => changes)).toEqual([]);
  return texts['a.yaml'];
}

const text = (value: string): Partial<LiveOption> => ({ value: readable(value) });
const of = (type: string, value: OptionValue): Partial<LiveOption> => ({ type, value: readable(value) });
const many = (...values: string[]): Partial<LiveOption> => ({
  type: 'select',
  multiple: true,
  choices,
  value: readable(choices.filter(({ value }) => values.includes(value))),
});
const one = (value: string): Partial<LiveOption> => ({
  type: 'select',
  choices,
  value: readable({ value, display: value.toUpperCase() }),
});

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');
const file = (...options: string[]) =>
  lines(
    'version: 1',
    'integrations:',
    '  vt:',
    '    options:',
    ...options.map((line) => (line === '@' ? '' : `      ${line}`)),
  );

describe('a value takes the place of another one in its style', () => {
  test.each<[string, string[], Partial<LiveOption>, string[]]>([
    ['plain', ['k: old # why'], text('new'), ['k: new # why']],
    ['a number', ['k: 5'], of('number', 30), ['k: 30']],
    ['a boolean', ['k:   true   # c'], of('boolean', false), ['k:   false   # c']],
    ['text that reads as a number', ['k: old'], text('007'), ['k: "007"']],
    ['double quotes', ['k: "old"'], text('new'), ['k: "new"']],
    ['single quotes', ["k: 'old'"], text("it's"), ["k: 'it''s'"]],
    ['quotes with several lines', ['k: "old"'], text('a\nb'), ['k: "a\\nb"']],
    ['plain text that gets lines', ['k: old'], text('a\n\n  b'), ['k: |-', '  a', '@', '    b']],
    ['the same with a comment behind it', ['k: old # why'], text('a\nb'), ['k: "a\\nb" # why']],
    ['block text', ['k: |', '    old', '    text', '# c'], text('a\nb\n'), ['k: |', '    a', '    b', '# c']],
    ['block text with one line', ['k: |- # why', '  a', '  b'], text('c'), ['k: |- # why', '  c']],
    ['folded text', ['k: >', '  a', '  b'], text('c\nd'), ['k: |-', '  c', '  d']],
    ['block text that gets none', ['k: |', '  a', 'l: 1'], text(' x'), ['k: " x"', 'l: 1']],
    ['text over several lines', ['k: "a', '  b" # c'], text('d'), ['k: "d" # c']],
    ['a tab before it', ['k:\told'], text('new'), ['k:\tnew']],
    [
      'the long form',
      ['k: { value: old, permission: lock-and-hide } # c'],
      text('a, b'),
      ['k: { value: "a, b", permission: lock-and-hide } # c'],
    ],
    [
      'the long form on lines',
      ['k:', '  # about', '  value: old', '  permission: lock-and-hide'],
      text('new'),
      ['k:', '  # about', '  value: new', '  permission: lock-and-hide'],
    ],
    ['a literal reference', ['k: old'], text('${env:X}'), ['k: $${env:X}']],
    ['nothing', ['k: old'], text(''), ['k: ""']],
    ['an alias', ['j: &a x', 'k: *a # c'], text('new'), ['j: &a x', 'k: new # c']],
    ['an anchor that nobody names', ['k: &a old'], text('new'), ['k: &a new']],
    ['a choice', ['k: fast'], one('slow'), ['k: slow']],
    [
      'a choice with its display',
      ['k: { display: FAST, value: fast } # c'],
      one('slow'),
      ['k: { display: SLOW, value: slow } # c'],
    ],
    [
      'a choice on lines',
      ['k:', '  display: FAST', '  # c', '  value: fast'],
      one('slow'),
      ['k:', '  display: SLOW', '  # c', '  value: slow'],
    ],
    ['a list in one line', ['k: [ ip, url ] # c'], many('url', 'domain'), ['k: [ domain, url ] # c']],
    [
      'a list over lines',
      ['k: [', '  ip, # an address', '  url', ']'],
      many('ip', 'domain'),
      ['k: [', '  ip, # an address', '  domain', ']'],
    ],
    [
      'the same with less',
      ['k: [', '  ip, # an address', '  url', ']'],
      many('ip'),
      ['k: [', '  ip, # an address', ']'],
    ],
    ['less behind a comment', ['k: [ip, # a', '  url]'], many('ip'), ['k: [ip, # a', '  ]']],
    ['less behind a comment, with a comma', ['k: [ip, # a', '  url , ]'], many('ip'), ['k: [ip, # a', '  ]']],
    ['a list of one', ['k: [ip]'], many('url'), ['k: [url]']],
    ['a list that is empty', ['k: []'], many('url'), ['k: [url]']],
    ['a list that gets empty', ['k: [ip]'], many(), ['k: []']],
    [
      'a list with dashes',
      ['k:', '  # about ip', '  - ip # first', '  - url', 'l: 1'],
      many('ip', 'domain'),
      ['k:', '  # about ip', '  - ip # first', '  - domain', 'l: 1'],
    ],
    [
      'a list with dashes, longer',
      ['k:', '- ip', '- url # c'],
      many('ip', 'url', 'domain'),
      ['k:', '- ip', '- url # c', '- domain'],
    ],
    [
      'a list with members below their dashes',
      ['k:', '  -', '    ip', '  # of hosts', '  - ', '', '    domain', '  - url'],
      many('domain'),
      ['k:', '  # of hosts', '  - ', '', '    domain'],
    ],
    ['a list with dashes, empty', ['k:', '  - ip', 'l: 1'], many(), ['k: []', 'l: 1']],
    [
      'members with displays',
      ['k:', '  - { value: ip, display: IP }', '  - value: url', '    display: URL'],
      many('url'),
      ['k:', '  - value: url', '    display: URL'],
    ],
  ])('%s', (_, before, option, after) => {
    const others = { j: text('x'), l: text('1') };
    const used = Object.fromEntries(
      Object.entries(others).filter(([key]) => before.join('\n').includes(`${key}:`)),
    );
    expect(taken(file(...before), { ...used, k: option })).toBe(file(...after));
  });
});

describe('comments stay beside or above what they are about', () => {
  const hidden = (option: Partial<LiveOption>): Partial<LiveOption> => ({
    ...option,
    permission: 'lock-and-show',
  });
  const own = (...entry: string[]) => lines('version: 1', 'integrations:', ...entry);
  /** An own layer above one that another server shares, so that fields are added to it. */
  function added(ownText: string, options: Readonly<Record<string, Partial<LiveOption>>>, base: string) {
    const live = [
      liveIntegration(
        'vt',
        Object.entries(options).map(([key, changes]) => liveOption(key, changes)),
      ),
    ];
    const one = { name: 'one', layers: [['base.yaml'], ['a.yaml']], live };
    const servers = [one, { name: 'two', layers: [['base.yaml']] }];
    const { texts, diagnostics } = accepting(servers, { 'base.yaml': base, 'a.yaml': ownText });
    return { text: texts['a.yaml'], reasons: diagnostics.map(({ facts }) => facts) };
  }
  const OTHER_ENTRY = '  w: { match: w, expect: any, autosubscribe: true }';
  const PERMITTED = file('k: { permission: lock-and-hide }');

  test.each<[string, string[], Partial<LiveOption>, string[]]>([
    ['above a value of its own line', ['k:', '  # why', '  10'], of('number', 5), ['k:', '  # why', '  5']],
    ['beside a key with a mark', ['? k # c', ': 10'], of('number', 5), ['? k # c', ': 5']],
    ['below such a mark', ['? k', ': # c', '  old'], text('new'), ['? k', ': # c', '  new']],
    ['beside a key', ['k: # which', '  - ip', '  - url'], many(), ['k: # which', '  []']],
    ['the same without indentation', ['k: # which', '- ip', '- url'], many(), ['k: # which', '  []']],
    [
      'behind the last of a list',
      ['k: [', '  ip, # a', '  url # b', ']'],
      many('ip', 'url', 'domain'),
      ['k: [', '  ip, # a', '  url, # b', '  domain', ']'],
    ],
    [
      'behind the only one of a list',
      ['k: [ ip # a', '  ]'],
      many('ip', 'url'),
      ['k: [ ip, # a', '     url', '  ]'],
    ],
    [
      'behind the bracket of a list',
      ['k: [ip,', '  url] # why'],
      many('ip', 'url', 'domain'),
      ['k: [ip,', '  url, domain] # why'],
    ],
    [
      'in a list and behind its bracket',
      ['k: [ip, # a', '  url', '  ] # why'],
      many('ip', 'url', 'domain'),
      ['k: [ip, # a', '  url,', '  domain', '  ] # why'],
    ],
    [
      'in a list and behind the bracket on its last line',
      ['k: [ip, # a', '  url] # why'],
      many('ip', 'url', 'domain'),
      ['k: [ip, # a', '  url, domain] # why'],
    ],
    [
      'in a choice with an alias',
      ['j: &j fast', 'k: {', '  value: *j, # why fast', '  display: FAST }'],
      one('slow'),
      ['j: &j fast', 'k: {', '  value: slow, # why fast', '  display: SLOW }'],
    ],
    [
      'in a list with aliases',
      ['j: &j ip', 'k:', '  - *j # why ip', '  - url'],
      many('ip', 'domain'),
      ['j: &j ip', 'k:', '  - *j # why ip', '  - domain'],
    ],
  ])('%s', (_, before, option, after) => {
    const j = before[0]?.startsWith('j: ') === true ? { j: text(before[0].split(' ').at(-1) ?? '') } : {};
    expect(taken(file(...before), { ...j, k: option })).toBe(file(...after));
  });
  test.each<[string, string[], string[]]>([
    [
      'block text',
      ['k: |-  # ask the security team', '    a', '', '    b', 'l: 1'],
      [
        'k:',
        '  permission: lock-and-show',
        '  value: |-  # ask the security team',
        '      a',
        '@',
        '      b',
        'l: 1',
      ],
    ],
    ['an anchor', ['l: 1', 'k: &t a # why'], ['l: 1', 'k: { value: &t a, permission: lock-and-show } # why']],
  ])('%s in the long form', (_, before, after) => {
    const k = hidden(text(before.length > 2 ? 'a\n\nb' : 'a'));
    const base = file('k: { permission: lock-and-hide }', 'l: 1');
    expect(added(file(...before.map((line) => line || '@')), { k, l: text('1') }, base)).toEqual({
      text: file(...after),
      reasons: [],
    });
  });
  test.each<[string, string, string]>([
    [
      'empty braces',
      'version: 1\nintegrations: {\n  # to be filled by team B\n}\n',
      'version: 1\nintegrations: {\n  # to be filled by team B\n  vt: { options: { k: { permission: lock-and-show } } }\n}\n',
    ],
    [
      'empty braces on one line',
      'version: 1\nintegrations: { # to be filled\n}\n',
      'version: 1\nintegrations: { # to be filled\n  vt: { options: { k: { permission: lock-and-show } } }\n}\n',
    ],
    [
      'a key without a value',
      'version: 1\nintegrations: # to be filled\n',
      own('  vt:', '    options:', '      k: { permission: lock-and-show }').replace(
        'integrations:',
        'integrations: # to be filled',
      ),
    ],
    [
      'a key with a mark',
      own('  vt:', '    ? autosubscribe', '    : false # x'),
      own(
        '  vt:',
        '    ? autosubscribe',
        '    : false # x',
        '    options:',
        '      k: { permission: lock-and-show }',
      ),
    ],
    [
      'the last pair in braces',
      own('  vt: {', '    autosubscribe: false # x', '  }'),
      own(
        '  vt: {',
        '    autosubscribe: false, # x',
        '    options: { k: { permission: lock-and-show } }',
        '  }',
      ),
    ],
  ])('%s', (_, before, after) => {
    expect(added(before, { k: hidden(text('')) }, PERMITTED)).toEqual({ text: after, reasons: [] });
  });
  test.each<[string, string[], string[], string[]]>([
    ['its options', ['      # l: old', '', '        # older'], [], ['']],
    ['its options, before another entry', ['      # l: old'], [], ['', '  # next', OTHER_ENTRY]],
    ['the entry', [], ['    # name: old'], ['  # next', OTHER_ENTRY]],
    ['both, at an end without a line end', ['      # l: old'], ['    # name: old'], []],
  ])('above what is added to a map: below %s', (_, options, entry, rest) => {
    const made = (k: string[], autosubscribe: string[]) => {
      const all = own(
        '  vt:',
        '    options:',
        '      l: 1',
        ...options,
        ...k,
        ...entry,
        ...autosubscribe,
        ...rest,
      );
      return rest.length === 0 ? all.trimEnd() : all;
    };
    const base = file('k: old').replace('    options', '    autosubscribe: true\n    options');
    expect(added(made([], []), { k: text('new'), l: text('1') }, base)).toEqual({
      text: made(['      k: new'], ['    autosubscribe: false']),
      reasons: [],
    });
  });
  test.each<[string, string[], Partial<LiveOption>, number]>([
    ['of a member that goes', ['k:', '  - ip # why ip', '  - domain # why domain'], many('url'), 6],
    ['of a member in brackets', ['k: [', '  ip, # a', '  domain # b', ']'], many('ip', 'url'), 7],
    ['above a member that goes', ['k:', '  - ip', '  # about url', '  - url'], many('ip', 'domain'), 7],
    [
      'above the first member, which goes',
      ['k: # about', '  # first', '  - ip', '  - url'],
      many('url', 'domain'),
      6,
    ],
  ])('or the field is refused at its line: %s', (_, before, option, line) => {
    const live = [liveIntegration('vt', [liveOption('k', option)])];
    const { files, diagnostics } = accepting([{ name: 'one', layers: [['a.yaml']], live }], {
      'a.yaml': file(...before),
    });
    expect(files).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'accept-misfit', facts: { reason: 'comments' }, place: { file: 'a.yaml', line } },
    ]);
  });
});

test('many fields that cannot be edited do not keep the others from being taken back', () => {
  const keys = Array.from({ length: 300 }, (_, index) => `k${index}`);
  const options = [
    ...keys.map((key) => liveOption(key, many('url'))),
    liveOption('other', { value: readable('new') }),
  ];
  const live = [liveIntegration('vt', options)];
  const before = file(...keys.flatMap((key) => [`${key}:`, '  - ip # why ip', '  - domain']), 'other: old');
  const { texts, diagnostics } = accepting([{ name: 'one', layers: [['a.yaml']], live }], {
    'a.yaml': before,
  });
  expect(texts['a.yaml']).toBe(before.replace('old', 'new'));
  expect(diagnostics).toHaveLength(300);
});

describe('everything else stays byte for byte', () => {
  test('line ends of Windows', () => {
    const crlf = (all: string) => all.replaceAll('\n', '\r\n');
    const before = crlf(file('k: old # c', 'l: |', '  one', '  two', 'm: [ip]'));
    const after = crlf(file('k: |-', '  a', '  b', 'l: |', '  three', '  four', 'm: [ip]'));
    const options = { k: text('a\nb'), l: text('three\nfour\n'), m: many('ip') };
    expect(taken(before.replace(' # c', ''), options)).toBe(after);
  });
  test('a last line without its end', () => {
    expect(taken(file('k: old').trimEnd(), { k: text('new') })).toBe(file('k: new').trimEnd());
    expect(taken(file('k:', '  - ip', '  - url').trimEnd(), { k: many('ip') })).toBe(
      file('k:', '  - ip').trimEnd(),
    );
    expect(taken(file('k:', '  - ip').trimEnd(), { k: many('url') })).toBe(file('k:', '  - url').trimEnd());
    expect(taken(file('k: |', '  a').trimEnd(), { k: text('b\n') })).toBe(file('k: |', '  b').trimEnd());
  });
  test('odd layouts', () => {
    const before = `version:   1\n# head\n"integrations" : {\n  vt: { "autosubscribe":true, options : {k: old,},},   # c\n}\n\n\n`;
    const after = before.replace('true', 'false').replace('old', 'new');
    expect(taken(before, { k: text('new') })).toBe(after);
  });
  test('fields of an entry', () => {
    const before = lines(
      'version: 1',
      'integrations:',
      '  vt:',
      '    autosubscribe: false # never',
      '    options: { k: { permission: lock-and-hide } }',
    );
    expect(taken(before, { k: { permission: 'user-provides' } }, true)).toBe(
      before.replace('false', 'true').replace('lock-and-hide', 'user-provides'),
    );
  });
});

import { describe, expect, test } from 'vitest';
import type { LiveOption } from '../../../src/core/model/live.ts';
import { type AcceptingServer, accepting, planOf, type Texts } from '../../support/accepting.ts';
import { brief } from '../../support/config.ts';
import { liveIntegration, liveOption, readable } from '../../support/live.ts';

const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');
const file = (...entries: string[]) =>
  lines('version: 1', 'integrations:', ...entries.map((line) => `  ${line}`));

/** An integration whose options hold texts, all locked and hidden. */
function holding(id: string, texts: Readonly<Record<string, string>>, changes: Partial<LiveOption> = {}) {
  const options = Object.entries(texts).map(([key, text]) =>
    liveOption(key, { value: readable(text), ...changes }),
  );
  return liveIntegration(id, options);
}

function server(
  name: string,
  layers: readonly string[],
  ...live: ReturnType<typeof holding>[]
): AcceptingServer {
  return { name, layers: layers.map((path) => [path]), ...(live.length === 0 ? {} : { live }) };
}

/** What differs after all drift was taken back, the texts that changed, and the findings. */
function taken(
  servers: readonly AcceptingServer[],
  texts: Texts,
  wish: Parameters<typeof accepting>[2] = {},
) {
  const { texts: after, diagnostics, files } = accepting(servers, texts, wish);
  const left = servers
    .filter(({ live }) => live !== undefined)
    .flatMap((each) => planOf(each, after).integrations.flatMap(({ changes }) => changes));
  return {
    left: left.map(({ address }) => address),
    changed: Object.fromEntries(files.map(({ path, after: text }) => [path, text])),
    found: diagnostics.map(brief),
  };
}

const BASE = file('vt:', '  options:', '    url: old # shared');
const VT = holding('vt', { url: 'new' });

describe('a place that feeds something else is overridden in the last own layer', () => {
  test.each<[string, string, string]>([
    [
      'an entry that is there',
      file('vt:', '  autosubscribe: null', '# end'),
      file('vt:', '  autosubscribe: null', '  options:', '    url: new', '# end'),
    ],
    [
      'an entry that is not',
      file('zz: { autosubscribe: null }'),
      file('zz: { autosubscribe: null }', 'vt:', '  options:', '    url: new'),
    ],
    ['no section of entries', 'version: 1\n', file('vt:', '  options:', '    url: new')],
    [
      'an empty section, no line end',
      'version: 1\nintegrations:',
      file('vt:', '  options:', '    url: new').trimEnd(),
    ],
    [
      'a map that is empty',
      'version: 1\nintegrations: {}\n',
      'version: 1\nintegrations: { vt: { options: { url: new } } }\n',
    ],
    [
      'all in one line',
      '{ version: 1, integrations: { vt: { options: { k: null }, } } }\n',
      '{ version: 1, integrations: { vt: { options: { k: null, url: new }, } } }\n',
    ],
    [
      'other values at the end',
      file('vt:', '  options:', '    k: null   # c', '', 'zz: null'),
      file('vt:', '  options:', '    k: null   # c', '    url: new', '', 'zz: null'),
    ],
    [
      'more indented',
      'version: 1\nintegrations:\n    zz:\n        autosubscribe: null\nvalues: { a: 1 }\n',
      'version: 1\nintegrations:\n    zz:\n        autosubscribe: null\n    vt:\n        options:\n            url: new\nvalues: { a: 1 }\n',
    ],
  ])('%s', (_, own, after) => {
    const servers = [server('one', ['base.yaml', 'one.yaml'], VT), server('two', ['base.yaml'])];
    expect(taken(servers, { 'base.yaml': BASE, 'one.yaml': own })).toEqual({
      left: [],
      changed: { 'one.yaml': after },
      found: [],
    });
  });
  test('an option that has another field there already', () => {
    const base = file('vt: { options: { k: { value: a, permission: lock-and-show }, l: b } }');
    const own = file('vt:', '  options:', '    k: c', '    l:', '      permission: lock-and-show');
    const live = holding('vt', { k: 'x', l: 'yy' });
    const servers = [server('one', ['base.yaml', 'one.yaml'], live), server('two', ['base.yaml'])];
    expect(taken(servers, { 'base.yaml': base, 'one.yaml': own })).toEqual({
      left: [],
      changed: {
        'one.yaml': file(
          'vt:',
          '  options:',
          '    k: { value: x, permission: lock-and-hide }',
          '    l:',
          '      permission: lock-and-hide',
          '      value: yy',
        ),
      },
      found: [],
    });
  });
  test('a new file of a layer that is a folder', () => {
    const one = { ...server('one', ['base.yaml', 'one/zz.yaml'], VT), folders: { 1: 'one' } };
    expect(
      taken([one, server('two', ['base.yaml'])], { 'base.yaml': BASE, 'one/zz.yaml': file('zz: null') }),
    ).toEqual({
      left: [],
      changed: { 'one/vt.yaml': file('vt:', '  options:', '    url: new') },
      found: [],
    });
  });
  test('a default, by an entry of the integration', () => {
    const texts = {
      'a.yaml': file(
        'all: { match: "*", expect: any, options: { url: old } }',
        'vt: { autosubscribe: false }',
      ),
    };
    const servers = [server('one', ['a.yaml'], VT, holding('b', { url: 'old' }), holding('c', { url: 'c' }))];
    expect(taken(servers, texts, { named: ['vt.options.url.value'] }).changed['a.yaml']).toBe(
      file(
        'all: { match: "*", expect: any, options: { url: old } }',
        'vt: { autosubscribe: false, options: { url: new } }',
      ),
    );
    expect(taken(servers, texts).changed['a.yaml']).toBe(
      file(
        'all: { match: "*", expect: any, options: { url: old } }',
        'vt: { autosubscribe: false, options: { url: new } }',
        'c:',
        '  options:',
        '    url: c',
      ),
    );
  });
  test('a default, by a new entry that outlasts an upgrade', () => {
    const texts = { 'a.yaml': file('all: { match: "*", expect: any, options: { url: old, k: old } }') };
    const id = 'threat_lookup_1_2_0_node_18_0000000000';
    const live = [holding(id, { url: 'new', k: 'x' }), holding('b', { url: 'old', k: 'old' })];
    expect(taken([server('one', ['a.yaml'], ...live)], texts)).toEqual({
      left: [],
      changed: {
        'a.yaml': file(
          'all: { match: "*", expect: any, options: { url: old, k: old } }',
          'threat-lookup:',
          '  match: threat_lookup_*',
          '  options:',
          '    k: x',
          '    url: new',
        ),
      },
      found: [],
    });
  });
  test('a map that is used twice', () => {
    const texts = {
      'a.yaml': file('vt: { options: &o { url: old } }', 'b: { options: *o }'),
      'z.yaml': file('b: { autosubscribe: false }'),
    };
    const live = [VT, holding('b', { url: 'old' })];
    expect(taken([server('one', ['a.yaml', 'z.yaml'], ...live)], texts)).toMatchObject({
      left: [],
      changed: { 'z.yaml': file('b: { autosubscribe: false }', 'vt:', '  options:', '    url: new') },
    });
    expect(taken([server('one', ['a.yaml'], ...live)], texts)).toEqual({
      left: ['vt.options.url.value'],
      changed: {},
      found: ['accept-shared 3:28'],
    });
  });
});

describe('a place is edited itself', () => {
  test('where another server overrides it', () => {
    const servers = [server('one', ['base.yaml'], VT), server('two', ['base.yaml', 'two.yaml'])];
    const texts = { 'base.yaml': BASE, 'two.yaml': file('vt: { options: { url: theirs } }') };
    expect(taken(servers, texts).changed).toEqual({ 'base.yaml': BASE.replace('old', 'new') });
  });
  test('where all that it feeds holds the same', () => {
    const servers = [server('one', ['base.yaml', 'one.yaml'], VT), server('two', ['base.yaml'], VT)];
    const texts = { 'base.yaml': BASE, 'one.yaml': file('zz: null') };
    expect(taken(servers, texts).changed).toEqual({ 'base.yaml': BASE.replace('old', 'new') });
  });
  test('with everywhere, also through aliases and named values', () => {
    const servers = [
      server('one', ['a.yaml'], VT, holding('b', { url: 'new', k: 'new' })),
      server('two', ['a.yaml']),
    ];
    const text = (value: string) =>
      lines(
        'version: 1',
        `values: { address: ${value} } # c`,
        'integrations:',
        '  vt: { options: { url: &u "${value:address}" } }',
        '  b: { options: { url: *u } }',
      );
    expect(taken(servers, { 'a.yaml': text('old') }).found).toEqual([
      'accept-shared 5:24',
      'accept-shared 4:28',
    ]);
    expect(taken(servers, { 'a.yaml': text('old') }, { everywhere: true })).toEqual({
      left: [],
      changed: { 'a.yaml': text('new') },
      found: ['accept-spreads'],
    });
  });
  test('and what else has another desired value then is said', () => {
    const servers = [
      server('one', ['a.yaml'], VT, holding('b', { url: 'old' })),
      server('two', ['a.yaml', 'two.yaml']),
    ];
    const texts = {
      'a.yaml': lines(
        'version: 1',
        'values: { address: old }',
        'integrations:',
        '  vt: { options: { url: "${value:address}" } }',
        '  b: { options: { url: "${value:address}" } }',
      ),
      'two.yaml': file('vt: { options: { url: theirs } }'),
    };
    const { diagnostics } = accepting(servers, texts, { named: ['vt.options.url.value'], everywhere: true });
    expect(diagnostics).toMatchObject([
      {
        code: 'accept-spreads',
        facts: { fields: ['one: b.options.url.value', 'two: b.options.url.value'] },
      },
    ]);
  });
  test.each([
    ['the same', 'new', file('vt: { options: { url: &u new } }', 'b: { options: { url: *u } }')],
    ['other things', 'newer', file('vt: { options: { url: &u new } }', 'b: { options: { url: newer } }')],
  ])('where all aliases of its anchor are taken back too, and hold %s', (_, held, after) => {
    const texts = { 'a.yaml': file('vt: { options: { url: &u old } }', 'b: { options: { url: *u } }') };
    expect(taken([server('one', ['a.yaml'], VT, holding('b', { url: held }))], texts)).toEqual({
      left: [],
      changed: { 'a.yaml': after },
      found: [],
    });
  });
  test('but not where an alias of a map around it is used for what is not installed', () => {
    const texts = {
      'a.yaml': file('vt: { options: &o { url: old } }', 'gone: { match: gone, expect: any, options: *o }'),
    };
    expect(taken([server('one', ['a.yaml'], VT)], texts)).toMatchObject({
      changed: {},
      found: ['accept-shared 3:28'],
    });
  });
  test('but not where fields disagree', () => {
    const servers = [
      server('one', ['base.yaml'], VT),
      server('two', ['base.yaml'], holding('vt', { url: 'newer' })),
    ];
    expect(taken(servers, { 'base.yaml': BASE }, { everywhere: true })).toEqual({
      left: ['vt.options.url.value', 'vt.options.url.value'],
      changed: {},
      found: ['accept-disagrees 5:12'],
    });
    expect(taken(servers, { 'base.yaml': BASE }).found).toEqual(['accept-shared 5:12', 'accept-shared 5:12']);
  });
});

describe('what is never written', () => {
  test.each<[string, Partial<LiveOption>, string]>([
    ['a password', { type: 'password', value: readable('s3cr3t-of-vt') }, 'secret'],
    ['text like a secret', { value: readable('Bearer abcdefghijklmnopqrstuvwx') }, 'secret'],
    [
      'a value that cannot be read',
      { type: 'password', value: { kind: 'unreadable', reason: 'masked' } },
      'unreadable',
    ],
    ['a number that is none', { type: 'number', value: { kind: 'empty' } }, 'form'],
    [
      'a choice that is none',
      {
        type: 'select',
        choices: [{ value: '5', display: '5' }],
        value: readable({ value: 'x', display: 'x' }),
      },
      'form',
    ],
  ])('%s', (_, option, reason) => {
    const live = [liveIntegration('vt', [liveOption('k', option)])];
    const { files, diagnostics } = accepting([{ name: 'one', layers: [['a.yaml']], live }], {
      'a.yaml': file('vt: { options: { k: 5 } }'),
    });
    expect(files).toEqual([]);
    expect(diagnostics).toMatchObject([
      { code: 'not-accepted', facts: { fields: ['vt.options.k.value'], reason } },
    ]);
  });
  test('what shows a secret to users, or what the policy refuses', () => {
    const options = [
      liveOption('k', { type: 'password', value: readable('s3cr3t-of-vt'), permission: 'lock-and-show' }),
      liveOption('l', { permission: 'lock-and-hide' }),
    ];
    const live = [liveIntegration('vt', options, { autosubscribe: true })];
    const one = { name: 'one', layers: [['a.yaml']], live };
    const text = file(
      'vt: { autosubscribe: false, options: { k: { permission: lock-and-hide }, l: { permission: user-provides } } }',
    );
    const told = accepting([one], { 'a.yaml': text });
    expect(told.texts['a.yaml']).toBe(
      text.replace('false', 'true').replace('user-provides', 'lock-and-hide'),
    );
    expect(told.diagnostics).toMatchObject([
      { code: 'not-accepted', facts: { fields: ['vt.options.k.permission'], reason: 'exposes-secret' } },
      { code: 'accept-risk', facts: { risk: 'overrides-users', addresses: ['vt.options.l.permission'] } },
      { code: 'accept-risk', facts: { risk: 'subscribes-everyone', addresses: ['vt.autosubscribe'] } },
    ]);
    const policy = { 'subscribes-everyone': 'error', 'overrides-users': 'error' } as const;
    const refused = accepting([{ ...one, policy }], { 'a.yaml': text });
    expect(refused.files).toEqual([]);
    expect(refused.diagnostics.map(({ facts }) => facts)).toMatchObject([
      { reason: 'exposes-secret' },
      { reason: 'policy' },
    ]);
  });
  test('is an error where it was named', () => {
    const live = [
      liveIntegration('vt', [liveOption('k', { value: readable('Bearer abcdefghijklmnopqrstuvwx') })]),
    ];
    const wish = { named: ['vt.options.k.value'] };
    const { diagnostics } = accepting(
      [{ name: 'one', layers: [['a.yaml']], live }],
      {
        'a.yaml': file('vt: { options: { k: 5 } }'),
      },
      wish,
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(['named-not-accepted']);
  });
  test('text under a key that is named like a secret', () => {
    const live = [holding('vt', { apiToken: 'AbC-1234' })];
    const { diagnostics } = accepting([{ name: 'one', layers: [['a.yaml']], live }], {
      'a.yaml': file('vt: { options: { apiToken: none } }'),
    });
    expect(diagnostics).toMatchObject([{ facts: { reason: 'likely-secret' } }]);
  });
  test('what is no secret is shown as it is written', () => {
    const before = file(
      'vt:',
      '  options:',
      '    url: "see #4: a, (b) or Cc!" # as agreed with them: 4th floor',
      '    note: "x # Y: z9!" # ask Bo',
      '    k: 1',
    );
    const live = [holding('vt', { url: 'see #4: a, (b) or Cc!', note: 'x # Y: z9!', k: '2' })];
    const { files } = accepting([{ name: 'one', layers: [['a.yaml']], live }], { 'a.yaml': before });
    const shown = files[0]?.diff.flatMap(({ kind, text }) => (kind === 'context' ? [text.trim()] : []));
    expect(shown).toEqual([
      'options:',
      'url: "see #4: a, (b) or Cc!" # as agreed with them: 4th floor',
      'note: "x # Y: z9!" # ask Bo',
    ]);
  });
  test('what stands beside an edit is not shown, if it may be a secret', () => {
    const before = file(
      'vt: { options: { apiKey: hunter2-hunter2, url: old } } # pass Hunter2x!',
      'zz: { options: { password: "Passw0rd!" } }',
    );
    const live = [holding('vt', { url: 'new', apiKey: 'hunter2-hunter2' })];
    const { files } = accepting([{ name: 'one', layers: [['a.yaml']], live }], {
      'a.yaml': before.replace(/ {2}zz.*\n/, ''),
    });
    const shown = files[0]?.diff.map(({ text }) => text).join('\n');
    expect(shown).toContain('url: new');
    expect(shown).not.toMatch(/unter2/);
  });
});

test('what the edited files are newly warned of is said once, at the places that the fields had', () => {
  const text = file(
    'vt:',
    '  options:',
    '    url:',
    '      value: old',
    '      permission: lock-and-hide',
    'w1: { match: "v*", autosubscribe: null }',
    'w2: { match: "v*", autosubscribe: null }',
  );
  const own = server(
    'one',
    ['a.yaml'],
    holding('vt', { url: 'new\nlines' }, { permission: 'user-provides' }),
  );
  const said = (...servers: AcceptingServer[]) =>
    accepting(servers, { 'a.yaml': text }, { everywhere: true }).diagnostics.map(brief);
  expect(said(own)).toEqual(['user-provides-value 6:16']);
  expect(said(own, server('two', ['a.yaml']))).toEqual(['user-provides-value 6:16', 'accept-spreads']);
});

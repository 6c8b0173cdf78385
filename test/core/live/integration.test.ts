import { describe, expect, test } from 'vitest';
import {
  decodeIntegrations,
  decodeOptionPage,
  decodeOptions,
  joinPages,
  type Page,
  type Reading,
} from '../../../src/core/live/integration.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { contentOf, secretSide } from '../../../src/core/model/side.ts';
import { MASKED, readable } from '../../support/live.ts';

function decode(
  body: unknown,
  reading: Reading = {},
): readonly LiveIntegration[] {
  const found = decodeIntegrations(body, reading);
  if (typeof found === 'string') throw new Error(found);
  return found.items;
}

const option = (id: string, attributes: object = {}) => ({
  id,
  type: 'integration-options',
  attributes: {
    value: 'v',
    'admin-only': true,
    'user-can-edit': false,
    ...attributes,
  },
});
const link = (id: string) => ({ id, type: 'integration-options' });
const integration = (
  id: string,
  options: readonly object[],
  attributes: object = { status: 'running' },
) => ({
  id,
  type: 'integrations',
  attributes,
  relationships: {
    'integration-errors': { data: [{ id: 'e', type: 'integration-errors' }] },
    'integration-options': { data: options },
  },
});

/** The only option of an integration as it is decoded. */
function only(attributes: object, reading: Reading = {}, key = 'o') {
  const data = [integration('vt', [{ id: `vt-${key}`, attributes }])];
  return decode({ data }, reading)[0]?.options.get(key);
}

/** Keys and values of the options of each integration. */
function values(
  integrations: readonly LiveIntegration[],
): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    integrations.map(({ id, options }) => [
      id,
      Object.fromEntries(
        [...options].map(([key, { value }]) => [
          key,
          contentOf(value) ?? value.kind,
        ]),
      ),
    ]),
  );
}

function keysOf(found: ReturnType<typeof decodeOptions>): Iterable<string> {
  if (typeof found === 'string') throw new Error(found);
  return found.optionKeys;
}

describe('values are read', () => {
  const [inline, url] = [[option('vt-url')], [link('vt-url')]];
  const found = (data: unknown, included: object[] = []) =>
    values(decode({ data, included }));
  test('where they are: included, or inline, of a list or one resource', () => {
    const read = { vt: { url: 'v' } };
    expect(found([integration('vt', url)], inline)).toEqual(read);
    expect(found([integration('vt', inline)])).toEqual(read);
    expect(found(integration('vt', inline))).toEqual(read);
    const camelCase = { value: 'v', adminOnly: true };
    const own = [{ id: 'vt-url', attributes: camelCase }];
    expect(found([integration('vt', own)])).toEqual(read);
  });
  test('nowhere: only the keys are known', () => {
    const [live] = decode({ data: [integration('vt', url)] });
    expect(live).toMatchObject({
      optionKeys: new Set(['url']),
      errorCount: 1,
      status: 'running',
    });
    expect(live?.options.size).toBe(0);
  });
  test('in any order, also with others in between', () => {
    const data = [integration('vt', [link('vt-a'), link('vt-b')])];
    for (const ids of ['vt-a vt-b', 'vt-b vt-a', 'x vt-a y vt-b']) {
      const all = ids.split(' ').map((id) => option(id, { value: id }));
      expect(found(data, all)).toEqual({ vt: { a: 'vt-a', b: 'vt-b' } });
    }
  });
});

test('all that the service says of an integration and its options is kept', () => {
  const attributes = {
    name: 'V',
    acronym: 'VT',
    description: 'd',
    status: 'stopped',
    autosubscribe: true,
  };
  const mode = { display: 'Fast', value: 'fast' };
  const select = {
    type: 'select',
    value: [mode],
    options: [mode],
    multiple: true,
  };
  const modes = option('vt-modes', {
    ...select,
    name: 'Modes',
    description: 'how',
  });
  const flags = {
    adminOnly: false,
    userCanEdit: true,
    'admin-only': undefined,
    'user-can-edit': undefined,
  };
  const on = option('vt-on', { type: 'boolean', value: true, ...flags });
  const body = {
    data: integration('vt', [link('vt-on'), link('vt-modes')], attributes),
    included: [modes, on],
  };
  const options = [
    {
      key: 'modes',
      title: 'Modes',
      description: 'how',
      type: 'select',
      permission: 'lock-and-hide',
      choices: [mode],
      multiple: true,
      value: readable([mode]),
    },
    {
      key: 'on',
      type: 'boolean',
      permission: 'user-provides',
      choices: [],
      value: readable(true),
    },
  ];
  const [live] = decode(body);
  expect(live).toEqual({
    id: 'vt',
    ...attributes,
    errorCount: 1,
    optionKeys: new Set(['modes', 'on']),
    options: new Map(options.map((each) => [each.key, each])),
  });
});

test('an option whose id is not composed of the id and its key is ignored', () => {
  const options = [link('vt-url'), link('vt_a-url'), link('other-vt-url')];
  const [live] = decode({ data: [integration('vt', options)] });
  expect(live?.optionKeys).toEqual(new Set(['url']));
});

test('a page of options has their resources, and is all there is if it says nothing of pages', () => {
  const data = [option('vt-a'), null];
  const items = [option('vt-a'), { id: 'undefined' }];
  const number = undefined;
  expect(decodeOptionPage({ data })).toEqual({ items, number, total: 2 });
  const page = { number: 1, total: 9 };
  const counted = decodeOptionPage({ data, meta: { page } });
  expect(counted).toEqual({ items, ...page });
  const uncounted = { page: { number: 1 } };
  expect(decodeOptionPage({ data, meta: uncounted }).total).toBeUndefined();
});

test('of options that nobody wants only the key is kept', () => {
  const data = [integration('vt', [option('vt-url'), option('vt-other')])];
  const [live] = decode({ data }, { wanted: new Set(['url']) });
  expect([...(live?.options.keys() ?? [])]).toEqual(['url']);
  expect(live?.optionKeys).toEqual(new Set(['other', 'url']));
});

describe('dashes in ids and keys', () => {
  const both = [
    integration('a', [link('a-b-c'), link('a-x')]),
    integration('a-b', [link('a-b-c')]),
  ];
  test('a link belongs to the integration that holds it', () => {
    expect(decode({ data: both }).map(({ optionKeys }) => optionKeys)).toEqual([
      new Set(['b-c', 'x']),
      new Set(['c']),
    ]);
  });
  test('a served key tells two options of one id apart', () => {
    const included = [
      option('a-b-c', { key: 'c', value: 'of a-b' }),
      option('a-x', { key: 'x' }),
    ];
    expect(values(decode({ data: both, included }))).toEqual({
      a: { x: 'v' },
      'a-b': { c: 'of a-b' },
    });
  });
  test('options of another integration are left out of an answer', () => {
    const data = [
      option('a-b-c', { key: 'c' }),
      option('a-b-c', { key: 'b-c', value: 'mine' }),
      option('other-x'),
    ];
    expect([...keysOf(decodeOptions('a', data))]).toEqual(['b-c']);
  });
});

describe('the value', () => {
  const side = (type: string | undefined, ...value: readonly unknown[]) => {
    const attributes = { type, value: value[0] };
    return only(attributes, {}, 'apiKey')?.value;
  };
  const hidden = (reason: string) => ({ kind: 'hidden', reason });
  test('of a password is masked, in clear, not set, or of another form', () => {
    expect(side('password', '********')).toEqual(MASKED);
    const clear = side('password', 'hunter2');
    expect(clear).toEqual(secretSide('hunter2'));
    expect(clear && contentOf(clear)).toBe('hunter2');
    expect(side('password', null)).toEqual({ kind: 'unset' });
    expect(side('password', { masked: true })).toEqual(hidden('form'));
    // The key says secret, and no type is served.
    expect(side(undefined, '********')).toEqual(MASKED);
  });
  test('of others is not set or not sent; choices may come by value', () => {
    expect(side('text', null)).toEqual({ kind: 'unset' });
    expect(side('text')).toEqual(hidden('absent'));
    const choices = readable([{ display: 'f', value: 'f' }]);
    expect(side('select', ['f'])).toEqual(choices);
  });
});

describe('what cannot be read is never taken for what is not there', () => {
  const fast = { value: 'fast', display: 'Fast' };
  test.each([
    ['a list with a member that is no choice', [fast, { display: 'no value' }]],
    ['a list with nothing as a member', [fast, null]],
    ['an object without a value', { masked: true }],
    ['a list of lists', [[fast]]],
  ])('%s', (_, value) => {
    expect(only({ type: 'select', value })?.value).toEqual({
      kind: 'hidden',
      reason: 'form',
    });
  });
  test('choices are all known or none: of a part, the others would be refused', () => {
    const listed = (...options: readonly object[]) =>
      only({ type: 'select', value: fast, options })?.choices;
    expect(listed(fast, {})).toEqual([]);
    expect(listed(fast)).toEqual([fast]);
  });
  test('a document that holds what is no resource is refused', () => {
    const nameless = [{ type: 'integration-options' }];
    for (const data of [[null], [integration('vt', nameless)]])
      expect(decodeIntegrations({ data })).toEqual(
        expect.stringContaining('no resource'),
      );
  });
});

test('an id or a name that globs would take long to match is refused', () => {
  const long = 'x'.repeat(257);
  for (const data of [
    integration(long, []),
    integration('vt', [], { name: long }),
    integration('vt', [], { acronym: long }),
  ])
    expect(decodeIntegrations({ data })).toEqual(
      expect.stringContaining('256 characters'),
    );
  expect(decode({ data: integration('x'.repeat(256), []) })).toHaveLength(1);
});

const page = (ids: string, meta: Omit<Page, 'items'> = {}): Page => ({
  items: [...ids].map((id) => ({ id })),
  ...meta,
});

describe('pages are a whole list', () => {
  const ofThree = (ids: string) => page(ids, { total: 3 });
  test('with all of their total, which may be none', () => {
    expect(joinPages([ofThree('ab'), ofThree('c')])).toHaveLength(3);
    expect(joinPages([page('', { total: 0 })])).toHaveLength(0);
  });
  test('but not if one is missing or came twice, or the total moved', () => {
    expect(joinPages([ofThree('ab'), ofThree('')])).toBe(
      '2 came, but the total is 3',
    );
    expect(joinPages([ofThree('ab'), ofThree('b')])).toBe(
      '1 of the listed ones came twice',
    );
    expect(joinPages([ofThree('ab'), page('c', { total: 4 })])).toBe(
      'the total changed between two pages',
    );
  });
  test('nor if no page says how many there are', () => {
    const unsaid = 'it does not say how many there are';
    expect([joinPages([]), joinPages([page('ab')])]).toEqual([unsaid, unsaid]);
  });
});

describe('how a server writes is kept, to be written alike', () => {
  test('a select that comes without its display', () => {
    const isBare = (value: unknown, type?: string) =>
      only({ value, type })?.isBare;
    const fast = { display: 'Fast', value: 'fast' };
    expect(isBare('fast', 'select')).toBe(true);
    expect(isBare(['fast'])).toBe(true);
    expect(isBare(['fast'], 'select')).toBe(true);
    for (const value of [fast, [fast], [], '', null])
      expect(isBare(value, 'select')).toBeUndefined();
    expect(isBare('fast')).toBeUndefined();
    expect(isBare('fast', 'text')).toBeUndefined();
  });
  test('the singular of the type of an option', () => {
    const isSingular = (type: string) => {
      const found = decodeOptions('vt', [{ ...option('vt-o'), type }]);
      if (typeof found === 'string') throw new Error(found);
      return found.options.get('o')?.isSingular;
    };
    expect(isSingular('integration-option')).toBe(true);
    expect(isSingular('integration-options')).toBeUndefined();
  });
});

test('an empty secret is hidden only on a server that hides all', () => {
  const sideOf = (value: unknown, type: string, hidesSecrets?: boolean) =>
    only({ value, type }, { hidesSecrets })?.value;
  const empty = { kind: 'hidden', reason: 'empty' };
  for (const value of ['', null]) {
    expect(sideOf(value, 'password', true)).toEqual(empty);
    expect(sideOf(value, 'password')).toEqual({ kind: 'unset' });
  }
  expect(sideOf(null, 'text', true)).toEqual({ kind: 'unset' });
  expect(sideOf('', 'text', true)).toEqual(readable(''));
  const absent = { kind: 'hidden', reason: 'absent' };
  expect(sideOf(undefined, 'password', true)).toEqual(absent);
  expect(sideOf(1, 'password')).toEqual(secretSide(1));
});

test('neighbours that list the same keys share one ordered set of them', () => {
  const of = (id: string, ...keys: string[]) =>
    integration(
      id,
      keys.map((key) => link(`${id}-${key}`)),
    );
  const found = decode({
    data: [
      of('a', 'y', 'x'),
      of('b', 'y', 'x'),
      of('c', 'y'),
      of('d', 'y', 'z'),
    ],
  });
  const [a, b, c, d] = found.map(({ optionKeys }) => optionKeys);
  expect(a).toBe(b);
  expect([a, c, d].map((keys) => [...(keys ?? [])])).toEqual([
    ['x', 'y'],
    ['y'],
    ['y', 'z'],
  ]);
});

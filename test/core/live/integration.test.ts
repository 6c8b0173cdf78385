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
import {
  contentOf,
  type LiveSide,
  secretSide,
} from '../../../src/core/model/side.ts';
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

describe('where the values are', () => {
  test.each([
    [
      'included',
      {
        data: [integration('vt', [link('vt-url')])],
        included: [option('vt-url')],
      },
    ],
    [
      'inline in the relationship',
      { data: [integration('vt', [option('vt-url')])] },
    ],
    [
      'one resource instead of a list',
      { data: integration('vt', [option('vt-url')]) },
    ],
    [
      'attributes in camelCase',
      {
        data: [
          integration('vt', [
            { id: 'vt-url', attributes: { value: 'v', adminOnly: true } },
          ]),
        ],
      },
    ],
  ])('%s', (_, body) => {
    expect(values(decode(body))).toEqual({ vt: { url: 'v' } });
  });
  test('nowhere: only the keys are known', () => {
    const [live] = decode({ data: [integration('vt', [link('vt-url')])] });
    expect(live).toMatchObject({
      optionKeys: new Set(['url']),
      errorCount: 1,
      status: 'running',
    });
    expect(live?.options.size).toBe(0);
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
    default: 'slow',
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
  const body = {
    data: integration('vt', [link('vt-on'), link('vt-modes')], attributes),
    included: [
      modes,
      option('vt-on', { type: 'boolean', value: true, ...flags }),
    ],
  };
  const shown = {
    title: 'Modes',
    description: 'how',
    permission: 'lock-and-hide',
  };
  const options = {
    on: {
      key: 'on',
      type: 'boolean',
      choices: [],
      permission: 'user-provides',
      value: readable(true),
    },
    modes: {
      ...shown,
      key: 'modes',
      type: 'select',
      choices: [mode],
      multiple: true,
      value: readable([mode]),
    },
  };
  const all = {
    id: 'vt',
    ...attributes,
    errorCount: 1,
    optionKeys: new Set(['modes', 'on']),
  };
  expect(decode(body)).toEqual([
    { ...all, options: new Map(Object.entries(options)) },
  ]);
});

test('an option whose id is not composed of the id and its key is ignored', () => {
  const options = [link('vt-url'), link('vt_a-url'), link('other-vt-url')];
  const [live] = decode({ data: [integration('vt', options)] });
  expect(live?.optionKeys).toEqual(new Set(['url']));
});

test('a page of options has their resources, and is all there is if it says nothing of pages', () => {
  const data = [option('vt-a'), null];
  const items = [option('vt-a'), { id: 'undefined' }];
  expect(decodeOptionPage({ data })).toEqual({
    items,
    number: undefined,
    total: 2,
  });
  const meta = { page: { number: 1, total: 9 } };
  expect(decodeOptionPage({ data, meta })).toEqual({
    items,
    number: 1,
    total: 9,
  });
  expect(
    decodeOptionPage({ data, meta: { page: { number: 1 } } }).total,
  ).toBeUndefined();
});

test('of options that nobody wants only the key is kept', () => {
  const data = [integration('vt', [option('vt-url'), option('vt-other')])];
  const [live] = decode({ data }, { wanted: new Set(['url']) });
  expect([...(live?.options.keys() ?? [])]).toEqual(['url']);
  expect(live?.optionKeys).toEqual(new Set(['other', 'url']));
});

test.each([
  ['the order of the links', ['vt-a', 'vt-b']],
  ['another order', ['vt-b', 'vt-a']],
  ['an order with others in between', ['x', 'vt-a', 'y', 'vt-b']],
])('included options are found in %s', (_, included) => {
  const data = [integration('vt', [link('vt-a'), link('vt-b')])];
  const all = included.map((id) => option(id, { value: id }));
  expect(values(decode({ data, included: all }))).toEqual({
    vt: { a: 'vt-a', b: 'vt-b' },
  });
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
    const body = {
      data: both,
      included: [
        option('a-b-c', { key: 'c', value: 'of a-b' }),
        option('a-x', { key: 'x' }),
      ],
    };
    expect(values(decode(body))).toEqual({
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

describe('values', () => {
  const secret = secretSide('hunter2');
  const choice = { display: 'F', value: 'f' };
  test.each<[string, object, LiveSide]>([
    ['a mask', { type: 'password', value: '********' }, MASKED],
    [
      'null of a password',
      { type: 'password', value: null },
      { kind: 'unset' },
    ],
    ['a password in clear', { type: 'password', value: 'hunter2' }, secret],
    ['null of a text', { type: 'text', value: null }, { kind: 'unset' }],
    [
      'a mask where the key says secret and no type is served',
      { value: '********' },
      MASKED,
    ],
    [
      'a text that is not sent',
      { type: 'text' },
      { kind: 'hidden', reason: 'absent' },
    ],
    [
      'a password of another form',
      { type: 'password', value: { masked: true } },
      { kind: 'hidden', reason: 'form' },
    ],
    [
      'choices by value',
      { type: 'select', value: ['f'] },
      readable([{ ...choice, display: 'f' }]),
    ],
  ])('%s', (_, attributes, expected) => {
    const side = only(attributes, {}, 'apiKey')?.value;
    expect(side).toEqual(expected);
    expect(side && contentOf(side)).toEqual(contentOf(expected));
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
    expect(
      only({ type: 'select', value: fast, options: [fast, {}] })?.choices,
    ).toEqual([]);
    expect(
      only({ type: 'select', value: fast, options: [fast] })?.choices,
    ).toEqual([fast]);
  });
  test.each([
    ['data', { data: [null] }],
    [
      'a relationship to options',
      { data: [integration('vt', [{ type: 'integration-options' }])] },
    ],
  ])('a document whose %s holds what is no resource is refused', (_, body) => {
    expect(decodeIntegrations(body)).toEqual(
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
  test.each([
    ['with all of its total', [ofThree('ab'), ofThree('c')], 3],
    ['with a total of none', [page('', { total: 0 })], 0],
  ])('%s', (_, pages, count) => {
    expect(joinPages(pages)).toHaveLength(count);
  });
  test.each([
    [
      'one is missing',
      [ofThree('ab'), ofThree('')],
      '2 came, but the total is 3',
    ],
    [
      'one came twice',
      [ofThree('ab'), ofThree('b')],
      '1 of the listed ones came twice',
    ],
    [
      'the total moved',
      [ofThree('ab'), page('c', { total: 4 })],
      'the total changed between two pages',
    ],
    ['no page', [], 'it does not say how many there are'],
    [
      'a page that may not be the last',
      [page('ab')],
      'it does not say how many there are',
    ],
  ])('but not if %s', (_, pages, problem) => {
    expect(joinPages(pages)).toBe(problem);
  });
});

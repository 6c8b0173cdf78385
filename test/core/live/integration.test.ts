import { describe, expect, test } from 'vitest';
import { decodeIntegrations, decodeOptions } from '../../../src/core/live/integration.ts';
import { joinPages, remainingPages } from '../../../src/core/live/pages.ts';
import { decodeDocument, type ResourceDocument } from '../../../src/core/live/resource.ts';
import type { LiveIntegration } from '../../../src/core/model/live.ts';
import { isHidden, reveal } from '../../../src/core/model/secret.ts';

function document(body: unknown): ResourceDocument {
  const found = decodeDocument(body);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

const option = (id: string, attributes: object = {}) => ({
  id,
  type: 'integration-options',
  attributes: { value: 'v', 'admin-only': true, 'user-can-edit': false, ...attributes },
});
const link = (id: string) => ({ id, type: 'integration-options' });
const integration = (id: string, options: readonly object[], attributes: object = { status: 'running' }) => ({
  id,
  type: 'integrations',
  attributes,
  relationships: {
    'integration-errors': { data: [{ id: 'e', type: 'integration-errors' }] },
    'integration-options': { data: options },
  },
});

/** Keys and values of the options of each integration. */
function values(integrations: readonly LiveIntegration[]): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    integrations.map(({ id, options }) => [
      id,
      Object.fromEntries(
        [...options].map(([key, { value }]) => [key, value.kind === 'readable' ? value.value : value.kind]),
      ),
    ]),
  );
}

describe('where the values are', () => {
  test.each([
    ['included', { data: [integration('vt', [link('vt-url')])], included: [option('vt-url')] }],
    ['inline in the relationship', { data: [integration('vt', [option('vt-url')])] }],
    ['included without links', { data: [integration('vt', [])], included: [option('vt-url')] }],
    [
      'included, named by a relationship',
      {
        data: [integration('vt', [])],
        included: [{ ...option('vt-url'), relationships: { integration: { data: { id: 'vt' } } } }],
      },
    ],
    [
      'an attribute',
      { data: [integration('vt', [], { options: [{ key: 'url', value: 'v', 'admin-only': true }] })] },
    ],
    ['one resource instead of a list', { data: integration('vt', [option('vt-url')]) }],
    [
      'attributes in camelCase',
      { data: [integration('vt', [{ id: 'vt-url', attributes: { value: 'v', adminOnly: true } }])] },
    ],
  ])('%s', (_, body) => {
    expect(values(decodeIntegrations(document(body)))).toEqual({ vt: { url: 'v' } });
  });
  test('nowhere: only the keys are known', () => {
    const [live] = decodeIntegrations(document({ data: [integration('vt', [link('vt-url')])] }));
    expect(live).toMatchObject({ optionKeys: new Set(['url']), errorCount: 1, status: 'running' });
    expect(live?.options.size).toBe(0);
  });
});

describe('of options that nobody wants', () => {
  const only = (key: string) => (other: string) => other === key;
  const listed = (options: readonly object[], isWanted = only('url')) =>
    decodeIntegrations(document({ data: [integration('vt', options)] }), isWanted);
  test('only the key is kept, and what they show in common', () => {
    const [live] = listed([option('vt-url'), option('vt-other', { type: 'text' })]);
    expect([...(live?.options.keys() ?? [])]).toEqual(['url']);
    expect(live?.optionKeys).toEqual(new Set(['other', 'url']));
    expect(live?.traits).toEqual(
      new Set(['options', 'values', 'flags', 'hidden-options', 'integration-options']),
    );
  });
});

describe('of two included options with one id', () => {
  test.each([
    ['at once', ['url=x', 'url=v1', 'z=1']],
    ['before another', ['z=1', 'url=x', 'url=v1']],
    ['around another', ['url=x', 'z=1', 'url=v1']],
  ])('the last counts: %s', (_, included) => {
    const all = included.map((each) => {
      const [key, value] = each.split('=');
      return option(`vt-${key}`, { value });
    });
    const data = [integration('vt', [link('vt-url'), link('vt-z')])];
    expect(values(decodeIntegrations(document({ data, included: all })))).toEqual({
      vt: { url: 'v1', z: '1' },
    });
  });
});

describe('dashes in ids and keys', () => {
  const both = [integration('a', [link('a-b-c'), link('a-x')]), integration('a-b', [link('a-b-c')])];
  test('a link belongs to the integration that holds it', () => {
    expect(decodeIntegrations(document({ data: both })).map(({ optionKeys }) => optionKeys)).toEqual([
      new Set(['b-c', 'x']),
      new Set(['c']),
    ]);
  });
  test('a served key tells two options of one id apart', () => {
    const body = {
      data: both,
      included: [option('a-b-c', { key: 'c', value: 'of a-b' }), option('a-x', { key: 'x' })],
    };
    expect(values(decodeIntegrations(document(body)))).toEqual({ a: { x: 'v' }, 'a-b': { c: 'of a-b' } });
  });
  test('options of another integration are left out of an answer', () => {
    const data = [
      option('a-b-c', { key: 'c' }),
      option('a-b-c', { key: 'b-c', value: 'mine' }),
      option('other-x'),
    ];
    expect([...decodeOptions('a', document({ data }).data).optionKeys]).toEqual(['b-c']);
  });
  test('an included option that two integrations could own is given to none', () => {
    const data = [integration('a', []), integration('a-b', [])];
    expect(values(decodeIntegrations(document({ data, included: [option('a-b-c')] })))).toEqual({
      a: {},
      'a-b': {},
    });
  });
});

describe('values', () => {
  test.each([
    ['a mask', { type: 'password', value: '********' }, { kind: 'unreadable', reason: 'masked' }],
    ['a partial mask', { type: 'password', value: 'sk****EA' }, { kind: 'unreadable', reason: 'masked' }],
    ['bullets', { type: 'password', value: '••••••' }, { kind: 'unreadable', reason: 'masked' }],
    ['a placeholder', { type: 'password', value: '[REDACTED]' }, { kind: 'unreadable', reason: 'masked' }],
    ['null of a password', { type: 'password', value: null }, { kind: 'empty' }],
    [
      'a password in clear',
      { type: 'password', value: 'hunter2' },
      { kind: 'readable', value: 'hunter2', isHidden: true },
    ],
    ['stars of a text', { type: 'text', value: '***' }, { kind: 'readable', value: '***' }],
    ['null of a text', { type: 'text', value: null }, { kind: 'empty' }],
    [
      'a mask where the key says secret and no type is served',
      { value: '********' },
      { kind: 'unreadable', reason: 'masked' },
    ],
    [
      'a choice',
      { type: 'select', value: { display: 'F', value: 'f' } },
      { kind: 'readable', value: { display: 'F', value: 'f' } },
    ],
    [
      'choices by value',
      { type: 'select', value: ['f'] },
      { kind: 'readable', value: [{ display: 'f', value: 'f' }] },
    ],
  ])('%s', (_, attributes, expected) => {
    const [live] = decodeIntegrations(
      document({ data: [integration('vt', [{ id: 'vt-apiKey', attributes }])] }),
    );
    const value = live?.options.get('apiKey')?.value;
    const { isHidden: isSecret = false, ...open } = { isHidden: false, ...expected };
    expect(value?.kind === 'readable' && isHidden(value.value)).toBe(isSecret);
    expect(value?.kind === 'readable' ? { ...value, value: reveal(value.value) } : value).toEqual(open);
  });
  test('a value that is not sent', () => {
    const [live] = decodeIntegrations(
      document({
        data: [
          integration('vt', [
            { id: 'vt-apiKey', attributes: { type: 'password', 'admin-only': true, 'user-can-edit': true } },
          ]),
        ],
      }),
    );
    expect(live?.options.get('apiKey')).toMatchObject({
      value: { kind: 'unreadable', reason: 'absent' },
      permission: 'invalid',
    });
  });
});

describe('pages', () => {
  const pageOf = (ids: readonly string[], meta: object) =>
    document({ data: ids.map((id) => ({ id, type: 'integrations' })), meta: { page: meta } });
  test.each([
    ['one page', ['a', 'b'], { number: 1, size: 100, total: 2 }, []],
    ['three pages', ['a', 'b'], { number: 1, size: 2, total: 5 }, [2, 3]],
    ['a service that counts from 0', ['a', 'b'], { number: 0, size: 2, total: 5 }, [1, 2]],
    ['a page smaller than asked for', ['a', 'b'], { number: 1, size: 100, total: 5 }, [2, 3]],
    ['nothing', [], { number: 1, size: 100, total: 0 }, []],
    ['billions', ['a'], { number: 1, total: 4e9 }, 'the total is 4000000000, and at most 1000000 are read'],
  ])('%s', (_, ids, meta, expected) => {
    expect(remainingPages(pageOf(ids, meta))).toEqual(expected);
  });
  test.each([
    ['complete', [['a', 'b'], ['c']], [3, 3], 3],
    ['one is missing', [['a', 'b'], []], [3, 3], '2 came, but the total is 3'],
    ['one came twice', [['a', 'b'], ['b']], [3, 3], '1 of the listed ones came twice'],
    ['the total moved', [['a', 'b'], ['c']], [3, 4], 'the total changed between two pages'],
  ])('%s', (_, pages, totals, expected) => {
    const joined = joinPages(pages.map((ids, index) => pageOf(ids, { total: totals[index] })));
    expect(typeof joined === 'string' ? joined : joined.length).toBe(expected);
  });
});

describe('what cannot be read is never taken for what is not there', () => {
  const only = (attributes: object) =>
    decodeIntegrations(document({ data: [integration('vt', [option('vt-o', attributes)])] }))[0]?.options.get(
      'o',
    );
  const fast = { value: 'fast', display: 'Fast' };
  test.each([
    ['a list with a member that is no choice', [fast, { display: 'no value' }]],
    ['a list with nothing as a member', [fast, null]],
    ['an object without a value', { masked: true }],
    ['a list of lists', [[fast]]],
  ])('%s', (_, value) => {
    expect(only({ type: 'select', value })?.value).toEqual({ kind: 'unreadable', reason: 'form' });
  });
  test('an empty list is one', () => {
    expect(only({ type: 'select', value: [] })?.value).toEqual({ kind: 'readable', value: [] });
  });
  test('choices are all known or none: of a part, the others would be refused', () => {
    expect(only({ type: 'select', value: fast, options: [fast, {}] })?.choices).toEqual([]);
    expect(only({ type: 'select', value: fast, options: [fast] })?.choices).toEqual([fast]);
  });
  test.each([
    ['data', { data: [null] }],
    ['included', { data: [], included: [{ type: 'integration-options' }] }],
    ['a relationship to options', { data: [integration('vt', [{ type: 'integration-options' }])] }],
  ])('a document whose %s holds what is no resource is refused', (_, body) => {
    expect(decodeDocument(body)).toEqual(expect.stringContaining('no resource'));
  });
});

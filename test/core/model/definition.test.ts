import { describe, expect, test } from 'vitest';
import { decodeDefinition } from '../../../src/core/model/definition.ts';
import { baseOfId } from '../../../src/core/model/ids.ts';
import { defined } from '../../support/catalog.ts';
import { readable } from '../../support/live.ts';

const file = (...options: object[]) => ({
  name: 'Look Up',
  acronym: 'LU',
  description: 'Looks.',
  options,
});

describe('a configuration file', () => {
  test('is decoded as a fresh installation', () => {
    const a = { value: 'a', display: 'A' };
    const url = { key: 'url', description: 'Where.', type: 'text' };
    const mode = { key: 'mode', type: 'select', multiple: false };
    const both = { key: 'both', type: 'text' };
    const raw = file(
      {
        ...url,
        name: 'URL',
        default: 'x',
        userCanEdit: false,
        adminOnly: true,
      },
      { ...mode, default: a, options: [a] },
      { ...both, userCanEdit: true, adminOnly: true },
    );
    const { options, ...integration } = defined('look-up', raw);
    expect(integration).toMatchObject({
      ...{ id: 'look_up_node_18_0000000000', name: 'Look Up' },
      ...{ acronym: 'LU', description: 'Looks.' },
    });
    expect(integration.status).toBeUndefined();
    const absent = { kind: 'hidden', reason: 'absent' };
    expect([...options.values()]).toEqual([
      {
        ...{ ...url, title: 'URL', value: readable('x') },
        ...{ permission: 'lock-and-hide', choices: [] },
      },
      {
        ...mode,
        value: readable(a),
        permission: 'unknown',
        choices: [a],
      },
      { ...both, value: absent, permission: 'invalid', choices: [] },
    ]);
  });
  test.each([
    ['no object', []],
    ['options that are no list', { name: 'A', options: {} }],
    ['an option without a key', file({ type: 'text' })],
    ['an option that is no object', { name: 'A', options: ['url'] }],
    [
      'an option twice',
      file({ key: 'a', type: 'text' }, { key: 'a', type: 'text' }),
    ],
  ])('%s is refused', (_, raw) => {
    expect(decodeDefinition('a', raw)).toHaveProperty('problem');
  });
  test.each([
    ['a text', 'number', 'five'],
    ['a list', 'boolean', []],
    ['a list with an item that is no choice', 'select', ['a', null]],
  ])('%s as the default of a %s is no value', (_, type, initial) => {
    const option = defined(
      'a',
      file({ key: 'k', type, default: initial }),
    ).options.get('k');
    expect(option).toMatchObject({
      value: { kind: 'hidden', reason: 'absent' },
    });
  });
  test('a default of plain texts has the displays of its choices', () => {
    const options = [{ value: 'a', display: 'First' }];
    const integration = defined(
      'a',
      file({ key: 'k', type: 'select', options, default: ['a', 'b'] }),
    );
    expect(integration.options.get('k')).toMatchObject({
      value: readable([...options, { value: 'b', display: 'b' }]),
      multiple: true,
    });
  });
});

test.each([
  ['virustotal_node_18_1725278818', 'virustotal'],
  ['abuseipdb_3_3_4_node_18_71ff23754e_1725342515', 'abuseipdb'],
  ['jira_v2_1_0_2_node_18_1725342515', 'jira'],
  ['office_365_node_18_1725342515', 'office_365'],
  ['x_force_exchange', 'x_force_exchange'],
  [defined('x-force.exchange', { name: 'X' }).id, 'x_force_exchange'],
])('the base of %s is %s', (id, base) => {
  expect(baseOfId(id)).toBe(base);
});

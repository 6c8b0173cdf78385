import { beforeAll, expect, test } from 'vitest';
import { at, listAt } from '../../support/at.ts';
import { type Reply, useSandbox } from '../../support/sandbox.ts';
import {
  DNS,
  patchOptions,
  THREAT,
  VAULT,
} from '../../support/sandbox-requests.ts';

const sandbox = useSandbox({ raiseErrors: true });
const replies: Reply[] = [];
const option = (key: string) =>
  listAt(replies[0]?.body, 'included').find(
    (each) => at(each, 'attributes', 'key') === key,
  );

beforeAll(async () => {
  await patchOptions(sandbox(), THREAT, { apiKey: { value: 'first' } });
  replies.push(await sandbox().send('GET', `/api/integrations/${THREAT}`));
});

test('2.2 an integration: its attributes, its link, and relationships to its errors and options', async () => {
  expect(at(replies[0]?.body, 'data')).toEqual({
    type: 'integrations',
    id: THREAT,
    attributes: {
      name: 'Threat Lookup',
      acronym: 'TLU',
      description: expect.any(String),
      ...{ status: 'running', autosubscribe: false },
    },
    links: { self: `/api/integrations/${THREAT}` },
    relationships: {
      'integration-errors': {
        data: [{ type: 'integration-errors', id: expect.any(String) }],
        links: {
          self: `/api/integration-errors?filter[integration.id]=${THREAT}`,
        },
      },
      'integration-options': {
        data: ['apiKey', 'url', 'timeout', 'verifyTls', 'mode', 'types'].map(
          (key) => ({ type: 'integration-options', id: `${THREAT}-${key}` }),
        ),
        links: {
          self: `/api/integration-options?filter[integration.id]=${THREAT}`,
        },
      },
    },
  });
  const { body } = await sandbox().send('GET', `/api/integrations/${DNS}`);
  expect(
    at(body, 'data', 'relationships', 'integration-errors', 'data'),
  ).toEqual([]);
});

test('2.3 an integration error', async () => {
  const error = at(
    (await sandbox().send('GET', '/api/integrations/errors')).body,
    'data',
    0,
  );
  expect(error).toMatchObject({
    type: 'integration-errors',
    links: { self: `/api/integration/${THREAT}/errors/${at(error, 'id')}` },
    relationships: {
      integration: { data: { type: 'integrations', id: THREAT } },
    },
    attributes: {
      ...{ 'error-count': 1, 'integration-id': THREAT, status: 401 },
      ...{ 'occurred-on': '2026-01-15 12:00:00.000000Z' },
      meta: { affected_users: { 1: { id: '1', username: 'admin' } } },
    },
  });
});

const FAST = { display: 'Fast: what is already known', value: 'fast' };

test.each([
  ['apiKey', 'password', 'first', true, false],
  ['url', 'text', 'https://reputation.example.com/v3', false, false],
  ['timeout', 'number', 10, true, false],
  ['verifyTls', 'boolean', true, false, false],
  ['mode', 'select', FAST, false, true],
])('2.4 %s: id, type, value and flags', (key, type, value, hidden, own) => {
  const flags = { 'admin-only': hidden, 'user-can-edit': own };
  expect(option(key)).toMatchObject({
    type: 'integration-options',
    id: `${THREAT}-${key}`,
    attributes: { key, type, value, ...flags },
  });
});

test('2.4 a select lists its choices, and a multi-select has a list as its value', () =>
  expect(at(option('types'), 'attributes')).toMatchObject({
    multiple: true,
    value: [{ value: 'ip' }, { value: 'domain' }],
    options: ['ip', 'domain', 'url', 'hash'].map((value) => ({ value })),
  }));

test('2.4 a file with the invalid pair is served as it is', async () => {
  const { body } = await sandbox().send('GET', `/api/integrations/${VAULT}`);
  const invalid = { 'admin-only': true, 'user-can-edit': true };
  expect(at(body, 'included', 0, 'attributes')).toMatchObject(invalid);
});

import { beforeAll, describe, expect, test } from 'vitest';
import { at, listAt, recordAt } from '../../support/at.ts';
import { type Reply, useSandbox } from '../../support/sandbox.ts';
import { DNS, patchOptions, THREAT, VAULT } from '../../support/sandbox-requests.ts';

const sandbox = useSandbox({ raiseErrors: true });
const replies: Reply[] = [];
const integration = () => at(replies[0]?.body, 'data');
const option = (key: string) =>
  recordAt(listAt(replies[0]?.body, 'included').find((each) => at(each, 'attributes', 'key') === key));

beforeAll(async () => {
  await patchOptions(sandbox(), THREAT, { apiKey: { value: 'first' } });
  replies.push(await sandbox().send('GET', `/api/integrations/${THREAT}`));
});

describe('2.2 Integration', () => {
  test('2.2 id and type', () => expect(integration()).toMatchObject({ id: THREAT, type: 'integrations' }));
  test('2.2 autosubscribe is a boolean', () =>
    expect(at(integration(), 'attributes', 'autosubscribe')).toBe(false));
  test('2.2 status', () => expect(at(integration(), 'attributes', 'status')).toBe('running'));
  test('2.2 the other attributes come from the configuration file', () =>
    expect(at(integration(), 'attributes')).toMatchObject({
      name: 'Threat Lookup',
      acronym: 'TLU',
    }));
  test('2.2 links.self', () =>
    expect(at(integration(), 'links', 'self')).toBe(`/api/integrations/${THREAT}`));
  test('2.2 the relationship to options has a link', () =>
    expect(at(integration(), 'relationships', 'integration-options', 'links', 'self')).toBe(
      `/api/integration-options?filter[integration.id]=${THREAT}`,
    ));
  test('2.2 the relationship to errors lists them', () =>
    expect(listAt(integration(), 'relationships', 'integration-errors', 'data')).toHaveLength(1));
  test('2.2 the relationship to errors is an empty list where there are none', async () => {
    const reply = await sandbox().send('GET', `/api/integrations/${DNS}`);
    expect(at(reply.body, 'data', 'relationships', 'integration-errors', 'data')).toEqual([]);
  });
  test('2.2 the relationship to options lists them', () =>
    expect(listAt(integration(), 'relationships', 'integration-options', 'data')).toEqual(
      ['apiKey', 'url', 'timeout', 'verifyTls', 'mode', 'types'].map((key) => ({
        type: 'integration-options',
        id: `${THREAT}-${key}`,
      })),
    ));
});

describe('2.3 Integration error', () => {
  const error = async () => at((await sandbox().send('GET', '/api/integrations/errors')).body, 'data', 0);
  test('2.3 type, id and the link to itself', async () => {
    const found = recordAt(await error());
    expect(found).toMatchObject({ type: 'integration-errors' });
    expect(at(found, 'links', 'self')).toBe(`/api/integration/${THREAT}/errors/${found['id']}`);
  });
  test('2.3 the relationship to its integration', async () =>
    expect(at(await error(), 'relationships', 'integration', 'data')).toEqual({
      type: 'integrations',
      id: THREAT,
    }));
  test('2.3 error-count, integration-id and status', async () =>
    expect(at(await error(), 'attributes')).toMatchObject({
      'error-count': 1,
      'integration-id': THREAT,
      status: 401,
    }));
  test('2.3 meta names the users that met it, in an object', async () =>
    expect(at(await error(), 'attributes', 'meta', 'affected_users')).toEqual({
      1: { id: '1', username: 'admin' },
    }));
  test('2.3 occurred-on has six digits of a second', async () =>
    expect(at(await error(), 'attributes', 'occurred-on')).toBe('2026-01-15 12:00:00.000000Z'));
});

describe('2.4 Integration option', () => {
  test('2.4 the id is that of the integration, a dash, the key', () =>
    expect(option('apiKey')).toMatchObject({ type: 'integration-options', id: `${THREAT}-apiKey` }));
  test.each([
    ['apiKey', 'password', 'first', true, false],
    ['url', 'text', 'https://reputation.example.com/v3', false, false],
    ['timeout', 'number', 10, true, false],
    ['verifyTls', 'boolean', true, false, false],
    ['mode', 'select', { display: 'Fast: what is already known', value: 'fast' }, false, true],
  ])('2.4 %s: type, value and flags', (key, type, value, adminOnly, userCanEdit) =>
    expect(at(option(key), 'attributes')).toMatchObject({
      key,
      type,
      value,
      'admin-only': adminOnly,
      'user-can-edit': userCanEdit,
    }),
  );
  test('2.4 a select lists its choices, and a multi-select has a list as its value', () =>
    expect(at(option('types'), 'attributes')).toMatchObject({
      multiple: true,
      value: [{ value: 'ip' }, { value: 'domain' }],
      options: [{ value: 'ip' }, { value: 'domain' }, { value: 'url' }, { value: 'hash' }],
    }));
  test('2.4 a file with the invalid pair is served as it is', async () => {
    const reply = await sandbox().send('GET', `/api/integrations/${VAULT}`);
    expect(at(reply.body, 'included', 0, 'attributes')).toMatchObject({
      'admin-only': true,
      'user-can-edit': true,
    });
  });
});

import JsonApi from 'devour-client';
import Kitsu from 'kitsu';
import { describe, expect, test } from 'vitest';
import { at, listAt } from '../support/at.ts';
import { checkRequest } from '../support/contract.ts';
import { type TestSandbox, useSandbox } from '../support/sandbox.ts';
import { patchOptions, THREAT } from '../support/sandbox-requests.ts';

const sandbox = useSandbox({ raiseErrors: ['threat_*'] });

/** What kitsu and devour read must be what the sandbox said, so the expectations are the same. */
const KEYS = ['apiKey', 'url', 'timeout', 'verifyTls', 'mode', 'types'];

async function raise(running: TestSandbox): Promise<void> {
  await patchOptions(running, THREAT, { timeout: { value: 12 } });
}

describe('kitsu', () => {
  const client = async () => {
    const headers = { Authorization: `Bearer ${await sandbox().login('admin')}` };
    return new Kitsu({ baseURL: `${sandbox().url}/api`, headers });
  };
  test('reads pages of integrations, with their options resolved', async () => {
    await raise(sandbox());
    const page = await (await client()).get('integrations', { params: { page: { size: 3, number: 2 } } });
    expect(at(page, 'meta', 'page')).toEqual({ number: 2, size: 3, total: 8 });
    const threat = listAt(page, 'data')[2];
    expect(threat).toMatchObject({
      id: THREAT,
      name: 'Threat Lookup',
      status: 'running',
      autosubscribe: false,
    });
    expect(listAt(threat, 'integration-options', 'data').map((option) => at(option, 'key'))).toEqual(KEYS);
    expect(listAt(threat, 'integration-options', 'data')[2]).toMatchObject({ value: 12, 'admin-only': true });
  });
  test('reads one integration, the options by their link and the errors', async () => {
    await raise(sandbox());
    const api = await client();
    expect(await api.get(`integrations/${THREAT}`)).toMatchObject({ data: { id: THREAT, acronym: 'TLU' } });
    const options = await api.get('integration-options', {
      params: { filter: { 'integration.id': THREAT } },
    });
    expect(listAt(options, 'data').map((option) => at(option, 'key'))).toEqual(KEYS);
    expect(at(await api.get('integrations/errors'), 'data', 0)).toMatchObject({
      code: 'lookup-failed',
      'integration-id': THREAT,
    });
  });
  test('changes autosubscribe', async () => {
    const api = await client();
    await api.patch('integration', { id: THREAT, autosubscribe: true });
    expect(await api.get(`integrations/${THREAT}`)).toMatchObject({ data: { autosubscribe: true } });
    await api.patch('integration', { id: THREAT, autosubscribe: false });
  });
  test('understands a refusal', async () => {
    const failure = await (await client()).get('integrations/unknown').catch((error: unknown) => error);
    expect(at(failure, 'errors', 0)).toMatchObject({ status: '404', title: 'Not found' });
  });
});

describe('devour', () => {
  const client = async () => {
    const api = new JsonApi({
      apiUrl: `${sandbox().url}/api`,
      bearer: await sandbox().login('admin'),
      logger: false,
    });
    const options = { jsonApi: 'hasMany', type: 'integration-options' };
    const errors = { jsonApi: 'hasMany', type: 'integration-errors' };
    api.define('integration', {
      name: '',
      status: '',
      autosubscribe: false,
      'integration-options': options,
      'integration-errors': errors,
    });
    api.define('integration-option', {
      key: '',
      type: '',
      value: null,
      'admin-only': false,
      'user-can-edit': false,
    });
    api.define('integration-errors', { code: '', title: '', 'error-count': 0 });
    return api;
  };
  test('reads pages of integrations, with their options resolved', async () => {
    await raise(sandbox());
    const page = await (await client()).findAll('integration', { page: { size: 3, number: 2 } });
    expect(at(page.meta, 'page')).toEqual({ number: 2, size: 3, total: 8 });
    const threat = listAt(page.data)[2];
    expect(threat).toMatchObject({ id: THREAT, name: 'Threat Lookup', status: 'running' });
    expect(listAt(threat, 'integration-options').map((option) => at(option, 'key'))).toEqual(KEYS);
  });
  test('reads one integration, the options by their link and the errors', async () => {
    await raise(sandbox());
    const api = await client();
    expect((await api.find('integration', THREAT)).data).toMatchObject({ id: THREAT, name: 'Threat Lookup' });
    const options = await api.findAll('integration-option', { filter: { 'integration.id': THREAT } });
    expect(listAt(options.data).map((option) => at(option, 'key'))).toEqual(KEYS);
    const errors = await api.request(`${sandbox().url}/api/integrations/errors`, 'GET');
    expect(listAt(errors.data)).toMatchObject([{ code: 'lookup-failed' }]);
  });
  test('changes autosubscribe', async () => {
    const api = await client();
    await api.update('integration', { id: THREAT, autosubscribe: true });
    expect((await api.find('integration', THREAT)).data).toMatchObject({ autosubscribe: true });
  });
});

test('what both sent to read is in the contract', () => {
  const reads = sandbox().exchanges.filter(({ method, status }) => method === 'GET' && status === 200);
  expect(reads.length).toBeGreaterThan(8);
  expect(reads.flatMap(({ method, path }) => checkRequest({ method, path }))).toEqual([]);
});

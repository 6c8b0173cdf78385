import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { at, listAt } from '../support/at.ts';
import { startTestSandbox, withSandbox } from '../support/sandbox.ts';
import { DNS, patchOptions, THREAT } from '../support/sandbox-requests.ts';

describe('starting', () => {
  test('a port that is in use is told', () =>
    withSandbox({}, async (sandbox) => {
      const port = Number(new URL(sandbox.url).port);
      await expect(startTestSandbox({ port })).rejects.toMatchObject({
        name: 'SandboxError',
        message: expect.stringContaining(String(port)),
      });
    }));
});

describe('exchanges', () => {
  test('each is told once, with its query and its status, before the answer is there', () =>
    withSandbox({}, async (sandbox) => {
      await sandbox.send('GET', '/api/integrations?page[size]=1');
      await sandbox.send('GET', '/api/nothing');
      expect(
        sandbox.exchanges.map(({ method, path, status, durationMs }) => [method, path, status, durationMs]),
      ).toEqual([
        ['POST', '/api/users/login', 200, 0],
        ['GET', '/api/integrations?page[size]=1', 200, 0],
        ['GET', '/api/nothing', 404, 0],
      ]);
    }));
  test('the parsed body is there for tests, and only where there is one', () =>
    withSandbox({}, async (sandbox) => {
      await patchOptions(sandbox, THREAT, { timeout: { value: 'x' } });
      await sandbox.send('PATCH', '/api/integration-options', { body: '{' });
      expect(sandbox.exchanges.slice(1).map(({ status, body }) => [status, body])).toEqual([
        [
          422,
          { data: [{ id: `${THREAT}-timeout`, type: 'integration-options', attributes: { value: 'x' } }] },
        ],
        [400, undefined],
      ]);
    }));
});

test('an integration is stopped by its name in the catalog, or by a glob on its id', () =>
  withSandbox({ stopped: ['threat-lookup', 'dns_*'] }, async (sandbox) => {
    const query = 'filter[integration.status]=stopped';
    const { body } = await sandbox.send('GET', `/api/integrations?${query}`);
    expect(listAt(body, 'data').map((each) => at(each, 'id'))).toEqual([DNS, THREAT]);
  }));

describe('closing', () => {
  test('a request that is under way is answered', async () => {
    const sandbox = await startTestSandbox();
    const token = await sandbox.login('admin');
    const headers = {
      'content-type': 'application/vnd.api+json',
      authorization: `Bearer ${token}`,
      connection: 'keep-alive',
    };
    const body = JSON.stringify({ data: { id: THREAT, attributes: { autosubscribe: true } } });
    const sending = request(`${sandbox.url}/api/integrations/${THREAT}`, {
      method: 'PATCH',
      headers: { ...headers, 'content-length': body.length, expect: '100-continue' },
    });
    sending.flushHeaders();
    await once(sending, 'continue');
    const closed = sandbox.close();
    sending.end(body);
    const [response] = await once(sending, 'response');
    expect(response.statusCode).toBe(200);
    response.resume();
    await closed;
  });
});

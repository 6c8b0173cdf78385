import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startTestSandbox, withSandbox } from '../support/sandbox.ts';
import { patchOptions, THREAT } from '../support/sandbox-requests.ts';

describe('starting', () => {
  test('a port that is in use is told', () =>
    withSandbox({}, async (sandbox) => {
      const port = Number(new URL(sandbox.url).port);
      await expect(startTestSandbox({ port })).rejects.toMatchObject({
        name: 'SandboxError',
        message: expect.stringContaining(String(port)),
      });
    }));
  test('an address that is not of this machine is told', () =>
    expect(startTestSandbox({ host: '192.0.2.1' })).rejects.toMatchObject({ name: 'SandboxError' }));
  test('the address is one to call', () =>
    withSandbox({}, async (sandbox) => expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)));
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

describe('closing', () => {
  test('connections that are kept alive do not hold it up', async () => {
    const sandbox = await startTestSandbox();
    const agent = new Agent({ keepAlive: true });
    const [response] = await once(request(`${sandbox.url}/api/nothing`, { agent }).end(), 'response');
    response.resume();
    await once(response, 'end');
    await sandbox.close();
    agent.destroy();
    await expect(fetch(sandbox.url)).rejects.toThrow();
  });
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

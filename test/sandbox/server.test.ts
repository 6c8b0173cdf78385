import { expect, test } from 'vitest';
import { startTestSandbox, withSandbox } from '../support/sandbox.ts';
import { optionsBody, THREAT } from '../support/sandbox-requests.ts';

test('a port that is in use is told', () =>
  withSandbox({}, async (sandbox) => {
    const port = Number(new URL(sandbox.url).port);
    await expect(startTestSandbox({ port })).rejects.toMatchObject({
      name: 'SandboxError',
      message: expect.stringContaining(String(port)),
    });
  }));

test('each exchange is told once, with its query, its status, and its body if there is one', () =>
  withSandbox({}, async (sandbox) => {
    const body = optionsBody(THREAT, { timeout: { value: 'x' } });
    await sandbox.send('GET', '/api/integrations?page[size]=1');
    await sandbox.send('PATCH', '/api/integration-options', { body });
    await sandbox.send('PATCH', '/api/integration-options', { body: '{' });
    expect(sandbox.exchanges.slice(1)).toEqual([
      {
        method: 'GET',
        path: '/api/integrations?page[size]=1',
        status: 200,
        body: undefined,
      },
      {
        method: 'PATCH',
        path: '/api/integration-options',
        status: 422,
        body,
      },
      {
        method: 'PATCH',
        path: '/api/integration-options',
        status: 400,
        body: undefined,
      },
    ]);
  }));

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
    const path = '/api/integration-options';
    const changed = { method: 'PATCH', path };
    const list = { method: 'GET', path: '/api/integrations?page[size]=1' };
    expect(sandbox.exchanges.slice(1)).toEqual([
      { ...list, status: 200, body: undefined },
      { ...changed, status: 422, body },
      { ...changed, status: 400, body: undefined },
    ]);
  }));

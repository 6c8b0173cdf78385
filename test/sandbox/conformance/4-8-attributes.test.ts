import { describe, expect, test } from 'vitest';
import { at } from '../../support/at.ts';
import { useSandbox } from '../../support/sandbox.ts';
import { LOGS, patchAttributes, problemsOf, THREAT, TICKETS } from '../../support/sandbox-requests.ts';

const sandbox = useSandbox({ stopped: ['ticket_*'] });
const patch = (body: unknown, id = THREAT) => sandbox().send('PATCH', `/api/integrations/${id}`, { body });
const attribute = async (name: string, id = THREAT) =>
  at((await sandbox().send('GET', `/api/integrations/${id}`)).body, 'data', 'attributes', name);

describe('4.8 PATCH /api/integrations/<INTEGRATION_ID>', () => {
  test('4.8 autosubscribe: on and off again', async () => {
    expect((await patchAttributes(sandbox(), THREAT, { autosubscribe: true })).status).toBe(200);
    expect(await attribute('autosubscribe')).toBe(true);
    await patchAttributes(sandbox(), THREAT, { autosubscribe: false });
    expect(await attribute('autosubscribe')).toBe(false);
  });
  test('4.8 the answer is the integration as it is now', async () => {
    const reply = await patchAttributes(sandbox(), LOGS, { autosubscribe: true });
    expect(reply.body).toEqual((await sandbox().send('GET', `/api/integrations/${LOGS}`)).body);
    expect(at(reply.body, 'data', 'attributes', 'autosubscribe')).toBe(true);
  });
  test('4.8 name and acronym', async () => {
    await patchAttributes(sandbox(), LOGS, { name: 'Logs (east)', acronym: 'LGE' });
    expect([await attribute('name', LOGS), await attribute('acronym', LOGS)]).toEqual(['Logs (east)', 'LGE']);
  });
  test('4.8 an integration that is not running takes attributes', async () =>
    expect((await patchAttributes(sandbox(), TICKETS, { autosubscribe: true })).status).toBe(200));
  test.each([
    ['autosubscribe', 'true'],
    ['autosubscribe', 1],
    ['autosubscribe', null],
    ['name', 3],
    ['status', 'stopped'],
    ['entity-types', []],
    ['unknown', 'x'],
    ['__proto__', 'x'],
  ])('4.8 %s: %j is refused', async (name, value) => {
    const body = `{"data":{"id":"${THREAT}","attributes":{"autosubscribe":true,"${name}":${JSON.stringify(value)}}}}`;
    const unique = name === 'autosubscribe' ? body.replace('"autosubscribe":true,', '') : body;
    expect(problemsOf(await patch(unique))).toEqual({ status: 422, pointers: [`/data/attributes/${name}`] });
    expect(await attribute('autosubscribe')).toBe(false);
  });
  test.each([
    ['no data', {}, '/data'],
    ['a list', { data: [] }, '/data'],
    ['no id', { data: { attributes: {} } }, '/data'],
    ['no attributes', { data: { id: THREAT } }, '/data'],
  ])('4.8 a body with %s is 400', async (_, body, pointer) =>
    expect(problemsOf(await patch(body))).toEqual({ status: 400, pointers: [pointer] }),
  );
  test('4.8 another id than in the address is 409', async () =>
    expect(problemsOf(await patch({ data: { id: LOGS, attributes: {} } }))).toEqual({
      status: 409,
      pointers: ['/data/id'],
    }));
  test('4.8 another type is 409', async () =>
    expect(problemsOf(await patch({ data: { id: THREAT, type: 'users', attributes: {} } }))).toEqual({
      status: 409,
      pointers: ['/data/type'],
    }));
  test('4.8 an unknown integration is 404', async () =>
    expect((await patch({ data: { id: 'x', attributes: {} } }, 'x')).status).toBe(404));
  test('4.8 another media type is 415', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = { data: { id: THREAT, attributes: {} } };
    expect((await sandbox().send('PATCH', `/api/integrations/${THREAT}`, { body, headers })).status).toBe(
      415,
    );
  });
});

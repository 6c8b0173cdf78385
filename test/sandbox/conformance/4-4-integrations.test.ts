import { describe, expect, test } from 'vitest';
import { at, listAt } from '../../support/at.ts';
import { type Reply, useSandbox } from '../../support/sandbox.ts';
import { patchOptions, problemsOf, THREAT, TICKETS } from '../../support/sandbox-requests.ts';

const sandbox = useSandbox({ stopped: ['ticket_*', 'time_*'], raiseErrors: true });
const list = (query = '') => sandbox().send('GET', `/api/integrations${query}`);
const names = (reply: Reply) =>
  listAt(reply.body, 'data').map((each) => String(at(each, 'id')).replace(/_node.*/, ''));
const ALL = [
  'asset_inventory',
  'case_vault',
  'dns_history',
  'file_detonation',
  'log_search',
  'threat_lookup',
  'ticket_desk',
  'time_zones',
];

describe('4.4 GET /api/integrations', () => {
  test('4.4 all integrations in one order', async () => {
    const reply = await list();
    expect(reply.status).toBe(200);
    expect(names(reply)).toEqual(ALL);
  });
  test('4.4 the page is told in meta', async () =>
    expect(at((await list()).body, 'meta', 'page')).toEqual({ number: 1, size: 100, total: 8 }));
  test.each([
    [3, 1, ALL.slice(0, 3)],
    [3, 2, ALL.slice(3, 6)],
    [3, 3, ALL.slice(6)],
    [3, 4, []],
    [1, 8, ALL.slice(7)],
    [8, 1, ALL],
    [1000, 1, ALL],
  ])('4.4 page[size]=%i page[number]=%i', async (size, number, expected) => {
    const reply = await list(`?page[size]=${size}&page[number]=${number}`);
    expect(names(reply)).toEqual(expected);
    expect(at(reply.body, 'meta', 'page')).toEqual({ number, size, total: 8 });
  });
  test('4.4 a page holds the options of its integrations and no others', async () => {
    const reply = await list('?page[size]=1&page[number]=6');
    const ids = listAt(reply.body, 'included').map((each) => String(at(each, 'id')));
    expect(ids).toEqual(
      ['apiKey', 'url', 'timeout', 'verifyTls', 'mode', 'types'].map((key) => `${THREAT}-${key}`),
    );
  });
  test.each([
    ['page[size]', '0'],
    ['page[size]', '-1'],
    ['page[size]', '1.5'],
    ['page[size]', 'ten'],
    ['page[size]', ''],
    ['page[size]', '99999999999999999999'],
    ['page[number]', '0'],
    ['page[number]', '1e3'],
  ])('4.4 %s=%s is 400 and named', async (name, value) =>
    expect(problemsOf(await list(`?${name}=${value}`))).toEqual({ status: 400, pointers: [name] }),
  );
  test('4.4 filter by the status running', async () => {
    const reply = await list('?filter[integration.status]=running');
    expect(names(reply)).toEqual(ALL.slice(0, 6));
    expect(at(reply.body, 'meta', 'page', 'total')).toBe(6);
  });
  test('4.4 a status that no integration has gives none', async () =>
    expect(at((await list('?filter[integration.status]=melting')).body, 'meta', 'page', 'total')).toBe(0));
  test('4.4 filters by errors before and after one appears', async () => {
    expect(names(await list('?filter[integration.integration-errors]=true'))).toEqual([]);
    await patchOptions(sandbox(), THREAT, { timeout: { value: 11 } });
    expect(names(await list('?filter[integration.integration-errors]=true'))).toEqual(['threat_lookup']);
    expect(names(await list('?filter[integration.integration-errors]=false'))).toHaveLength(7);
  });
  test('4.4 both filters and a page together; the total counts what matches', async () => {
    const filters = 'filter[integration.status]=running&filter[integration.integration-errors]=false';
    const reply = await list(`?${filters}&page[size]=2&page[number]=2`);
    expect(names(reply)).toEqual(['dns_history', 'file_detonation']);
    expect(at(reply.body, 'meta', 'page')).toEqual({ number: 2, size: 2, total: 5 });
  });
});

describe('4.5 GET /api/integrations/<INTEGRATION_ID>', () => {
  test('4.5 the resource and its options', async () => {
    const reply = await sandbox().send('GET', `/api/integrations/${TICKETS}`);
    expect(reply.status).toBe(200);
    expect(at(reply.body, 'data')).toMatchObject({
      id: TICKETS,
      attributes: { name: 'Ticket Desk', status: 'stopped' },
    });
    expect(listAt(reply.body, 'included')).toHaveLength(7);
  });
  test('4.5 without options there is nothing included', async () => {
    const reply = await sandbox().send(
      'GET',
      (await list()).text.match(/\/api\/integrations\/dns[^"]*/)?.[0] ?? '',
    );
    expect([reply.status, at(reply.body, 'included')]).toEqual([200, undefined]);
  });
  test('4.5 an unknown id is 404', async () =>
    expect((await sandbox().send('GET', '/api/integrations/unknown')).status).toBe(404));
  test('4.5 HEAD has the status and no body', async () => {
    const reply = await sandbox().send('HEAD', `/api/integrations/${TICKETS}`);
    expect([reply.status, reply.text]).toEqual([200, '']);
  });
});

describe('2.2 the link to the options of an integration', () => {
  const linked = (query: string) => sandbox().send('GET', `/api/integration-options${query}`);
  test('2.2 options link: the options with their attributes', async () =>
    expect(listAt((await linked(`?filter[integration.id]=${THREAT}`)).body, 'data')).toHaveLength(6));
  test('2.2 options link: an unknown integration has none', async () =>
    expect((await linked('?filter[integration.id]=unknown')).body).toEqual({ data: [] }));
  test.each(['', '?filter[integration.id]='])(
    '2.2 options link: without an id it is 400 (%j)',
    async (query) =>
      expect(problemsOf(await linked(query))).toEqual({ status: 400, pointers: ['filter[integration.id]'] }),
  );
});

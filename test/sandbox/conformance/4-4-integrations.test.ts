import { expect, test } from 'vitest';
import { at, listAt } from '../../support/at.ts';
import { type Reply, useSandbox, withSandbox } from '../../support/sandbox.ts';
import {
  DNS,
  patchOptions,
  THREAT,
  TICKETS,
} from '../../support/sandbox-requests.ts';
import { tempFolder } from '../../support/temp.ts';

const sandbox = useSandbox({
  stopped: ['ticket_*', 'time_*'],
  raiseErrors: true,
});
const list = (query = '') => sandbox().send('GET', `/api/integrations${query}`);
const names = (reply: Reply) =>
  listAt(reply.body, 'data').map((each) =>
    String(at(each, 'id')).replace(/_node.*/, ''),
  );
const total = (reply: Reply) => at(reply.body, 'meta', 'page', 'total');
const ALL = [
  ...['asset_inventory', 'case_vault', 'dns_history', 'file_detonation'],
  ...['log_search', 'threat_lookup', 'ticket_desk', 'time_zones'],
];

test.each([
  ['', 1, 100, ALL],
  ['?page[size]=3&page[number]=3', 3, 3, ALL.slice(6)],
  ['?page[size]=3&page[number]=4', 4, 3, []],
  ['?page[size]=1000', 1, 1000, ALL],
])(
  '4.4 %j: integrations in one order, and the page in meta',
  async (query, number, size, expected) => {
    const reply = await list(query);
    expect([reply.status, names(reply)]).toEqual([200, expected]);
    expect(at(reply.body, 'meta', 'page')).toEqual({ number, size, total: 8 });
  },
);

test('4.4 filters by status and by errors, alone and together with a page; the total counts what matches', async () => {
  const running = 'filter[integration.status]=running';
  const withErrors = 'filter[integration.integration-errors]';
  expect(names(await list(`?${running}`))).toEqual(ALL.slice(0, 6));
  expect(total(await list('?filter[integration.status]=melting'))).toBe(0);
  expect(names(await list(`?${withErrors}=true`))).toEqual([]);
  await patchOptions(sandbox(), THREAT, { timeout: { value: 11 } });
  expect(names(await list(`?${withErrors}=true`))).toEqual(['threat_lookup']);
  const both = await list(
    `?${running}&${withErrors}=false&page[size]=2&page[number]=2`,
  );
  expect(names(both)).toEqual(['dns_history', 'file_detonation']);
  expect(total(both)).toBe(5);
});

test('4.5 one integration and its options; an unknown one is 404', async () => {
  const one = async (id: string) =>
    (await sandbox().send('GET', `/api/integrations/${id}`)).body;
  const attributes = { name: 'Ticket Desk', status: 'stopped' };
  expect(at(await one(TICKETS), 'data')).toMatchObject({
    id: TICKETS,
    attributes,
  });
  expect(listAt(await one(TICKETS), 'included')).toHaveLength(7);
  expect(listAt(await one(DNS), 'included')).toHaveLength(0);
  expect(at(await one('unknown'), 'errors', 0, 'status')).toBe('404');
});

test('2.2 the link to options serves those of an integration; of an unknown one none', async () => {
  const linked = (query: string) =>
    sandbox().send('GET', `/api/integration-options${query}`);
  expect(
    listAt((await linked(`?filter[integration.id]=${THREAT}`)).body, 'data'),
  ).toHaveLength(6);
  expect((await linked('?filter[integration.id]=unknown')).body).toEqual({
    data: [],
  });
});

test('8 a page has 100 integrations if nothing else is asked for, and may have more', async () => {
  const copies = Array.from({ length: 120 }, (_, at) => [
    `copy-${at}.json`,
    '{"name":"A","options":[]}',
  ]);
  const catalog = await tempFolder(Object.fromEntries(copies));
  await withSandbox({ catalog }, async ({ send }) => {
    const ids = async (query: string) =>
      listAt((await send('GET', `/api/integrations${query}`)).body, 'data').map(
        (each) => at(each, 'id'),
      );
    expect((await ids('')).length).toBe(100);
    expect((await ids('?page[number]=2')).length).toBe(20);
    expect(new Set(await ids('?page[size]=300')).size).toBe(120);
  });
});

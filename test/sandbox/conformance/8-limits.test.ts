import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, listAt } from '../../support/at.ts';
import { startTestSandbox, type TestSandbox } from '../../support/sandbox.ts';

describe('8 limits', () => {
  const running: TestSandbox[] = [];
  const folders: string[] = [];
  beforeAll(async () => {
    const catalog = await mkdtemp(join(tmpdir(), 'setpoint-many-'));
    folders.push(catalog);
    const copies = Array.from({ length: 120 }, (_, index) => join(catalog, `copy-${index}.json`));
    await Promise.all(copies.map((copy) => cp('examples/catalog/threat-lookup.json', copy)));
    running.push(await startTestSandbox({ catalog }));
  });
  afterAll(async () => {
    await running[0]?.close();
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true })));
  });
  const list = async (query: string) => (await running[0]?.send('GET', `/api/integrations${query}`))?.body;

  test('8 a page has 100 integrations where nothing else is asked for', async () => {
    const body = await list('');
    expect(listAt(body, 'data')).toHaveLength(100);
    expect(at(body, 'meta', 'page')).toEqual({ number: 1, size: 100, total: 120 });
  });
  test('8 the second page has the rest', async () =>
    expect(listAt(await list('?page[number]=2'), 'data')).toHaveLength(20));
  test('8 a page may have more than 100', async () =>
    expect(listAt(await list('?page[size]=300'), 'data')).toHaveLength(120));
  test('8 copies of one integration have ids of their own', async () => {
    const ids = listAt(await list('?page[size]=300'), 'data').map((each) => at(each, 'id'));
    expect(new Set(ids).size).toBe(120);
  });
});

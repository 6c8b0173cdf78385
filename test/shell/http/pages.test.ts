import { describe, expect, test } from 'vitest';
import { decodeDocument } from '../../../src/core/live/resource.ts';
import { badAnswer, ExchangeError } from '../../../src/shell/http/exchange-error.ts';
import { readList } from '../../../src/shell/http/pages.ts';

interface Server {
  readonly ids: readonly string[];
  readonly size: number;
  readonly base: 0 | 1;
  /** What `meta.page` and `links` say of a page. */
  readonly meta?: (number: number, total: number, size: number) => object;
  readonly links?: (isLast: boolean) => object;
  /** How a page after the last is answered, if not with none of the resources. */
  readonly beyond?: number;
}

/** Reads the list of a server in pages, and counts the requests. */
async function listOf(server: Server, isAlwaysPaged: boolean, expected?: number) {
  const { ids, size, base, meta, links, beyond } = server;
  const seen = { requests: 0 };
  const read = async (number: number = base) => {
    seen.requests += 1;
    const start = (number - base) * size;
    if (beyond !== undefined && start >= ids.length && number !== base)
      throw new ExchangeError('refused', badAnswer('GET x', 'gone').diagnostic, beyond);
    const document = decodeDocument({
      data: ids.slice(start, start + size).map((id) => ({ id, type: 'x' })),
      meta: { page: meta?.(number, ids.length, size) },
      links: links?.(start + size >= ids.length),
    });
    if (typeof document === 'string') throw new Error(document);
    return document;
  };
  const items = await readList({
    name: 'things',
    read,
    concurrency: 4,
    isAlwaysPaged,
    ...(expected === undefined ? {} : { expected }),
  });
  return { ids: items.map(({ id }) => id), requests: seen.requests };
}

const abc = ['a', 'b', 'c', 'd', 'e'];
const number = (n: number) => ({ number: n });
const total = (_: number, all: number) => ({ total: all });
const nothing = () => ({});
const next = (isLast: boolean) => ({ next: isLast ? null : '/api/next' });

describe.each([0, 1] as const)('a list that is always paged, counted from %i', (base) => {
  test.each<[string, Partial<Server>]>([
    ['number and total', { meta: (n, all) => ({ number: n, total: all }) }],
    ['a number', { meta: number }],
    ['nothing', { meta: nothing }],
    ['a total', { meta: total }],
    ['nothing but a link to the next', { meta: nothing, links: next }],
    ['nothing, and 404 after the last', { meta: nothing, beyond: 404 }],
    ['a size that is greater than its pages', { meta: (n) => ({ number: n, size: 100 }) }],
  ])('%s', async (_, wish) => {
    for (const ids of [abc, abc.slice(0, 4), abc.slice(0, 2), ['a']])
      expect((await listOf({ ids, size: 2, base, ...wish }, true)).ids).toEqual(ids);
  });
});

test('a page that comes twice, and a list that ends in nothing known, are refused', async () => {
  const endless = (ids: readonly string[]) =>
    readList({
      name: 'things',
      concurrency: 1,
      isAlwaysPaged: true,
      read: async () => {
        const document = decodeDocument({ data: ids.map((id) => ({ id, type: 'x' })), meta: {} });
        if (typeof document === 'string') throw new Error(document);
        return document;
      },
    });
  for (const ids of [abc, []])
    await expect(endless(ids)).rejects.toMatchObject({ diagnostic: { code: 'incomplete-read' } });
});

describe('a list that need not be paged', () => {
  test.each<[string, Partial<Server>, number | undefined]>([
    ['with a total', { meta: (n, all, size) => ({ number: n, total: all, size }) }, undefined],
    ['with a size alone', { meta: (n, _, size) => ({ number: n, size }) }, undefined],
    ['with a link', { links: next }, undefined],
    ['with fewer than are known', {}, 5],
  ])('%s is read to its end', async (_, wish, expected) => {
    expect((await listOf({ ids: abc, size: 2, base: 1, ...wish }, false, expected)).ids).toEqual(abc);
  });
  test('without a sign of pages takes one request', async () => {
    expect(await listOf({ ids: abc, size: 10, base: 1 }, false, 5)).toEqual({ ids: abc, requests: 1 });
  });
  test('that takes no page number is whole', async () => {
    const found = await listOf({ ids: abc, size: 10, base: 1, beyond: 400 }, false, 9);
    expect(found.ids).toEqual(abc);
  });
});

test('the pages after the first are read side by side', async () => {
  const waiting: (() => void)[] = [];
  const page = (number: number) => {
    const document = decodeDocument({
      data: [{ id: `${number}`, type: 'x' }],
      meta: { page: { number, total: 4 } },
    });
    if (typeof document === 'string') throw new Error(document);
    return document;
  };
  // None of them is answered before all have been asked for.
  const read = async (number = 1) => {
    if (number > 1)
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const answer of waiting) answer();
      });
    return page(number);
  };
  const items = await readList({ name: 'things', read, concurrency: 3, isAlwaysPaged: true });
  expect(items.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
});

import { describe, expect, test } from 'vitest';
import type { Page } from '../../../src/core/live/pages.ts';
import { badAnswer } from '../../../src/shell/http/exchange.ts';
import { readList } from '../../../src/shell/http/pages.ts';

interface Server {
  readonly ids: string;
  readonly base: 0 | 1;
  /** What a page says of itself. */
  readonly meta: (number: number, total: number) => Omit<Page, 'items'>;
  /** How a page after the last is answered, if not with none of the resources. */
  readonly beyond?: number;
}

const SIZE = 2;

/** Reads the list of a server in pages, and counts the requests. */
async function listOf({ ids, base, meta, beyond }: Server, isPaged = true) {
  const seen = { requests: 0 };
  const read = async (number: number = base) => {
    seen.requests += 1;
    const start = (number - base) * SIZE;
    if (beyond !== undefined && start >= ids.length) throw badAnswer('GET x', 'gone', beyond);
    const items = [...ids.slice(start, start + SIZE)].map((id) => ({ id }));
    return { items, ...meta(number, ids.length) };
  };
  const items = await readList({ name: 'things', read, concurrency: 4, isPaged });
  return { ids: items.map(({ id }) => id).join(''), requests: seen.requests };
}

describe.each([0, 1] as const)('a list in pages, counted from %i, is read to its end', (base) => {
  test.each<[string, Partial<Server>]>([
    ['by number and total', { meta: (number, total) => ({ number, total }) }],
    ['by number', { meta: (number) => ({ number }) }],
    ['by number, and 404 after the last', { meta: (number) => ({ number }), beyond: 404 }],
  ])('%s', async (_, wish) => {
    const meta = () => ({});
    for (const ids of ['abcde', 'abcd', 'ab', 'a'])
      expect((await listOf({ ids, base, meta, ...wish })).ids).toBe(ids);
  });
});

test('a page that comes twice, and a list that ends in nothing known, are refused', async () => {
  const lists: readonly Page[] = [
    { items: [{ id: 'a' }], number: 1 },
    { items: [{ id: 'a' }] },
    { items: [] },
    { items: [{ id: 'a' }], total: 2 },
  ];
  for (const page of lists) {
    const list = readList({ name: 'things', concurrency: 1, isPaged: true, read: async () => page });
    await expect(list).rejects.toMatchObject({ diagnostic: { code: 'incomplete-read' } });
  }
});

describe('a list that need not be paged', () => {
  test('is read to its end if it tells a total', async () => {
    const found = await listOf(
      { ids: 'abcde', base: 1, meta: (number, total) => ({ number, total }) },
      false,
    );
    expect(found.ids).toBe('abcde');
  });
  test('takes one request if it says nothing of pages', async () => {
    const found = await listOf({ ids: 'ab', base: 1, meta: () => ({}) }, false);
    expect(found).toEqual({ ids: 'ab', requests: 1 });
  });
});

test('the pages after the first are read side by side', async () => {
  const waiting: (() => void)[] = [];
  // None of them is answered before all have been asked for.
  const read = async (number = 1): Promise<Page> => {
    if (number > 1)
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const answer of waiting) answer();
      });
    return { items: [{ id: `${number}` }], number, total: 4 };
  };
  const items = await readList({ name: 'things', read, concurrency: 3, isPaged: true });
  expect(items.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);
});

import { describe, expect, test } from 'vitest';
import type { Page } from '../../../src/core/live/integration.ts';
import { Api } from '../../../src/shell/http/api.ts';
import type { Request } from '../../../src/shell/http/exchange.ts';

/** The calls of a service that answers for each page of its list of integrations; `number` is undefined for the first. */
function serving(
  read: (number: number | undefined) => Page | Promise<Page>,
): Api {
  const send = async <T>({ path, decode }: Request<T>) => {
    const number = /page\[number\]=(\d+)/.exec(path)?.[1];
    const { items, ...page } = await read(number ? Number(number) : undefined);
    return decode?.({ data: items, meta: { page } });
  };
  const session = { send, ended: undefined };
  const retries = { left: 0 };
  return new Api({ session, concurrency: 4, retries, onPage: () => {} });
}

const SIZE = 2;

const itemsOf = (ids: string) => [...ids].map((id) => ({ id }));

describe.each([0, 1])(
  'a list in pages, counted from %i, is read to its end',
  (base) => {
    test('by number and total', async () => {
      for (const ids of ['abcde', 'abcd', 'ab', 'a', '']) {
        const api = serving((number = base) => {
          const start = (number - base) * SIZE;
          const items = itemsOf(ids.slice(start, start + SIZE));
          return { items, number, total: ids.length };
        });
        expect(await api.integrations({})).toMatchObject(itemsOf(ids));
      }
    });
  },
);

test('a page that comes twice, and a list that ends in nothing known, are refused', async () => {
  const lists: readonly Page[] = [
    { items: [{ id: 'a' }], number: 1 },
    { items: [{ id: 'a' }] },
    { items: [] },
    { items: [{ id: 'a' }], total: 2 },
  ];
  for (const page of lists)
    await expect(serving(() => page).integrations({})).rejects.toMatchObject({
      diagnostic: { code: 'incomplete-read' },
    });
});

test('of a total of billions not all pages are asked for', async () => {
  const api = serving((number = 1) => {
    return { items: [{ id: `${number}` }], number, total: 4e9 };
  });
  await expect(api.integrations({})).rejects.toMatchObject({
    diagnostic: { code: 'incomplete-read' },
  });
  expect(api.reads).toBe(2 * 10_001);
});

test('options come in pages, or all at once if they say nothing of pages', async () => {
  const whole = serving(() => ({ items: [{ id: 'a-key' }] }));
  expect([...(await whole.options('a', {})).optionKeys]).toEqual(['key']);
  expect(whole.reads).toBe(1);
  const paged = serving((number = 1) => {
    return { items: [{ id: `a-${number}` }], number, total: 3 };
  });
  const { optionKeys } = await paged.options('a', {});
  expect([...optionKeys].join()).toBe('1,2,3');
});

test('the pages after the first are read side by side', async () => {
  const waiting: (() => void)[] = [];
  // None of them is answered before all have been asked for.
  const api = serving(async (number = 1) => {
    if (number > 1)
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const answer of waiting) answer();
      });
    return { items: [{ id: `${number}` }], number, total: 4 };
  });
  expect(await api.integrations({})).toMatchObject(itemsOf('1234'));
});

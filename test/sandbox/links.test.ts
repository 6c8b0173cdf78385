import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, listAt } from '../support/at.ts';
import { EXAMPLE_CATALOG } from '../support/dialects.ts';
import { type SandboxWish, type Sending, type TestSandbox, withSandbox } from '../support/sandbox.ts';
import { patchAttributes } from '../support/sandbox-requests.ts';

const CORPUS = process.env['SETPOINT_CORPUS'];
const DIALECTS = ['included', 'inline', 'detail', 'options'] as const;

/** All texts under the key `self`, wherever they stand. */
function linksIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = at(json, 'links', 'self');
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(json).flatMap(linksIn)];
}

/** Follows every link from the list on, each once, and tells those that were dead; each answer is checked by the contract. */
async function crawl(
  sandbox: TestSandbox,
  reader: Sending = {},
): Promise<{ followed: number; dead: string[] }> {
  const seen = new Set<string>(['/api/integrations?page[size]=7']);
  const dead: string[] = [];
  const list = await sandbox.send('GET', '/api/integrations', reader);
  const total = Number(at(list.body, 'meta', 'page', 'total'));
  for (let page = 2; (page - 1) * 7 < total; page += 1)
    seen.add(`/api/integrations?page[size]=7&page[number]=${page}`);
  for (const link of seen) {
    const reply = await sandbox.send('GET', link, reader);
    if (reply.status !== 200) dead.push(link);
    for (const found of linksIn(reply.body)) seen.add(found);
  }
  return { followed: seen.size, dead };
}

/** Gives every integration an error, so that there are links of errors too. */
async function raiseEverywhere(sandbox: TestSandbox): Promise<number> {
  const list = await sandbox.send('GET', '/api/integrations?page[size]=1000');
  const ids = listAt(list.body, 'data').map((each) => String(at(each, 'id')));
  await Promise.all(ids.map((id) => patchAttributes(sandbox, id, { autosubscribe: true })));
  return ids.length;
}

/** An integration has links to itself, its options, its errors and the one error; the pages of the list are links as well. */
const linksOf = (integrations: number) => integrations * 4 + Math.ceil(integrations / 7);

async function expectNoDeadLink(wish: SandboxWish): Promise<void> {
  await withSandbox({ raiseErrors: true, ...wish }, async (sandbox) => {
    const integrations = await raiseEverywhere(sandbox);
    expect(await crawl(sandbox)).toEqual({ followed: linksOf(integrations), dead: [] });
  });
}

describe.each(DIALECTS)('dialect %s: every link leads somewhere', (dialect) => {
  test('over the examples', () => expectNoDeadLink({ settings: { dialect } }));
  test.skipIf(CORPUS === undefined)('over real configuration files', () =>
    expectNoDeadLink({ catalog: CORPUS ?? '', settings: { dialect } }),
  );
});

test.each([
  ['manager', 2],
  ['user', 0],
] as const)('a %s gets only links that lead somewhere', (as, toErrors) =>
  withSandbox({ raiseErrors: true }, async (sandbox) => {
    const integrations = await raiseEverywhere(sandbox);
    const followed = integrations * (2 + toErrors) + Math.ceil(integrations / 7);
    expect(await crawl(sandbox, { as })).toEqual({ followed, dead: [] });
  }),
);

test('ids of any characters are percent-encoded right', async () => {
  const catalog = await mkdtemp(join(tmpdir(), 'setpoint-ids-'));
  const ids = {
    a: 'a/b',
    b: '100%',
    c: '?x=1&y#z',
    d: 'ä €😀',
    e: '[]%2F..',
    f: 'it\'s+1 {}|^`"<>\\',
    g: '/',
    h: '%25%',
    i: 'errors/',
  };
  try {
    for (const name of Object.keys(ids))
      await cp(`${EXAMPLE_CATALOG}/threat-lookup.json`, join(catalog, `${name}.json`));
    await expectNoDeadLink({ catalog, ids });
  } finally {
    await rm(catalog, { recursive: true });
  }
});

import { expect, test } from 'vitest';
import { at, listAt } from '../support/at.ts';
import {
  type SandboxWish,
  type Sending,
  withSandbox,
} from '../support/sandbox.ts';
import { patchAttributes } from '../support/sandbox-requests.ts';

/** All texts under the key `self`, wherever they stand. */
function linksIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = at(json, 'links', 'self');
  return [
    ...(typeof own === 'string' ? [own] : []),
    ...Object.values(json).flatMap(linksIn),
  ];
}

/**
 * Follows every link from the list on, each once; every integration has an error. An integration has `links` of its own: to
 * itself, to its options, and to its errors and the one error.
 */
function expectNoDeadLink(
  wish: SandboxWish,
  links = 4,
  reader: Sending = {},
): Promise<void> {
  return withSandbox({ raiseErrors: true, ...wish }, async (sandbox) => {
    const { body } = await sandbox.send('GET', '/api/integrations');
    const ids = listAt(body, 'data').map((each) => String(at(each, 'id')));
    await Promise.all(
      ids.map((id) => patchAttributes(sandbox, id, { autosubscribe: true })),
    );
    const seen = new Set(['/api/integrations']);
    for (const link of seen) {
      const reply = await sandbox.send('GET', link, reader);
      expect([link, reply.status]).toEqual([link, 200]);
      for (const found of linksIn(reply.body)) seen.add(found);
    }
    expect(seen.size).toBe(1 + ids.length * links);
  });
}

test.each(['included', 'inline', 'detail', 'options'] as const)(
  'dialect %s: every link leads somewhere',
  (dialect) => expectNoDeadLink({ settings: { dialect } }),
);

test.each([
  ['manager', 4],
  ['user', 2],
] as const)('a %s gets only links that lead somewhere', (as, links) =>
  expectNoDeadLink({}, links, { as }),
);

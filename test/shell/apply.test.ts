import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type LiveWish, liveSandbox } from '../support/live-sandbox.ts';
import { changesOf, integrationsOf, serversOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';

/** A value for each reference of a file; several lines for keys in PEM. */
function secretsOf(text: string): Record<string, string> {
  const names = [...text.matchAll(/\$\{env:(\w+)\}/g)].map(
    ([, name = '']) => name,
  );
  const pem = (name: string) => `-----BEGIN ${name}-----\nabc\n-----END-----`;
  return Object.fromEntries(
    names.map((name) => [
      name,
      name.endsWith('_PEM') ? pem(name) : `canary-${name}`,
    ]),
  );
}

/** The id of what a change is sent to: an option, or the integration itself. */
const idOf = (integration: string, address: string) =>
  [
    integration,
    ...(/\.options\.(.+)\.\w+$/.exec(address)?.slice(1) ?? []),
  ].join('-');

/** The whole job: a plan with differences, an apply that is verified, an empty plan, an apply that sends nothing. */
async function wholeJob(file: string, wish: LiveWish) {
  const sandbox = await liveSandbox(wish);
  const secrets = secretsOf(readFileSync(file, 'utf8'));
  const env = { ...ADMIN, ...secrets };
  const target = ['-f', file, '--url', sandbox.url, '--report', 'json'];
  const patches = () =>
    sandbox.exchanges.filter(({ method }) => method === 'PATCH');

  const planned = await run(['plan', ...target, '-q', '--exit-code'], { env });
  const { summary, refusals = [] } = serversOf(planned)[0] ?? {};
  // Of many integrations, an apply asks for their number first.
  const isMany = (summary?.managed ?? 0) >= 10;
  expect([planned.code, refusals.map(({ code }) => code)]).toEqual(
    isMany ? [6, ['many-changes']] : [2, []],
  );
  expect(planned.stderr === '').toBe(!isMany);
  const sent = sandbox.exchanges.filter(
    ({ path }) => !path.startsWith('/api/users/'),
  );
  expect(sent.map(({ method }) => method)).toEqual(
    Array(summary?.reads).fill('GET'),
  );
  const changed = integrationsOf(planned).filter(
    ({ changes }) => changes.length > 0,
  );

  const applied = await run(
    ['apply', ...target, '--yes', '--allow-changes', String(changed.length)],
    {
      env,
    },
  );
  expect([
    applied.code,
    new Set(changesOf(applied).map(({ outcome }) => outcome)),
  ]).toEqual([0, new Set(['verified'])]);
  expect(patches().length).toBe(summary?.writes);
  const touched = patches().flatMap(({ body }) =>
    [(body as { data: { id: string } | { id: string }[] }).data]
      .flat()
      .map(({ id }) => id),
  );
  const asked = changed.flatMap(({ id, changes }) =>
    changes.map(({ address }) => idOf(id, address)),
  );
  expect(touched.sort()).toEqual([...new Set(asked)].sort());

  const again = await run(['plan', ...target, '--exit-code'], { env });
  expect([again.code, again.stderr, changesOf(again)]).toEqual([0, '', []]);
  const second = await run(['apply', ...target, '--yes'], { env });
  expect([second.code, patches().length]).toEqual([0, summary?.writes]);
  for (const { screen } of [planned, applied, again, second])
    for (const secret of Object.values(secrets))
      expect(screen).not.toContain(secret);
  return { changed: changed.length, reads: summary?.reads };
}

test.each([
  ['included', 1],
  ['inline', 1],
  ['detail', 1 + 3],
  // The first ones are looked for in both places.
  ['options', 1 + 3 + 3],
] as const)('values served in the dialect %s', async (dialect, reads) => {
  const done = await wholeJob('test/fixtures/three/integrations.yaml', {
    settings: { dialect },
  });
  expect(done).toEqual({ changed: 3, reads });
});

test('many pages are read side by side, completely', async () => {
  const sandbox = await liveSandbox({ settings: { maxPageSize: 3 } });
  const listed = await run(['list', '--url', sandbox.url, '--report', 'json']);
  expect(integrationsOf(listed).length).toBe(8);
  const pages = sandbox.exchanges.filter(({ path }) =>
    path.startsWith('/api/integrations?page[size]=100'),
  );
  expect(pages.length).toBe(3);
});

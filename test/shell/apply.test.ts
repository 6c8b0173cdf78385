import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { outcomeOf, serversOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';

const corpus = process.env['SETPOINT_CORPUS'];
const dialects = ['included', 'inline', 'detail', 'options'] as const;

/** A value for each reference of a file; several lines for keys in PEM. */
function secretsOf(text: string): Record<string, string> {
  const names = [...text.matchAll(/\$\{env:(\w+)\}/g)].map((match) => match[1] ?? '');
  return Object.fromEntries(
    names.map((name) => [
      name,
      name.endsWith('_PEM') ? `-----BEGIN ${name}-----\nabc\n-----END-----` : `canary-${name}`,
    ]),
  );
}

const writes = (seen: readonly string[]) =>
  seen.filter((request) => !/^(GET |POST \/api\/users\/log(in|out)$)/.test(request));

/** The option of a change; undefined for autosubscribe. */
const optionOf = ({ address }: { readonly address: string }) => /\.options\.(.+)\.\w+$/.exec(address)?.[1];

/** The whole job: a plan with differences, an apply that is verified, an empty plan, an apply that sends nothing. */
async function wholeJob(file: string, catalog: string, dialect: (typeof dialects)[number], least: number) {
  const sandbox = await liveSandbox({ catalog, settings: { dialect } });
  const text = readFileSync(file, 'utf8');
  const secrets = secretsOf(text);
  const env = { ...ADMIN, ...secrets };
  const target = ['-f', file, '--url', sandbox.url];

  const planned = await run(['plan', ...target, '-q', '--exit-code', '--report', 'json'], { env });
  expect(planned.stderr).toBe('');
  expect(planned.code).toBe(2);
  expect(writes(sandbox.seen())).toEqual([]);
  const [plan] = serversOf(planned);
  const changed = plan?.integrations.filter(({ changes }) => changes.length > 0) ?? [];
  expect(changed.length).toBeGreaterThanOrEqual(least);

  const exactly = ['--allow-changes', String(changed.length)];
  const applied = await run(['apply', ...target, '--yes', ...exactly, '--report', 'json'], { env });
  expect(applied.code).toBe(0);
  const [outcome] = serversOf(applied);
  expect(outcome?.integrations.filter(({ changes }) => changes.length > 0).map(outcomeOf)).toEqual(
    changed.map(() => 'verified'),
  );

  const sent = sandbox.exchanges.filter(({ method }) => method === 'PATCH');
  const withOptions = changed.filter(({ changes }) =>
    changes.some((change) => optionOf(change) !== undefined),
  );
  const withAttributes = changed.filter(({ changes }) =>
    changes.some((change) => optionOf(change) === undefined),
  );
  expect(sent.filter(({ path }) => path === '/api/integration-options').length).toBe(withOptions.length);
  expect(sent.filter(({ path }) => path.startsWith('/api/integrations/')).length).toBe(withAttributes.length);
  expect(sent.length).toBe(plan?.summary.writes);
  const managed = new Set(
    changed.flatMap(({ id, changes }) =>
      changes.map((change) => [id, optionOf(change) ?? []].flat().join('-')),
    ),
  );
  const touched = sent.flatMap(({ body }) =>
    [(body as { data: { id: string } | { id: string }[] }).data].flat().map(({ id }) => id),
  );
  expect(touched.sort()).toEqual([...managed].sort());
  sandbox.seen();

  const again = await run(['plan', ...target, '--exit-code'], { env });
  expect([again.code, again.stderr]).toEqual([0, '']);
  const second = await run(['apply', ...target, '--yes'], { env });
  expect(second.code).toBe(0);
  expect(writes(sandbox.seen())).toEqual([]);

  const outputs = [planned, applied, again, second]
    .flatMap(({ stdout, stderr }) => [stdout, stderr])
    .join('\n');
  for (const secret of Object.values(secrets)) expect(outputs).not.toContain(secret);
}

describe.each(dialects)('values served in the dialect %s', (dialect) => {
  test('the minimal example', () =>
    wholeJob('test/fixtures/three/integrations.yaml', 'examples/catalog', dialect, 3));
  test.runIf(corpus)('two dozen integrations of the corpus', () =>
    wholeJob('test/fixtures/corpus.yaml', corpus ?? '', dialect, 20),
  );
});

test('reads are the pages, and one for each managed integration only where the list lacks values', async () => {
  for (const [dialect, reads] of [
    ['included', 1],
    ['inline', 1],
    ['detail', 1 + 3],
    // The first managed integration is looked for in both places.
    ['options', 1 + 1 + 3],
  ] as const) {
    const sandbox = await liveSandbox({ settings: { dialect } });
    const env = { ...ADMIN, SETPOINT_THREATLOOKUP_KEY: 'k-12345678' };
    const planned = await run(
      ['plan', '-f', 'test/fixtures/three', '--url', sandbox.url, '--report', 'json'],
      {
        env,
      },
    );
    expect(serversOf(planned)[0]?.summary.reads, dialect).toBe(reads);
    expect(sandbox.exchanges.filter(({ path }) => !path.startsWith('/api/users/')).length, dialect).toBe(
      reads,
    );
  }
});

test('many pages are read side by side, completely', async () => {
  const sandbox = await liveSandbox({ settings: { maxPageSize: 3 } });
  const listed = await run(['list', '--url', sandbox.url, '--report', 'json']);
  expect(serversOf(listed)[0]?.integrations.length).toBe(8);
  expect(
    sandbox.exchanges.filter(({ path }) => path.startsWith('/api/integrations?page[size]=100')).length,
  ).toBe(3);
});

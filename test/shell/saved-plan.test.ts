import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRecord } from '../../src/core/model/json.ts';
import type { Document } from '../../src/core/plan/plan-document.ts';
import { faultyProxy } from '../support/fault-proxy.ts';
import { fieldsOf, startFleets, writeByHand } from '../support/fleet.ts';
import { configuration, option, ownCatalog } from '../support/live-sandbox.ts';
import {
  changesOf,
  codesOf,
  findingsOf,
  outcomeOf,
  serversOf,
} from '../support/report.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { setOption } from '../support/sandbox.ts';
import { type Seeded, seeded } from '../support/seeded.ts';
import { seeds } from '../support/soak.ts';

const CATALOG = {
  alpha: configuration(
    option('apiKey', 'password', 'live-secret'),
    option('limit', 'number', 5),
  ),
  beta: configuration(option('url', 'text'), option('more', 'number', 1)),
};
const YAML = [
  'alpha: { options: { apiKey: { value: "${env:SETPOINT_A}", rotated: 2026-01-01 }, limit: 7 } }',
  'beta: { options: { url: "https://b.example.com", more: 1 } }',
].join('\n');

/** A sandbox, and the plan of two integrations in a file. */
async function saved() {
  const { sandbox, cwd } = await ownCatalog(CATALOG, YAML);
  const env = { ...ADMIN, SETPOINT_A: 'canary-one-of-alpha' };
  const attempt = (...args: readonly string[]) =>
    run([...args, '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json'], {
      cwd,
      env,
    });
  const planned = await attempt('plan');
  await writeFile(join(cwd, 'plan.json'), planned.stdout);
  const edit = async (file: string, from: string, to: string) => {
    const text = await readFile(join(cwd, file), 'utf8');
    expect(text).toContain(from);
    await writeFile(join(cwd, file), text.replace(from, to));
  };
  const byHand = (id: string, value: unknown) =>
    setOption(sandbox.url, id, value);
  const apply = () => attempt('apply', 'plan.json', '--yes');
  return { planned, cwd, sandbox, edit, byHand, apply };
}

/** The exit code, what became of each change by its address, and the codes found. */
function ended(result: RunResult) {
  const outcomes = changesOf(result).map(
    ({ address, outcome }) => `${address.replace('.options.', '.')} ${outcome}`,
  );
  return [result.code, outcomes.sort(), codesOf(result)];
}

const KEY = 'alpha.apiKey.value';
const LIMIT = 'alpha.limit.value';
const URL = 'beta.url.value';

type Saved = Awaited<ReturnType<typeof saved>>;

describe('a reviewed change that no longer holds makes its integration stale, alone', () => {
  const rest = [`${URL} verified`];
  test.each([
    ['the configuration moved', 'a.yaml', 'limit: 7', 'limit: 8'],
    ['it is called otherwise', 'a.yaml', 'alpha: {', 'b: { match: alpha,'],
    ['the secret has another reference', 'a.yaml', '"${env:', '"x${env:'],
    ['the plan was edited', 'plan.json', '"after": 7', '"after": 8'],
  ])('%s', async (_, file, from, to) => {
    const on = await saved();
    await on.edit(file, from, to);
    const [code, outcomes, codes] = ended(await on.apply());
    expect(code).toBe(5);
    expect(outcomes).toEqual(expect.arrayContaining(rest));
    expect(codes).toEqual(['stale']);
    // The report keeps what was reviewed, whatever became of it.
    expect(outcomes).toEqual(
      expect.arrayContaining([`${KEY} stale`, `${LIMIT} stale`]),
    );
  });
});

describe('what a saved plan lacks is left out and counted, and fails nothing', () => {
  test.each<[string, (on: Saved) => Promise<unknown>]>([
    ['drift since the review', ({ byHand }) => byHand('beta-more', 3)],
    [
      'a field that is managed since',
      ({ edit }) => edit('a.yaml', 'more: 1', 'more: 2'),
    ],
  ])('%s', async (_, move) => {
    const on = await saved();
    await move(on);
    const all = [KEY, LIMIT, URL].map((each) => `${each} verified`);
    expect(ended(await on.apply())).toEqual([0, all, ['not-reviewed']]);
  });
});

test('what is stale on a server stays stale if a server before it fails', async () => {
  const fleets = await startFleets(3, {
    servers: ['first', 'second'],
    way: async (sandbox, server) => {
      if (server > 0) return sandbox;
      return faultyProxy(sandbox.url, ({ method }) =>
        method === 'PATCH' ? { status: 400 } : undefined,
      );
    },
  });
  const { cwd, env, sandboxes } = fleets;
  await run(['plan', '--report', 'json=plan.json'], { cwd, env });
  const project = join(cwd, 'setpoint.yaml');
  const [head, last] = (await readFile(project, 'utf8')).split('  second:');
  const overlaid = last?.replace('[a.yaml]', '[a.yaml, b.yaml]');
  await writeFile(project, `${head}  second:${overlaid}`);
  const released = 'version: 1\nintegrations: { unit000: null }\n';
  await writeFile(join(cwd, 'b.yaml'), released);
  await writeByHand(sandboxes[1]?.url ?? '', 'unit001', { limit: 4_000 });
  const args = ['apply', 'plan.json', '--yes', '--report', 'json'];
  const applied = await run(args, { cwd, env });
  expect(applied.code).toBe(5);
  const outcomes = serversOf(applied).map(({ integrations }) =>
    integrations.map(outcomeOf),
  );
  expect(outcomes).toEqual([
    ['failed', 'failed', 'failed'],
    ['stale', 'stale', 'not-attempted'],
  ]);
  const found = findingsOf(applied).filter(({ server }) => server === 'second');
  const named = found.map(({ code, integrations }) => [code, integrations]);
  expect(named).toEqual([
    ['stale', ['unit000']],
    ['stale', ['unit001']],
    ['not-attempted', ['unit002']],
  ]);
});

describe('a plan that was edited at random', () => {
  const PLANS = seeds(20, 1_000);
  /** What the configuration asks, by the addresses of a PATCH, and what the server holds before. */
  const ASKED: Readonly<Record<string, unknown>> = {
    'alpha-apiKey': 'canary-one-of-alpha',
    'alpha-limit': 7,
    'beta-url': 'https://b.example.com',
  };
  const BEFORE = {
    'alpha-apiKey': 'live-secret',
    'alpha-limit': 5,
    'beta-url': '',
  };

  /** The maps and lists of a document with their keys. */
  function placesIn(node: unknown): [Record<string, unknown>, string][] {
    if (!isRecord(node) && !Array.isArray(node)) return [];
    const places: [Record<string, unknown>, string][] = [];
    for (const [key, value] of Object.entries(node))
      places.push([node as Record<string, unknown>, key], ...placesIn(value));
    return places;
  }

  function edited(text: string, { pick, random }: Seeded): string {
    const document = JSON.parse(text) as Document;
    const changes = document.servers.flatMap(({ integrations }) =>
      integrations.flatMap((integration) => integration.changes),
    );
    for (const _ of Array.from({ length: pick([1, 1, 2, 5]) })) {
      // Most of a document are keys that it cannot lack.
      const places = pick([placesIn(document), placesIn(changes)]);
      const [[target, key], [other, otherKey]] = [pick(places), pick(places)];
      const [own, foreign] = [target[key], structuredClone(other[otherKey])];
      if (Array.isArray(target))
        target.splice(Number(key), 1, ...pick([[], [own, foreign]]));
      else if (random() < 0.3) delete target[key];
      else
        target[key] = pick([foreign, 'lock-and-show', 8, true, null, '', []]);
    }
    return JSON.stringify(document);
  }

  test(`writes nothing but what it holds and the configuration asks, in ${PLANS} plans`, async () => {
    const { planned, cwd, sandbox, byHand, apply } = await saved();
    const ends = new Map<number, number>();
    for (const seed of Array.from({ length: PLANS }, (_, index) => index)) {
      const plan = edited(planned.stdout, seeded(seed));
      await writeFile(join(cwd, 'plan.json'), plan);
      const from = sandbox.exchanges.length;
      const { code, stderr } = await apply();
      ends.set(code, (ends.get(code) ?? 0) + 1);
      expect([0, 3, 5, 6]).toContain(code);
      expect(stderr).not.toContain('canary');
      const written = sandbox.exchanges
        .slice(from)
        .filter(({ method }) => method === 'PATCH');
      const fields = written.flatMap(({ body }) => fieldsOf(body));
      for (const [address, value] of fields) {
        const [id = ''] = address.split('#');
        expect([id, value]).toEqual([id, ASKED[id]]);
        expect(plan).toContain(`${id.replace('-', '.options.')}.value`);
      }
      for (const [id, value] of Object.entries(BEFORE)) await byHand(id, value);
    }
    // Some hold, some in part, and some are refused.
    expect([0, 3, 5].filter((code) => !ends.has(code))).toEqual([]);
  });
});

test('a plan carries how many integrations may change, and its apply needs no flag again', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `i${index}`);
  const catalog = Object.fromEntries(
    names.map((name) => [name, configuration(option('limit', 'number', 5))]),
  );
  const yaml = names
    .map((name) => `${name}: { options: { limit: 7 } }`)
    .join('\n');
  const { cwd, attempt, patches } = await ownCatalog(catalog, yaml);
  expect(codesOf(await attempt(['plan']))).toEqual(['many-changes']);
  const refused = await attempt(['apply', '--yes']);
  expect(refused.code).toBe(6);
  const few = await attempt(['plan', '--allow-changes', '3']);
  await writeFile(join(cwd, 'few.json'), few.stdout);
  const wider = ['apply', 'few.json', '--yes', '--allow-changes', '60'];
  expect((await attempt(wider)).code).toBe(6);
  const planned = await attempt(['plan', '--allow-changes', '12']);
  const [server] = serversOf(planned);
  expect(server).toMatchObject({ allowedChanges: 12, refusals: [] });
  // A number that somebody raised allows what the plan itself lists.
  const integrations = server?.integrations.slice(0, 4);
  const servers = [{ ...server, allowedChanges: 99, integrations }];
  const narrowed = { ...json<object>(planned), servers };
  await writeFile(join(cwd, 'edited.json'), JSON.stringify(narrowed));
  expect((await attempt(['apply', 'edited.json', '--yes'])).code).toBe(0);
  expect(patches()).toHaveLength(4);
  await writeFile(join(cwd, 'plan.json'), planned.stdout);
  const applied = await attempt(['apply', 'plan.json', '--yes']);
  expect(applied.code).toBe(0);
});

test('a reviewed change that is live already is named, and no unset reference counts as a difference', async () => {
  const { planned, cwd, sandbox, byHand } = await saved();
  expect(planned.code).toBe(0);
  await byHand('alpha-limit', 7);
  const args = ['apply', 'plan.json', '--yes', '-f', 'a.yaml'];
  const url = ['--url', sandbox.url, '--report', 'json'];
  const env = { ...ADMIN, SETPOINT_A: 'canary-one-of-alpha' };
  const applied = await run([...args, ...url], { cwd, env });
  const [server] = serversOf(applied);
  const [alpha] = server?.integrations ?? [];
  expect(applied.code).toBe(0);
  const address = 'alpha.options.limit.value';
  const settled = expect.objectContaining({ address, because: 'settled' });
  expect(alpha?.left).toContainEqual(settled);
  expect(codesOf(applied)).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import {
  type Document,
  decode,
  type PlanInput,
  parse,
  plan,
  render,
} from '../../src/index.ts';
import { entries } from '../support/config.ts';
import { sampleDocument } from '../support/documents.ts';
import {
  type LiveSandbox,
  type LiveWish,
  liveSandbox,
} from '../support/live-sandbox.ts';
import { FORMATS, rendered } from '../support/rendered.ts';
import { ADMIN, run } from '../support/run.ts';
import { exchange, logIn } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp.ts';
import { page } from '../support/wire.ts';

const KEY = 'gate-secret-7f31';
const minimal = readFileSync('test/fixtures/three/integrations.yaml', 'utf8');
const server = { name: 'staging', url: 'https://integrations.example.com' };
const parsed = (text: string) => parse([[{ path: 'a.yaml', text }]]);

/** The answer of a server with one integration of these options. */
function answered(...options: readonly object[]) {
  const flags = { type: 'text', 'admin-only': true, 'user-can-edit': false };
  const full = options.map(({ key, ...attributes }: { key?: string }) => ({
    key: key ?? 'url',
    attributes: { ...flags, ...attributes },
  }));
  return page([
    {
      id: 'one',
      attributes: { name: 'One', status: 'running' },
      options: full,
    },
  ]);
}

/** A page of 100 resources that tells no total. */
const fullPage = {
  data: Array.from({ length: 100 }, (_, index) => ({
    type: 'integrations',
    id: String(index),
  })),
  meta: {},
};

/** Findings as `code file:line:column`. */
function brief({ diagnostics }: Document): string[] {
  return diagnostics.map(({ code, places: [place] = [] }) =>
    place === undefined
      ? code
      : `${code} ${place.file}:${place.line}:${place.column}`,
  );
}

/** The document of a configuration of one entry. */
function planned(
  entry: string,
  input: Partial<PlanInput> = {},
  live = [answered({ value: 'old' })],
) {
  return plan({
    config: parsed(entries(entry)),
    live: decode(live),
    server,
    ...input,
  });
}

describe('plan and render do what the program does', () => {
  test.each<[string, LiveWish]>([
    ['the usual server', {}],
    [
      'values in the details, in pages',
      { settings: { dialect: 'detail', maxPageSize: 3 } },
    ],
  ])('with %s', async (_, wish) => {
    const sandbox = await liveSandbox(wish);
    const cwd = await tempFolder({ 'a.yaml': minimal });
    const env = { ...ADMIN, SETPOINT_THREATLOOKUP_KEY: KEY };
    const command = ['plan', 'a.yaml', '--url', sandbox.url];
    const result = await run([...command, '--report', 'json'], { cwd, env });
    const { pages, details } = await answersTo(sandbox);
    const { host } = new URL(sandbox.url);
    const document = plan({
      config: parsed(minimal),
      live: decode(pages, details),
      server: { name: host, url: sandbox.url },
      variables: env,
    });
    // A library has no clock, and sends nothing.
    const own = (json: string) =>
      json.replace(/ *"(createdAt|reads)": .*\n/g, '');
    expect(own(await render(document, 'json'))).toBe(own(result.stdout));
    const { screen } = await run(command, { cwd, env });
    // A library has no clock: it lacks the first line.
    const [, ...blocks] = screen.split('\n\n');
    // Nor does it know the files, or what was typed.
    const shown = blocks
      .join('\n\n')
      .replace(/^ +\d* \|.*\n/gm, '')
      .replace(/ -f a\.yaml --url \S+/, '');
    expect(await render(document, 'text')).toBe(shown);
    expect(result.stdout).toMatch(/"changes": 1[12],/);
  });
  test.each(FORMATS.filter((each) => each !== 'text'))(
    'in %s',
    async (format) => {
      expect(await render(sampleDocument(), format)).toBe(
        rendered(format, sampleDocument()),
      );
    },
  );
  test('a document is valid against its schema, with findings of a gate in it', async () => {
    const own = {
      code: 'no-friday',
      severity: 'error',
      message: 'Not today.',
    } as const;
    const made = planned('one: { options: { url: new } }', {
      policy: { 'overrides-users': 'error' },
    });
    const document = { ...made, diagnostics: [...made.diagnostics, own] };
    const schema = JSON.parse(
      readFileSync('schemas/plan.schema.json', 'utf8'),
    ) as object;
    const isValid = new Ajv({ strict: false }).compile(schema);
    expect([
      isValid(JSON.parse(await render(document, 'json'))),
      isValid.errors,
    ]).toEqual([true, null]);
    expect(document).toMatchObject({
      servers: [{ name: 'staging' }],
      policy: { 'overrides-users': 'error' },
    });
    expect(await render(document, 'text')).toMatch(
      /\n\nerror\[no-friday\]: Not today\.\n\nPlan .*\nNext .*\n$/,
    );
  });
});

describe('plan', () => {
  test.each([
    ['a list that is not whole', [page([], 3)], 'incomplete-read'],
    ['no list', [], 'incomplete-read'],
    [
      'an empty list that says nothing of its pages',
      [{ data: [] }],
      'incomplete-read',
    ],
    ['a full page without a total', [fullPage], 'incomplete-read'],
    ['what is no document', ['<html>'], 'bad-answer'],
  ])('makes no plan from %s', (_, live, code) => {
    const document = planned('one: {}', { live: decode(live) });
    expect([document.servers, brief(document)]).toEqual([
      [],
      expect.arrayContaining([code]),
    ]);
  });
  test.each([
    ['{ a: 0123 }', {}, 'ambiguous-scalar a.yaml:3:24'],
    [
      `{ url: "\${env:OTHER}" }`,
      { variables: { OTHER: 'x1' } },
      'reference-not-allowed a.yaml:3:26',
    ],
    [
      `{ url: "\${file:a}" }`,
      { files: { a: '\n' } },
      'file-unreadable a.yaml:3:26',
    ],
  ])('makes no plan of %s with %j', (options, input, found) => {
    const document = planned(`one: { options: ${options} }`, input);
    expect([document.servers, brief(document)]).toEqual([[], [found]]);
  });
  test.each([
    [{ only: 'nothing' }, 'unknown-name'],
    [{ writeHidden: ['one.options.nope'] }, 'unknown-name'],
  ])('refuses %j', (choice, code) => {
    expect(brief(planned('one: { options: { url: new } }', choice))).toEqual([
      code,
    ]);
  });
  test('shows no secret, neither of the environment nor of the server', async () => {
    const options = `{ url: "\${env:SETPOINT_A}", note: was ${KEY} }`;
    const live = answered(
      { type: 'password', value: 'live-secret-93ad' },
      { key: 'note', value: 'old' },
      { key: 'other', value: '' },
    );
    const document = planned(
      `one: { options: ${options} }`,
      { variables: { SETPOINT_A: KEY } },
      [live],
    );
    expect(document.servers[0]?.summary.changes).toBe(2);
    for (const text of [
      JSON.stringify(document),
      await render(document, 'text'),
    ])
      expect(text).not.toMatch(/gate-secret|live-secret|7f31|93ad/);
  });
});

/** The answers to what a run has read of a sandbox, asked for once more, as a gate has them. */
async function answersTo({
  url,
  exchanges,
}: LiveSandbox): Promise<{ pages: unknown[]; details: unknown[] }> {
  const paths = exchanges
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path);
  const token = await logIn(url, 'admin');
  const read = async (path: string) =>
    (await exchange(url, 'GET', path, { token, isFree: true })).body;
  const bodies = (begin: RegExp) =>
    Promise.all(paths.filter((path) => begin.test(path)).map(read));
  return {
    pages: await bodies(/^\/api\/integrations\?/),
    details: await bodies(/^\/api\/integrations\/(?!errors)/),
  };
}

import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import {
  type Config,
  type ConfigFile,
  type Diagnostic,
  type LiveDocuments,
  parse,
  plan,
  render,
  validate,
} from '../../src/index.ts';
import { answersTo } from '../support/answers.ts';
import { entries } from '../support/config.ts';
import { type LiveWish, liveSandbox } from '../support/live-sandbox.ts';
import { ADMIN, json, run } from '../support/run.ts';
import { EXAMPLE_CATALOG } from '../support/sandbox.ts';
import { THREAT } from '../support/sandbox-requests.ts';
import { tempFolder } from '../support/temp.ts';
import { page } from '../support/wire.ts';

const KEY = 'gate-secret-7f31';
const SECRETS = { SETPOINT_THREATLOOKUP_KEY: KEY };
const minimal = readFileSync('test/fixtures/three/integrations.yaml', 'utf8');

const catalog = readdirSync(EXAMPLE_CATALOG).map((name) => ({
  name: name.replace('.json', ''),
  definition: JSON.parse(readFileSync(`${EXAMPLE_CATALOG}/${name}`, 'utf8')) as unknown,
}));

/** A configuration that is known to be right. */
function parsed(...layers: readonly (string | ConfigFile)[]): Config {
  const files = layers.map((each) => (typeof each === 'string' ? { name: 'a.yaml', text: each } : each));
  const { config, diagnostics } = parse(files);
  if (config === undefined) throw new Error(render({ diagnostics }, 'text'));
  return config;
}

/** Findings as `code file:line:column`. */
function brief(found: readonly Diagnostic[]): string[] {
  return found.map(({ code, file, line, column }) =>
    file === undefined ? code : `${code} ${file}:${line}:${column}`,
  );
}

/** The documents of a server with one integration of one option. */
function oneOption(attributes: object, key = 'url'): LiveDocuments {
  const option = {
    key,
    attributes: { type: 'text', 'admin-only': true, 'user-can-edit': false, ...attributes },
  };
  const integration = { id: 'one', attributes: { name: 'One', status: 'running' }, options: [option] };
  return { integrations: [page([integration])] };
}

/** A page of 100 resources that tells no total. */
function fullPage(type: string): object {
  return { data: Array.from({ length: 100 }, (_, index) => ({ type, id: String(index) })), meta: {} };
}

const SERVER = { url: 'https://integrations.example.com' };

describe('parse', () => {
  test('finds everything that is wrong, with words and places', () => {
    const { config, diagnostics } = parse([
      { name: 'a.yaml', text: entries('one: { options: { a: 0123 }, nope: 1 }') },
    ]);
    expect(config).toBeUndefined();
    expect(brief(diagnostics)).toEqual(['ambiguous-scalar a.yaml:3:24', 'unknown-key a.yaml:3:32']);
    expect(diagnostics.map(({ severity, hint }) => [severity, typeof hint])).toEqual([
      ['error', 'string'],
      ['error', 'string'],
    ]);
  });
  test('takes each file as a layer, and each list of files as a folder', () => {
    const [one, other] = ['1', '2'].map((value) => ({
      name: `${value}.yaml`,
      text: entries(`one: { options: { a: ${value} } }`),
    }));
    if (one === undefined || other === undefined) throw new Error('there are two');
    expect(brief(parse([one, other]).diagnostics)).toEqual([]);
    expect(brief(parse([[one, other]]).diagnostics)).toEqual(['duplicate-field 2.yaml:3:24']);
  });
  test.each([[[]], [[[], []]]])('manages nothing by mistake: %j', (layers) => {
    expect(parse(layers)).toEqual({ diagnostics: [expect.objectContaining({ code: 'no-configuration' })] });
  });
});

describe('validate', () => {
  test('finds what the program finds', async () => {
    const text = entries(
      'lookup:\n  match: threat_lookup_*\n  options: { timeout: soon, nope: 1, apiKey: k-12345678 }',
    );
    const cwd = await tempFolder({ 'a.yaml': text });
    const args = [
      'validate',
      'a.yaml',
      '--catalog',
      `${process.cwd()}/${EXAMPLE_CATALOG}`,
      '--report',
      'json',
    ];
    const { diagnostics } = json<{ diagnostics: Diagnostic[] }>(await run(args, { cwd }));
    expect(validate(parsed(text), { catalog })).toEqual(diagnostics);
    expect(brief(diagnostics)).toContain('wrong-value a.yaml:5:25');
  });
  test('finds again what parse found odd', () => {
    const text = 'version: 1\nvalues: { unused: 1 }\n';
    expect(brief(validate(parsed(text)))).toEqual(['idle-declaration a.yaml:2:11']);
  });
  test('compares nothing with a catalog that cannot be used', () => {
    expect(brief(validate(parsed(minimal), { catalog: [{ name: 'b', definition: [] }] }))).toEqual([
      'file-unreadable b:1:1',
    ]);
  });
});

describe('plan and render do what the program does', () => {
  const ways: [string, LiveWish][] = [
    ['the usual server', {}],
    ['values in the relationships, in pages', { settings: { dialect: 'inline', maxPageSize: 3 } }],
    ['pages without a total', { settings: { maxPageSize: 3, pageTotal: 'absent' } }],
    ['values in the details', { settings: { dialect: 'detail' } }],
    ['values behind links', { settings: { dialect: 'options', passwords: 'masked' } }],
    ['no passwords', { settings: { passwords: 'absent' } }],
    ['empty passwords', { settings: { passwords: 'empty' } }],
  ];
  test.each(ways)('with %s', async (_, wish) => {
    const sandbox = await liveSandbox(wish);
    const cwd = await tempFolder({ 'a.yaml': minimal });
    const command = ['plan', 'a.yaml', '--url', sandbox.url];
    const env = { ...ADMIN, ...SECRETS };
    const result = await run([...command, '--report', 'json'], { cwd, env });
    const live = await answersTo(sandbox);
    const config = parsed(minimal);
    const made = plan({ config, server: sandbox, live, environment: { variables: env } });
    expect(made.lacking).toEqual([]);
    const report = { plans: [made.plan], diagnostics: made.diagnostics };
    // A library has no clock.
    expect(render(report, 'json')).toBe(result.stdout.replace(/ *"createdAt": .*\n/, ''));
    const text = await run([...command], { cwd, env });
    expect(render(report, 'text')).toContain(text.stdout);
    expect(result.stdout).toMatch(/"changes": 1[12],/);
  });
  test('a document is valid against its schema, with findings of a gate in it', () => {
    const own = { code: 'no-friday', severity: 'error', message: 'Not today.' } as const;
    const { plan: made, diagnostics } = plan({
      config: parsed(entries('one: { options: { url: https://a.example } }')),
      server: SERVER,
      live: oneOption({ value: 'https://b.example' }),
      policy: { 'overrides-users': 'error' },
    });
    const report = { plans: [made], diagnostics: [...diagnostics, own] };
    const document: unknown = JSON.parse(render(report, 'json'));
    const schema = JSON.parse(readFileSync('schemas/plan.schema.json', 'utf8')) as object;
    const isValid = new Ajv({ strict: false }).compile(schema);
    expect([isValid(document), isValid.errors]).toEqual([true, null]);
    expect(document).toMatchObject({
      servers: [{ name: 'integrations.example.com', policy: { 'overrides-users': 'error' } }],
      diagnostics: [own],
    });
    expect(render(report, 'text').split('\n').slice(-2)).toEqual(['error no-friday: Not today.', '']);
  });
});

describe('plan', () => {
  test('asks for the documents that it lacks, until it has them', async () => {
    const sandbox = await liveSandbox({ settings: { dialect: 'options' } });
    await run(['plan', '-f', 'test/fixtures/three', '--url', sandbox.url], { env: { ...ADMIN, ...SECRETS } });
    const live = await answersTo(sandbox);
    const only = 'threat*';
    const input = { config: parsed(minimal), server: sandbox, environment: { variables: SECRETS }, only };
    const first = plan({ ...input, live: { integrations: live.integrations } });
    expect(first.lacking).toEqual([{ of: 'details', id: THREAT }]);
    expect(first.plan?.integrations).toMatchObject([{ id: THREAT, unplanned: true, changes: [] }]);
    expect(brief(first.diagnostics)).toContain('bad-answer');
    const { options: _, ...withDetails } = live;
    expect(plan({ ...input, live: withDetails }).lacking).toEqual([{ of: 'options', id: THREAT }]);
    const last = plan({ ...input, live });
    expect(last.lacking).toEqual([]);
    expect(last.plan?.summary.changes).toBeGreaterThan(0);
  });
  test.each([
    ['is about another integration', 'details', page([])],
    ['is no document', 'options', ['<html>']],
    ['is one page of several', 'options', [{ ...fullPage('integration-options'), links: { next: '/2' } }]],
    ['has less than its total', 'options', [{ data: [], meta: { page: { total: 2 } } }]],
  ] as const)('leaves out an integration of which a document %s', (_, of, body) => {
    const live = { ...oneOption({ value: '' }), [of]: { one: body } };
    const made = plan({
      config: parsed(entries('one: { options: { url: https://a.example } }')),
      server: SERVER,
      live,
    });
    expect(made.plan?.integrations).toMatchObject([{ id: 'one', unplanned: true }]);
    expect(made.lacking).toEqual([]);
    expect(brief(made.diagnostics)).toEqual([expect.stringMatching(/^(bad-answer|incomplete-read)$/)]);
  });
  test.each([
    ['a list that is not whole', { integrations: [page([], 3)] }, 'incomplete-read'],
    ['no list', { integrations: [] }, 'incomplete-read'],
    ['an empty list that says nothing of its pages', { integrations: [{ data: [] }] }, 'incomplete-read'],
    ['a full page without a total', { integrations: [fullPage('integrations')] }, 'incomplete-read'],
    ['what is no document', { integrations: ['<html>'] }, 'bad-answer'],
  ])('makes no plan from %s', (_, live, code) => {
    const made = plan({ config: parsed(entries('one: {}')), server: SERVER, live });
    expect([made.plan, brief(made.diagnostics)]).toEqual([undefined, expect.arrayContaining([code])]);
  });
  test.each([
    ['a reference without a value', {}, 'reference-missing a.yaml:3:26'],
    ['a variable that is not allowed', { variables: { OTHER: 'x1' } }, 'reference-not-allowed a.yaml:3:26'],
  ])('makes no plan with %s', (_, environment, found) => {
    const name = found.startsWith('reference-not') ? 'OTHER' : 'SETPOINT_A';
    const config = parsed(entries(`one: { options: { url: "\${env:${name}}" } }`));
    const made = plan({ config, server: SERVER, live: oneOption({ value: '' }), environment });
    expect([made.plan, brief(made.diagnostics)]).toEqual([undefined, [found]]);
  });
  test.each([
    ['http://integrations.example.com', {}, 'bad-url'],
    ['https://me:pass-word-1@integrations.example.com', {}, 'bad-url'],
    [SERVER.url, { only: 'nothing' }, 'unknown-name'],
    [SERVER.url, { only: '{a,b}*a*a*a*a' }, 'usage'],
    [SERVER.url, { environment: { allowEnv: ['{a,b}*a*a*a*a'] } }, 'usage'],
    [SERVER.url, { writeHidden: ['one.options.nope'] }, 'unknown-name'],
  ])('refuses %s with %j', (url, choice, code) => {
    const config = parsed(entries('one: { options: { url: https://a.example } }'));
    const made = plan({ config, server: { url }, live: oneOption({ value: '' }), ...choice });
    expect(brief(made.diagnostics)).toEqual([code]);
    expect(JSON.stringify(made)).not.toContain('pass-word-1');
  });
  test('reads files as the program does', () => {
    const config = parsed(entries('one: { options: { url: "${file:a/url}" } }'));
    const planned = (files: Record<string, string>) =>
      plan({
        config,
        server: SERVER,
        live: oneOption({ value: 'https://a.example' }),
        environment: { files },
      });
    expect(planned({ 'a/url': 'https://a.example\n' }).plan?.summary.changes).toBe(0);
    expect(brief(planned({ 'a/url': '\n' }).diagnostics)).toEqual(['reference-file a.yaml:3:26']);
    expect(brief(planned({}).diagnostics)).toEqual(['reference-file a.yaml:3:26']);
  });
});

describe('no secret is in what the library makes', () => {
  const text = entries(`one:\n  options:\n    url: "\${env:SETPOINT_A}"\n    note: was ${KEY}`);
  const option = (key: string, type: string, value: string) => ({
    key,
    attributes: { type, value, 'admin-only': true, 'user-can-edit': false },
  });
  const live = (key: string) => ({
    integrations: [
      page([
        {
          id: 'one',
          attributes: { name: 'One', status: 'running' },
          options: [
            option('url', 'password', key),
            option('note', 'text', `is ${key}`),
            option('other', 'text', ''),
          ],
        },
      ]),
    ],
  });
  test('neither of the environment nor of the server', () => {
    const made = plan({
      config: parsed(text),
      server: SERVER,
      live: live('live-secret-93ad'),
      environment: { variables: { SETPOINT_A: KEY } },
    });
    const report = { plans: [made.plan], diagnostics: made.diagnostics };
    const all = [
      JSON.stringify(made),
      render(report, 'json'),
      render(report, 'text', { full: true, notes: true }),
    ];
    expect(made.plan?.summary.changes).toBe(2);
    for (const shown of all) expect(shown).not.toMatch(/gate-secret|live-secret|7f31|93ad/);
  });
  test('nor what a gate says of it, where the gate tells its secrets', () => {
    const own = { code: 'own', severity: 'error', message: `It is ${KEY}.` } as const;
    for (const format of ['json', 'text'] as const)
      expect(render({ diagnostics: [own] }, format, { secrets: [KEY] })).toContain('It is (secret).');
  });
  test('and a configuration shows nothing of itself', () => {
    const config = parsed(text);
    expect(`${JSON.stringify(config)} ${String(config)}`).not.toContain('was');
  });
});

describe('render', () => {
  test('shows one finding of several servers once, with their names', () => {
    const found = (server: string) =>
      ({ code: 'own', severity: 'warning', message: 'Same.', server }) as const;
    expect(render({ diagnostics: [found('a'), found('b')] }, 'text')).toBe('warning own: [a, b] Same.\n');
  });
});

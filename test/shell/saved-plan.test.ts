import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { edited } from '../support/edited.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { outcomeOf } from '../support/outcomes.ts';
import { configuration, option, ownCatalog } from '../support/own-catalog.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { exchange, logIn } from '../support/sandbox.ts';
import { seeds } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

interface Document {
  readonly formatVersion: string;
  readonly fingerprint?: string;
  readonly servers: readonly ServerPlan<null>[];
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    readonly file?: string;
    readonly line?: number;
  }[];
}

const codes = (result: RunResult) => json<Document>(result).diagnostics.map(({ code }) => code);
const outcomes = (result: RunResult) =>
  json<Document>(result).servers.flatMap(({ integrations }) =>
    integrations.flatMap((each) => (each.changes.length === 0 ? [] : [`${each.name} ${outcomeOf(each)}`])),
  );
/** The stale integrations: where each moved, and which of its fields. */
const stale = (result: RunResult) =>
  json<Document>(result).diagnostics.flatMap(({ code, message }) => {
    if (code !== 'stale') return [];
    const places = ['on the server', 'in the configuration'].filter((place) => message.includes(place));
    return [[...places, ...new Set(message.match(/(alpha|beta|gamma)\.\w+(\.\w+\.\w+)?/g))].join(' ')];
  });
const patches = ({ seen }: { seen: () => string[] }) =>
  seen().filter((each) => each.startsWith('PATCH')).length;

const CHOICES = { options: ['fast', 'slow'].map((value) => ({ display: value.toUpperCase(), value })) };
const CATALOG = {
  alpha: configuration(
    option('apiKey', 'password'),
    option('header', 'text'),
    option('certificate', 'password'),
    option('limit', 'number', 5),
    option('mode', 'select', { display: 'FAST', value: 'fast' }, CHOICES),
  ),
  beta: configuration(option('apiKey', 'password', 'live-secret-of-beta'), option('url', 'text')),
  gamma: configuration(option('url', 'text'), option('on', 'boolean', false), option('more', 'number', 1)),
};
const YAML = [
  'alpha:',
  '  autosubscribe: true',
  '  options:',
  '    apiKey: "${env:SETPOINT_A}"',
  '    header: "Bearer ${value:token}-${env:SETPOINT_NONE:-public}"',
  '    certificate: "${file:certs/a.pem}"',
  '    limit: 9',
  '    mode: slow',
  'beta: { options: { apiKey: "${env:SETPOINT_B}", url: "https://b.example.com" } }',
  'gamma: { options: { url: "https://g.example.com", on: true } }',
].join('\n');
const SECRETS = {
  SETPOINT_A: 'canary-one-of-alpha',
  SETPOINT_B: 'canary-two-of-beta',
  SETPOINT_T: 'canary-three',
};
/** Makes fingerprints with any login. */
const KEY = { SETPOINT_FINGERPRINT_KEY: 'known wherever plans are made' };
const PEM = 'canary-in-a-file\nwith two lines\n';

/** A sandbox, the configuration of three integrations, and the plan of it in a file. */
async function saved(
  wish: {
    readonly env?: Record<string, string>;
    readonly extra?: readonly string[];
    readonly catalog?: Record<string, string>;
    /** Options of gamma that have their desired value when the plan is made. */
    readonly drift?: readonly string[];
  } = {},
) {
  const { sandbox, cwd } = await ownCatalog(wish.catalog ?? CATALOG, YAML);
  for (const id of wish.drift ?? [])
    await byHand(sandbox.url, id, id === 'gamma-on' ? true : 'https://g.example.com');
  const text = await readFile(join(cwd, 'a.yaml'), 'utf8');
  await writeFile(join(cwd, 'a.yaml'), `${text}values: { token: "\${env:SETPOINT_T}" }\n`);
  const folder = await tempFolder({ 'certs/a.pem': PEM });
  await writeFile(join(folder, 'a.yaml'), await readFile(join(cwd, 'a.yaml')));
  const env = { ...ADMIN, ...KEY, ...SECRETS, ...wish.env };
  const plan = ['plan', '-q', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json=plan.json'];
  const planned = await run([...plan, ...(wish.extra ?? [])], { cwd: folder, env });
  expect([planned.code, planned.stderr]).toEqual([0, '']);
  sandbox.seen();
  const path = join(folder, 'plan.json');
  const target = ['-f', 'a.yaml', '--url', sandbox.url];
  const apply = (more: readonly string[] = [], overrides: Record<string, string | undefined> = {}) =>
    run(['apply', 'plan.json', ...target, '--yes', '--report', 'json', ...more], {
      cwd: folder,
      env: Object.fromEntries(
        Object.entries({ ...env, ...overrides }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
    });
  /** Changes the YAML after the plan was made. */
  const rewrite = async (from: string | RegExp, to: string) => {
    const yaml = await readFile(join(folder, 'a.yaml'), 'utf8');
    expect(yaml.replace(from, to)).not.toBe(yaml);
    await writeFile(join(folder, 'a.yaml'), yaml.replace(from, to));
  };
  return { sandbox, folder, path, target, apply, rewrite };
}

/** What the sandbox holds, as its administrator reads it. */
async function held(url: string, id: string): Promise<Record<string, unknown>> {
  const token = await logIn(url, 'admin');
  const path = `/api/integration-options?filter[integration.id]=${id}`;
  const { body } = await exchange(url, 'GET', path, { token });
  const { data } = body as { data: { id: string; attributes: { value: unknown } }[] };
  return Object.fromEntries(data.map((each) => [each.id.slice(id.length + 1), each.attributes.value]));
}

/** Writes an option behind the tool's back. */
async function byHand(url: string, id: string, value: unknown): Promise<void> {
  const token = await logIn(url, 'admin');
  const data = [{ id, type: 'integration-options', attributes: { value } }];
  expect((await exchange(url, 'PATCH', '/api/integration-options', { token, body: { data } })).status).toBe(
    200,
  );
}

describe('a saved plan', () => {
  test('is applied as it was reviewed, and holds no secret', async () => {
    const { sandbox, path, apply } = await saved();
    const text = await readFile(path, 'utf8');
    for (const secret of [...Object.values(SECRETS), 'canary-in-a-file', 'live-secret-of-beta'])
      expect(text).not.toContain(secret);
    const [plan] = (JSON.parse(text) as Document).servers;
    expect(plan?.integrations[1]?.changes[0]).toMatchObject({ sensitive: true, before: null, after: null });

    const applied = await apply();
    expect([applied.code, outcomes(applied)]).toEqual([
      0,
      ['alpha verified', 'beta verified', 'gamma verified'],
    ]);
    expect(await held(sandbox.url, 'alpha')).toEqual({
      apiKey: SECRETS.SETPOINT_A,
      header: `Bearer ${SECRETS.SETPOINT_T}-public`,
      certificate: PEM.trimEnd(),
      limit: 9,
      mode: { display: 'SLOW', value: 'slow' },
    });
    expect(await held(sandbox.url, 'beta')).toEqual({
      apiKey: SECRETS.SETPOINT_B,
      url: 'https://b.example.com',
    });
    expect(patches(sandbox)).toBe(4);
  });
  test('is finished by applying it again', async () => {
    const { sandbox, apply } = await saved();
    await byHand(sandbox.url, 'gamma-url', 'https://g.example.com');
    await byHand(sandbox.url, 'gamma-on', true);
    await byHand(sandbox.url, 'beta-url', 'https://b.example.com');
    sandbox.seen();
    const applied = await apply();
    expect([applied.code, patches(sandbox)]).toEqual([0, 3]);
    expect(outcomes(applied)).toEqual(['alpha verified', 'beta verified', 'gamma verified']);
    const again = await apply();
    expect([again.code, patches(sandbox)]).toEqual([0, 0]);
    expect(outcomes(again)).toEqual(['alpha verified', 'beta verified', 'gamma verified']);
  });
  test('is finished at a terminal as well, and asks nothing where nothing is left', async () => {
    const { sandbox, folder, target } = await saved();
    const env = { ...ADMIN, ...KEY, ...SECRETS };
    const questions = { asked: 0 };
    const answer = async () => {
      questions.asked += 1;
      return 'yes';
    };
    const ask = () =>
      run(['apply', 'plan.json', ...target, '--report', 'json'], { cwd: folder, env, answer });
    await byHand(sandbox.url, 'gamma-url', 'https://g.example.com');
    await byHand(sandbox.url, 'gamma-on', true);
    sandbox.seen();
    const applied = await ask();
    expect([applied.code, patches(sandbox), outcomes(applied)]).toEqual([
      0,
      3,
      ['alpha verified', 'beta verified', 'gamma verified'],
    ]);
    expect([(await ask()).code, patches(sandbox), questions.asked]).toEqual([0, 0, 1]);
  });
  test('a write while a person was asked makes its integration alone stale', async () => {
    const { sandbox, folder, target } = await saved();
    const answer = async () => {
      await byHand(sandbox.url, 'beta-url', 'https://by-hand.example.com');
      return 'yes';
    };
    const args = ['apply', 'plan.json', ...target, '--report', 'json'];
    const applied = await run(args, { cwd: folder, env: { ...ADMIN, ...KEY, ...SECRETS }, answer });
    expect([applied.code, outcomes(applied)]).toEqual([
      5,
      ['alpha verified', 'beta stale', 'gamma verified'],
    ]);
    expect(await held(sandbox.url, 'beta')).toEqual({
      apiKey: 'live-secret-of-beta',
      url: 'https://by-hand.example.com',
    });
  });
  test('says before the question what is stale, and how many requests are left', async () => {
    const { sandbox, folder, target } = await saved();
    await byHand(sandbox.url, 'alpha-limit', 77);
    const env = { ...ADMIN, ...KEY, ...SECRETS };
    const refused = await run(['apply', 'plan.json', ...target], {
      cwd: folder,
      env,
      answer: async () => 'no',
    });
    expect(refused.code).toBe(6);
    expect(refused.stderr).toMatch(/2 to apply\..*error stale: alpha .*error not-confirmed/s);
    expect(patches(sandbox)).toBe(1);
  });
  test('plans again with one reading, and reads back only what it touched', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 230 }, (_, index) => [`i${index}`, configuration(option('url', 'text'))]),
    );
    const { sandbox, cwd, attempt } = await ownCatalog(
      many,
      'i7: { options: { url: "https://x.example.com" } }',
    );
    const planned = await attempt(['plan']);
    await writeFile(join(cwd, 'plan.json'), planned.stdout);
    sandbox.seen();
    const applied = await attempt(['apply', 'plan.json', '--yes']);
    expect(applied.code).toBe(0);
    const list = Array.from({ length: 3 }, () => 'GET /api/integrations');
    const requests = sandbox.seen().filter((each) => !each.includes('/users/') && !each.endsWith('/errors'));
    expect(requests).toEqual([...list, 'PATCH /api/integration-options', 'GET /api/integrations/i7']);
  });
  test('selects the integrations that --only selected', async () => {
    const { sandbox, apply } = await saved({ extra: ['--only', 'gamma'] });
    // The values of the others are not even looked for.
    const applied = await apply([], { SETPOINT_A: undefined });
    expect([applied.code, outcomes(applied), patches(sandbox)]).toEqual([0, ['gamma verified'], 1]);
  });
});

describe('what is not as it was reviewed is stale, alone', () => {
  const others = (name: string) =>
    ['alpha', 'beta', 'gamma'].map((each) => `${each} ${each === name ? 'stale' : 'verified'}`);

  test('a secret that was replaced on the server', async () => {
    const { sandbox, apply } = await saved();
    await byHand(sandbox.url, 'beta-apiKey', 'somebody-rotated-it');
    sandbox.seen();
    const applied = await apply();
    expect([applied.code, outcomes(applied)]).toEqual([5, others('beta')]);
    expect(stale(applied)).toEqual(['on the server beta.options.apiKey.value']);
    expect((await held(sandbox.url, 'beta'))['apiKey']).toBe('somebody-rotated-it');
  });
  test('a value that somebody else wrote since the plan is not overwritten', async () => {
    const { sandbox, apply } = await saved();
    await byHand(sandbox.url, 'alpha-limit', 77);
    sandbox.seen();
    const applied = await apply();
    expect([applied.code, outcomes(applied), patches(sandbox)]).toEqual([5, others('alpha'), 2]);
    expect(stale(applied)).toEqual(['on the server alpha.options.limit.value']);
    expect((await held(sandbox.url, 'alpha'))['limit']).toBe(77);
  });
  test.each<[string, string, string, string, string]>([
    ['another value', 'limit: 9', 'limit: 10', 'alpha', 'alpha.options.limit.value'],
    ['the value that is live', 'limit: 9', 'limit: 5', 'alpha', 'alpha.options.limit.value'],
    ['a field that it no longer manages', ', on: true', '', 'gamma', 'gamma.options.on.value'],
    ['a field that it manages now', 'on: true', 'on: true, more: 7', 'gamma', 'gamma.options.more.value'],
  ])('the YAML has %s', async (_, from, to, name, address) => {
    const { sandbox, apply, rewrite } = await saved();
    await rewrite(from, to);
    const applied = await apply();
    expect([applied.code, outcomes(applied)]).toEqual([5, others(name)]);
    expect(stale(applied)).toEqual([`in the configuration ${address}`]);
    expect(patches(sandbox)).toBeGreaterThan(0);
  });
  test('the environment has another secret', async () => {
    const { sandbox, apply } = await saved();
    const applied = await apply([], { SETPOINT_B: 'another-value' });
    expect([applied.code, outcomes(applied)]).toEqual([5, others('beta')]);
    expect(stale(applied)).toEqual(['in the configuration beta.options.apiKey.value']);
    const [found] = json<Document>(applied).diagnostics.filter(({ code }) => code === 'stale');
    expect(found).toMatchObject({ file: 'a.yaml', line: 11 });
    expect((await held(sandbox.url, 'beta'))['apiKey']).toBe('live-secret-of-beta');
  });
  test('the YAML no longer has an integration', async () => {
    const { apply, rewrite } = await saved();
    await rewrite(/ {2}gamma: .*\n/, '');
    const applied = await apply();
    expect([applied.code, outcomes(applied)]).toEqual([5, others('gamma')]);
    expect(stale(applied)).toEqual(['in the configuration gamma.options.on.value gamma.options.url.value']);
  });
  test('a name means another integration', async () => {
    const { apply, rewrite } = await saved({ catalog: { ...CATALOG, delta: CATALOG.gamma } });
    await rewrite('gamma: {', 'gamma: { match: delta,');
    const applied = await apply();
    expect([applied.code, outcomes(applied)]).toEqual([5, others('gamma')]);
    expect(stale(applied)).toEqual(['in the configuration']);
  });
  test('an integration that was as desired has drifted', async () => {
    const { sandbox, apply } = await saved({ drift: ['gamma-url', 'gamma-on'] });
    await byHand(sandbox.url, 'gamma-url', 'https://drifted.example.com');
    const applied = await apply();
    expect([applied.code, outcomes(applied)]).toEqual([5, others('gamma')]);
    expect((await held(sandbox.url, 'gamma'))['url']).toBe('https://drifted.example.com');
  });
});

describe('an edited plan can only narrow what the YAML asks for', () => {
  const EDITS = seeds(6, 1_000);

  test.each([
    ['', KEY],
    [' without fingerprints', { SETPOINT_FINGERPRINT_KEY: '' }],
  ])(`${EDITS} random edits%s`, { timeout: 60_000 + 300 * EDITS }, async (_, env) => {
    const { sandbox, path, apply } = await saved({ env });
    const plan = JSON.parse(await readFile(path, 'utf8')) as Document;
    const start = { alpha: await held(sandbox.url, 'alpha'), beta: await held(sandbox.url, 'beta') };
    const wanted = new Set(
      [
        9,
        true,
        'https://b.example.com',
        'https://g.example.com',
        PEM.trimEnd(),
        { display: 'SLOW', value: 'slow' },
      ]
        .concat(SECRETS.SETPOINT_A, SECRETS.SETPOINT_B, `Bearer ${SECRETS.SETPOINT_T}-public`)
        .map((value) => JSON.stringify(value)),
    );
    const before = sandbox.exchanges.length;
    for (const seed of Array.from({ length: EDITS }, (_, index) => index)) {
      await writeFile(path, JSON.stringify({ ...plan, servers: edited(plan.servers, seed) }));
      expect([0, 3, 5, 6]).toContain((await apply()).code);
      for (const [id, options] of Object.entries(start))
        for (const [key, value] of Object.entries(options)) await byHand(sandbox.url, `${id}-${key}`, value);
    }
    const sent = sandbox.exchanges
      .slice(before)
      .filter(({ method, path }) => method === 'PATCH' && path === '/api/integration-options')
      .flatMap(({ body }) => (body as { data: { attributes: { value: unknown } }[] }).data)
      .map(({ attributes }) => JSON.stringify(attributes.value));
    const restored = new Set(
      Object.values(start)
        .flatMap((options) => Object.values(options))
        .map((value) => JSON.stringify(value)),
    );
    expect(sent.filter((value) => !wanted.has(value) && !restored.has(value))).toEqual([]);
    expect(sent.filter((value) => wanted.has(value)).length).toBeGreaterThan(EDITS);
  });
  test('a part taken away is not written, and said to be stale', async () => {
    const { sandbox, path, apply } = await saved();
    const plan = JSON.parse(await readFile(path, 'utf8')) as Document;
    const servers = plan.servers.map((each) => ({ ...each, integrations: each.integrations.slice(1) }));
    await writeFile(path, JSON.stringify({ ...plan, servers }));
    const result = await apply();
    expect([result.code, outcomes(result)]).toEqual([5, ['alpha stale', 'beta verified', 'gamma verified']]);
    expect((await held(sandbox.url, 'alpha'))['limit']).toBe(5);
  });
  test('its layout does not matter', async () => {
    const { path, apply } = await saved();
    await writeFile(path, `\uFEFF${JSON.stringify(JSON.parse(await readFile(path, 'utf8')))}\r\n`);
    expect((await apply()).code).toBe(0);
  });
});

describe('what is no plan to apply', () => {
  test.each<[string, (text: string) => string]>([
    ['no JSON', (text) => text.slice(0, -20)],
    ['another document', () => '{"name":"x"}'],
    ['a list', () => '[1, 2]'],
    ['empty', () => ''],
    ['a later major version', (text) => text.replace('"formatVersion": "1.2"', '"formatVersion": "2.0"')],
    ['a later minor version', (text) => text.replace('"formatVersion": "1.2"', '"formatVersion": "1.99"')],
    [
      'without its fingerprint',
      (text) => text.replace(/ {2}"fingerprint": "[0-9a-f]{32}",\n {2}"servers"/, '  "servers"'),
    ],
    ['without servers', (text) => text.replace('"servers"', '"serverz"')],
    ['with a costly glob', (text) => text.replace('"summary"', `"only": "${'[a]*'.repeat(40)}", "summary"`)],
    [
      'with a server twice',
      (text) => {
        const plan = JSON.parse(text) as Document;
        return JSON.stringify({ ...plan, servers: [...plan.servers, ...plan.servers] });
      },
    ],
  ])('%s', async (_, mangle) => {
    const { sandbox, path, apply } = await saved();
    const text = await readFile(path, 'utf8');
    expect(mangle(text)).not.toBe(text);
    await writeFile(path, mangle(text));
    const result = await apply();
    expect([result.code, codes(result), sandbox.seen()]).toEqual([3, ['plan-malformed'], []]);
  });
  test('the report of an apply, of a failure, a folder, nothing', async () => {
    const { sandbox, folder, path, apply } = await saved();
    const applied = await apply();
    await writeFile(path, applied.stdout);
    expect(codes(await apply())).toEqual(['plan-malformed']);
    const failed = await run(['plan', '-f', 'no.yaml', '--url', sandbox.url, '--report', 'json'], {
      cwd: folder,
    });
    await writeFile(path, failed.stdout);
    expect(codes(await apply())).toEqual(['plan-malformed']);
    const other = async (name: string) =>
      codes(await run(['apply', name, '--yes', '--report', 'json'], { cwd: folder }));
    expect([await other('certs'), await other('no.json')]).toEqual([
      ['file-unreadable'],
      ['file-unreadable'],
    ]);
  });
  test.each([
    ['--only', 'alpha'],
    ['--write-secrets', 'changed'],
  ])('a choice by %s that the plan has made', async (...flag) => {
    const { sandbox, apply } = await saved();
    const result = await apply(flag);
    expect([result.code, codes(result), sandbox.seen()]).toEqual([3, ['usage'], []]);
  });
});

describe('the secrets of a saved plan', () => {
  test('that are missing are all found before anything is sent', async () => {
    const { sandbox, folder, apply } = await saved();
    await writeFile(join(folder, 'certs/a.pem'), Buffer.alloc(70_000));
    const result = await apply([], { SETPOINT_A: undefined, SETPOINT_T: '' });
    expect([result.code, codes(result).sort(), sandbox.seen()]).toEqual([
      3,
      ['reference-file', 'reference-missing', 'reference-missing'],
      [],
    ]);
  });
  test('that are in clear in the YAML are not in it, and are applied all the same', async () => {
    const yaml = 'alpha: { options: { apiKey: canary-in-clear } }';
    const { sandbox, cwd, attempt } = await ownCatalog(CATALOG, yaml);
    const planned = await attempt(['plan'], KEY);
    expect(planned.stdout).not.toContain('canary-in-clear');
    await writeFile(join(cwd, 'plan.json'), planned.stdout);
    expect((await attempt(['apply', 'plan.json', '--yes'], KEY)).code).toBe(0);
    expect((await held(sandbox.url, 'alpha'))['apiKey']).toBe('canary-in-clear');
  });
});

test.each([
  'https://user:canary-in-url@h.example/x',
  '-----BEGIN PRIVATE KEY-----\\ncanary-of-a-key\\n-----END PRIVATE KEY-----',
])('a value in the form of a secret is in no plan, whatever its option: %s', async (value) => {
  const { sandbox, cwd, attempt } = await ownCatalog(CATALOG, `beta: { options: { url: "${value}" } }`);
  const args = ['plan', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json=plan.json'];
  const text = await run(args, { cwd });
  const applied = await attempt(['apply', '--yes']);
  const again = await attempt(['plan', '--exit-code']);
  const json = await readFile(join(cwd, 'plan.json'), 'utf8');
  expect([text.code, applied.code, again.code]).toEqual([0, 0, 0]);
  const back = await attempt(['plan'], {}, sandbox.url);
  for (const each of [text, applied, again, back]) expect(each.stdout + each.stderr).not.toContain('canary');
  expect(json).not.toContain('canary');
});

describe('a saved plan is bound', () => {
  test('to the key of its fingerprints: another account needs one that both know', async () => {
    const other = { SETPOINT_USERNAME: 'manager', SETPOINT_PASSWORD: 'manager' };
    const { apply } = await saved();
    const result = await apply([], { SETPOINT_FINGERPRINT_KEY: 'known to nobody else' });
    // What has no secret needs no key.
    expect([result.code, outcomes(result)]).toEqual([5, ['alpha stale', 'beta stale', 'gamma verified']]);
    expect(codes(result)).toEqual(['other-fingerprints', 'stale', 'stale']);
    expect(result.stdout).toContain('alpha.options.apiKey.value cannot be compared');
    // A login by password makes no key, so it has none to compare with either.
    expect(codes(await apply([], { SETPOINT_FINGERPRINT_KEY: '' }))).toEqual([
      'other-fingerprints',
      'stale',
      'stale',
    ]);
    const shared = await saved();
    expect((await shared.apply([], other)).code).toBe(0);
  });
  test('to the address of its server', async () => {
    const { folder, path, sandbox } = await saved();
    const another = await liveSandbox();
    const apply = async (...target: string[]) => {
      const result = await run(['apply', 'plan.json', ...target, '--yes', '--report', 'json'], {
        cwd: folder,
        env: { ...ADMIN, ...KEY, ...SECRETS },
      });
      return [result.code, ...codes(result)];
    };
    expect(await apply()).toEqual([3, 'no-configuration']);
    expect(await apply('--url', another.url, '-f', 'a.yaml')).toEqual([6, 'plan-of-other-server']);
    await writeFile(
      join(folder, 'setpoint.yaml'),
      `version: 1\nservers: { here: { url: ${another.url}, config: [a.yaml] } }\n`,
    );
    expect(await apply()).toEqual([6, 'plan-of-other-server']);
    // Whoever edits the address of the plan gets no further than the configuration.
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replaceAll(sandbox.url, another.url).replaceAll(new URL(sandbox.url).host, 'here'),
    );
    expect((await apply())[0]).not.toBe(0);
    expect(sandbox.seen()).toEqual([]);
    expect(patches(another)).toBe(0);
  });
  test('to a server of the project by its name, and to both policies', async () => {
    const { sandbox, cwd } = await ownCatalog(CATALOG, 'gamma: { autosubscribe: true }');
    const another = await liveSandbox();
    const project = (url: string, policy = '') =>
      writeFile(
        join(cwd, 'setpoint.yaml'),
        `version: 1\nservers: { main: { url: "${url}", config: [a.yaml] } }\n${policy}`,
      );
    const STRICT = 'policy: { subscribes-everyone: error }\n';
    const plan = async () => {
      const planned = await run(['plan', '--report', 'json=plan.json'], { cwd });
      expect(planned.code).toBe(0);
    };
    const apply = async () => {
      const args = ['apply', 'plan.json', '--yes', '--allow', 'subscribes-everyone', '--report', 'json'];
      return codes(await run(args, { cwd }));
    };
    await project(sandbox.url, STRICT);
    await plan();
    // The policy goes with the plan, and is not loosened by the file that is there now.
    expect(await apply()).toEqual(['risk-refused']);
    await project(sandbox.url);
    expect(await apply()).toEqual(['risk-refused']);
    await project(another.url);
    expect(await apply()).toEqual(['plan-of-other-server']);
    await project(sandbox.url);
    await plan();
    await project(sandbox.url, STRICT);
    expect(await apply()).toEqual(['risk-refused']);
    expect([patches(sandbox), another.seen()]).toEqual([0, []]);
    await project(sandbox.url);
    expect([await apply(), patches(sandbox)]).toEqual([[], 1]);
  });
  test('to the policy of the project also where its server is named by its address', async () => {
    const { sandbox, cwd, attempt } = await ownCatalog(CATALOG, 'gamma: { autosubscribe: true }');
    const project = (policy: string) =>
      writeFile(
        join(cwd, 'setpoint.yaml'),
        `version: 1\nservers: { main: { url: "${sandbox.url}", config: [a.yaml] } }\n${policy}`,
      );
    await project('policy: { subscribes-everyone: error }\n');
    const apply = async () => (await attempt(['apply', '--yes', '--allow', 'subscribes-everyone'])).code;
    expect(await apply()).toBe(6);
    // Nor does a command that stands elsewhere, or a file in a repository of its own, loosen it.
    await mkdir(join(cwd, '.git'));
    const nested = join(cwd, 'nested');
    await mkdir(join(nested, '.git'), { recursive: true });
    await copyFile(join(cwd, 'a.yaml'), join(nested, 'a.yaml'));
    const away = await tempFolder({});
    for (const [from, path] of [
      [away, join(cwd, 'a.yaml')],
      [away, join(nested, 'a.yaml')],
      [nested, 'a.yaml'],
    ] as const)
      expect((await run(['apply', '-f', path, '--url', sandbox.url, '--yes'], { cwd: from })).code).toBe(6);
    expect(patches(sandbox)).toBe(0);
    await project('');
    expect(await apply()).toBe(0);
  });
  test('--server narrows it', async () => {
    const { sandbox, cwd } = await ownCatalog(CATALOG, 'gamma: { autosubscribe: true }');
    const another = await liveSandbox({
      catalog: await tempFolder({ 'gamma.json': CATALOG.gamma }),
      ids: { gamma: 'gamma' },
    });
    await writeFile(
      join(cwd, 'setpoint.yaml'),
      `version: 1\nservers:\n  one: { url: "${sandbox.url}", config: [a.yaml] }\n  two: { url: "${another.url}", config: [a.yaml] }\n`,
    );
    const planned = await run(['plan', '--report', 'json=plan.json'], { cwd });
    expect(planned.code).toBe(0);
    another.seen();
    const apply = (...more: string[]) =>
      run(['apply', 'plan.json', '--yes', '--report', 'json', ...more], { cwd });
    expect([(await apply('--server', 'one')).code, patches(sandbox), another.seen()]).toEqual([0, 1, []]);
    expect([(await apply()).code, patches(sandbox), patches(another)]).toEqual([0, 0, 1]);
  });
});

test('the guard counts what was reviewed, also when a part of it is done', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`i${index}`, configuration(option('url', 'text'))]),
  );
  const names = Object.keys(many);
  const yaml = names.map((name) => `${name}: { options: { url: "https://x.example.com" } }`).join('\n');
  const { sandbox, cwd, attempt } = await ownCatalog(many, yaml);
  await writeFile(join(cwd, 'plan.json'), (await attempt(['plan'])).stdout);
  for (const name of names.slice(0, 6)) await byHand(sandbox.url, `${name}-url`, 'https://x.example.com');
  sandbox.seen();
  const apply = async (...more: string[]) => {
    const result = await attempt(['apply', 'plan.json', '--yes', ...more]);
    return [result.code, ...codes(result), patches(sandbox)];
  };
  expect(await apply()).toEqual([6, 'many-changes', 0]);
  expect(await apply('--allow-changes', '6')).toEqual([6, 'many-changes', 0]);
  expect(await apply('--allow-changes', '12')).toEqual([0, 6]);
  expect(await apply()).toEqual([0, 0]);
});

describe('what a plan holds of selects, lists and short values', () => {
  const LISTS = {
    alpha: configuration(
      option('types', 'select', [], {
        multiple: true,
        options: ['hash', 'ip-address', 'url'].map((value) => ({ display: value.toUpperCase(), value })),
      }),
      option('open', 'select', { display: 'A', value: 'a' }, { options: [] }),
      option('num', 'number', 1),
    ),
    beta: configuration(option('num', 'number', 1), option('url', 'text')),
  };
  /** Saves the plan of a YAML with these variables; gives what applies it, with others. */
  async function plannedWith(yaml: string, env: Record<string, string>) {
    const { sandbox, cwd } = await ownCatalog(LISTS, yaml);
    const args = ['plan', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json=plan.json'];
    const planned = await run(args, { cwd, env: { ...ADMIN, ...KEY, ...env } });
    expect([planned.code, planned.stderr]).toEqual([0, '']);
    const apply = (later: Record<string, string>, ...more: string[]) =>
      run(
        ['apply', 'plan.json', '-f', 'a.yaml', '--url', sandbox.url, '--yes', '--report', 'json', ...more],
        {
          cwd,
          env: { ...ADMIN, ...KEY, ...later },
        },
      );
    return { sandbox, cwd, apply };
  }

  test('a live value around a short secret is hidden, as in text', async () => {
    const url = option('url', 'text', 'https://x.example.com/?key=hunter2xyz');
    const live = { beta: configuration(option('apiKey', 'password'), url) };
    const yaml = 'beta: { options: { apiKey: "${env:SETPOINT_B}", url: "https://b.example.com" } }';
    const { attempt } = await ownCatalog(live, yaml);
    const { code, stdout } = await attempt(['plan'], { SETPOINT_B: 'hunter2xyz' });
    expect(code).toBe(0);
    expect(stdout).toContain('"beta.options.url.value"');
    expect(stdout).not.toContain('hunter2xyz');
  });
  test('the literals beside a reference are no secrets', async () => {
    const env = { SETPOINT_T: 'ip-address', SETPOINT_M: 'secret-mode' };
    const yaml =
      'alpha: { options: { types: [hash, "${env:SETPOINT_T}"], open: { display: "https://intranet", value: "${env:SETPOINT_M}" } } }\nbeta: { options: { url: "https://intranet/path" } }';
    const { sandbox, apply } = await plannedWith(yaml, env);
    const applied = await apply(env);
    expect([applied.code, outcomes(applied)]).toEqual([0, ['alpha verified', 'beta verified']]);
    expect((await held(sandbox.url, 'alpha'))['open']).toEqual({
      display: 'https://intranet',
      value: 'secret-mode',
    });
  });
  test('a short value from the environment makes no secret of equal literals', async () => {
    const env = { SETPOINT_Q: '9' };
    const yaml = 'alpha: { options: { num: "${env:SETPOINT_Q}" } }\nbeta: { options: { num: 9 } }';
    const { apply } = await plannedWith(yaml, env);
    expect((await apply(env)).code).toBe(0);
  });
  test('a short fallback that is no secret is shown, and applied', async () => {
    const yaml = 'alpha: { options: { num: "${env:SETPOINT_NONE:-20}" } }';
    const { cwd, apply } = await plannedWith(yaml, {});
    expect(await readFile(join(cwd, 'plan.json'), 'utf8')).toContain('${env:SETPOINT_NONE:-20}');
    expect((await apply({})).code).toBe(0);
  });
  test('the report of an apply does not go over its plan', async () => {
    const env = { SETPOINT_Q: '7' };
    const { cwd, apply } = await plannedWith('alpha: { options: { num: "${env:SETPOINT_Q}" } }', env);
    const before = await readFile(join(cwd, 'plan.json'), 'utf8');
    const result = await apply({}, '--report', 'json=plan.json');
    expect(result.code).toBe(3);
    expect(await readFile(join(cwd, 'plan.json'), 'utf8')).toBe(before);
  });
});

describe('a secret that cannot be read', () => {
  /** The plan that writes it, and a second field beside it. */
  async function masked(key: Readonly<Record<string, string>> = KEY) {
    const yaml = 'beta: { options: { apiKey: "${env:SETPOINT_B}", url: "https://b.example.com" } }';
    const { sandbox, cwd, attempt } = await ownCatalog(CATALOG, yaml, { settings: { passwords: 'masked' } });
    const env = { SETPOINT_B: SECRETS.SETPOINT_B, ...key };
    const planned = await attempt(['plan', '--write-secrets', 'all'], env);
    await writeFile(join(cwd, 'plan.json'), planned.stdout);
    sandbox.seen();
    /** The plan of all but the secret, with the change of the secret put in, in the words of setpoint itself. */
    const forge = async () => {
      const bare = json<Document>(await attempt(['plan'], env));
      const change = json<Document>(planned).servers[0]?.integrations[0]?.changes.find(
        ({ sensitive }) => sensitive,
      );
      expect(change).toMatchObject({ unreadable: true });
      const forged = JSON.parse(JSON.stringify(bare), (name, value) => {
        if (/fingerprintKey/i.test(name)) return undefined;
        return name === 'changes' && Array.isArray(value)
          ? [{ ...change, fingerprint: undefined }, ...value]
          : value;
      });
      await writeFile(join(cwd, 'plan.json'), JSON.stringify(forged));
    };
    /** How often the secret was sent. */
    const sent = () =>
      sandbox.exchanges.filter(
        ({ method, body }) => method === 'PATCH' && JSON.stringify(body).includes(SECRETS.SETPOINT_B),
      ).length;
    const apply = (...flags: readonly string[]) => attempt(['apply', 'plan.json', '--yes', ...flags], env);
    return { sandbox, sent, apply, forge };
  }

  test('is not written because somebody put it into the plan of a run with a key', async () => {
    const { sandbox, sent, apply, forge } = await masked();
    await forge();
    const applied = await apply();
    expect([applied.code, codes(applied), sent()]).toEqual([5, expect.arrayContaining(['stale']), 0]);
    expect(patches(sandbox)).toBe(0);
  });
  test('is written by its reference without a key, and with one by its fingerprint or the word of who applies', async () => {
    const keyless = await masked({});
    const byReference = await keyless.apply();
    expect([byReference.code, outcomes(byReference), keyless.sent()]).toEqual([0, ['beta sent'], 1]);
    const { sent, apply, forge } = await masked();
    await forge();
    const refused = await apply();
    const [stale] = json<Document>(refused).diagnostics.filter(({ code }) => code === 'stale');
    expect(stale?.hint).toContain('--write-secrets beta.options.apiKey.value');
    expect([(await apply('--write-secrets', 'beta.options.url')).code, sent()]).toEqual([5, 0]);
    const applied = await apply('--write-secrets', 'beta.options.apiKey.value');
    expect([applied.code, outcomes(applied), sent()]).toEqual([0, ['beta sent'], 1]);
  });

  test('is written again by the same plan: nobody can tell that it is there', async () => {
    const { sent, apply } = await masked();
    for (const times of [1, 2]) {
      const applied = await apply();
      expect([applied.code, outcomes(applied), sent()]).toEqual([0, ['beta sent'], times]);
    }
  });
  test('is written again where it was empty when it was planned: an apply may have been torn', async () => {
    const yaml = 'alpha: { autosubscribe: true, options: { apiKey: "${env:SETPOINT_A}" } }';
    const { sandbox, cwd, attempt } = await ownCatalog(CATALOG, yaml, { settings: { passwords: 'masked' } });
    const env = { ...SECRETS, ...KEY };
    const planned = await attempt(['plan'], env);
    await writeFile(join(cwd, 'plan.json'), planned.stdout);
    await byHand(sandbox.url, 'alpha-apiKey', SECRETS.SETPOINT_A);
    sandbox.seen();
    const applied = await attempt(['apply', 'plan.json', '--yes'], env);
    expect([applied.code, outcomes(applied), patches(sandbox)]).toEqual([0, ['alpha sent'], 2]);
  });
  test('is not done because the field beside it is', async () => {
    const { sandbox, sent, apply } = await masked();
    await byHand(sandbox.url, 'beta-url', 'https://b.example.com');
    const applied = await apply();
    expect([applied.code, outcomes(applied), sent()]).toEqual([0, ['beta sent'], 1]);
  });
});

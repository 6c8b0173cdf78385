import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServerPlan } from '../../src/core/plan/plan.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { configuration, option, ownCatalog } from '../support/own-catalog.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { exchange, logIn } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp.ts';

interface Document {
  readonly formatVersion: string;
  readonly fingerprint?: string;
  readonly servers: readonly ServerPlan[];
  readonly diagnostics: readonly { readonly code: string; readonly file?: string; readonly line?: number }[];
}

const codes = (result: RunResult) => json<Document>(result).diagnostics.map(({ code }) => code);
const outcomes = (result: RunResult) =>
  json<Document>(result).servers.flatMap(({ integrations }) =>
    integrations.flatMap(({ name, outcome }) => (outcome === undefined ? [] : [`${name} ${outcome}`])),
  );
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
  gamma: configuration(option('url', 'text'), option('on', 'boolean', false)),
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
const PEM = 'canary-in-a-file\nwith two lines\n';

/** A sandbox, the configuration of three integrations, and the plan of it in a file. */
async function saved(
  wish: { readonly env?: Record<string, string>; readonly extra?: readonly string[] } = {},
) {
  const { sandbox, cwd } = await ownCatalog(CATALOG, YAML);
  const text = await readFile(join(cwd, 'a.yaml'), 'utf8');
  await writeFile(join(cwd, 'a.yaml'), `${text}values: { token: "\${env:SETPOINT_T}" }\n`);
  const folder = await tempFolder({ 'certs/a.pem': PEM });
  await writeFile(join(folder, 'a.yaml'), await readFile(join(cwd, 'a.yaml')));
  const env = { ...ADMIN, ...SECRETS, ...wish.env };
  const plan = ['plan', '-q', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json=plan.json'];
  const planned = await run([...plan, ...(wish.extra ?? [])], { cwd: folder, env });
  expect([planned.code, planned.stderr]).toEqual([0, '']);
  sandbox.seen();
  const path = join(folder, 'plan.json');
  const apply = (more: readonly string[] = [], overrides: Record<string, string | undefined> = {}) =>
    run(['apply', 'plan.json', '--yes', '--report', 'json', ...more], {
      cwd: folder,
      env: Object.fromEntries(
        Object.entries({ ...env, ...overrides }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
    });
  return { sandbox, folder, path, apply };
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
  test('is applied as it was reviewed, without the YAML, and holds no secret', async () => {
    const { sandbox, folder, path, apply } = await saved();
    await writeFile(join(folder, 'a.yaml'), 'version: 1\nintegrations: {}\n');
    const text = await readFile(path, 'utf8');
    for (const secret of [...Object.values(SECRETS), 'canary-in-a-file', 'live-secret-of-beta'])
      expect(text).not.toContain(secret);

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
    sandbox.seen();
    const applied = await apply();
    expect([applied.code, patches(sandbox)]).toEqual([0, 3]);
    expect(outcomes(applied)).toEqual(['alpha verified', 'beta verified', 'gamma verified']);
    const again = await apply();
    expect([again.code, patches(sandbox)]).toEqual([0, 0]);
  });
  test('is finished at a terminal as well', async () => {
    const { sandbox, folder } = await saved();
    const env = { ...ADMIN, ...SECRETS };
    const ask = () => run(['apply', 'plan.json', '--report', 'json'], { cwd: folder, env, answer: 'yes' });
    await byHand(sandbox.url, 'gamma-url', 'https://g.example.com');
    await byHand(sandbox.url, 'gamma-on', true);
    sandbox.seen();
    const applied = await ask();
    expect([applied.code, patches(sandbox), outcomes(applied)]).toEqual([
      0,
      3,
      ['alpha verified', 'beta verified', 'gamma verified'],
    ]);
    expect([(await ask()).code, patches(sandbox)]).toEqual([0, 0]);
  });
  test('leaves alone what moved since, and goes on with the rest', async () => {
    const { sandbox, apply } = await saved();
    await byHand(sandbox.url, 'beta-apiKey', 'somebody-rotated-it');
    sandbox.seen();
    const applied = await apply();
    expect([applied.code, outcomes(applied)]).toEqual([
      5,
      ['alpha verified', 'beta stale', 'gamma verified'],
    ]);
    expect((await held(sandbox.url, 'beta'))['apiKey']).toBe('somebody-rotated-it');
  });
  test('reads only what it touches where that takes fewer requests', async () => {
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
    const applied = await run(['apply', 'plan.json', '--yes'], { cwd });
    expect(applied.code).toBe(0);
    const READ = 'GET /api/integrations/i7';
    const requests = sandbox.seen().filter((each) => !each.includes('/users/') && !each.endsWith('/errors'));
    expect(requests).toEqual([READ, 'PATCH /api/integration-options', READ]);
  });
});

describe('a plan that is not as it was written is refused before anything is sent', () => {
  /** Every leaf below a value, as the path to it. */
  function leaves(value: unknown, path: readonly string[] = []): (readonly string[])[] {
    if (typeof value !== 'object' || value === null) return [path];
    return Object.entries(value).flatMap(([key, each]) => leaves(each, [...path, key]));
  }
  function changed(value: unknown, [key, ...rest]: readonly string[]): unknown {
    if (key === undefined)
      return typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${value}x`;
    const entries = Object.entries(value as object).map(([name, each]) => [
      name,
      name === key ? changed(each, rest) : each,
    ]);
    return Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries);
  }

  test('whatever leaf of it was changed', async () => {
    const { sandbox, path, apply } = await saved();
    const plan = JSON.parse(await readFile(path, 'utf8')) as Document;
    const all = leaves(plan.servers);
    expect(all.length).toBeGreaterThan(100);
    for (const leaf of all) {
      await writeFile(path, JSON.stringify({ ...plan, servers: changed(plan.servers, leaf) }));
      const result = await apply();
      // What no longer has the shape of a plan is refused for that; an address that is none, for that.
      expect([3, 6], leaf.join('/')).toContain(result.code);
      expect(['plan-altered', 'plan-malformed', 'bad-url'], leaf.join('/')).toContain(codes(result)[0]);
    }
    expect(sandbox.seen()).toEqual([]);
  });
  test('or a part taken away', async () => {
    const { sandbox, path, apply } = await saved();
    const plan = JSON.parse(await readFile(path, 'utf8')) as Document;
    const [server] = plan.servers;
    const less = plan.servers.map((each) => ({ ...each, integrations: each.integrations.slice(1) }));
    for (const servers of [less, [...plan.servers, server]]) {
      await writeFile(path, JSON.stringify({ ...plan, servers }));
      const result = await apply();
      expect([result.code, codes(result)]).toEqual([6, ['plan-altered']]);
    }
    expect(sandbox.seen()).toEqual([]);
  });
  test('but its layout does not matter', async () => {
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
    ['a later major version', (text) => text.replace('"formatVersion": "1.0"', '"formatVersion": "2.0"')],
    ['a later minor version', (text) => text.replace('"formatVersion": "1.0"', '"formatVersion": "1.99"')],
    [
      'without its fingerprint',
      (text) => text.replace(/ {2}"fingerprint": "[0-9a-f]{32}",\n {2}"servers"/, '  "servers"'),
    ],
    ['without servers', (text) => text.replace('"servers"', '"serverz"')],
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
    expect([await other('certs'), await other('no.json')]).toEqual([['plan-malformed'], ['file-unreadable']]);
  });
  test.each([
    ['--file', 'a.yaml'],
    ['--only', 'alpha'],
    ['--server', 'x'],
    ['--write-secrets', 'all'],
  ])('a choice by %s that the plan has made', async (...flag) => {
    const { sandbox, apply } = await saved();
    const result = await apply(flag);
    expect([result.code, codes(result), sandbox.seen()]).toEqual([3, ['usage'], []]);
  });
});

describe('the secrets of a saved plan', () => {
  test('must be those that were planned, or nothing is written', async () => {
    const { sandbox, apply } = await saved();
    const result = await apply([], { SETPOINT_B: 'another-value' });
    expect([result.code, codes(result), patches(sandbox)]).toEqual([6, ['plan-secret-changed'], 0]);
    expect(json<Document>(result).diagnostics[0]).toMatchObject({ file: 'a.yaml', line: 11 });
  });
  test('that are missing are all found before anything is sent', async () => {
    const { sandbox, folder, apply } = await saved();
    await writeFile(join(folder, 'certs/a.pem'), Buffer.alloc(70_000));
    const result = await apply([], { SETPOINT_A: undefined, SETPOINT_T: '' });
    expect([result.code, codes(result), sandbox.seen()]).toEqual([
      3,
      ['reference-missing', 'reference-missing', 'reference-file'],
      [],
    ]);
  });
  test('that stand in clear in the YAML are not in it', async () => {
    const { sandbox, cwd, attempt } = await ownCatalog(
      CATALOG,
      'alpha: { options: { apiKey: canary-in-clear } }',
    );
    const planned = await attempt(['plan']);
    expect(planned.stdout).not.toContain('canary-in-clear');
    const told = await run(['plan', '-f', 'a.yaml', '--url', sandbox.url, '--report', 'json=other.json'], {
      cwd,
    });
    expect([told.code, told.stderr]).toEqual([0, expect.stringContaining('warning plan-not-applicable')]);
    await writeFile(join(cwd, 'plan.json'), planned.stdout);
    sandbox.seen();
    const result = await run(['apply', 'plan.json', '--yes', '--report', 'json'], { cwd });
    expect([result.code, codes(result), sandbox.seen()]).toEqual([3, ['plan-lacks-value'], []]);
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
  test('to the key: another account needs a key that both know', async () => {
    const other = { SETPOINT_USERNAME: 'manager', SETPOINT_PASSWORD: 'manager' };
    const { sandbox, apply } = await saved();
    const result = await apply([], other);
    expect([result.code, codes(result), sandbox.seen()]).toEqual([6, ['plan-altered'], []]);
    const shared = await saved({ env: { SETPOINT_FINGERPRINT_KEY: 'known to both' } });
    expect((await shared.apply([], other)).code).toBe(0);
  });
  test('to the address of its server', async () => {
    const { folder, apply } = await saved();
    const another = await liveSandbox();
    const result = await apply(['--url', another.url]);
    expect([result.code, codes(result), another.seen()]).toEqual([6, ['plan-of-other-server'], []]);
    await writeFile(
      join(folder, 'setpoint.yaml'),
      `version: 1\nservers: { here: { url: ${another.url}, config: [a.yaml] } }\n`,
    );
    // The project names another server; that of the plan is none of it.
    expect((await apply()).code).toBe(0);
  });
  test('to a server of the project by its name', async () => {
    const { sandbox, cwd } = await ownCatalog(CATALOG, 'gamma: { autosubscribe: true }');
    const another = await liveSandbox();
    const project = (url: string, policy = '') =>
      writeFile(
        join(cwd, 'setpoint.yaml'),
        `version: 1\nservers: { main: { url: "${url}", config: [a.yaml] } }\n${policy}`,
      );
    await project(sandbox.url, 'policy: { subscribes-everyone: error }\n');
    const planned = await run(['plan', '--report', 'json=plan.json'], { cwd });
    expect(planned.code).toBe(0);
    const plan = await readFile(join(cwd, 'plan.json'), 'utf8');
    const elsewhere = await tempFolder({ 'plan.json': plan });
    const apply = (folder: string) =>
      run(['apply', 'plan.json', '--yes', '--accept', 'subscribes-everyone', '--report', 'json'], {
        cwd: folder,
      });
    // The policy goes with the plan, to wherever it is applied, and is not loosened by the file that is there.
    expect(codes(await apply(elsewhere))).toEqual(['risk-refused']);
    await project(sandbox.url);
    expect(codes(await apply(cwd))).toEqual(['risk-refused']);
    await project(another.url);
    expect(codes(await apply(cwd))).toEqual(['plan-of-other-server']);
    expect([patches(sandbox), another.seen()]).toEqual([0, []]);
  });
});

describe('what a plan holds of selects, lists and short values', () => {
  const LISTS = {
    alpha: configuration(
      option('types', 'select', [], {
        multiple: true,
        options: ['hash', 'ip', 'url'].map((value) => ({ display: value.toUpperCase(), value })),
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
    const planned = await run(args, { cwd, env: { ...ADMIN, ...env } });
    expect([planned.code, planned.stderr]).toEqual([0, '']);
    const apply = (later: Record<string, string>, ...more: string[]) =>
      run(['apply', 'plan.json', '--yes', '--report', 'json', ...more], { cwd, env: { ...ADMIN, ...later } });
    return { sandbox, cwd, apply };
  }

  test('the literals beside a reference are no secrets', async () => {
    const env = { SETPOINT_T: 'ip', SETPOINT_M: 'secret-mode' };
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
  test('the display of a select must be the planned one', async () => {
    const yaml = 'alpha: { options: { open: { display: "${env:SETPOINT_D}", value: "${env:SETPOINT_M}" } } }';
    const { sandbox, apply } = await plannedWith(yaml, { SETPOINT_D: 'B mode', SETPOINT_M: 'b-mode' });
    sandbox.seen();
    const result = await apply({ SETPOINT_D: 'EVIL', SETPOINT_M: 'b-mode' });
    expect([result.code, codes(result), patches(sandbox)]).toEqual([6, ['plan-secret-changed'], 0]);
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

test('a plan of which a secret is hidden since it was written needs nothing more', async () => {
  const { sandbox, cwd } = await ownCatalog(
    CATALOG,
    'beta: { options: { apiKey: "${env:SETPOINT_B}", url: "https://b.example.com" } }',
    {
      settings: { passwords: 'masked' },
    },
  );
  const env = { ...ADMIN, SETPOINT_B: 'canary-two-of-beta' };
  const target = ['-f', 'a.yaml', '--url', sandbox.url];
  const planned = await run(['plan', ...target, '--write-secrets', 'all', '--report', 'json=plan.json'], {
    cwd,
    env,
  });
  expect(planned.code).toBe(0);
  sandbox.seen();
  const apply = () => run(['apply', 'plan.json', '--yes', '--report', 'json'], { cwd, env });
  expect([(await apply()).code, patches(sandbox)]).toEqual([0, 1]);
  expect([(await apply()).code, patches(sandbox)]).toEqual([0, 0]);
});

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { describe, expect, test } from 'vitest';
import { faultyProxy } from '../support/fault-proxy.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { type Outcomes, outcomeOf } from '../support/outcomes.ts';
import { ADMIN, json, type RunResult, run } from '../support/run.ts';
import { EXAMPLE_CATALOG, exchange, logIn } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp.ts';

const env = { ...ADMIN, SETPOINT_THREATLOOKUP_KEY: 'k-12345678' };
const commands = 'validate plan apply diff show list snapshot errors schema sandbox completion'.split(' ');

/** Runs a command on the example configuration. */
function three(command: string, url: string, flags: readonly string[] = [], wish: object = {}) {
  return run([command, '-f', 'test/fixtures/three', '--url', url, ...flags], { env, ...wish });
}

/** What became of each integration of a report. */
const outcomes = (result: RunResult) =>
  json<{ servers: { integrations: Outcomes[] }[] }>(result).servers[0]?.integrations.map(outcomeOf);

/** Writes the value of an option by hand. */
async function write(url: string, id: string, value: string) {
  const body = { data: [{ id, type: 'integration-options', attributes: { value } }] };
  const token = await logIn(url, 'admin');
  expect((await exchange(url, 'PATCH', '/api/integration-options', { token, body })).status).toBe(200);
}

function planSchema(): ValidateFunction {
  const schema = JSON.parse(readFileSync('schemas/plan.schema.json', 'utf8'));
  return new Ajv({
    strict: true,
    allErrors: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
  }).compile(schema);
}

describe('help', () => {
  test.each([[], ...commands.map((command) => [command])])(
    'setpoint %s --help fits a screen and shows two examples',
    async (...command) => {
      const { code, stdout, stderr } = await run([...command, '--help']);
      expect([code, stderr]).toEqual([0, '']);
      const lines = stdout.split('\n');
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(examplesIn(stdout).length).toBe(2);
    },
  );
  test('help COMMAND is COMMAND --help', async () => {
    expect(await run(['help', 'plan'])).toEqual(await run(['plan', '--help']));
  });
  test.each(
    // Those of diff need a repository, and those of the sandbox do not end.
    commands.filter((command) => !['diff', 'sandbox'].includes(command)),
  )('the examples of %s run', async (command) => {
    const { url } = await liveSandbox();
    const folder = await tempFolder();
    const plan = join(folder, 'plan.json');
    await three('plan', url, ['--report', `json=${plan}`]);
    for (const example of examplesIn((await run([command, '--help'])).stdout)) {
      const args = example
        .split(' ')
        .slice(1)
        .map((word) =>
          word
            .replace(/'/g, '')
            .replace('http://localhost:4010', url)
            .replace(/^integrations\.yaml$/, 'test/fixtures/three')
            .replace(/^catalog$/, EXAMPLE_CATALOG)
            .replace(/^plan\.json$/, plan)
            .replace(/^server\.json$/, join(folder, 'server.json')),
        );
      const result = await run(args, { env, answer: 'yes' });
      expect([args, result.code, result.stderr.includes('error')]).toEqual([
        args,
        args.includes('--exit-code') ? 2 : 0,
        false,
      ]);
    }
  });
  test.each(examplesOfSandbox())('the example %s listens', async (example) => {
    const args = example.split(' ').slice(1);
    const port = args.indexOf('--port') + 1;
    const given = args.map((word, index) => {
      if (index === port) return '0';
      return word === 'catalog' ? EXAMPLE_CATALOG : word;
    });
    const control: { signal?: (name: 'SIGTERM') => void } = {};
    const { code, stdout } = await run(given, {
      onStart: (signal) => {
        control.signal = signal;
      },
      onOutput: () => control.signal?.('SIGTERM'),
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('listens on http://127.0.0.1:')]);
  });
  test('nothing at all shows the help', async () => {
    expect((await run([])).stdout).toContain('Usage: setpoint');
  });
});

function examplesOfSandbox(): string[] {
  return ['setpoint sandbox --port 4010', 'setpoint sandbox --catalog catalog --port 0 --passwords masked'];
}

function examplesIn(help: string): string[] {
  return help
    .split('\n')
    .filter((line) => line.startsWith('  setpoint ') && !line.includes('['))
    .map((line) => line.trim());
}

describe('the JSON report is one document, valid against the schema', () => {
  const validate = planSchema();
  test.each([
    ['a plan', 'plan', [], 0],
    ['an apply', 'apply', ['--yes'], 0],
    ['a refusal for lack of confirmation', 'apply', [], 3],
    ['an unknown flag', 'plan', ['--nope'], 3],
    ['no match', 'plan', ['--only', 'nothing*'], 3],
  ])('%s', async (_, command, flags, code) => {
    const { url } = await liveSandbox();
    const result = await three(command, url, [...flags, '--report', 'json']);
    expect(result.code).toBe(code);
    const valid = validate(json(result));
    expect(validate.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });
  test('a validation', async () => {
    expect(validate(json(await run(['validate', 'test/fixtures/three', '--report', 'json'])))).toBe(true);
  });
  test('the schema does refuse', () => {
    expect(
      validate({
        formatVersion: '1.2',
        tool: { name: 'setpoint', version: '1' },
        servers: [{}],
        diagnostics: [],
      }),
    ).toBe(false);
  });
});

describe('plan', () => {
  test('sends only what reads', async () => {
    const sandbox = await liveSandbox();
    await three('plan', sandbox.url);
    expect(sandbox.seen()).toEqual([
      'POST /api/users/login',
      'GET /api/integrations',
      'POST /api/users/logout',
    ]);
  });
  test('--only narrows to a name, and misses no reference of another', async () => {
    const { url } = await liveSandbox();
    const result = await three('plan', url, ['--only', 'tick*', '--report', 'json'], { env: ADMIN });
    const [server] = json<{ servers: { integrations: { name: string }[] }[] }>(result).servers;
    expect(server?.integrations.map(({ name }) => name)).toEqual(['tickets']);
  });
  test('is the same bytes every time', async () => {
    const { url } = await liveSandbox();
    const plan = () =>
      three('plan', url, ['--report', 'json'], { now: () => Date.parse('2026-11-22T21:00:00Z') });
    expect((await plan()).stdout).toBe((await plan()).stdout);
  });
  test('a report goes to a file beside the text', async () => {
    const { url } = await liveSandbox();
    const cwd = await tempFolder({
      'a.yaml': await readFile('test/fixtures/three/integrations.yaml', 'utf8'),
    });
    const result = await run(['plan', '-f', 'a.yaml', '--url', url, '--report', 'json=plan.json'], {
      env,
      cwd,
    });
    expect(result.stdout).toContain('Plan: 12 changes in 3 of 3 managed integrations.');
    expect(JSON.parse(await readFile(join(cwd, 'plan.json'), 'utf8'))).toMatchObject({
      formatVersion: '2.0',
      servers: [{ summary: { changed: 3 } }],
    });
  });
  test('no colour but on request', async () => {
    const { url } = await liveSandbox();
    const shown = async (flags: readonly string[], wish: object) =>
      (await three('plan', url, flags, wish)).stdout.includes('\u001b[32m');
    expect(await shown([], {})).toBe(false);
    expect(await shown(['--color', 'always'], {})).toBe(true);
    expect(await shown([], { env: { ...env, FORCE_COLOR: '1' } })).toBe(true);
    expect(await shown([], { env: { ...env, NO_COLOR: '1' }, isTTY: true })).toBe(false);
    expect(await shown([], { env: { ...env, TERM: 'dumb' }, isTTY: true })).toBe(false);
    expect(await shown([], { isTTY: true })).toBe(true);
  });
  test('what a server says cannot move the terminal', async () => {
    const { url } = await liveSandbox();
    await write(url, 'threat_lookup_node_18_1717337597-url', 'https://x.example/\u001b[2J\u202e');
    for (const report of ['text', 'json']) {
      const { stdout, stderr } = await three('plan', url, ['--report', report]);
      expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
      expect(stdout).toContain('x.example');
    }
  });
});

describe('apply asks', () => {
  test.each([
    ['yes', 0, 4],
    ['y', 6, 0],
    ['', 6, 0],
  ])('the answer "%s"', async (answer, code, patches) => {
    const sandbox = await liveSandbox();
    const result = await three('apply', sandbox.url, [], { answer });
    expect(result.code).toBe(code);
    expect(sandbox.exchanges.filter(({ method }) => method === 'PATCH').length).toBe(patches);
    expect(result.stderr).toContain('Plan: 12 changes in 3 of 3');
  });
  test.each([
    ['a value', 'ticket_desk_node_18_1760376646-url', ['verified', 'stale', 'verified']],
    ['a secret', 'threat_lookup_node_18_1717337597-apiKey', ['stale', 'verified', 'verified']],
  ])('%s that moves while a person reads is left alone, the others are applied', async (_, id, ends) => {
    const { url } = await liveSandbox();
    const answer = async () => {
      await write(url, id, 'https://by.hand');
      return 'yes';
    };
    const result = await three('apply', url, ['--report', 'json'], { answer });
    expect([result.code, outcomes(result)]).toEqual([5, ends]);
  });
});

describe('apply tells what came of each', () => {
  test('an unclear answer is settled by reading', async () => {
    const sandbox = await liveSandbox();
    const proxy = await faultyProxy(sandbox.url, ({ method, path, before }) =>
      method === 'PATCH' && path === '/api/integration-options' && before === 0 ? 'reset-after' : undefined,
    );
    const result = await three('apply', proxy.url, ['--only', 'tickets', '--yes']);
    expect([result.code, result.stdout]).toEqual([0, expect.stringContaining('[verified]')]);
  });
  test('an integration that does not run refuses: blocked, tried last, the others applied', async () => {
    const sandbox = await liveSandbox({ stopped: ['case_*'] });
    const flags = ['--yes', '--concurrency', '1', '--report', 'json'];
    const result = await three('apply', sandbox.url, flags);
    expect([result.code, outcomes(result)]).toEqual([5, ['verified', 'verified', 'blocked']]);
    const patched = sandbox.exchanges.filter(({ method }) => method === 'PATCH').map(({ status }) => status);
    expect(patched.at(-1)).toBe(422);
  });
  test('what a server echoes of a secret is taken out', async () => {
    const sandbox = await liveSandbox();
    const proxy = await faultyProxy(sandbox.url, ({ method }) =>
      method === 'PATCH'
        ? {
            status: 422,
            headers: { 'content-type': 'application/vnd.api+json' },
            body: '{"errors":[{"title":"Invalid","detail":"k-12345678 is no key"}]}',
          }
        : undefined,
    );
    for (const report of ['text', 'json']) {
      const result = await three('apply', proxy.url, ['--yes', '--report', report]);
      expect(result.code).toBe(5);
      expect((result.stdout + result.stderr).replace(/\s+/g, ' ')).toContain('(secret) is no key');
      expect(result.stdout + result.stderr).not.toContain('k-12345678');
    }
  });
  test('--fail-fast starts nothing new after a failure', async () => {
    const sandbox = await liveSandbox();
    const proxy = await faultyProxy(sandbox.url, ({ method }) =>
      method === 'PATCH' ? { status: 422 } : undefined,
    );
    const flags = ['--yes', '--fail-fast', '--concurrency', '1', '--report', 'json'];
    const result = await three('apply', proxy.url, flags);
    expect(outcomes(result)).toEqual(['failed', 'not-attempted', 'not-attempted']);
  });
});

describe('list and errors', () => {
  test('list tells how much is managed, without a secret', async () => {
    const { url } = await liveSandbox({ stopped: ['dns_*'] });
    const { code, stdout } = await three('list', url);
    expect(code).toBe(0);
    expect(stdout).toMatch(/stopped +no +0 +0\/0 +dns_history_node_18_1671112532 +DNS History/);
    expect(stdout).toMatch(/running +no +0 +5\/6 +threat_lookup_node_18_1717337597 +Threat Lookup/);
  });
  test('errors come with their counts, filtered, masked', async () => {
    const sandbox = await liveSandbox({ raiseErrors: true });
    await three('apply', sandbox.url, ['--yes']);
    const all = json<{ servers: { errors: { integration: string; count: number }[] }[] }>(
      await run(['errors', '--url', sandbox.url, '--report', 'json'], { env }),
    );
    expect(all.servers[0]?.errors.length).toBeGreaterThanOrEqual(3);
    for (const only of ['ticket_*', 'tickets']) {
      const { stdout } = await three('errors', sandbox.url, ['--only', only, '--since', '1h']);
      expect(stdout).toContain('ticket_desk_node_18_1760376646');
      expect(stdout).toContain('1 integration error.');
    }
    const none = await run(['errors', '--url', sandbox.url, '--since', '2999-01-01'], { env });
    expect(none.stdout).toBe('0 integration errors.\n');
  });
  test('a user may not see errors', async () => {
    const { url } = await liveSandbox();
    const result = await run(['errors', '--url', url], {
      env: { SETPOINT_USERNAME: 'user', SETPOINT_PASSWORD: 'user' },
    });
    expect([result.code, result.stderr]).toEqual([4, expect.stringContaining('not-permitted')]);
  });
});

test.each([
  [['--passwords', 'none'], '--passwords does not know none. Known values: clear, masked, empty.'],
  [['--dialect', 'none'], '--dialect does not know none. Known values: included, inline, detail, options.'],
  [['--latency', 'slow'], '--latency takes a number'],
])('the sandbox refuses %j', async (flags, words) => {
  const { code, stderr } = await run(['sandbox', '--port', '0', ...flags]);
  expect([code, stderr.replace(/\s+/g, ' ')]).toEqual([3, expect.stringContaining(words)]);
});

/** Starts the sandbox of the command, and ends it once it listens. */
async function listening(flags: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const held: { end?: (signal: 'SIGINT') => void } = {};
  return run(['sandbox', '--port', '0', ...flags], {
    cwd: await tempFolder(files),
    onStart: (signal) => {
      held.end = signal;
    },
    onOutput: () => held.end?.('SIGINT'),
  });
}

test('the sandbox serves what it can of a catalog, and warns of the rest', async () => {
  const files = { 'cat/bad.json': '{', 'cat/good.json': '{ "name": "A" }' };
  const { code, stdout, stderr } = await listening(['--catalog', 'cat'], files);
  expect([code, stdout]).toEqual([0, expect.stringContaining('listens on')]);
  expect(stderr.match(/\S+ warning not-hosted/g)).toEqual(['cat/bad.json:1:1 warning not-hosted']);
});

test.each([
  ['127.0.0.1', false],
  ['localhost', false],
  ['0.0.0.0', true],
])('the sandbox on %s says that others can reach it: %s', async (host, isExposed) => {
  const { code, stderr } = await listening(['--host', host]);
  expect([code, stderr.includes('Everyone on the network can log in')]).toEqual([0, isExposed]);
});

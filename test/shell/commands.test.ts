import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/shell/command-table.ts';
import { EXAMPLE_CATALOG } from '../support/dialects.ts';
import { faultyProxy } from '../support/fault-proxy.ts';
import type { Fault } from '../support/faults.ts';
import { liveSandbox } from '../support/live-sandbox.ts';
import { outcomesOf } from '../support/report.ts';
import { ADMIN, type CommandLine, json, run } from '../support/run.ts';
import { tempFolder } from '../support/temp.ts';

const env = { ...ADMIN, SETPOINT_THREATLOOKUP_KEY: 'k-12345678' };
/** Their examples need a repository, or what an earlier command left. */
const NOT_RUN = new Set(['accept', 'compare', 'diff', 'merge', 'pull', 'undo']);

test.each([[], ...Object.keys(COMMANDS).map((command) => [command])])(
  'setpoint %s --help fits a screen and shows examples, which run',
  async (...command) => {
    const { code, stdout, stderr } = await run([...command, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines.length).toBeLessThanOrEqual(42);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    const examples = lines
      .filter((line) => line.startsWith('  setpoint ') && !line.includes('['))
      .map((line) => line.trim().split(/ +/).slice(1));
    expect(examples.length).toBeGreaterThan(0);
    const [name] = command;
    if (name === undefined || NOT_RUN.has(name)) return;
    await expectRunning(examples);
  },
);

/** Runs the examples of a help against a sandbox, one after the other. */
async function expectRunning(
  examples: readonly (readonly string[])[],
): Promise<void> {
  const { url } = await liveSandbox();
  const folder = await tempFolder();
  const plan = join(folder, 'plan.json');
  await run(three(url, 'plan', '--report', `json=${plan}`), { env });
  for (const example of examples) {
    const args = example.map((word) =>
      word
        .replace(/'/g, '')
        .replace('http://localhost:4010', url)
        .replace(/^integrations\.yaml$/, 'test/fixtures/three')
        .replace(/^catalog$/, resolve(EXAMPLE_CATALOG))
        .replace(/^4010$/, '0')
        .replace(/^plan\.json$/, plan)
        .replace(/^server\.json$/, join(folder, 'server.json')),
    );
    const result = await (args[0] === 'sandbox'
      ? listening([...args, '--port', '0'])
      : run(args, { env, answer: 'yes' }));
    const code = args.includes('--exit-code') ? 2 : 0;
    expect(result.code, args.join(' ')).toBe(code);
    expect(result.stderr).not.toContain('error');
  }
}

describe('the JSON report is one document, valid against the schema', () => {
  const schema = JSON.parse(readFileSync('schemas/plan.schema.json', 'utf8'));
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  test.each([
    ['an apply', ['apply', '--yes'], 0],
    ['an unknown flag', ['plan', '--nope'], 3],
    ['no match', ['plan', '--only', 'nothing*', '--strict'], 3],
  ])('%s', async (_, args, code) => {
    const { url } = await liveSandbox();
    const result = await run(three(url, ...args, '--report', 'json'), { env });
    expect(result.code).toBe(code);
    expect(validate(json(result))).toBe(true);
    expect(validate.errors).toBe(null);
  });
});

/** A command on the three integrations of the fixtures. */
const three = (url: string, ...args: readonly string[]) => {
  return [...args, '-f', 'test/fixtures/three', '--url', url];
};

describe('plan', () => {
  test('sends only what reads', async () => {
    const sandbox = await liveSandbox();
    await run(three(sandbox.url, 'plan'), { env });
    const requests = [
      'POST /api/users/login',
      'GET /api/integrations',
      'POST /api/users/logout',
    ];
    expect(sandbox.seen()).toEqual(requests);
  });
  test.each([
    ['where there is no terminal', false, {}, [], false],
    ['on a terminal', true, {}, [], true],
    ['by a flag', false, {}, ['--color', 'always'], true],
    ['by FORCE_COLOR', false, { FORCE_COLOR: '1' }, [], true],
    ['on a dumb terminal', true, { TERM: 'dumb' }, [], false],
  ])(
    'has colours on request or on a terminal: %s',
    async (_, isTTY, more, flags, isColoured) => {
      const { url } = await liveSandbox();
      const { stdout } = await run(three(url, 'plan', ...flags), {
        env: { ...env, ...more },
        isTTY,
      });
      expect(stdout.includes('\u001b[32m')).toEqual(isColoured);
      expect(stdout.includes('\u001b')).toEqual(isColoured);
    },
  );
});

describe('apply asks', () => {
  test.each([
    ['yes', 0, 4],
    ['y', 6, 0],
  ])('the answer "%s"', async (answer, code, patches) => {
    const sandbox = await liveSandbox();
    const result = await run(three(sandbox.url, 'apply'), { env, answer });
    expect(result.code).toBe(code);
    expect(
      sandbox.exchanges.filter(({ method }) => method === 'PATCH').length,
    ).toBe(patches);
    expect(result.stderr).toContain('Plan   12 changes in 3 integrations');
  });
});

describe('apply tells what came of each', () => {
  const alone = ['--yes', '--concurrency', '1', '--report', 'json'];
  test('an unclear answer is settled by reading', async () => {
    const sandbox = await liveSandbox();
    const proxy = await faultyProxy(sandbox.url, ({ method, path, before }) =>
      method === 'PATCH' && path === '/api/integration-options' && before === 0
        ? 'reset-after'
        : undefined,
    );
    const only = ['apply', '--only', 'tickets', '--yes'];
    const result = await run(three(proxy.url, ...only), { env });
    expect(result.code).toBe(0);
    expect(result.stdout).toContain('4 of 4 changes written (4 verified)');
  });
  test('an integration that does not run refuses: blocked, tried last, the others applied', async () => {
    const sandbox = await liveSandbox({ stopped: ['case_*'] });
    const result = await run(three(sandbox.url, 'apply', ...alone), { env });
    expect(result.code).toBe(5);
    expect(outcomesOf(result)).toEqual(['verified', 'verified', 'blocked']);
    const patched = sandbox.exchanges
      .filter(({ method }) => method === 'PATCH')
      .map(({ status }) => status);
    expect(patched.at(-1)).toBe(422);
  });
  test.each<[string, Fault]>([
    ['failed', { status: 422 }],
    ['unknown', 'reset'],
  ])(
    '--fail-fast starts nothing new after one that is %s',
    async (outcome, fault) => {
      const sandbox = await liveSandbox();
      const proxy = await faultyProxy(sandbox.url, ({ method }) =>
        method === 'PATCH' ? fault : undefined,
      );
      const args = three(proxy.url, 'apply', '--fail-fast', ...alone);
      const rest = ['not-attempted', 'not-attempted'];
      expect(outcomesOf(await run(args, { env }))).toEqual([outcome, ...rest]);
    },
  );
});

describe('errors', () => {
  test('come with their counts, filtered', async () => {
    const sandbox = await liveSandbox({ raiseErrors: true });
    await run(three(sandbox.url, 'apply', '--yes'), { env });
    const errors = `errors --url ${sandbox.url}`;
    const all = json<{ servers: { errors: object[] }[] }>(
      await run(`${errors} --report json`, { env }),
    );
    expect(all.servers[0]?.errors.length).toBeGreaterThanOrEqual(3);
    const own = ['errors', '--only', 'tickets', '--since', '1h'];
    const { stdout } = await run(three(sandbox.url, ...own), { env });
    expect(stdout).toMatch(
      /ticket_desk_node_18_1760376646[\s\S]*\n1 integration error\./,
    );
    const none = await run(`${errors} --since 2999-01-01`, { env });
    expect(none.stdout).toBe('0 integration errors.\n');
  });
  test.each([
    ['2026-02-30', 3],
    ['2024-02-29', 0],
    ['2026-03-01 10:00', 0],
  ])('are shown since %s: exit %s', async (since, code) => {
    const { url } = await liveSandbox();
    const args = ['errors', '--url', url, '--since', since];
    const result = await run(args, { env: ADMIN });
    expect(result.code, result.screen).toBe(code);
  });
});

test.each([
  ['--passwords none', '= Known values: clear, masked, empty.'],
  ['--latency slow', '--latency takes a number'],
])('the sandbox refuses %s', async (flags, words) => {
  const { code, stderr } = await run(`sandbox --port 0 ${flags}`);
  expect(code).toBe(3);
  expect(stderr.replace(/\s+/g, ' ')).toContain(words);
});

/** Starts the sandbox of the command, and ends it once it listens. */
async function listening(line: CommandLine) {
  const held: { end?: (signal: 'SIGINT') => void } = {};
  return run(line, {
    cwd: await tempFolder(),
    onStart: (signal) => {
      held.end = signal;
    },
    onOutput: () => held.end?.('SIGINT'),
  });
}

test.each([
  ['127.0.0.1', false],
  ['0.0.0.0', true],
])(
  'the sandbox on %s says that others can reach it: %s',
  async (host, isExposed) => {
    const { code, stderr } = await listening(`sandbox --port 0 --host ${host}`);
    expect(code).toBe(0);
    const warning = 'Everyone on the network can log in';
    expect(stderr.includes(warning)).toBe(isExposed);
  },
);

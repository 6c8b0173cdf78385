import { describe, expect, test } from 'vitest';
import { faultyProxy } from '../support/fault-proxy.ts';
import type { Fault } from '../support/faults.ts';
import {
  configuration,
  liveSandbox,
  option,
  ownCatalog,
  scene,
} from '../support/live-sandbox.ts';
import { codesOf, outcomesOf } from '../support/report.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';

const lookup = 'threat_lookup_node_18_1717337597';

/** A configuration that changes one option of the example catalog. */
const TIMEOUT = `version: 1\nintegrations:\n  ${lookup}: { options: { timeout: 30 } }\n`;

/** What every failing run must hold to: no stack, no secret, and one document if JSON was asked for. */
function checkTalk({ stdout, stderr }: RunResult): void {
  expect(stderr).not.toMatch(/\n\s+at |node:|\.ts:\d|Error:/);
  expect(stdout + stderr).not.toMatch(/hunter2/);
}

describe('the exit-code table', () => {
  const REFUSED =
    'l: { match: threat_lookup_*, options: { apiKey: { permission: lock-and-show } } }';
  const TWO = `desk: { match: ticket_desk_*, options: { allowCreate: false } }
  lookup: { match: threat_lookup_*, options: { timeout: 30 } }`;
  const of = (entries: string) => `version: 1\nintegrations:\n  ${entries}\n`;

  test('5: an integration refuses; the others are applied', async () => {
    const { attempt } = await scene(of(TWO), {
      settings: { refuses: ['ticket_desk_*'] },
    });
    const result = await attempt(['apply', '--yes']);
    expect(result.code).toBe(5);
    expect(codesOf(result)).toEqual(['apply-failed']);
    expect(outcomesOf(result)).toEqual(['failed', 'verified']);
  });
  test('6: a risk is refused; nothing is written', async () => {
    const { attempt, patches } = await scene(of(REFUSED));
    const result = await attempt(['apply', '--yes']);
    expect(result.code).toBe(6);
    expect(codesOf(result)).toEqual(['risk-refused']);
    expect(patches()).toEqual([]);
    expect(
      (await attempt(['apply', '--yes', '--allow', 'exposes-secret'])).code,
    ).toBe(0);
  });
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'interrupted by %s while reading: %i, and still logged out',
    async (signal, code) => {
      const { sandbox, cwd } = await scene(TIMEOUT);
      const started: { signal?: () => void } = {};
      const proxy = await faultyProxy(sandbox.url, ({ path }) => {
        if (path !== '/api/integrations') return undefined;
        started.signal?.();
        return 'silence';
      });
      const result = await run(
        ['plan', '-f', 'a.yaml', '--url', proxy.url, '--report', 'json'],
        {
          cwd,
          onStart: (send) => {
            started.signal = () => send(signal);
          },
        },
      );
      expect([result.code, codesOf(result)]).toEqual([code, ['interrupted']]);
      expect(proxy.seen.at(-1)).toBe('POST /api/users/logout');
    },
  );
});

describe('bad input: a clear message, the right exit code, nothing sent', () => {
  test('an unknown flag', async () => {
    const result = await run(['plan', '--tokn=hunter2']);
    expect(result.code).toBe(3);
    expect(result.stderr).toMatch(/Unknown option --tokn/);
    checkTalk(result);
  });
  test.each(['proxy.corp:3128', 'socks5://proxy.corp:1080'])(
    'a proxy that is none: %s',
    async (proxy) => {
      const env = { ...ADMIN, HTTPS_PROXY: proxy };
      const result = await run(
        ['list', '--url', 'https://integrations.example'],
        { env },
      );
      expect(result.code).toBe(3);
      expect(result.stderr).toMatch(/HTTPS_PROXY is not/);
      checkTalk(result);
    },
  );
  test('references that nothing may read, all at once, with their places, before the first request', async () => {
    const { sandbox, cwd } = await scene(
      'version: 1\nintegrations:\n  vt:\n    options:\n      a: ${env:SETPOINT_ONE}\n      b: ${env:PATH}\n      c: ${env:HOME}\n',
    );
    const result = await run(['plan', '-f', 'a.yaml', '--url', sandbox.url], {
      cwd,
      env: { ...ADMIN, HOME: '/root' },
    });
    expect(result.code).toBe(3);
    const { stderr } = result;
    expect(stderr.match(/(?<=^error\[)[\w-]+/gm)).toEqual([
      'reference-not-allowed',
      'reference-not-allowed',
    ]);
    expect(stderr.match(/(?<=^ {2}--> )\S+/gm)).toEqual([
      'a.yaml:6:10',
      'a.yaml:7:10',
    ]);
    expect(sandbox.exchanges).toEqual([]);
  });
});

describe('a server that is not as it should be', () => {
  const api = { 'content-type': 'application/vnd.api+json' };
  const says = (body: string, status = 200) => ({ status, headers: api, body });
  const list = 'GET /api/integrations';
  test.each<[string, Fault, number, string]>([
    ['a list without a total', says('{"data": []}'), 1, 'incomplete-read'],
    ['a refusal by role', says('{"errors":[]}', 403), 4, 'not-permitted'],
  ])('%s', async (_, fault, code, finding) => {
    const { sandbox, attempt } = await scene(TIMEOUT);
    const proxy = await faultyProxy(sandbox.url, ({ path }) =>
      path === '/api/integrations' ? fault : undefined,
    );
    const result = await attempt(['plan'], {}, proxy.url);
    expect([result.code, codesOf(result)]).toEqual([code, [finding]]);
    checkTalk(result);
  });
  test('a list whose total moves is read again', async () => {
    const sandbox = await liveSandbox();
    const body =
      '{"data": [{"id": "x", "type": "integrations"}], "meta": {"page": {"number": 1, "size": 1, "total": 1}}}';
    const moved = body.replace('"total": 1', '"total": 2');
    const proxy = await faultyProxy(sandbox.url, ({ method, path, before }) =>
      `${method} ${path}` === list && before < 2
        ? says(before === 0 ? moved : body)
        : undefined,
    );
    const result = await run(['list', '--url', proxy.url, '--report', 'json']);
    expect([result.code, codesOf(result)]).toEqual([0, []]);
    expect(proxy.seen.filter((request) => request === list).length).toBe(3);
  });
});

describe('an error that no code waits for', () => {
  test.each(['text', 'json'])(
    'ends the run in one finding without a stack or a secret, as %s',
    async (report) => {
      const sandbox = await liveSandbox();
      const secret = 'k-canary-of-a-defect';
      const crash = { now: (_: unknown) => {} };
      const proxy = await faultyProxy(sandbox.url, ({ path }) => {
        if (path.startsWith('/api/integrations'))
          crash.now(new Error(`broken by ${secret}`));
        return undefined;
      });
      const env = { ...ADMIN, SETPOINT_THREATLOOKUP_KEY: secret };
      const onDefect = (fail: (thrown: unknown) => void) => {
        crash.now = fail;
      };
      const args = `plan -f test/fixtures/three --url ${proxy.url} --report ${report}`;
      const result = await run(args, { env, onDefect });
      expect(result.code).toBe(1);
      expect(result.stdout + result.stderr).toContain('broken by (secret)');
      expect(result.stdout + result.stderr).not.toMatch(/canary|\n\s+at /);
      if (report === 'json') expect(codesOf(result)).toEqual(['unexpected']);
    },
  );
});

test('a permission that lacks after a hidden option was accepted is no denial of all', async () => {
  const { sandbox, attempt } = await ownCatalog(
    {
      a: configuration(option('key', 'password', 'an-old-key')),
      b: configuration(option('url', 'text', 'x')),
    },
    'a: { autosubscribe: true, options: { key: "${env:SETPOINT_KEY}" } }\nb: { autosubscribe: true }',
    { settings: { passwords: 'masked' } },
  );
  const proxy = await faultyProxy(sandbox.url, ({ method, path }) =>
    method === 'PATCH' && path.startsWith('/api/integrations/')
      ? { status: 403 }
      : undefined,
  );
  const key = { SETPOINT_KEY: 'a-new-key-of-today' };
  const command = ['apply', '--yes', '--only'];
  const none = await attempt([...command, 'b'], key, proxy.url);
  expect(none.code).toBe(4);
  const hidden = ['--write-hidden', 'all'];
  const part = await attempt([...command, '*', ...hidden], key, proxy.url);
  expect(part.code).toBe(5);
  expect(codesOf(part)).toEqual(expect.arrayContaining(['not-permitted']));
});

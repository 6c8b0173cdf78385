import { afterAll, beforeAll, expect } from 'vitest';
import type { RunningSandbox } from '../../src/sandbox/server.ts';
import type { Exchange } from '../../src/sandbox/service.ts';
import { at } from './at.ts';
import { checkAnswer, checkRequest } from './contract.ts';
import { type Dialect, type ServiceWish, startDialect } from './dialects.ts';

const MEDIA_TYPE = 'application/vnd.api+json';

/** The moment at which the clock of a test sandbox stands until a test moves it. */
export const START = Date.UTC(2026, 0, 15, 12, 0, 0);

/** What a test asks for beside the usual: some settings, or other options. */
export interface SandboxWish extends Omit<ServiceWish, 'now'> {
  readonly settings?: Dialect;
}

/** An answer with its body parsed: undefined if there is none, a text if it is no JSON. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

export interface Sending {
  /** A user to log in as first, or nobody; the administrator where nothing is said. */
  readonly as?: 'admin' | 'manager' | 'user' | 'nobody';
  readonly token?: string;
  /** An object is sent as JSON, a text as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The contract does not check the answer. */
  readonly isFree?: boolean;
}

export interface TestSandbox extends RunningSandbox {
  readonly exchanges: readonly Exchange[];
  readonly faults: readonly unknown[];
  /** Moves the clock by seconds. */
  pass(seconds: number): void;
  login(username: string): Promise<string>;
  send(method: string, path: string, sending?: Sending): Promise<Reply>;
}

/** A real sandbox on a free port of the loopback with a clock that stands still; the caller closes it. */
export async function startTestSandbox(
  wish: SandboxWish = {},
): Promise<TestSandbox> {
  const clock = { ms: START };
  const exchanges: Exchange[] = [];
  const faults: unknown[] = [];
  const { settings, ...options } = wish;
  const running = await startDialect(
    {
      onExchange: (exchange) => exchanges.push(exchange),
      onFault: (fault) => faults.push(fault),
      ...options,
      now: () => clock.ms,
    },
    settings,
  );
  const tokens = new Map<string, string>();
  const login = (username: string) => logIn(running.url, username);
  return {
    ...running,
    exchanges,
    faults,
    login,
    pass: (seconds) => {
      clock.ms += seconds * 1000;
      tokens.clear();
    },
    send: async (method, path, sending = {}) => {
      const { as = 'admin' } = sending;
      if (sending.token !== undefined || as === 'nobody')
        return exchange(running.url, method, path, sending);
      const token = tokens.get(as) ?? (await login(as));
      if (path === '/api/users/logout') tokens.delete(as);
      else tokens.set(as, token);
      return exchange(running.url, method, path, { ...sending, token });
    },
  };
}

/** Runs a check against a sandbox of its own, and closes it whatever comes of the check. */
export async function withSandbox(
  wish: SandboxWish,
  check: (sandbox: TestSandbox) => Promise<void>,
): Promise<void> {
  const sandbox = await startTestSandbox(wish);
  try {
    await check(sandbox);
  } finally {
    await sandbox.close();
  }
}

/** A sandbox for the tests of one `describe` or file; it is there from their start to their end. */
export function useSandbox(wish: SandboxWish = {}): () => TestSandbox {
  const running: TestSandbox[] = [];
  beforeAll(async () => {
    running.push(await startTestSandbox(wish));
  });
  afterAll(() => running[0]?.close());
  return () => {
    const [sandbox] = running;
    if (sandbox === undefined)
      throw new Error('the sandbox is there only while a test runs');
    return sandbox;
  };
}

/** The token of a user whose password is its name. */
export async function logIn(
  url: string,
  username: string,
  isFree = false,
): Promise<string> {
  const credentials = { identification: username, password: username };
  const reply = await exchange(url, 'POST', '/api/users/login', {
    body: credentials,
    isFree,
  });
  return String(at(reply.body, 'data', 'token'));
}

/** Sends one request, reads the whole answer, and checks it against the contract; so it does the request if it was taken. */
export async function exchange(
  url: string,
  method: string,
  path: string,
  sending: Sending,
): Promise<Reply> {
  const { body, token, headers, isFree = false } = sending;
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      'content-type': MEDIA_TYPE,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const reply: Reply = { status: answer.status, text, body: parsed(text) };
  if (isFree) return reply;
  const request = { method, path, body };
  const given = { ...reply, contentType: answer.headers.get('content-type') };
  const problems = [
    ...(answer.ok ? checkRequest(request) : []),
    ...checkAnswer(request, given),
  ];
  expect(problems, `${method} ${path} ${text.slice(0, 500)}`).toEqual([]);
  return reply;
}

function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sets the value of an option as another administrator would. */
export async function setOption(
  url: string,
  id: string,
  value: unknown,
): Promise<void> {
  const body = {
    data: [{ id, type: 'integration-options', attributes: { value } }],
  };
  const token = await logIn(url, 'admin');
  expect(
    (await exchange(url, 'PATCH', '/api/integration-options', { token, body }))
      .status,
  ).toBe(200);
}

import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { at } from '../support/at.ts';
import { checkAnswer } from '../support/contract.ts';
import { endRawRequests, type RawAnswer, sendBytes, sendRaw } from '../support/raw-request.ts';
import { type DrawnRequest, drawnRequest } from '../support/request-arbitrary.ts';
import { type TestSandbox, useSandbox } from '../support/sandbox.ts';
import { seeds } from '../support/soak.ts';

const REQUESTS = seeds(1_500, 10_000);
const SEED = Number(process.env['SETPOINT_FUZZ_SEED'] ?? Date.now() % 2 ** 31);

const sandbox = useSandbox({ stopped: ['ticket_*'] });
afterAll(endRawRequests);

/** All that a client could see change, read by a token that no drawn request carries. */
async function stateOf(running: TestSandbox, token: string): Promise<string> {
  const read = (path: string) =>
    sendRaw(running.url, {
      method: 'GET',
      path,
      headers: { authorization: `Bearer ${token}` },
      body: undefined,
      chunked: false,
    });
  const [integrations, errors] = await Promise.all([
    read('/api/integrations'),
    read('/api/integrations/errors'),
  ]);
  expect([integrations.status, errors.status]).toEqual([200, 200]);
  return integrations.text + errors.text;
}

/** Tokens of the three users; a new one where the old one was logged out. */
function tokenPool(running: TestSandbox) {
  const tokens = new Map<string, string>();
  return {
    async headersOf({ as }: DrawnRequest): Promise<Record<string, string>> {
      if (as === undefined) return {};
      const token = tokens.get(as) ?? (await running.login(as));
      tokens.set(as, token);
      return { authorization: `Bearer ${token}` };
    },
    forget: ({ as }: DrawnRequest) => void tokens.delete(as ?? ''),
  };
}

/** What is wrong with an answer whatever the request was. */
function problemsOf({ method, path }: DrawnRequest, { status, contentType, text }: RawAnswer): string[] {
  if (status >= 500 || status < 200) return [`status ${status}: ${text}`];
  if (method === 'HEAD' || status === 204) return text === '' ? [] : ['a body where there must be none'];
  const body: unknown = JSON.parse(text);
  if (status < 300)
    return checkAnswer(
      { method, path: normalized(path) },
      { status, contentType: contentType ?? null, body },
    );
  const pathOfErrors = '/none';
  return checkAnswer({ method, path: pathOfErrors }, { status: 404, contentType: contentType ?? null, body });
}

/** The path as the URL standard reads it, by which the contract knows it. */
function normalized(path: string): string {
  const { pathname, search } = new URL(path, 'http://x');
  return `${decodeURI(pathname)}${search}`;
}

test(`${REQUESTS} drawn requests: each is answered, and only a PATCH that succeeds changes anything (seed ${SEED})`, async () => {
  const running = sandbox();
  const watcher = await running.login('admin');
  const pool = tokenPool(running);
  const known = { state: await stateOf(running, watcher) };
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(drawnRequest, async (drawn) => {
      const answer = await sendRaw(running.url, {
        ...drawn,
        headers: { ...drawn.headers, ...(await pool.headersOf(drawn)) },
      });
      const kind = `${drawn.method} ${answer.status}`;
      seen.set(kind, (seen.get(kind) ?? 0) + 1);
      if (drawn.path.startsWith('/api/users/logout') && answer.status === 200) pool.forget(drawn);
      expect(problemsOf(drawn, answer)).toEqual([]);
      const state = await stateOf(running, watcher);
      if (kind !== 'PATCH 200') expect(state).toBe(known.state);
      known.state = state;
    }),
    { numRuns: REQUESTS, seed: SEED },
  );
  expect(running.faults).toEqual([]);
  expect([...seen.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
  for (const kind of [
    'GET 200',
    'PATCH 200',
    'PATCH 400',
    'PATCH 422',
    'POST 401',
    'GET 404',
    'POST 405',
    'GET 403',
  ]) {
    expect(seen.get(kind) ?? 0, `${kind} was drawn often: ${JSON.stringify([...seen])}`).toBeGreaterThan(
      REQUESTS / 500,
    );
  }
});

test('bytes that are no request at all do not stop it', async () => {
  const running = sandbox();
  const drawn = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .string({ unit: 'binary' })
      .map((text) => Buffer.from(`GET /api/${text} HTTP/1.1\r\nHost: localhost\r\n\r\n`)),
    fc
      .string({ unit: 'binary' })
      .map((text) =>
        Buffer.from(`PATCH /api/integration-options HTTP/1.1\r\nHost: localhost\r\n${text}\r\n\r\n`),
      ),
  );
  await fc.assert(
    fc.asyncProperty(drawn, async (bytes) => {
      const statusLine = await sendBytes(running.url, bytes);
      expect(statusLine).toMatch(/^$|^HTTP\/1\.1 4\d\d /);
    }),
    { numRuns: seeds(200, 500), seed: SEED },
  );
  expect((await running.send('GET', '/api/integrations')).status).toBe(200);
  expect(at(running.faults)).toEqual([]);
});

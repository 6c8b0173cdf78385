import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { faultyProxy, type Seen } from '../support/fault-proxy.ts';
import { type Fault, JSON_API, withBody } from '../support/faults.ts';
import { scene } from '../support/live-sandbox.ts';
import { codesOf, findingsOf, outcomesOf } from '../support/report.ts';
import { sampled } from '../support/soak.ts';

const YAML =
  'version: 1\nintegrations:\n  lookup: { match: threat_lookup_*, options: { timeout: 30 } }\n';

const LOGIN = 'POST /api/users/login';
const LIST = 'GET /api/integrations';
const PATCH = 'PATCH /api/integration-options';

/** What something before the server says, and the words of it that are shown. */
const BODIES: readonly (readonly [
  type: string,
  body: string | Buffer,
  words: string,
])[] = [
  [
    'text/html; charset=utf-8',
    '<!doctype html><title>\n Access\n Denied </title><p>No',
    'text/html: Access Denied',
  ],
  ['TEXT/HTML', '<style>p {}</style><p>Log <b>in</b>', 'TEXT/HTML: Log in'],
  ['text/plain', 'default backend\n', 'text/plain: default backend'],
  ['application/json', '"Refused"', 'application/json: "Refused"'],
  ['application/json', 'null', 'application/json: null'],
  [
    'text/html; charset=iso-8859-1',
    Buffer.from('<title> </title>Zugriff f\u00fcr alle', 'latin1'),
    'text/html: Zugriff f\ufffdr alle',
  ],
];

const STATUSES = [200, 400, 401, 403, 404, 405, 407, 413, 429, 500, 502, 503];

/** Those after which a request that only reads, or logs in, is sent again. */
const PASSING = new Set([200, 429, 500, 502, 503]);

/** Each status with some of the bodies. */
const ANSWERS = sampled(STATUSES, 2).flatMap((status, index) =>
  sampled([0, 3], 2).map((step) => {
    const [type, body, words] = BODIES[(index + step) % 6] ?? ['', '', ''];
    return { status, headers: { 'content-type': type }, body, words };
  }),
);

describe('an answer that is not the API’s, whatever its status', () => {
  test.each([
    ['a login', LOGIN, 'plan'],
    ['a reading', LIST, 'plan'],
    ['a write', PATCH, 'apply'],
  ])('%s: something before the server', async (_, request, command) => {
    for (const { words, ...fault } of ANSWERS) {
      const { sandbox, attempt, patches } = await scene(YAML);
      const proxy = await faultyProxy(sandbox.url, ({ method, path }) =>
        `${method} ${path}` === request ? fault : undefined,
      );
      const flags = command === 'apply' ? ['--yes'] : [];
      const result = await attempt([command, ...flags], {}, proxy.url);
      const told = `${fault.status} (${words})`;
      const [finding] = findingsOf(result);
      expect(finding?.message, told).toContain(`server answered ${told}`);
      expect(finding?.message, told).not.toMatch(/account|role|password/i);
      expect(finding?.message.includes('the content'), told).toBe(
        request === PATCH,
      );
      const isWrite = request === PATCH;
      expect([result.code, codesOf(result)], told).toEqual(
        isWrite ? [5, ['apply-failed']] : [1, ['bad-answer']],
      );
      expect(patches(), told).toEqual([]);
      if (isWrite) expect(outcomesOf(result), told).toEqual(['failed']);
      const sent = proxy.seen.filter((name) => name === request).length;
      const isResent = isWrite || PASSING.has(fault.status);
      expect(sent, told).toBe(isResent ? 3 : 1);
      // Whatever the status, the login is neither refused nor repeated.
      const logins = proxy.seen.filter((name) => name === LOGIN).length;
      if (request !== LOGIN) expect(logins, told).toBe(1);
    }
  });
  test('a page for a login that is renewed locks no account out', async () => {
    const { sandbox, attempt } = await scene(YAML);
    const page = { status: 401, headers: { 'content-type': 'text/html' } };
    const proxy = await faultyProxy(sandbox.url, ({ method, path, before }) => {
      const name = `${method} ${path}`;
      if (name === LOGIN && before === 1) return { ...page, body: '<p>Wait' };
      return name === PATCH && before < 2 ? { status: 401 } : undefined;
    });
    const result = await attempt(['apply', '--yes'], {}, proxy.url);
    expect([result.code, outcomesOf(result)]).toEqual([0, ['verified']]);
  });
  test('a page is no absent integration, and no missing address', async () => {
    const dialect = { settings: { dialect: 'detail' } } as const;
    const { sandbox, attempt } = await scene(YAML, dialect);
    for (const status of [404, 405]) {
      const proxy = await faultyProxy(sandbox.url, ({ kind }) =>
        kind === 'detail' || kind === 'read back'
          ? { status, headers: { 'content-type': 'text/html' }, body: '<p>No' }
          : undefined,
      );
      const result = await attempt(['plan'], {}, proxy.url);
      expect([result.code, codesOf(result)]).toEqual([1, ['bad-answer']]);
    }
  });
  test.each([403, 429])(
    'of a page with %d that took the change, the reading decides',
    async (status) => {
      const { sandbox, attempt } = await scene(YAML);
      const page = { headers: { 'content-type': 'text/html' }, body: '<p>Ok' };
      const proxy = await faultyProxy(sandbox.url, ({ method }) =>
        method === 'PATCH' ? { ...page, status, acted: true } : undefined,
      );
      const result = await attempt(['apply', '--yes'], {}, proxy.url);
      expect([result.code, outcomesOf(result)]).toEqual([0, ['verified']]);
      expect(proxy.seen.filter((name) => name === PATCH).length).toBe(1);
    },
  );
  test('a page that took the change and asks for a long pause leaves it unknown', async () => {
    const { sandbox, attempt } = await scene(YAML);
    const headers = { 'content-type': 'text/html', 'retry-after': '120' };
    const page = { status: 429, headers, body: '<p>Later', acted: true };
    const proxy = await faultyProxy(sandbox.url, ({ method }) =>
      method === 'PATCH' ? page : undefined,
    );
    const result = await attempt(['apply', '--yes'], {}, proxy.url);
    expect([result.code, outcomesOf(result)]).toEqual([5, ['unknown']]);
  });
});

test('the words of a page are one line, short, and without secrets', async () => {
  const { sandbox, attempt } = await scene(YAML);
  const secret = 'canary-of-a-password';
  const body = `<title>${'x'.repeat(70)}\n${secret} apikey=abc123def456 ${'y'.repeat(99)}`;
  const page = { status: 403, headers: { 'content-type': 'text/html' }, body };
  const proxy = await faultyProxy(sandbox.url, () => page);
  const env = { SETPOINT_PASSWORD: secret };
  const result = await attempt(['plan'], env, proxy.url);
  const message = findingsOf(result)[0]?.message ?? '';
  expect(message).toMatch(/x{70} \(secret\) …\)/);
  expect(message).not.toMatch(/canary|abc123|\n/);
});

describe('a good answer that cannot be read', () => {
  const list = '{"data":[],"meta":{"page":{"number":1,"size":0,"total":0}}}';
  const says = (body: Buffer | string, headers = {}): Fault => {
    return { status: 200, headers: { ...JSON_API, ...headers }, body };
  };
  test.each<[string, Fault, RegExp]>([
    ['Latin-1', says(Buffer.from('{"data":"ü"}', 'latin1')), /not UTF-8/],
    ['UTF-16', says(Buffer.from(`\ufeff${list}`, 'utf16le')), /not UTF-8/],
    ['UTF-16, unmarked', says(Buffer.from(list, 'utf16le')), /not UTF-8/],
    [
      'compressed',
      says(gzipSync(list), { 'content-encoding': 'gzip' }),
      /compressed/,
    ],
    ['cut off', says(list.slice(0, 20)), /cut off/],
    ['empty', says(''), /is empty/],
    [
      'elsewhere',
      {
        status: 302,
        headers: { location: 'https://me:canary@far.example/x/y?z=canary#z' },
      },
      /redirects \(302\) to far\.example\/x\/y \(/,
    ],
    [
      'elsewhere on the same server',
      { status: 308, headers: { location: '/x?canary' } },
      /redirects \(308\) to \/x \(/,
    ],
  ])('%s', async (_, fault, words) => {
    const { sandbox, attempt } = await scene(YAML);
    const isList = ({ method, path }: Seen) => `${method} ${path}` === LIST;
    const proxy = await faultyProxy(sandbox.url, (seen) =>
      isList(seen) ? fault : undefined,
    );
    const result = await attempt(['plan'], {}, proxy.url);
    expect([result.code, codesOf(result)]).toEqual([1, ['bad-answer']]);
    expect(findingsOf(result)[0]?.message).toMatch(words);
    expect(result.stdout + result.stderr).not.toContain('canary');
  });
  test('a byte order mark, and U+FFFD that the server holds, are read', async () => {
    const { sandbox, attempt } = await scene(YAML);
    const marked = withBody(
      (body) => `\ufeff${body.replace('{', '{"x":"\ufffd",')}`,
    );
    const proxy = await faultyProxy(sandbox.url, (seen) =>
      seen.path === '/api/integrations' ? marked : undefined,
    );
    const result = await attempt(['plan'], {}, proxy.url);
    expect([result.code, codesOf(result)]).toEqual([0, []]);
  });
});

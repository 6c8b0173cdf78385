import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { faultyProxy } from '../support/fault-proxy.ts';
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

/** What a command ends with if each request of a name meets a fault, what was sent, and what was written. */
async function met(request: string, fault: Fault, command = 'plan') {
  const { sandbox, attempt, patches } = await scene(YAML);
  const proxy = await faultyProxy(sandbox.url, ({ method, path }) =>
    `${method} ${path}` === request ? fault : undefined,
  );
  const flags = command === 'apply' ? ['--yes'] : [];
  const result = await attempt([command, ...flags], {}, proxy.url);
  const sent = (name: string) =>
    proxy.seen.filter((each) => each === name).length;
  return { result, sent, patches: patches() };
}

const LATER = { 'retry-after': '120' };

describe('an answer that is not the API’s, whatever its status', () => {
  test.each([
    ['a login', LOGIN, 'plan'],
    ['a reading', LIST, 'plan'],
    ['a write', PATCH, 'apply'],
  ])('%s: something before the server', async (_, request, command) => {
    for (const { words, ...fault } of ANSWERS) {
      const { result, sent, patches } = await met(request, fault, command);
      const told = `${fault.status} (${words})`;
      const [finding] = findingsOf(result);
      expect(finding?.message, told).toContain(`server answered ${told}`);
      expect(finding?.message, told).not.toMatch(/account|role|password/i);
      const isWrite = request === PATCH;
      expect(finding?.message.includes('the content'), told).toBe(isWrite);
      expect([result.code, codesOf(result)], told).toEqual(
        isWrite ? [5, ['apply-failed']] : [1, ['bad-answer']],
      );
      expect(patches, told).toEqual([]);
      if (isWrite) expect(outcomesOf(result), told).toEqual(['failed']);
      const isResent = isWrite || PASSING.has(fault.status);
      expect(sent(request), told).toBe(isResent ? 3 : 1);
      // Whatever the status, the login is neither refused nor repeated.
      if (request !== LOGIN) expect(sent(LOGIN), told).toBe(1);
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
  test.each([
    ['403, the reading decides', 403, {}, 0, 'verified', 1],
    ['429, the reading decides', 429, {}, 0, 'verified', 1],
    ['429 and a long pause, it is unknown', 429, LATER, 5, 'unknown', 1],
  ])(
    'of a page that took the change, with %s',
    async (_, status, more, code, outcome, count) => {
      const headers = { 'content-type': 'text/html', ...more };
      const page = { status, headers, body: '<p>Ok', acted: true };
      const { result, sent } = await met(PATCH, page, 'apply');
      expect([result.code, outcomesOf(result)]).toEqual([code, [outcome]]);
      expect(sent(PATCH)).toBe(count);
    },
  );
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
  const GZIP = { 'content-encoding': 'gzip' };
  const FAR = 'https://me:canary@far.example/x/y?z=canary#z';
  const leads = (status: number, location: string) => {
    return { status, headers: { location } };
  };
  test.each<[string, Fault, RegExp]>([
    ['Latin-1', says(Buffer.from('{"data":"ü"}', 'latin1')), /not UTF-8/],
    ['UTF-16', says(Buffer.from(`\ufeff${list}`, 'utf16le')), /not UTF-8/],
    ['UTF-16, unmarked', says(Buffer.from(list, 'utf16le')), /not UTF-8/],
    ['compressed', says(gzipSync(list), GZIP), /compressed/],
    ['cut off', says(list.slice(0, 20)), /cut off/],
    ['empty', says(''), /is empty/],
    [
      'elsewhere',
      leads(302, FAR),
      /redirects \(302\) to far\.example\/x\/y \(/,
    ],
    [
      'on the same server',
      leads(308, '/x?canary'),
      /redirects \(308\) to \/x \(/,
    ],
  ])('%s', async (_, fault, words) => {
    const { result } = await met(LIST, fault);
    expect([result.code, codesOf(result)]).toEqual([1, ['bad-answer']]);
    expect(findingsOf(result)[0]?.message).toMatch(words);
    expect(result.stdout + result.stderr).not.toContain('canary');
  });
  test('a byte order mark, and U+FFFD that the server holds, are read', async () => {
    const marked = withBody(
      (body) => `\ufeff${body.replace('{', '{"x":"\ufffd",')}`,
    );
    const { result } = await met(LIST, marked);
    expect([result.code, codesOf(result)]).toEqual([0, []]);
  });
});

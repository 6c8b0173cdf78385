import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import {
  type AddressInfo,
  connect,
  createServer as createTcp,
  type Server,
  type Socket,
} from 'node:net';
import { join, resolve } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import { createServer as createTls } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { liveSandbox } from '../support/live-sandbox.ts';
import { program } from '../support/program.ts';
import { codesOf, placesOf } from '../support/report.ts';
import { ADMIN, run } from '../support/run.ts';
import { sampled } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

/** What somebody says about the authority. */
type Trust =
  | '--ca-file'
  | 'tls.caFile'
  | 'NODE_EXTRA_CA_CERTS'
  | 'both, side by side'
  | 'the system, side by side'
  | 'nobody';

/** What somebody says about verification. */
type Verification = 'on' | 'NODE_TLS_REJECT_UNAUTHORIZED=0' | '--insecure';

/** How the request travels: straight, or through a proxy that may have a certificate itself. */
const WAYS: Readonly<
  Record<string, { tunnel: Tunnel; certificate?: Certificate } | undefined>
> = {
  direct: undefined,
  'a proxy': { tunnel: 'open' },
  'a proxy with TLS': { tunnel: 'open', certificate: 'good' },
  'a proxy nobody knows': { tunnel: 'open', certificate: 'one' },
  'a proxy that closes': { tunnel: 'close' },
  'a proxy of garbage': { tunnel: { answer: '220 ready\r\n\r\n' } },
};

/** Whether the login reached the server, the exit code, and the codes of the findings. */
type Outcome = readonly [
  isReached: boolean,
  code: number,
  found: readonly string[],
];

const VERIFIED: Outcome = [true, 0, []];
const WARNED: Outcome = [true, 0, ['not-verified']];
const REFUSED: Outcome = [false, 1, ['unreachable']];
const REFUSED_WARNED: Outcome = [false, 1, ['not-verified', 'unreachable']];

const ENV_OFF = 'NODE_TLS_REJECT_UNAUTHORIZED=0';

const CELLS: readonly (readonly [
  Certificate,
  Trust,
  Verification,
  way: string,
  Outcome,
])[] = [
  ['good', '--ca-file', 'on', 'direct', VERIFIED],
  ['good', 'tls.caFile', 'on', 'direct', VERIFIED],
  ['one', 'both, side by side', 'on', 'direct', VERIFIED],
  ['one', 'the system, side by side', 'on', 'direct', VERIFIED],
  ['one', '--ca-file', 'on', 'direct', REFUSED],
  ['good', 'nobody', ENV_OFF, 'direct', REFUSED],
  ['one', 'nobody', '--insecure', 'direct', WARNED],
  ['other-host', 'tls.caFile', ENV_OFF, 'direct', REFUSED],
  ['expired', '--ca-file', ENV_OFF, 'direct', REFUSED],
  ['one', 'nobody', ENV_OFF, 'a proxy', REFUSED],
  ['one', 'nobody', '--insecure', 'a proxy', WARNED],
  ['good', '--ca-file', 'on', 'a proxy with TLS', VERIFIED],
  ['good', '--ca-file', ENV_OFF, 'a proxy nobody knows', REFUSED],
  ['good', '--ca-file', 'on', 'a proxy that closes', REFUSED],
  ['one', 'nobody', '--insecure', 'a proxy of garbage', REFUSED_WARNED],
];

test.each(sampled(CELLS, 2))(
  'certificate %s, trusted by %s, verification %s, %s',
  async (certificate, trust, verification, name, outcome) => {
    const server = await secured(certificate);
    const way = WAYS[name];
    const through =
      way && (await tunnelProxy(server.port, way.tunnel, way.certificate));
    const url = through === undefined ? server.url : `https://${FAR}`;
    const account = through?.address('clerk:proxy-canary') ?? '';
    const env = { ...ADMIN, HTTPS_PROXY: account, ...TRUSTED[trust] };
    if (verification === ENV_OFF)
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const flags = verification === '--insecure' ? ['--insecure'] : [];
    const ended = await listed(url, trust, flags, env);
    vi.unstubAllEnvs();
    const isReached = server.seen().includes('POST /api/users/login');
    expect([isReached, ended.code, codesOf(ended)]).toEqual(outcome);
    // It is the proxy that fails, and the message says so.
    expect(ended.stdout.includes('HTTPS_PROXY')).toBe(
      !['direct', 'a proxy'].includes(name) && !isReached,
    );
    expect(ended.stdout + ended.stderr).not.toContain('proxy-canary');
    expect(through?.heard.join('') ?? '').not.toMatch(/identification|\/api\//);
    const isKnown = certificate === 'one' || certificate === 'good';
    if (outcome !== REFUSED || name !== 'direct' || !isKnown) return;
    expect(ended.stdout).toContain('--ca-file or tls.caFile must hold');
  },
);

const PEM = readFileSync('test/fixtures/tls/authority.pem', 'utf8');

test.each([
  ['a private key', PEM.replaceAll('CERTIFICATE', 'PRIVATE KEY')],
  ['PKCS#7', PEM.replaceAll('CERTIFICATE', 'PKCS7')],
  ['damaged among good ones', `${PEM}${PEM.replace(/\nM/, '\n!')}${PEM}`],
])(
  'a file without usable certificates is refused before any request: %s',
  async (_, content) => {
    const { url, exchanges } = await liveSandbox();
    const cwd = await tempFolder({
      '.git/HEAD': '',
      'a.yaml': 'version: 1\nintegrations: { x: { autosubscribe: true } }\n',
      'setpoint.yaml': `version: 1\nservers:\n  a: { url: "${url}", config: [a.yaml], tls: { caFile: ca.pem } }\n`,
    });
    await writeFile(join(cwd, 'ca.pem'), content);
    const commands = [
      ['validate'],
      ['plan'],
      ['list', '--url', url, '--ca-file', 'ca.pem'],
    ];
    for (const command of commands) {
      const result = await run([...command, '--report', 'json'], { cwd });
      expect([result.code, placesOf(result)]).toEqual([
        3,
        [expect.stringMatching(/^file-unreadable/)],
      ]);
    }
    expect(exchanges).toEqual([]);
  },
);

describe('the account of a proxy', () => {
  const REFUSAL = 'HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n';
  test.each([
    ['clerk:canary-word', 'clerk:canary-word'],
    ['us%40er:canary%3A%25%zz%', 'us@er:canary:%%zz%'],
    ['HOUSE\\clerk:canary@w/o?r#d:', 'HOUSE\\clerk:canary@w/o?r#d:'],
    ['clerk:canary-ü%C3%BC', 'clerk:canary-üü'],
    ['clerk', 'clerk:'],
  ])('%s is sent as it is meant, once, and never shown', async (text, sent) => {
    const proxy = await tunnelProxy(0, { answer: REFUSAL });
    const env = { ...ADMIN, HTTPS_PROXY: proxy.address(text) };
    const url = `https://${FAR}`;
    const args = ['list', '--url', url, '--verbose', '--report', 'json'];
    const result = await run(args, { env });
    expect([result.code, codesOf(result)]).toEqual([1, ['unreachable']]);
    expect(result.stdout).toContain('(407)');
    expect(result.stdout + result.stderr).not.toContain('canary');
    const accounts = proxy.heard.map((head) => {
      const [, login = ''] =
        /^proxy-authorization: Basic (.*)\r$/im.exec(head) ?? [];
      return Buffer.from(login, 'base64').toString();
    });
    expect(accounts).toEqual([sent]);
  });
  test('a tunnel that a busy proxy refuses is asked for again', async () => {
    const busy = REFUSAL.replace('407', '503');
    const proxy = await tunnelProxy(0, { answer: busy });
    const env = {
      ...ADMIN,
      https_proxy: proxy.address('a:b'),
      HTTPS_PROXY: '',
    };
    const result = await run(['list', '--url', `https://${FAR}`], { env });
    expect([result.code, proxy.heard.length]).toEqual([1, 3]);
  });
});

test.each([
  ['', '', false],
  ['integrations.example.com', '', true],
  ['.example.com', '', true],
  ['example.com:8443', '', false],
  ['', 'integrations.example.com', true],
])('NO_PROXY=%s no_proxy=%s', async (upper, lower, isDirect) => {
  const proxy = await tunnelProxy(0, 'close');
  const env = {
    ...ADMIN,
    HTTPS_PROXY: proxy.address('a:b'),
    NO_PROXY: upper,
    no_proxy: lower,
  };
  await run(['list', '--url', `https://${FAR}`], { env });
  expect(proxy.heard.length === 0).toBe(isDirect);
});

/** What Node reads when it starts: only a process of its own can be told. */
const TRUSTED: Readonly<Partial<Record<Trust, Record<string, string>>>> = {
  NODE_EXTRA_CA_CERTS: {
    NODE_EXTRA_CA_CERTS: resolve('test/fixtures/tls/authority.pem'),
  },
  'both, side by side': {
    NODE_EXTRA_CA_CERTS: resolve('test/fixtures/tls/one.pem'),
  },
  'the system, side by side': {
    NODE_OPTIONS: '--use-openssl-ca',
    SSL_CERT_FILE: resolve('test/fixtures/tls/one.pem'),
  },
};

/** Lists what the server holds; in a process of its own where Node reads the environment when it starts. */
async function listed(
  url: string,
  trust: Trust,
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const cwd = await tempFolder({
    '.git/HEAD': '',
    'a.yaml': 'version: 1\n',
    'setpoint.yaml': `version: 1\nservers: { a: { url: "${url}", config: [a.yaml], tls: { caFile: ca.pem } } }\n`,
  });
  await copyFile(pem('authority'), join(cwd, 'ca.pem'));
  const server = trust === 'tls.caFile' ? [] : ['--url', url];
  const isFlag = trust === '--ca-file' || trust.endsWith('side by side');
  const ca = isFlag ? ['--ca-file', 'ca.pem'] : [];
  const args = ['list', ...server, ...ca, ...flags, '--report', 'json'];
  if (TRUSTED[trust] === undefined) return run(args, { cwd, env });
  const child = program(args, { cwd, env });
  return {
    code: await child.ended,
    stdout: child.stdout(),
    stderr: child.stderr(),
  };
}

/**
 * Certificates with their keys: `one` vouches for itself; the authority vouches for the others, whose names
 * are localhost, 127.0.0.1 and integrations.example.com, but for `other-host`.
 */
type Certificate = 'one' | 'good' | 'other-host' | 'expired';

/** The path of a certificate, or of that of the authority. */
const pem = (name: Certificate | 'authority') =>
  resolve(`test/fixtures/tls/${name}.pem`);

/** The name of a server that only a proxy finds. */
const FAR = 'integrations.example.com';

/** A sandbox behind TLS. */
async function secured(certificate: Certificate) {
  const sandbox = await liveSandbox();
  const port = await listening(
    tlsServer(certificate, (socket) => {
      bridge(socket, Number(new URL(sandbox.url).port), underOwnName());
    }),
  );
  return { url: `https://127.0.0.1:${port}`, port, seen: sandbox.seen };
}

/** A sandbox answers to its own names only. */
const underOwnName = () =>
  new Transform({
    transform: (chunk, _, done) =>
      done(null, String(chunk).replace(`host: ${FAR}`, 'host: localhost')),
  });

/** What a proxy does when it is asked for a tunnel: it opens one, answers something else, or closes the connection. */
type Tunnel = 'open' | 'close' | { readonly answer: string };

/** A proxy whose every tunnel leads to one port. `heard` gives all that reached it in clear, without what is in tunnels. */
async function tunnelProxy(
  target: number,
  tunnel: Tunnel,
  certificate?: Certificate,
) {
  const heard: string[] = [];
  const serve = (socket: Socket) =>
    socket.once('data', (head) => {
      heard.push(String(head));
      if (tunnel === 'close') socket.destroy();
      else if (tunnel === 'open') {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        bridge(socket, target);
      } else {
        socket.on('data', (more) => heard.push(String(more)));
        socket.write(tunnel.answer);
      }
    });
  const server =
    certificate === undefined
      ? createTcp(serve)
      : tlsServer(certificate, serve);
  const port = await listening(server);
  const scheme = certificate === undefined ? 'http' : 'https';
  return {
    address: (account: string) => `${scheme}://${account}@127.0.0.1:${port}`,
    heard,
  };
}

function tlsServer(
  certificate: Certificate,
  serve: (socket: Socket) => void,
): Server {
  const text = readFileSync(pem(certificate));
  return createTls({ key: text, cert: text }, serve).on(
    'tlsClientError',
    () => {},
  );
}

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('secureConnection', (socket: Socket) =>
    socket.on('error', () => {}),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function bridge(
  socket: Socket,
  port: number,
  between = new PassThrough(),
): void {
  const onward = connect(port, '127.0.0.1');
  socket.pipe(between).pipe(onward).pipe(socket);
  socket.on('error', () => onward.destroy());
  onward.on('error', () => socket.destroy());
}

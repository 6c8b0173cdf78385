import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { DESIRED, type Desired, yamlOf } from '../support/desired.ts';
import { type Seen, startFaultProxy } from '../support/fault-proxy.ts';
import type { Fault } from '../support/faults.ts';
import { CANARY } from '../support/faulty-apply.ts';
import { ADMIN, run } from '../support/run.ts';
import { startTestSandbox } from '../support/sandbox.ts';
import { sampled } from '../support/soak.ts';

// Each run waits for its deadline: they do so side by side.
vi.setConfig({ maxConcurrency: 4 });

/** Seconds that an idle machine needs at most for a run up to where it hangs. */
const LEAST = 2;

/** Where a client is sent to hang. */
interface Trap {
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly yaml?: string;
  /** How many times the usual deadline it has; one without it. */
  readonly patience?: number;
  readonly close: () => Promise<void>;
}

const shared = { deadline: LEAST };

beforeAll(async () => {
  const trap = await behind(() => undefined);
  const start = performance.now();
  await runAt(trap, yamlOf(DESIRED));
  await trap.close();
  shared.deadline = Math.max(LEAST, (2 * (performance.now() - start)) / 1000);
});

/** An apply that ends with its deadline, or never. */
async function runAt({ url, env = {}, patience = 1 }: Trap, yaml: string) {
  const cwd = await mkdtemp(join(tmpdir(), 'setpoint-hangs-'));
  try {
    await writeFile(join(cwd, 'a.yaml'), yaml);
    const flags = ['--url', url, '--report', 'json', '--deadline', String(patience * shared.deadline)];
    return await run(['apply', '-f', 'a.yaml', '--yes', ...flags], {
      cwd,
      env: { ...ADMIN, SETPOINT_CANARY: CANARY, ...env },
    });
  } finally {
    await rm(cwd, { recursive: true });
  }
}

/** A bare TCP server. */
async function tcp(
  onSocket: (socket: Socket) => void,
): Promise<Pick<Trap, 'close'> & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A sandbox behind a proxy with a fault. */
async function behind(fault: (seen: Seen) => Fault | undefined, yaml?: string): Promise<Trap> {
  const sandbox = await startTestSandbox({ settings: { maxPageSize: 3 } });
  const proxy = await startFaultProxy(sandbox.url, fault);
  return {
    url: proxy.url,
    close: async () => {
      await proxy.close();
      await sandbox.close();
    },
    ...(yaml === undefined ? {} : { yaml }),
  };
}

const of = (kind: Seen['kind'], fault: Fault) => () =>
  behind((seen) => (seen.kind === kind ? fault : undefined));

/** A bare TCP server as the server itself, or as the proxy before one. */
const bare =
  (scheme: 'http' | 'https' | 'proxy', onSocket: (socket: Socket) => void) => async (): Promise<Trap> => {
    const { port, ...trap } = await tcp(onSocket);
    if (scheme !== 'proxy') return { url: `${scheme}://127.0.0.1:${port}`, ...trap };
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` };
    return { url: 'https://integrations.example.com', env, ...trap };
  };
const onFirst = (act: (socket: Socket) => void) => (socket: Socket) => socket.once('data', () => act(socket));
const TUNNEL = 'HTTP/1.1 200 OK\r\n\r\n';

/** One option with a value that no buffer of a connection takes. */
const LARGE: readonly Desired[] = DESIRED.slice(0, 1).map((each) => ({
  ...each,
  yaml: `options: { url: "${'x'.repeat(1_900_000)}" }`,
}));

const HANGS: readonly (readonly [name: string, code: number, open: () => Promise<Trap>])[] = [
  // The suite runs every fifth.
  // All that is to be written must be written by then, on a busy machine too.
  ['a silent logout', 0, async () => ({ ...(await of('logout', 'silence')()), patience: 5 })],
  ['a server that accepts and is silent', 1, bare('http', () => {})],
  ['a TLS handshake without an answer', 1, bare('https', (socket) => socket.resume())],
  ['a proxy that is silent', 1, bare('proxy', (socket) => socket.resume())],
  [
    'a proxy that closes at each CONNECT',
    1,
    bare(
      'proxy',
      onFirst((socket) => socket.destroy()),
    ),
  ],
  [
    'a proxy that opens the tunnel and is silent',
    1,
    bare(
      'proxy',
      onFirst((socket) => socket.write(TUNNEL)),
    ),
  ],
  ['headers that drip', 1, of('list page 1', 'drip-headers')],
  ['a body that drips', 1, of('list page 1', 'drip')],
  ['half an answer', 1, of('list page 1', 'half')],
  ['a body without end', 1, of('list page 1', 'flood')],
  ['a silent login', 1, of('login', 'silence')],
  ['a silent list page', 1, of('list page k', 'silence')],
  ['a silent PATCH', 5, of('patch options', 'silence')],
  [
    'a server that does not read what is sent',
    5,
    () => behind(({ method }) => (method === 'PATCH' ? 'silence' : undefined), yamlOf(LARGE)),
  ],
  ['a silent reading back', 5, of('read back', 'silence')],
];

describe.concurrent('a hang ends with the deadline', () => {
  test.each(sampled(HANGS, 5))('%s', async (_, code, open) => {
    const trap = await open();
    try {
      const ended = await runAt(trap, trap.yaml ?? yamlOf(DESIRED));
      expect([ended.code, ended.stderr]).toEqual([code, expect.not.stringMatching(/\n\s+at |node:internal/)]);
    } finally {
      await trap.close();
    }
  });
});

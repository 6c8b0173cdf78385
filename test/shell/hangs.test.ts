import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bundled } from '../support/child-process.ts';
import { DESIRED, type Desired, yamlOf } from '../support/desired.ts';
import { type Seen, startFaultProxy } from '../support/fault-proxy.ts';
import type { Fault } from '../support/faults.ts';
import { CANARY } from '../support/faulty-apply.ts';
import { type Ended, measured } from '../support/measured.ts';
import { ADMIN } from '../support/run.ts';
import { startTestSandbox } from '../support/sandbox.ts';

// Each run waits for its deadline: they do so side by side.
vi.setConfig({ maxConcurrency: 4 });

/** Seconds that an idle machine needs at most: for a run up to where it hangs, and to end it after its deadline. */
const LEAST = { deadline: 2, late: 1 };

/** Seconds of processor time and MiB that a hang may cost. */
const MOST = { cpu: 1, memory: 250 };

/** Where a client is sent to hang. */
interface Trap {
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly yaml?: string;
  /** When the first connection or request came. */
  readonly sprung: () => number;
  readonly close: () => Promise<void>;
}

const shared = { folder: '', program: '', deadline: LEAST.deadline, startUp: { cpu: 0, memory: 0 } };

beforeAll(async () => {
  shared.folder = await mkdtemp(join(tmpdir(), 'setpoint-hangs-'));
  shared.program = await bundled('src/cli.ts', shared.folder);
  const start = performance.now();
  const ended = await runAt({ url: 'http://127.0.0.1:1' }, shared.folder, ['list']);
  shared.startUp = ended;
  shared.deadline = Math.max(LEAST.deadline, (4 * (ended.at - start)) / 1000);
});
afterAll(() => rm(shared.folder, { recursive: true, force: true }));

function runAt(
  { url, env = {} }: Pick<Trap, 'url' | 'env'>,
  cwd: string,
  command: readonly string[],
): Promise<Ended> {
  const flags = ['--url', url, '--report', 'json', '--deadline', String(shared.deadline)];
  return measured(shared.program, [...command, ...flags], cwd, { ...ADMIN, SETPOINT_CANARY: CANARY, ...env });
}

/** A bare TCP server. */
async function tcp(
  onSocket: (socket: Socket) => void,
): Promise<Pick<Trap, 'sprung' | 'close'> & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const first: number[] = [];
  const server = createServer((socket) => {
    first.push(performance.now());
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sprung: () => first[0] ?? Number.NaN,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** A sandbox behind a proxy with a fault. */
async function behind(fault: (seen: Seen) => Fault | undefined, yaml?: string): Promise<Trap> {
  const sandbox = await startTestSandbox({ settings: { maxPageSize: 3 } });
  const first: number[] = [];
  const proxy = await startFaultProxy(sandbox.url, (seen) => {
    first.push(performance.now());
    return fault(seen);
  });
  return {
    url: proxy.url,
    sprung: () => first[0] ?? Number.NaN,
    close: async () => {
      await proxy.close();
      await sandbox.close();
    },
    ...(yaml === undefined ? {} : { yaml }),
  };
}

const of = (kind: Seen['kind'], fault: Fault) => () =>
  behind((seen) => (seen.kind === kind ? fault : undefined));

const toProxy = (port: number) => ({
  url: 'https://integrations.example.com',
  env: { HTTPS_PROXY: `http://127.0.0.1:${port}` },
});

/** One option with a value that no buffer of a connection takes. */
const LARGE: readonly Desired[] = DESIRED.slice(0, 1).map((each) => ({
  ...each,
  yaml: `options: { url: "${'x'.repeat(1_900_000)}" }`,
}));

const HANGS: readonly (readonly [name: string, code: number, open: () => Promise<Trap>])[] = [
  [
    'a server that accepts and is silent',
    1,
    async () => {
      const { port, ...trap } = await tcp(() => {});
      return { url: `http://127.0.0.1:${port}`, ...trap };
    },
  ],
  [
    'a TLS handshake without an answer',
    1,
    async () => {
      const { port, ...trap } = await tcp((socket) => socket.resume());
      return { url: `https://127.0.0.1:${port}`, ...trap };
    },
  ],
  [
    'a proxy that is silent',
    1,
    async () => {
      const { port, ...trap } = await tcp((socket) => socket.resume());
      return { ...toProxy(port), ...trap };
    },
  ],
  [
    'a proxy that closes at each CONNECT',
    1,
    async () => {
      const { port, ...trap } = await tcp((socket) => socket.once('data', () => socket.destroy()));
      return { ...toProxy(port), ...trap };
    },
  ],
  [
    'a proxy that opens the tunnel and is silent',
    1,
    async () => {
      const { port, ...trap } = await tcp((socket) =>
        socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n')),
      );
      return { ...toProxy(port), ...trap };
    },
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
  ['a silent logout', 0, of('logout', 'silence')],
];

describe.concurrent('a hang ends with the deadline, and costs next to nothing', () => {
  test.each(HANGS)('%s', async (_, code, open) => {
    const trap = await open();
    const cwd = await mkdtemp(join(shared.folder, 'run-'));
    try {
      await writeFile(join(cwd, 'a.yaml'), trap.yaml ?? yamlOf(DESIRED));
      const start = performance.now();
      const ended = await runAt(trap, cwd, ['apply', '-f', 'a.yaml', '--yes']);
      const lasted = (ended.at - trap.sprung()) / 1000;
      // How long this very process took to start tells how busy the machine is.
      const startUp = (trap.sprung() - start) / 1000;
      expect([ended.code, ended.stderr]).toEqual([code, expect.not.stringMatching(/\n\s+at |node:internal/)]);
      expect(lasted).toBeLessThan(shared.deadline + Math.max(LEAST.late, 2 * startUp));
      expect(ended.cpu - shared.startUp.cpu).toBeLessThan(MOST.cpu);
      expect(ended.memory - shared.startUp.memory).toBeLessThan(MOST.memory);
    } finally {
      await trap.close();
    }
  });
});

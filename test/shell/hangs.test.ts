import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import pMap from 'p-map';
import { expect, onTestFinished, test } from 'vitest';
import { withDeadline } from '../support/deadline.ts';
import { DESIRED } from '../support/desired.ts';
import type { RequestKind } from '../support/fault-proxy.ts';
import type { Fault } from '../support/faults.ts';
import { CANARY, faultyServer } from '../support/faulty-apply.ts';
import { yamlOf } from '../support/fleet.ts';
import { ADMIN, type RunResult, run } from '../support/run.ts';
import { sampled } from '../support/soak.ts';
import { tempFolder } from '../support/temp.ts';

/** Seconds that an idle machine needs at most for a run up to where it hangs. */
const LEAST = 2;

/** A run that ends by its deadline, in seconds, or never. */
type Hang = (deadline: string) => Promise<RunResult>;

/** An apply whose requests of a kind meet a fault. */
const of =
  (kind: RequestKind, fault: Fault, yaml = yamlOf(DESIRED)): Hang =>
  async (deadline) => {
    const { apply } = await faultyServer(yaml, (seen) =>
      seen.kind === kind ? fault : undefined,
    );
    return apply(['--deadline', deadline]);
  };

/** An apply at a bare TCP server: the server itself, or the proxy before one. */
const bare =
  (
    scheme: 'http' | 'https' | 'proxy',
    onSocket: (socket: Socket) => void,
  ): Hang =>
  async (deadline) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      onSocket(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const url =
      scheme === 'proxy'
        ? 'https://integrations.example.com'
        : `${scheme}://${address}`;
    const cwd = await tempFolder({ 'a.yaml': yamlOf(DESIRED) });
    const proxy = scheme === 'proxy' ? `http://${address}` : '';
    const env = { ...ADMIN, SETPOINT_CANARY: CANARY, HTTPS_PROXY: proxy };
    const target = `-f a.yaml --url ${url} --deadline ${deadline}`;
    return run(`apply --yes ${target}`, { cwd, env });
  };

/** An option with a value that no buffer of a connection takes. */
const LARGE = yamlOf(
  DESIRED.slice(0, 1).map((each) => ({
    ...each,
    yaml: `options: { url: "${'x'.repeat(1_900_000)}" }`,
  })),
);

const deaf = (socket: Socket) => void socket.resume();
const opening = (socket: Socket) =>
  void socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));

const HANGS: readonly (readonly [name: string, code: number, hang: Hang])[] = [
  // The suite runs every fourth.
  ['a silent logout', 0, of('logout', 'silence')],
  ['a server that accepts and is silent', 1, bare('http', () => {})],
  ['headers that drip', 1, of('list page 1', 'drip-headers')],
  ['a TLS handshake without an answer', 1, bare('https', deaf)],
  ['a proxy that is silent', 1, bare('proxy', deaf)],
  ['a body that drips', 1, of('list page k', 'drip')],
  ['a silent PATCH', 5, of('patch options', 'silence')],
  ['a server that does not read', 5, of('patch options', 'silence', LARGE)],
  ['a proxy that opens the tunnel and is silent', 1, bare('proxy', opening)],
  ['a body without end', 1, of('list page 1', 'flood')],
  ['a silent login', 1, of('login', 'silence')],
  ['a silent reading back', 5, of('read back', 'silence')],
];

test('a hang ends with the deadline', async () => {
  // Each waits for its deadline: they do so side by side.
  const ended = await pMap(
    sampled(HANGS, 4),
    async ([name, expected, hang]) => {
      // A deadline that comes before the hang ends a run with another code.
      const isFar = ({ code }: RunResult) => code === expected;
      const { code, stderr } = await withDeadline(LEAST, hang, isFar);
      expect(stderr, name).not.toMatch(/\n\s+at |node:internal/);
      return [name, code];
    },
    { concurrency: 4 },
  );
  expect(ended).toEqual(sampled(HANGS, 4).map(([name, code]) => [name, code]));
});

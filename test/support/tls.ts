import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net';
import { resolve } from 'node:path';
import { PassThrough, Transform } from 'node:stream';
import { createServer as createTls } from 'node:tls';
import { onTestFinished } from 'vitest';
import { liveSandbox } from './live-sandbox.ts';

/**
 * Certificates with their keys: `one` vouches for itself; the authority vouches for the others, whose names
 * are localhost, 127.0.0.1 and integrations.example.com, but for `other-host`.
 */
export type Certificate = 'one' | 'good' | 'other-host' | 'expired';

/** The path of a certificate, or of that of the authority. */
export const pem = (name: Certificate | 'authority') => resolve(`test/fixtures/tls/${name}.pem`);

/** The name of a server that only a proxy finds. */
export const FAR = 'integrations.example.com';

/** A sandbox behind TLS. */
export async function secured(certificate: Certificate) {
  const sandbox = await liveSandbox();
  const port = await listening(
    tlsServer(certificate, (socket) => {
      join(socket, Number(new URL(sandbox.url).port), underOwnName());
    }),
  );
  return { url: `https://127.0.0.1:${port}`, port, seen: sandbox.seen };
}

/** A sandbox answers to its own names only. */
const underOwnName = () =>
  new Transform({
    transform: (chunk, _, done) => done(null, String(chunk).replace(`host: ${FAR}`, 'host: localhost')),
  });

/** What a proxy does when it is asked for a tunnel: it opens one, answers something else, or closes the connection. */
export type Tunnel = 'open' | 'close' | { readonly answer: string };

/** A proxy whose every tunnel leads to one port. `heard` gives all that reached it in clear, without what is in tunnels. */
export async function tunnelProxy(target: number, tunnel: Tunnel, certificate?: Certificate) {
  const heard: string[] = [];
  const serve = (socket: Socket) =>
    socket.once('data', (head) => {
      heard.push(String(head));
      if (tunnel === 'close') socket.destroy();
      else if (tunnel === 'open') {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        join(socket, target);
      } else {
        socket.on('data', (more) => heard.push(String(more)));
        socket.write(tunnel.answer);
      }
    });
  const server = certificate === undefined ? createTcp(serve) : tlsServer(certificate, serve);
  const port = await listening(server);
  const scheme = certificate === undefined ? 'http' : 'https';
  return { address: (account: string) => `${scheme}://${account}@127.0.0.1:${port}`, heard };
}

function tlsServer(certificate: Certificate, serve: (socket: Socket) => void): Server {
  const text = readFileSync(pem(certificate));
  return createTls({ key: text, cert: text }, serve).on('tlsClientError', () => {});
}

async function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function join(socket: Socket, port: number, between = new PassThrough()): void {
  const onward = connect(port, '127.0.0.1');
  socket.pipe(between).pipe(onward).pipe(socket);
  socket.on('error', () => onward.destroy());
  onward.on('error', () => socket.destroy());
}

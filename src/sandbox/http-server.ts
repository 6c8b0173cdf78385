import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { SandboxError, systemCode } from './sandbox-error.ts';
import { MEDIA_TYPE } from './wire/body.ts';
import { errorDocument, type Refusal, refusal } from './wire/refusal.ts';

/** How many milliseconds requests in flight may still take once the server closes. */
const GRACE = 5000;

/**
 * Serves HTTP; malformed requests receive an error document too. Throws a SandboxError where it cannot listen. `close`
 * resolves when all connections have ended; it cuts them after GRACE.
 */
export async function serveHttp(listener: RequestListener, host: string, port: number) {
  const server = createServer({ requireHostHeader: false }, listener);
  server.on('request', (_request, response) => response.once('finish', () => dropIdleAtEnd(server)));
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket) => refuseRaw(socket, refusal(405, 'CONNECT is not served.')));
  server.on('clientError', (error, socket) => refuseRaw(socket, malformed(systemCode(error))));
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw notListening(error, host, port);
  });
  return { url: urlOf(server, host), close: () => drain(server) };
}

function malformed(code: string): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal(431, 'The header of the request is too large.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal(408, 'The request took too long to arrive.');
  return refusal(400, 'The request is not valid HTTP.');
}

/** Answers on a connection that carries no valid request, and ends it. */
function refuseRaw(socket: Duplex, refused: Refusal): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(errorDocument(refused));
  const head = [
    `HTTP/1.1 ${refused.status} ${refused.title}`,
    `Content-Type: ${MEDIA_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function notListening(error: unknown, host: string, port: number): SandboxError {
  const code = systemCode(error);
  const [reason, message] =
    code === 'EADDRINUSE'
      ? (['address-in-use', `port ${port} of ${host} is in use by another program`] as const)
      : (['address-refused', `cannot listen on ${host}, port ${port} (${code})`] as const);
  return new SandboxError(reason, message, { cause: error });
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function drain(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), GRACE);
  await closed;
  clearTimeout(timer);
}

/** While the server closes, ends a kept-alive connection after its answer. */
function dropIdleAtEnd(server: Server): void {
  if (!server.listening) setImmediate(() => server.closeIdleConnections());
}

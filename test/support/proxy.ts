import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** What the proxy does with one request instead of passing it on. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** The connection is reset before the service sees the request. */
  | 'reset'
  /** The service acts, then the connection is reset. */
  | 'reset-after'
  /** No answer ever comes. */
  | 'silence';

export interface Seen {
  readonly method: string;
  readonly path: string;
  /** How many requests of this method and path came before, without the query. */
  readonly before: number;
}

/** A proxy before a service that ends with the test; `fault` says what goes wrong, undefined passes the request on. */
export async function faultyProxy(
  target: string,
  fault: (seen: Seen) => Fault | undefined,
): Promise<{ url: string; seen: string[] }> {
  const counts = new Map<string, number>();
  const seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    const method = incoming.method ?? '';
    const path = (incoming.url ?? '').replace(/\?.*$/, '');
    const before = counts.get(`${method} ${path}`) ?? 0;
    counts.set(`${method} ${path}`, before + 1);
    seen.push(`${method} ${path}`);
    const found = fault({ method, path, before });
    if (found === 'silence') return;
    if (found === 'reset') incoming.socket.resetAndDestroy();
    else if (found === undefined || found === 'reset-after')
      pass(target, incoming, outgoing, found === 'reset-after');
    else outgoing.writeHead(found.status, found.headers).end(found.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, seen };
}

function pass(target: string, incoming: IncomingMessage, outgoing: ServerResponse, resets: boolean): void {
  const onward = request(
    `${target}${incoming.url ?? ''}`,
    { method: incoming.method, headers: incoming.headers },
    (answer) => {
      if (resets) {
        answer.resume();
        answer.once('end', () => incoming.socket.resetAndDestroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  onward.once('error', () => incoming.socket.resetAndDestroy());
  incoming.pipe(onward);
}

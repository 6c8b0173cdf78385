import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** A request at the turnstile. */
interface Passing {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** 1 for the first request that came. */
  readonly number: number;
}

/** What is called while a request passes, and waited for. */
export interface Hooks {
  /** It has come whole; the service has not seen it. `false` leaves it unanswered. */
  readonly before?: (passing: Passing) => Promise<boolean> | boolean;
  /** The service has acted and answered; the client has not seen the answer. `false` keeps it back for good. */
  readonly after?: (passing: Passing) => Promise<boolean> | boolean;
}

/** A way to a service on which every request can be stopped before and after the service acted. It ends with the test. */
export async function turnstile(target: string, hooks: Hooks): Promise<{ url: string; close(): void }> {
  const count = { passed: 0 };
  const server = createServer((incoming, outgoing) => {
    count.passed += 1;
    const path = (incoming.url ?? '').replace(/\?.*$/, '');
    const passing = { method: incoming.method ?? '', path, number: count.passed };
    pass(target, hooks, passing, incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, close };
}

async function pass(
  target: string,
  { before = () => true, after = () => true }: Hooks,
  passing: Passing,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const body = await buffer(incoming);
  if (!(await before(passing))) return;
  const { method, headers } = incoming;
  const onward = request(`${target}${incoming.url ?? ''}`, { method, headers });
  onward.end(body);
  // `once` gives the arguments of the event: for a response, the one answer.
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const text = await buffer(answer);
  if (!(await after(passing))) return;
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers).end(text);
}

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { at, listAt } from './at.ts';
import type { Exchange } from './sandbox.ts';

/** A request on its way to the service. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  /** Empty if there is none. */
  readonly token: string;
  readonly accept: string;
  readonly body: unknown;
}

/** The answer of the service, its body parsed. */
export interface Given {
  readonly status: number;
  /** None if it is undefined. */
  readonly mediaType: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** A text leaves as it is, undefined as no body. */
  readonly body: unknown;
}

/** What has passed before. */
export interface Memory {
  /** User names by their tokens. */
  readonly users: Map<string, string>;
  readonly revoked: Set<string>;
  /** The ids of options whose value was set. */
  readonly written: Set<string>;
  /** The choices of selects by the ids of their options. */
  readonly choices: Map<string, readonly unknown[]>;
}

/** A change of requests and answers. A refusal has a status, its reason, and perhaps what it points at. */
export interface Rewrite {
  readonly refuse?: (asked: Asked, memory: Memory) => readonly [number, string, string?] | undefined;
  readonly request?: (asked: Asked, memory: Memory) => Asked;
  readonly answer?: (given: Given, asked: Asked, memory: Memory) => Given;
}

const MEDIA_TYPE = 'application/vnd.api+json';

/** A proxy that rewrites what passes, one rewrite after the other. */
export async function startRewriter(
  target: string,
  rewrites: readonly Rewrite[],
  onExchange: (exchange: Exchange) => void = () => {},
) {
  const agent = new Agent({ keepAlive: true });
  const memory: Memory = { users: new Map(), revoked: new Set(), written: new Set(), choices: new Map() };
  const server = createServer(async (incoming, outgoing) => {
    const started = performance.now();
    const asked = await askedOf(incoming, target);
    const answer = await pass(asked, rewrites, memory, agent).catch(() => undefined);
    if (answer === undefined) return void outgoing.destroy();
    const { method = '', url = '' } = incoming;
    const durationMs = performance.now() - started;
    onExchange({ method, path: url, status: answer.status, durationMs, body: asked.body });
    const { status, headers, mediaType, body } = answer;
    const type = mediaType === undefined ? {} : { 'content-type': mediaType };
    const sent = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
    const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(sent) };
    outgoing.writeHead(status, { ...headers, ...type, ...length }).end(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function askedOf(incoming: IncomingMessage, target: string): Promise<Asked> {
  const body = (await buffer(incoming)).toString();
  const { authorization = '', accept = '*/*' } = incoming.headers;
  return {
    method: incoming.method ?? '',
    url: new URL(incoming.url ?? '', target),
    token: authorization.replace(/^bearer +/i, ''),
    accept,
    body: body === '' ? undefined : JSON.parse(body),
  };
}

async function pass(
  asked: Asked,
  rewrites: readonly Rewrite[],
  memory: Memory,
  agent: Agent,
): Promise<Given> {
  const refused = rewrites.map(({ refuse }) => refuse?.(asked, memory)).find((each) => each !== undefined);
  const sent = rewrites.reduce((each, { request }) => request?.(each, memory) ?? each, asked);
  const given = refused === undefined ? await send(sent, agent) : refusal(refused);
  remember(asked, given, memory);
  return rewrites.reduce((each, { answer }) => answer?.(each, asked, memory) ?? each, given);
}

function refusal([status, detail, pointer]: readonly [number, string, string?]): Given {
  const error = { status: String(status), title: 'Refused', detail };
  const errors = [pointer === undefined ? error : { ...error, source: { pointer } }];
  return { status, headers: {}, mediaType: MEDIA_TYPE, body: { errors } };
}

async function send({ method, url, token, accept, body }: Asked, agent: Agent): Promise<Given> {
  const authorization = token === '' ? {} : { authorization: `Bearer ${token}` };
  const sending = request(url, {
    method,
    agent,
    headers: { accept, 'content-type': MEDIA_TYPE, ...authorization },
  });
  sending.end(body === undefined ? undefined : JSON.stringify(body));
  // `once` gives the arguments of the event: for a response, the one answer.
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  const received = await text(answer);
  return {
    status: answer.statusCode ?? 502,
    headers: {},
    mediaType: answer.headers['content-type'],
    body: received === '' ? undefined : JSON.parse(received),
  };
}

/** Learns who has which token, what was set, and which options are selects. */
function remember(asked: Asked, { status, body }: Given, { users, written, choices }: Memory): void {
  if (status >= 300) return;
  const token = at(body, 'data', 'token');
  if (typeof token === 'string')
    users.set(token, String(at(asked.body, 'identification') ?? users.get(asked.token)));
  if (asked.method === 'PATCH')
    for (const item of listAt(asked.body, 'data'))
      if (at(item, 'attributes', 'value') !== undefined) written.add(String(at(item, 'id')));
  JSON.stringify(body, (_, each) => {
    const known = at(each, 'attributes', 'options');
    if (Array.isArray(known)) choices.set(String(at(each, 'id')), known);
    return each;
  });
}

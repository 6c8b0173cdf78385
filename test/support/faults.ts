import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Seeded } from './seeded.ts';

/** What a proxy does with one request instead of passing it on. */
export type Fault = Answer | Through | keyof typeof BY_NAME;

/** An answer in place of that of the service, which has not seen the request unless it `acted`. */
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly acted?: boolean;
}

/** A change of the request, or of the answer; an error breaks the connection. */
export interface Through {
  readonly through: (
    asked: Asked,
    send: (asked: Asked) => Promise<Passed>,
  ) => Promise<Passed>;
}

/** A whole request. */
export interface Asked {
  readonly method: string;
  /** The path with its query. */
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** The whole answer of the service. */
export interface Passed {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** What a fault can use: the naked connection, the answer as HTTP, the service behind. */
interface Inflicting {
  readonly socket: Socket;
  readonly outgoing: ServerResponse;
  readonly ask: () => Promise<Asked>;
  readonly send: (asked: Asked) => Promise<Passed>;
  readonly goDown: () => void;
}

/** Milliseconds between two bytes that drip. */
const DRIP_EVERY = 20;

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/vnd.api+json\r\n';

/** Does to one request what a fault says; undefined passes it on. */
export async function inflict(
  fault: Fault | undefined,
  context: Inflicting,
): Promise<void> {
  const { outgoing, ask, send } = context;
  if (typeof fault === 'string') return BY_NAME[fault](context);
  if (fault === undefined) return answer(outgoing, await send(await ask()));
  if ('through' in fault)
    return answer(outgoing, await fault.through(await ask(), send));
  if (fault.acted === true) await send(await ask());
  outgoing.writeHead(fault.status, fault.headers).end(fault.body);
}

const BY_NAME = {
  /** The connection is reset before the service sees the request. */
  reset: async ({ socket }: Inflicting) => void socket.resetAndDestroy(),
  /** The service acts, then the connection is reset. */
  'reset-after': async ({ socket, ask, send }: Inflicting) => {
    await send(await ask());
    socket.resetAndDestroy();
  },
  /** No answer ever comes; the service has not seen the request. */
  silence: async () => {},
  /** The service acts, but no answer ever comes. */
  'silence-after': async ({ ask, send }: Inflicting) =>
    void (await send(await ask())),
  /** A byte of the body now and then, without end. */
  drip: async ({ socket }: Inflicting) => {
    socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`);
    drip(socket, ' ');
  },
  /** A byte of the headers now and then, without end. */
  'drip-headers': async ({ socket }: Inflicting) => {
    socket.write(`${HEAD}X-Drip: `);
    drip(socket, '.');
  },
  /** The service acts; half of its answer comes, then the connection is closed. */
  truncated: (context: Inflicting) =>
    cut(context, (length) => [length, length / 2]),
  /** The service acts; its answer comes under a length that is too small. */
  'too-short': (context: Inflicting) =>
    cut(context, (length) => [length - 5, length]),
  /** Something that is no HTTP; the service has not seen the request. */
  'no-http': async ({ socket }: Inflicting) =>
    void socket.end('220 ready\r\n\r\n'),
  /** A body as fast as it is read, without end. */
  flood: async ({ socket }: Inflicting) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    flood(socket);
  },
  /** The request is answered well, and no connection is accepted any more. */
  'last-answer': async ({ outgoing, ask, send, goDown }: Inflicting) => {
    const passed = await send(await ask());
    goDown();
    answer(outgoing, {
      ...passed,
      headers: { ...passed.headers, connection: 'close' },
    });
  },
};

function answer(
  outgoing: ServerResponse,
  { status, headers, body }: Passed,
): void {
  const length =
    status === 204 ? {} : { 'content-length': Buffer.byteLength(body) };
  outgoing.writeHead(status, { ...headers, ...length }).end(body);
}

/** The service's answer under a length of its own, and so many bytes of it. An empty one gets some, to be cut. */
async function cut(
  { socket, ask, send }: Inflicting,
  lengths: (length: number) => readonly [told: number, sent: number],
): Promise<void> {
  const { status, body } = await send(await ask());
  const whole = Buffer.from(body.length > 10 ? body : '{"data": []}');
  const [told, sent] = lengths(whole.length);
  socket.write(
    `${HEAD.replace('200', String(status))}Content-Length: ${told}\r\n\r\n`,
  );
  socket.end(whole.subarray(0, sent));
}

function drip(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), DRIP_EVERY);
  socket.on('error', () => {});
  socket.once('close', () => clearInterval(timer));
}

function flood(socket: Socket): void {
  const size = 64 * 1024;
  const chunk = `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`;
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('error', () => {});
  socket.on('drain', pour);
  pour();
}

/** The answer of the service with another body. */
export function withBody(change: (body: string) => string): Fault {
  return {
    through: async (asked, send) => {
      const passed = await send(asked);
      return { ...passed, body: change(passed.body) };
    },
  };
}

export const JSON_API = { 'content-type': 'application/vnd.api+json' };

/** A refusal in the form of the service. */
export const refusal = (
  status: number,
  headers: Readonly<Record<string, string>> = {},
) => ({
  status,
  headers: { ...JSON_API, ...headers },
  body: '{"errors":[{"title":"Refused"}]}',
});

/** A failure before the service has acted, and one after it has. */
const both = (fault: Answer): Fault[] => [fault, { ...fault, acted: true }];

export const PAGE = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><p>Log in',
};

/** Faults after which a run goes on, each in the forms that it may take. */
const PASSING: readonly (readonly Fault[])[] = [
  ['reset'],
  ['reset-after'],
  ['truncated'],
  ['no-http'],
  ['too-short'],
  ['last-answer'],
  both(PAGE),
  both({ ...PAGE, status: 502 }),
  both(refusal(500)),
  both(refusal(503, { 'retry-after': '2' })),
  [refusal(401)],
  [
    refusal(429),
    refusal(429, { 'retry-after': '7' }),
    refusal(429, { 'retry-after': '60' }),
  ],
];
const SLOW: readonly (readonly Fault[])[] = [
  ['silence', 'silence-after'],
  ['drip', 'drip-headers'],
];
/** Those after which a run has to give up: no permission, or more patience than it has. */
const FINAL: readonly (readonly Fault[])[] = [
  [refusal(403)],
  [refusal(429, { 'retry-after': '61' })],
];

/** Any fault in any form; one that takes time with this chance, one that ends a run if it may. */
export function anyFault(
  { pick, random }: Seeded,
  isFinal: boolean,
  slow = 0.05,
): Fault {
  const named = [...PASSING, ...(isFinal ? FINAL : [])];
  return pick(pick(random() < slow ? SLOW : named));
}

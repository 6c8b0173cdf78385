import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Seeded } from './seeded.ts';

/** What a proxy does with one request instead of passing it on. */
export type Fault =
  /** An answer in place of that of the service, which has not seen the request unless it `acted`. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly acted?: boolean;
    }
  /** The answer of the service, changed on its way. */
  | { readonly rewrite: (passed: Passed) => Passed }
  /** What is called while the request passes, and waited for. */
  | Hooks
  /** The connection is reset before the service sees the request. */
  | 'reset'
  /** The service acts, then the connection is reset. */
  | 'reset-after'
  /** No answer ever comes; the service has not seen the request. */
  | 'silence'
  /** The service acts, but no answer ever comes. */
  | 'silence-after'
  /** A byte of the body now and then, without end. */
  | 'drip'
  /** A byte of the headers now and then, without end. */
  | 'drip-headers'
  /** Half of the service's answer, then the connection is closed. */
  | 'truncated'
  /** Something that is no HTTP, where the service has not seen the request. */
  | 'no-http'
  /** Half of the service's answer, then silence. */
  | 'half'
  /** The service's answer under a length that is too small. */
  | 'too-short'
  /** The service's answer under a length that is too great, then the connection is closed. */
  | 'too-long'
  /** The service acts, and a page of text takes the place of its answer. */
  | 'text'
  /** A body as fast as it is read, without end. */
  | 'flood'
  /** The request is answered well, and no connection is accepted any more. */
  | 'last-answer';

/** What is waited for while a request passes; `false` leaves it without an answer, and an error breaks the connection. */
export interface Hooks {
  /** The service has not seen it yet. */
  readonly before?: () => Promise<boolean> | boolean;
  /** The service has acted and answered; the client has not seen the answer. */
  readonly after?: () => Promise<boolean> | boolean;
}

/** The whole answer of the service. */
export interface Passed {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** What a fault can use: the naked connection, the answer as HTTP, the service behind. */
export interface Inflicting {
  readonly socket: Socket;
  readonly outgoing: ServerResponse;
  readonly pass: () => Promise<Passed>;
  readonly goDown: () => void;
}

/** Milliseconds between two bytes that drip. */
const DRIP_EVERY = 20;

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/vnd.api+json\r\n';

/** Does to one request what a fault says; undefined passes it on. */
export async function inflict(fault: Fault | undefined, context: Inflicting): Promise<void> {
  const { outgoing, pass } = context;
  if (typeof fault === 'string') return BY_NAME[fault](context);
  if (fault === undefined) return answer(outgoing, await pass());
  if ('rewrite' in fault) return answer(outgoing, fault.rewrite(await pass()));
  if (!('status' in fault)) return passBy(fault, context);
  if (fault.acted === true) await pass();
  outgoing.writeHead(fault.status, fault.headers).end(fault.body);
}

async function passBy({ before, after }: Hooks, { outgoing, pass }: Inflicting): Promise<void> {
  if ((await before?.()) === false) return;
  const passed = await pass();
  if ((await after?.()) !== false) answer(outgoing, passed);
}

const BY_NAME: Record<Extract<Fault, string>, (context: Inflicting) => Promise<void>> = {
  reset: async ({ socket }) => void socket.resetAndDestroy(),
  'reset-after': async ({ socket, pass }) => {
    await pass();
    socket.resetAndDestroy();
  },
  silence: async () => {},
  'silence-after': async ({ pass }) => void (await pass()),
  drip: async ({ socket }) => {
    socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`);
    drip(socket, ' ');
  },
  'drip-headers': async ({ socket }) => {
    socket.write(`${HEAD}X-Drip: `);
    drip(socket, '.');
  },
  truncated: async ({ socket, pass }) => {
    const { head, body } = raw(await pass(), 0);
    socket.end(Buffer.concat([head, body.subarray(0, body.length / 2)]));
  },
  'no-http': async ({ socket }) => {
    socket.end('220 ready\r\n\r\n');
  },
  half: async ({ socket, pass }) => {
    const { head, body } = raw(await pass(), 0);
    socket.write(Buffer.concat([head, body.subarray(0, body.length / 2)]));
  },
  'too-short': async ({ socket, pass }) => {
    const { head, body } = raw(await pass(), -5);
    socket.end(Buffer.concat([head, body]));
  },
  'too-long': async ({ socket, pass }) => {
    const { head, body } = raw(await pass(), 5);
    socket.end(Buffer.concat([head, body]));
  },
  text: async ({ outgoing, pass }) => {
    const passed = await pass();
    const { 'content-length': _, ...rest } = passed.headers;
    const headers = { ...rest, 'content-type': 'text/plain' };
    answer(outgoing, { ...passed, headers, body: Buffer.from('It works!') });
  },
  flood: async ({ socket }) => {
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    flood(socket);
  },
  'last-answer': async ({ outgoing, pass, goDown }) => {
    const passed = await pass();
    goDown();
    answer(outgoing, { ...passed, headers: { ...passed.headers, connection: 'close' } });
  },
};

function answer(outgoing: ServerResponse, { status, headers, body }: Passed): void {
  outgoing.writeHead(status, headers).end(body);
}

/** An answer as bytes, its length off by some; one without a body gets one, so that there is something to cut. */
function raw({ status, headers, body }: Passed, off: number): { head: Buffer; body: Buffer } {
  const whole = body.length > 10 ? body : Buffer.from('{"data": []}');
  const type = String(headers['content-type'] ?? 'application/vnd.api+json');
  const length = whole.length + off;
  const head = `HTTP/1.1 ${status} X\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
  return { head: Buffer.from(head), body: whole };
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

/** The answer of the service with another body, of another length. */
export function withBody(change: (body: string) => string): Fault {
  return {
    rewrite: ({ status, headers: { 'content-length': _, ...headers }, body }) => ({
      status,
      headers,
      body: Buffer.from(change(body.toString())),
    }),
  };
}

/** How a client must see a fault: as no usable answer, or as an answer that says something. */
type FaultClass = 'unclear' | '401' | '403' | '429' | 'long wait';

export interface NamedFault {
  readonly name: string;
  readonly class: FaultClass;
  /** The forms that it may take; a seed picks one. */
  readonly forms: readonly Fault[];
  /** Whether it takes the time of a request until it is noticed. */
  readonly isSlow?: boolean;
}

const HTML = { 'content-type': 'text/html' };
const PAGE = '<!doctype html><title>Sign in</title><p>canary of a page</p>';
const ERRORS: Readonly<Record<string, string>> = { 'content-type': 'application/vnd.api+json' };
const tooMany = (after?: string) => ({
  status: 429,
  headers: after === undefined ? ERRORS : { ...ERRORS, 'retry-after': after },
  body: '{"errors":[{"title":"Too many requests"}]}',
});

/** Both a failure before and one after the service has acted. */
const failing = (status: number, headers = ERRORS, body = '{"errors":[{"title":"Broken"}]}') => [
  { status, headers, body },
  { status, headers, body, acted: true },
];

/** Everything that goes wrong in one request, but for refused connections, which need a proxy that is gone. */
export const FAULTS: readonly NamedFault[] = [
  { name: 'reset before', class: 'unclear', forms: ['reset'] },
  { name: 'reset after', class: 'unclear', forms: ['reset-after'] },
  { name: 'silent', class: 'unclear', forms: ['silence', 'silence-after'], isSlow: true },
  { name: 'drip', class: 'unclear', forms: ['drip', 'drip-headers'], isSlow: true },
  { name: 'truncated', class: 'unclear', forms: ['truncated'] },
  { name: 'no HTTP', class: 'unclear', forms: ['no-http'] },
  { name: 'wrong length', class: 'unclear', forms: ['too-short', 'too-long'] },
  { name: 'HTML with 200', class: 'unclear', forms: failing(200, HTML, PAGE) },
  { name: 'HTML with 502', class: 'unclear', forms: failing(502, HTML, PAGE) },
  { name: '401', class: '401', forms: [{ status: 401, headers: ERRORS, body: '{"errors":[]}' }] },
  { name: '403', class: '403', forms: [{ status: 403, headers: ERRORS, body: '{"errors":[]}' }] },
  { name: '429', class: '429', forms: [tooMany()] },
  { name: '429 with Retry-After', class: '429', forms: [tooMany('7'), tooMany('60')] },
  { name: '429 with a long Retry-After', class: 'long wait', forms: [tooMany('61'), tooMany('86400')] },
  { name: '500', class: 'unclear', forms: failing(500) },
  { name: '503', class: 'unclear', forms: failing(503, { ...ERRORS, 'retry-after': '2' }) },
  { name: 'wrong media type', class: 'unclear', forms: ['text'] },
];

const ACTING = new Set<Fault>(['reset-after', 'silence-after', 'truncated', 'too-short', 'too-long', 'text']);

/** Whether the service has acted on a request that met this fault. */
export function hasActed(fault: Fault): boolean {
  if (typeof fault === 'string') return ACTING.has(fault);
  return 'rewrite' in fault || ('acted' in fault && fault.acted === true);
}

/** A server that refuses for good, or asks for more patience than a run has. */
const FINAL = new Set<FaultClass>(['403', 'long wait']);

/**
 * Any fault in any form; slow ones more seldom, so that many draws do not take long. Without `final` none after which a
 * run has to give up.
 */
export function anyFault({ pick, random }: Seeded, final: boolean): Fault {
  const isQuick = random() < 0.7;
  const named = FAULTS.filter(
    (each) => !(isQuick && each.isSlow === true) && (final || !FINAL.has(each.class)),
  );
  const { forms } = pick([...named, { forms: ['last-answer'] as const }]);
  return pick<Fault>(forms);
}

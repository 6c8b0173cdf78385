import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { diagnostic } from '../../core/findings/diagnostic.ts';
import { errorCode, fail, systemReason } from '../failure.ts';
import { type DispatcherOptions, LARGEST_ANSWER, type OpenDispatcher, openDispatcher } from './dispatcher.ts';
import { ExchangeError } from './exchange-error.ts';

const MEDIA_TYPE = 'application/vnd.api+json';

/** One request. `path` begins with `/api/`; it is appended to the server's address. */
export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  readonly token?: string;
  /** True of the rest of what was begun: it is sent also when nothing new should start. */
  readonly finishes?: boolean;
  /** Counts its attempts where whoever asks for it sends it again, so that all count together. */
  readonly tally?: Tally;
}

/** How many attempts of a request were made. */
interface Tally {
  made: number;
}

/** An answer of any status, its body as parsed JSON; undefined where there is none or it is not JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly mediaType: string;
  readonly body: unknown;
  readonly isJson: boolean;
}

export interface TransportOptions extends DispatcherOptions {
  /** `read` refuses every request that could change the server, whoever asks for it. */
  readonly mode: 'read' | 'write';
  readonly caFile?: string | undefined;
  /** Called when a request has ended, for those who asked for details. */
  readonly onExchange?: (request: Request, status: number | undefined) => void;
}

/** Sends requests to one server. It keeps connections; `close` gives them up, also those that hang. */
export interface Transport {
  /** Gives the answer of any status; throws an ExchangeError where none came or it cannot be used. */
  readonly send: (request: Request, aborted: AbortSignal) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** Opens a transport; undici is loaded here, when the first request is near. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const ca = options.caFile === undefined ? undefined : await readCa(options.caFile);
  const { send, destroy } = await openDispatcher(options, ca);
  return {
    send: async (request, aborted) => {
      refuseWrites(options.mode, request);
      const exchange = new Exchange(send, options, request);
      const answer = await exchange.run(aborted).catch((thrown) => {
        options.onExchange?.(request, undefined);
        throw thrown;
      });
      options.onExchange?.(request, answer.status);
      return answer;
    },
    close: destroy,
  };
}

/** What a request is called in messages: its method and its path without the query. */
export function requestName({ method, path }: Pick<Request, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\?.*$/, '')}`;
}

const SESSION_PATHS = new Set(['/api/users/login', '/api/users/logout']);

/** The guard of every preview: it stands below all code that could ask for a write. */
function refuseWrites(mode: 'read' | 'write', request: Request): void {
  const reads = request.method === 'GET' || (request.method === 'POST' && SESSION_PATHS.has(request.path));
  if (mode === 'read' && !reads) throw new Error(`a read-only run must not send ${requestName(request)}`);
}

/** The usual authorities and those of a file: naming a file must not take trust from the others. */
async function readCa(path: string): Promise<string[]> {
  try {
    return [...rootCertificates, await readFile(path, 'utf8')];
  } catch (thrown) {
    return fail(diagnostic('file-unreadable', { path, reason: systemReason(thrown) }));
  }
}

/** One request and its answer under one deadline that holds whatever the connection does. */
class Exchange {
  readonly #send: OpenDispatcher['send'];
  readonly #options: TransportOptions;
  readonly #request: Request;

  constructor(send: OpenDispatcher['send'], options: TransportOptions, request: Request) {
    this.#send = send;
    this.#options = options;
    this.#request = request;
  }

  async run(aborted: AbortSignal): Promise<Answer> {
    const seconds =
      this.#request.method === 'PATCH' ? this.#options.timeout.write : this.#options.timeout.read;
    const deadline = AbortSignal.timeout(Math.ceil(seconds * 1000));
    const either = AbortSignal.any([aborted, deadline]);
    const given = new Promise<never>((_, reject) => {
      const stop = () => reject(either.reason);
      if (either.aborted) stop();
      else either.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([this.#exchange(either), given]);
    } catch (thrown) {
      throw this.#failure(thrown, deadline.aborted && !aborted.aborted, aborted.aborted, seconds);
    }
  }

  async #exchange(signal: AbortSignal): Promise<Answer> {
    const { method, path, body, token } = this.#request;
    const { url } = this.#options;
    const response = await this.#send(`${url.origin}${url.pathname.replace(/\/$/, '')}${path}`, {
      method,
      signal,
      headers: {
        accept: MEDIA_TYPE,
        'content-type': MEDIA_TYPE,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.body.text();
    const mediaType =
      String(response.headers['content-type'] ?? '')
        .split(';')[0]
        ?.trim()
        .toLowerCase() ?? '';
    return {
      status: response.statusCode,
      headers: response.headers,
      mediaType,
      ...parseBody(text, mediaType),
    };
  }

  #failure(thrown: unknown, timedOut: boolean, aborted: boolean, seconds: number): Error {
    const request = requestName(this.#request);
    if (thrown instanceof ExchangeError) return thrown;
    if (timedOut) return new ExchangeError('no-answer', diagnostic('timeout', { request, seconds }));
    const code = errorCode(thrown);
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
      return new ExchangeError(
        'bad-answer',
        diagnostic('answer-too-large', { request, limit: LARGEST_ANSWER }),
      );
    }
    if (code?.startsWith('HPE_') === true || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
      return new ExchangeError(
        'bad-answer',
        diagnostic('bad-answer', { request, problem: 'it is not valid HTTP' }),
      );
    }
    const reason = aborted ? 'the run ended before it answered' : systemReason(thrown);
    const phase = NOT_SENT.has(code ?? '') ? 'not-sent' : 'no-answer';
    return new ExchangeError(phase, diagnostic('unreachable', { origin: this.#options.url.origin, reason }));
  }
}

/** Codes of failures that come before a request leaves this machine. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function parseBody(text: string, mediaType: string): { body: unknown; isJson: boolean } {
  if (text.trim() === '') return { body: undefined, isJson: false };
  if (!/^(application\/([\w.-]+\+)?json|text\/json)$/.test(mediaType))
    return { body: undefined, isJson: false };
  try {
    return { body: JSON.parse(text), isJson: true };
  } catch {
    return { body: undefined, isJson: false };
  }
}

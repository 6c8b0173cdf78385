import { diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import { errorText } from '../../core/live/errors.ts';
import { countOf, recordOf } from '../../core/model/json.ts';
import { hide, type Secret } from '../../core/model/secret.ts';
import type { Run } from '../run.ts';
import {
  badAnswer,
  ExchangeError,
  exchangeError,
  type NamedRequest,
  type Request,
  requestName,
} from './exchange.ts';

/** Proves an account: a token that is used as it is, or a login. */
export type Credentials = TokenCredentials | LoginCredentials;

interface TokenCredentials {
  readonly kind: 'token';
  readonly token: Secret<string>;
}

interface LoginCredentials {
  readonly kind: 'login';
  readonly username: string;
  readonly password: Secret<string>;
}

/**
 * Sends a request and returns what was decoded from a good answer. Throws an
 * ExchangeError for any other end.
 */
type Send = <T>(request: Request<T>) => Promise<T | undefined>;

/** The path of the integration errors. */
const ERRORS_PATH = '/api/integrations/errors';

/**
 * A token is refreshed when less than this is left of it, or less than a fifth
 * of its life.
 */
const REFRESH_BEFORE = 60;

/** The answer to a login or a refresh. */
interface Token {
  readonly token: Secret<string>;
  /** In seconds since the epoch. */
  readonly expiresAt?: number | undefined;
}

interface Login extends Token {
  /**
   * The seconds that its token had left when it came; 0 if nothing renews it.
   */
  readonly lifetime: number;
}

/** The part of a run that its sessions need. */
type SessionRun = Pick<Run, 'runtime' | 'writer'>;

/**
 * A logged-in account on one server. A token that was given is used as it is,
 * never refreshed or logged out.
 */
export class Session {
  readonly #send: Send;
  readonly #credentials: Credentials;
  readonly #run: SessionRun;
  /**
   * Why nothing more is sent: the token is dead, and there is no new login.
   * Undefined as long as the session serves.
   */
  ended: ExchangeError | undefined;
  #login: Login | undefined;
  #renewal: Promise<void> | undefined;
  #canRefresh = true;
  /** The refusal of a login: a second one could lock the account. */
  #refusal: ExchangeError | undefined;

  constructor(send: Send, credentials: Credentials, run: SessionRun) {
    this.#send = send;
    this.#credentials = credentials;
    this.#run = run;
    if (credentials.kind === 'token') {
      this.#login = { token: credentials.token, lifetime: 0 };
    }
  }

  /**
   * Sends an authorised request. A 401 leads to one new login and one more try.
   */
  async send<T>(request: Request<T>): Promise<T | undefined> {
    if (this.ended !== undefined) throw this.ended;
    if (this.#login === undefined) await this.#once(() => this.#logIn());
    else if (this.#isEnding(this.#login)) await this.#once(() => this.#renew());
    const token = this.#login?.token;
    try {
      return await this.#send({ ...request, token });
    } catch (thrown) {
      if (exchangeError(thrown).status !== 401) throw thrown;
    }
    if (this.#credentials.kind === 'token') throw this.#tokenRefused(request);
    return this.#sendAgain(request, await this.#renewed(token));
  }

  async #sendAgain<T>(
    request: Request<T>,
    token: Secret<string> | undefined,
  ): Promise<T | undefined> {
    try {
      return await this.#send({ ...request, token });
    } catch (thrown) {
      const isRefused = exchangeError(thrown).status === 401;
      throw isRefused ? refused('refused') : thrown;
    }
  }

  /**
   * Ends the session because its token is dead. A role may be refused the
   * errors of integrations alone.
   */
  #tokenRefused({ path }: NamedRequest): ExchangeError {
    if (path === ERRORS_PATH) return refused('refused');
    this.ended ??= refused('not-sent');
    return this.ended;
  }

  /**
   * Ends the login, if there is one, as long as `aborted` lets it; returns why
   * that failed.
   */
  async logout(aborted: AbortSignal): Promise<string | undefined> {
    const token = this.#login?.token;
    if (token === undefined || this.#credentials.kind === 'token') {
      return undefined;
    }
    this.#login = undefined;
    const path = '/api/users/logout';
    try {
      await this.#send({ method: 'POST', path, token, aborted });
      return undefined;
    } catch (thrown) {
      const error = exchangeError(thrown);
      // Its token has ended already.
      if (error.status === 401 || error.status === 403) return undefined;
      return explain(error.diagnostic).message;
    }
  }

  /**
   * Returns the token after one was refused: that which another request has
   * renewed meanwhile, or that of a new login.
   */
  async #renewed(
    token: Secret<string> | undefined,
  ): Promise<Secret<string> | undefined> {
    const isCurrent = this.#login === undefined || this.#login.token === token;
    if (!isCurrent) return this.#login?.token;
    try {
      await this.#once(() => this.#logIn());
    } catch (thrown) {
      if (this.#refusal === undefined) throw thrown;
      // From here on no request is sent.
      this.#login = undefined;
      const { diagnostic: finding } = this.#refusal;
      this.ended ??= new ExchangeError('not-sent', finding);
      throw this.ended;
    }
    return this.#login?.token;
  }

  /** Requests that run side by side share one login. */
  async #once(renew: () => Promise<void>): Promise<void> {
    this.#renewal ??= renew().finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
  }

  #isEnding({ expiresAt, lifetime }: Login): boolean {
    // A token that has expired on arrival shows that the clocks differ; then a
    // 401 shows when it ends.
    if (expiresAt === undefined || lifetime <= 0) return false;
    const left = expiresAt - this.#run.runtime.now() / 1000;
    return left < Math.min(REFRESH_BEFORE, lifetime / 5);
  }

  /**
   * Renews a token that is about to end: by a refresh, or by logins once that
   * has failed. Else it serves until its end.
   */
  async #renew(): Promise<void> {
    const token = this.#login?.token;
    const path = '/api/users/refresh';
    if (this.#canRefresh) {
      const refresh = this.#keep({ method: 'GET', path, token });
      if (await hasWorked(refresh)) return;
    }
    this.#canRefresh = false;
    if (await hasWorked(this.#logIn())) return;
    if (this.#login === undefined) return;
    this.#login = { ...this.#login, lifetime: 0 };
  }

  async #logIn(): Promise<void> {
    if (this.#credentials.kind === 'token') return;
    if (this.#refusal !== undefined) throw this.#refusal;
    const { username, password } = this.#credentials;
    const body = { identification: username, password };
    try {
      await this.#keep({ method: 'POST', path: '/api/users/login', body });
    } catch (thrown) {
      const error = exchangeError(thrown);
      if (mayPass(error)) throw thrown;
      this.#refusal = loginRefusal(error);
      throw this.#refusal;
    }
  }

  /** Keeps the token that a login or a refresh brings. */
  async #keep(request: Request): Promise<void> {
    const token = await this.#send({ ...request, decode: decodeToken });
    if (token === undefined) {
      const answer = { status: 200 };
      throw badAnswer(requestName(request), 'it holds no token', answer);
    }
    this.#run.writer.addSecret(token.token);
    const now = this.#run.runtime.now() / 1000;
    this.#login = { ...token, lifetime: (token.expiresAt ?? 0) - now };
  }
}

/** True for an error of a login that passes by itself: it refuses nobody. */
function mayPass({ status }: ExchangeError): boolean {
  if (status === undefined) return true;
  return status === 408 || status === 429 || status >= 500;
}

function loginRefusal(error: ExchangeError): ExchangeError {
  const { status = 0, errors } = error;
  const facts = { status, detail: errorText(errors) };
  const finding =
    status < 400 ? error.diagnostic : diagnostic('login-refused', facts);
  return new ExchangeError('refused', finding, { status });
}

function refused(phase: 'not-sent' | 'refused'): ExchangeError {
  const finding = diagnostic('login-refused', { status: 401 });
  return new ExchangeError(phase, finding, { status: 401 });
}

/** True if an exchange came to a good end. */
async function hasWorked(exchange: Promise<void>): Promise<boolean> {
  try {
    await exchange;
    return true;
  } catch (thrown) {
    exchangeError(thrown);
    return false;
  }
}

/**
 * Decodes a token, if there is one. The API document leaves open where the time
 * of its end is.
 */
function decodeToken(body: unknown): Token | undefined {
  const document = recordOf(body);
  const data = recordOf(document['data']);
  const { token } = data;
  if (typeof token !== 'string' || token === '') return undefined;
  const expiresAt =
    countOf(data['expiration_time']) ??
    countOf(document['expiration_time']) ??
    countOf(recordOf(document['meta'])['expiration_time']);
  return { token: hide(token), expiresAt };
}

import { diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import { errorText } from '../../core/live/errors.ts';
import { recordOf } from '../../core/model/json.ts';
import { hide, type Secret } from '../../core/model/secret.ts';
import type { Writer } from '../writer.ts';
import {
  badAnswer,
  ExchangeError,
  exchangeError,
  type Request,
} from './exchange.ts';

/** Proves an account: a token that is used as it is, or a login. */
export type Credentials =
  | { readonly kind: 'token'; readonly token: Secret<string> }
  | {
      readonly kind: 'login';
      readonly username: string;
      readonly password: Secret<string>;
    };

/**
 * Sends a request and returns what was decoded from a good answer. Throws an
 * ExchangeError for any other end.
 */
type Send = <T>(request: Request<T>) => Promise<T | undefined>;

/**
 * A logged-in account on one server. A login serves until a 401, which leads to
 * one new login. A token that was given is used as it is, and never logged out.
 */
export class Session {
  readonly #send: Send;
  readonly #credentials: Credentials;
  readonly #writer: Writer;
  /**
   * Why nothing more is sent: the token is dead, and there is no new login.
   * Undefined as long as the session serves.
   */
  ended: ExchangeError | undefined;
  #token: Secret<string> | undefined;
  /** The login under way, which requests side by side share. */
  #login: Promise<void> | undefined;
  /** The refusal of a login: a second one could lock the account. */
  #refusal: ExchangeError | undefined;

  constructor(send: Send, credentials: Credentials, writer: Writer) {
    this.#send = send;
    this.#credentials = credentials;
    this.#writer = writer;
    if (credentials.kind === 'token') this.#token = credentials.token;
  }

  /**
   * Sends an authorised request. A 401 leads to one new login and one more try.
   */
  async send<T>(request: Request<T>): Promise<T | undefined> {
    if (this.ended !== undefined) throw this.ended;
    if (this.#token === undefined) await this.#logIn();
    const token = this.#token;
    try {
      return await this.#send({ ...request, token });
    } catch (thrown) {
      if (exchangeError(thrown).status !== 401) throw thrown;
    }
    // Another request may have renewed the login meanwhile.
    const isNew = this.#token !== undefined && this.#token !== token;
    if (!isNew) await this.#renew(request);
    try {
      return await this.#send({ ...request, token: this.#token });
    } catch (thrown) {
      const isRefused = exchangeError(thrown).status === 401;
      throw isRefused ? refused('refused') : thrown;
    }
  }

  /**
   * Logs in again because the token was refused. If that is refused too, or
   * there is no login, the session ends.
   */
  async #renew({ path }: Request): Promise<void> {
    if (this.#credentials.kind === 'token') {
      // A role may be refused the errors of integrations alone.
      if (path === '/api/integrations/errors') throw refused('refused');
      this.ended ??= refused('not-sent');
      throw this.ended;
    }
    try {
      await this.#logIn();
    } catch (thrown) {
      if (this.#refusal === undefined) throw thrown;
      this.#token = undefined;
      const { diagnostic: finding } = this.#refusal;
      this.ended ??= new ExchangeError('not-sent', finding);
      throw this.ended;
    }
  }

  /**
   * Ends the login, if there is one, as long as `aborted` lets it; returns why
   * that failed.
   */
  async logout(aborted: AbortSignal): Promise<string | undefined> {
    const token = this.#token;
    if (token === undefined || this.#credentials.kind === 'token') {
      return undefined;
    }
    this.#token = undefined;
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

  #logIn(): Promise<void> {
    this.#login ??= this.#sendLogin().finally(() => {
      this.#login = undefined;
    });
    return this.#login;
  }

  async #sendLogin(): Promise<void> {
    if (this.#credentials.kind === 'token') return;
    if (this.#refusal !== undefined) throw this.#refusal;
    const { username, password } = this.#credentials;
    const path = '/api/users/login';
    const body = { identification: username, password };
    const request = {
      method: 'POST',
      path,
      body,
      decode: decodeToken,
    } as const;
    try {
      const token = await this.#send(request);
      if (token === undefined) {
        const answer = { status: 200 };
        throw badAnswer(`POST ${path}`, 'it holds no token', answer);
      }
      this.#writer.addSecret(token);
      this.#token = token;
    } catch (thrown) {
      const error = exchangeError(thrown);
      if (mayPass(error)) throw thrown;
      this.#refusal = loginRefusal(error);
      throw this.#refusal;
    }
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

function decodeToken(body: unknown): Secret<string> | undefined {
  const { token } = recordOf(recordOf(body)['data']);
  return typeof token === 'string' && token !== '' ? hide(token) : undefined;
}

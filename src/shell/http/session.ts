import { type Diagnostic, diagnostic } from '../../core/findings/diagnostic.ts';
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

/** What proves an account. */
export interface Credentials {
  /** The name of a login; without one, the secret is a token. */
  username?: string | undefined;
  secret: Secret<string>;
  /** The variables that they come from. */
  variables: string;
}

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
   * Why nothing more is sent: the token is dead, or a login was refused, and a
   * second one could lock the account. Undefined as long as the session serves.
   */
  ended: ExchangeError | undefined;
  #token: Secret<string> | undefined;
  /** The login under way, which requests side by side share. */
  #login: Promise<void> | undefined;

  constructor(send: Send, credentials: Credentials, writer: Writer) {
    this.#send = send;
    this.#credentials = credentials;
    this.#writer = writer;
    if (credentials.username === undefined) this.#token = credentials.secret;
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
    if (!isNew) await this.#logIn();
    try {
      return await this.#send({ ...request, token: this.#token });
    } catch (thrown) {
      if (exchangeError(thrown).status !== 401) throw thrown;
      throw new ExchangeError('refused', this.#refused(401), { status: 401 });
    }
  }

  /** Ends the login, if there is one, as long as `aborted` lets it. */
  async logout(aborted: AbortSignal): Promise<void> {
    const token = this.#token;
    const { username } = this.#credentials;
    if (token === undefined || username === undefined) return;
    this.#token = undefined;
    const path = '/api/users/logout';
    try {
      await this.#send({ method: 'POST', path, token, aborted });
    } catch (thrown) {
      const { status, diagnostic: finding } = exchangeError(thrown);
      // Its token has ended already.
      if (status === 401 || status === 403) return;
      const { message } = explain(finding);
      this.#writer.detail(`The logout failed: ${message}`);
    }
  }

  #logIn(): Promise<void> {
    this.#login ??= this.#sendLogin().finally(() => {
      this.#login = undefined;
    });
    return this.#login;
  }

  async #sendLogin(): Promise<void> {
    if (this.ended !== undefined) throw this.ended;
    const { username, secret } = this.#credentials;
    if (username === undefined) throw this.#end(this.#refused(401));
    const path = '/api/users/login';
    const body = { identification: username, password: secret };
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
      const { status = 0, errors } = error;
      const refusal = this.#refused(status, errorText(errors));
      throw this.#end(status < 400 ? error.diagnostic : refusal);
    }
  }

  #refused(status: number, detail?: string): Diagnostic {
    const { variables } = this.#credentials;
    return diagnostic('login-refused', { status, variables, detail });
  }

  /** Ends the session: nothing more leaves. */
  #end(finding: Diagnostic): ExchangeError {
    this.#token = undefined;
    this.ended = new ExchangeError('held-back', finding);
    return this.ended;
  }
}

/** True for an error of a login that passes by itself: it refuses nobody. */
function mayPass({ status }: ExchangeError): boolean {
  if (status === undefined) return true;
  return status === 408 || status === 429 || status >= 500;
}

function decodeToken(body: unknown): Secret<string> | undefined {
  const { token } = recordOf(recordOf(body)['data']);
  return typeof token === 'string' && token !== '' ? hide(token) : undefined;
}

import { diagnostic } from '../../core/findings/diagnostic.ts';
import { explain } from '../../core/findings/explain.ts';
import { errorText } from '../../core/live/errors.ts';
import { countOf, present, recordOf } from '../../core/model/json.ts';
import { hide, type Secret } from '../../core/model/secret.ts';
import type { Run } from '../run.ts';
import {
  badAnswer,
  ExchangeError,
  exchangeError,
  type Request,
  requestName,
} from './exchange.ts';

/** How the account is proven: a token that is used as it is, or a login. */
type Credentials =
  | { readonly kind: 'token'; readonly token: Secret<string> }
  | {
      readonly kind: 'login';
      readonly username: string;
      readonly password: Secret<string>;
    };

/** Sends a request and returns what was decoded from a good answer. Throws an ExchangeError for any other end. */
type Send = <T>(request: Request<T>) => Promise<T | undefined>;

/** Where the integration errors are. */
const ERRORS = '/api/integrations/errors';

/** A token is refreshed when less than this is left of it, or less than a fifth of its life. */
const REFRESH_BEFORE = 60;

/** A token, and in seconds when it ends and how long it lived when it came; 0 if nothing renews it. */
interface Login {
  readonly token: Secret<string>;
  readonly expiresAt?: number;
  readonly lifetime: number;
}

/** A logged-in account on one server. A token that was given is used as it is, never refreshed or logged out. */
export class Session {
  readonly #send: Send;
  readonly #credentials: Credentials;
  readonly #run: Pick<Run, 'runtime' | 'writer'>;
  /** Why nothing more is sent: the token is dead, and there is no new login. Undefined as long as the session serves. */
  ended: ExchangeError | undefined;
  #login: Login | undefined;
  #renewal: Promise<void> | undefined;
  #canRefresh = true;
  /** The refusal of a login: a second one could lock the account. */
  #refusal: ExchangeError | undefined;

  constructor(
    send: Send,
    credentials: Credentials,
    run: Pick<Run, 'runtime' | 'writer'>,
  ) {
    this.#send = send;
    this.#credentials = credentials;
    this.#run = run;
    if (credentials.kind === 'token')
      this.#login = { token: credentials.token, lifetime: 0 };
  }

  /** Sends an authorised request. A 401 leads to one new login and one more try. */
  async send<T>(request: Request<T>): Promise<T | undefined> {
    if (this.ended !== undefined) throw this.ended;
    if (this.#login === undefined) await this.#once(() => this.#logIn());
    else if (this.#isEnding(this.#login)) await this.#once(() => this.#renew());
    const token = this.#login?.token;
    const first = await this.#send({ ...request, token }).then(
      (value) => ({ value }),
      exchangeError,
    );
    if (!(first instanceof ExchangeError)) return first.value;
    if (first.status !== 401) throw first;
    if (this.#credentials.kind === 'token') throw this.#tokenRefused(request);
    const renewed = await this.#renewed(token);
    return this.#send({ ...request, token: renewed }).catch(
      (again: unknown) => {
        throw exchangeError(again).status === 401 ? refused('refused') : again;
      },
    );
  }

  /** A token that was given is dead: nothing more is sent with it. A role alone may be refused the errors of integrations. */
  #tokenRefused({ path }: Request): ExchangeError {
    if (path === ERRORS) return refused('refused');
    this.ended ??= refused('not-sent');
    return this.ended;
  }

  /** Ends the login, if there is one, as long as `aborted` lets it; returns why that failed. */
  async logout(aborted: AbortSignal): Promise<string | undefined> {
    const token = this.#login?.token;
    if (token === undefined || this.#credentials.kind === 'token')
      return undefined;
    this.#login = undefined;
    const request = {
      method: 'POST',
      path: '/api/users/logout',
      token,
      aborted,
    } as const;
    const ended = await this.#send(request).catch(exchangeError);
    const isOver =
      !(ended instanceof ExchangeError) ||
      ended.status === 401 ||
      ended.status === 403;
    return isOver ? undefined : explain(ended.diagnostic).message;
  }

  /** The token after one was refused: that which another request has renewed meanwhile, or that of a new login. */
  async #renewed(token: Secret<string> | undefined) {
    try {
      if (this.#login === undefined || this.#login.token === token)
        await this.#once(() => this.#logIn());
    } catch (thrown) {
      if (this.#refusal === undefined) throw thrown;
      // From here on no request is sent.
      this.#login = undefined;
      this.ended ??= new ExchangeError('not-sent', this.#refusal.diagnostic, {
        status: 401,
      });
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
    // A token that has expired on arrival shows that the clocks differ; then a 401 shows when it ends.
    if (expiresAt === undefined || lifetime <= 0) return false;
    return (
      expiresAt - this.#run.runtime.now() / 1000 <
      Math.min(REFRESH_BEFORE, lifetime / 5)
    );
  }

  /** Renews a token that is about to end: by a refresh, or by logins once that has failed. Else it serves until its end. */
  async #renew(): Promise<void> {
    const token = this.#login?.token;
    const refresh = {
      method: 'GET',
      path: '/api/users/refresh',
      token,
    } as const;
    if (this.#canRefresh && (await hasWorked(this.#keep(refresh)))) return;
    this.#canRefresh = false;
    if (!(await hasWorked(this.#logIn())) && this.#login !== undefined)
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
      const { status, diagnostic: found, errors } = exchangeError(thrown);
      // What passes by itself refuses nobody.
      if (
        status === undefined ||
        status === 408 ||
        status === 429 ||
        status >= 500
      )
        throw thrown;
      const facts = { status, ...present({ detail: errorText(errors) }) };
      const cause = status < 400 ? found : diagnostic('login-refused', facts);
      this.#refusal = new ExchangeError('refused', cause, { status });
      throw this.#refusal;
    }
  }

  /** Keeps the token that a login or a refresh brings. */
  async #keep(request: Request): Promise<void> {
    const login = await this.#send({ ...request, decode: decodeLogin });
    if (login === undefined)
      throw badAnswer(requestName(request), 'it holds no token', 200);
    this.#run.writer.addSecret(login.token);
    const lifetime = (login.expiresAt ?? 0) - this.#run.runtime.now() / 1000;
    this.#login = { ...login, lifetime };
  }
}

function refused(phase: ExchangeError['phase']): ExchangeError {
  return new ExchangeError(
    phase,
    diagnostic('login-refused', { status: 401 }),
    { status: 401 },
  );
}

/** Whether an exchange came to a good end. */
async function hasWorked(exchange: Promise<void>): Promise<boolean> {
  return !((await exchange.catch(exchangeError)) instanceof ExchangeError);
}

/** Decodes a login, or nothing. The API document leaves open where the time is at which its token ends. */
function decodeLogin(body: unknown) {
  const data = recordOf(recordOf(body)['data']);
  const { token } = data;
  if (typeof token !== 'string' || token === '') return undefined;
  const places = [data, recordOf(body), recordOf(recordOf(body)['meta'])];
  const [expiresAt] = places.flatMap(
    (place) => countOf(place['expiration_time']) ?? [],
  );
  return { token: hide(token), ...present({ expiresAt }) };
}

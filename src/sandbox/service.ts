import type { LiveIntegration } from '../core/model/live.ts';
import type { Store } from './store.ts';

/** What is hosted. */
export interface CatalogOptions {
  /** The definitions of what is hosted, ordered by id. */
  readonly catalog: readonly LiveIntegration[];
  /** Globs on ids and names of integrations that are not running. */
  readonly stopped?: readonly string[] | undefined;
  /** The same of integrations that get the id of an upgrade. */
  readonly upgraded?: readonly string[] | undefined;
}

export interface SandboxOptions extends CatalogOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly dialect: Dialect;
  readonly passwords: PasswordForm;
  /** The file that keeps the state; without it, the process does. */
  readonly dataFile?: string | undefined;
  /** True if each integration reports an error after a change. */
  readonly raiseErrors?: boolean | undefined;
  /** Seconds for which a token is valid; a day without it. */
  readonly tokenLifetime?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds before each answer. */
  readonly latency?: number | undefined;
  /** Called once a request, before its answer can reach the client. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Receives every error behind an answer of 500. */
  readonly onFault?: ((error: unknown) => void) | undefined;
}

/**
 * Where option values are: in `included`, inside the relationships, with one
 * integration only, or behind the link only.
 */
type Dialect = 'included' | 'inline' | 'detail' | 'options';

/** How a password reads back: in clear, as asterisks, or as an empty text. */
export type PasswordForm = 'clear' | 'masked' | 'empty';

/** A request and its answer. */
export interface Exchange {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly status: number;
  /** The parsed body of the request, for tests. Its secrets reach no log. */
  readonly body: unknown;
}

/** Everything the endpoints work with. */
export interface Service extends SandboxOptions {
  readonly store: Store;
  /** The sessions by their tokens. They end with the process. */
  readonly sessions: Map<string, Session>;
}

/** A request whose user may make it, and the service that it reached. */
export interface Call {
  readonly service: Service;
  readonly user: User;
  readonly token: string;
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; undefined on addresses without one. */
  readonly body: unknown;
}

/** A login of a user. */
interface Session {
  readonly user: User;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * A user of the service. The role `user` only reads, and sees neither
 * integration errors nor hidden options: section 5.
 */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly role: 'administrator' | 'integration-manager' | 'user';
}

import type { LiveIntegration } from '../core/model/live.ts';
import type { Store } from './store.ts';

/** What is hosted. */
export interface CatalogOptions {
  /** The definitions of what is hosted, ordered by id. */
  catalog: readonly LiveIntegration[];
  /** Globs on ids and names of integrations that are not running. */
  stopped?: readonly string[] | undefined;
  /** The same of integrations that get the id of an upgrade. */
  upgraded?: readonly string[] | undefined;
}

export interface SandboxOptions extends CatalogOptions {
  host: string;
  /** 0 for a free one. */
  port: number;
  dialect: Dialect;
  passwords: PasswordForm;
  /** The file that keeps the state; without it, the process does. */
  dataFile?: string | undefined;
  /** True if each integration reports an error after a change. */
  raiseErrors?: boolean | undefined;
  /** Seconds for which a token is valid; a day without it. */
  tokenLifetime?: number | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Milliseconds before each answer. */
  latency?: number | undefined;
  /** Called once a request, before its answer can reach the client. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Receives every error behind an answer of 500. */
  onFault?: ((error: unknown) => void) | undefined;
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
  method: string;
  /** The path with its query. */
  path: string;
  status: number;
  /** The parsed body of the request, for tests. Its secrets reach no log. */
  body: unknown;
}

/** Everything the endpoints work with. */
export interface Service extends SandboxOptions {
  store: Store;
  /** The sessions by their tokens. They end with the process. */
  sessions: Map<string, Session>;
}

/** A request whose user may make it, and the service that it reached. */
export interface Call {
  service: Service;
  user: User;
  token: string;
  /** The variable parts of the path, decoded. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The parsed body; undefined on addresses without one. */
  body: unknown;
}

/** A login of a user. */
interface Session {
  user: User;
  /** Seconds since 1970. */
  expiresAt: number;
}

/**
 * A user of the service. The role `user` only reads, and sees neither
 * integration errors nor hidden options: section 5.
 */
export interface User {
  id: string;
  username: string;
  role: 'administrator' | 'integration-manager' | 'user';
}

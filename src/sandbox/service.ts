import type { Sessions } from './access/sessions.ts';
import type { User } from './access/users.ts';
import type { Settings } from './settings.ts';
import type { Store } from './state/store.ts';
import type { Query } from './wire/query.ts';

/** Everything the endpoints work with. */
export interface Service {
  readonly store: Store;
  readonly settings: Settings;
  readonly sessions: Sessions;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether each integration reports an error after a change. */
  readonly raiseErrors: boolean;
}

/** A request whose user may make it. */
export interface Call {
  readonly user: User;
  readonly token: string;
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed body; undefined on addresses without one. */
  readonly body: unknown;
}

/** The document that answers a request with 200. */
export type Answer = object;

import type { User } from './access/accounts.ts';
import type { Rights } from './access/rights.ts';
import type { Sessions } from './access/sessions.ts';
import type { SandboxSettings } from './settings.ts';
import type { StoredIntegration } from './state/integration-state.ts';
import type { Store } from './state/store.ts';
import type { Query } from './wire/query.ts';

/** An integration as the bytes of JSON for a list: the resource, and what goes into `included`, separated by commas. */
export interface ListedText {
  readonly resource: Buffer;
  readonly included: Buffer;
}

/** Everything the endpoints work with. */
export interface Service {
  readonly store: Store;
  readonly settings: SandboxSettings;
  readonly rights: Rights;
  readonly sessions: Sessions;
  /** The texts made of each integration, by what the reader may see of it. */
  readonly listedTexts: WeakMap<StoredIntegration, Map<string, ListedText>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether that integration reports an error after each change. */
  readonly raisesErrors: (integrationId: string) => boolean;
  /** Whether that option must have a value before any option of its integration can be changed. */
  readonly isRequired: (integrationId: string, key: string) => boolean;
}

/** A request whose user may make it. */
export interface Call {
  /** A user without rights on the public addresses. */
  readonly user: User;
  readonly token: string;
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed body; undefined on addresses without one. */
  readonly body: unknown;
}

/** The answer to a request. Without a document it has no body. */
export interface Answer {
  readonly status: 200 | 204;
  /** An object, or the bytes of its JSON. */
  readonly document?: object | Buffer;
}

import type { User } from './access/accounts.ts';
import type { Rights } from './access/rights.ts';
import type { Sessions } from './access/sessions.ts';
import type { SandboxSettings } from './settings.ts';
import type { Store } from './state/store.ts';
import type { ListedTexts } from './wire/listed-texts.ts';
import type { Query } from './wire/query.ts';

/** All that the endpoints work with. */
export interface Service {
  readonly store: Store;
  readonly settings: SandboxSettings;
  readonly rights: Rights;
  readonly sessions: Sessions;
  readonly listedTexts: ListedTexts;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Whether a change of that integration is followed by an integration error. */
  readonly raisesErrors: (integrationId: string) => boolean;
  /** Whether that option must have a value before any option of its integration can be changed. */
  readonly isRequired: (integrationId: string, key: string) => boolean;
}

/** A request that was let in. */
export interface Call {
  /** Nobody on the addresses that are open to all. */
  readonly user: User;
  readonly token: string;
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The parsed body; undefined on addresses that take none. */
  readonly body: unknown;
}

/** What a request is answered with. Without a document the answer has no body. */
export interface Answer {
  readonly status: 200 | 204;
  /** An object, or the bytes of its JSON where it is made of parts that are kept so. */
  readonly document?: object | Buffer;
}

import type { openStore } from './store.ts';

export interface SandboxOptions {
  /** A folder with `*.json` or `<integration>/config/config.json`. */
  readonly catalog: string;
  /** Ids that replace the generated ones, by the name of the file or folder. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Receives each file of the catalog that cannot be hosted, and why. */
  readonly onUnhosted?: (part: {
    readonly file: string;
    readonly problem: string;
  }) => void;
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** Where option values are: in `included`, inside the relationships, with one integration only, or behind the link only. */
  readonly dialect: 'included' | 'inline' | 'detail' | 'options';
  /** How a password reads back: in clear, as asterisks, or as the empty text. */
  readonly passwords: 'clear' | 'masked' | 'empty';
  /** The file that keeps the state; without it, the state ends with the process. */
  readonly dataFile?: string;
  /** Globs on names and ids: integrations that are not running and refuse changes of their options. */
  readonly stopped?: readonly string[];
  /** Whether each integration reports an error after a change. */
  readonly raiseErrors?: boolean;
  /** Seconds for which a token is valid; a day without it. */
  readonly tokenLifetime?: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds before each answer. */
  readonly latency?: number;
  /** Called once a request, before its answer can reach the client. */
  readonly onExchange?: (exchange: {
    readonly method: string;
    /** The path with its query. */
    readonly path: string;
    readonly status: number;
    readonly durationMs: number;
    /** The parsed body of the request, for tests; it may hold secrets, so no log may show it. */
    readonly body: unknown;
  }) => void;
  /** Receives every error behind an answer of 500. */
  readonly onFault?: (error: unknown) => void;
}

/** Everything the endpoints work with. */
export interface Service extends SandboxOptions {
  readonly store: Awaited<ReturnType<typeof openStore>>;
  /** The sessions by their tokens: until they expire (in seconds since 1970), log out, or the process ends. */
  readonly sessions: Map<
    string,
    { readonly user: User; readonly expiresAt: number }
  >;
}

/** A user of the service. Users only read, and see neither integration errors nor hidden options: section 5. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly role: 'administrator' | 'integration-manager' | 'user';
}

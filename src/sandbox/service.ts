import { randomBytes } from 'node:crypto';
import type { ReadFile } from './read-file.ts';
import type { Store } from './state.ts';

export interface SandboxOptions {
  /** A folder with `*.json` or `<integration>/config/config.json`. */
  readonly catalog: string;
  readonly read: ReadFile;
  /** Ids that replace the generated ones, by the name of the file or folder. */
  readonly ids?: Readonly<Record<string, string>>;
  /** Receives each file of the catalog that cannot be hosted, and why. */
  readonly onUnhosted?: (part: { readonly file: string; readonly problem: string }) => void;
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  readonly settings: Settings;
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
  readonly onExchange?: (exchange: Exchange) => void;
  /** Receives every error behind an answer of 500 or 503. */
  readonly onFault?: (error: unknown) => void;
}

/** Two points that the API document leaves open, as a rehearsal needs them. */
export interface Settings {
  /** Where option values are: in `included`, inside the relationships, with one integration only, or behind the link only. */
  readonly dialect: 'included' | 'inline' | 'detail' | 'options';
  /** How a password reads back: in clear, as asterisks, or as the empty text. */
  readonly passwords: 'clear' | 'masked' | 'empty';
}

/** One request and the status of its answer. */
export interface Exchange {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** The parsed body of the request, for tests; it may hold secrets, so no log may show it. */
  readonly body: unknown;
}

/** An address of the service. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  /** Who may call it: everyone, users who are logged in, or those who may change integrations. */
  readonly access: 'public' | 'token' | 'manager';
  /** Makes the document that answers with 200. */
  readonly run: (service: Service, call: Call) => object | Promise<object>;
}

/** Everything the endpoints work with. */
export interface Service {
  readonly store: Store;
  readonly settings: Settings;
  readonly sessions: ReturnType<typeof createSessions>;
  readonly now: () => number;
  readonly raiseErrors: boolean;
}

/** A request whose user may make it. */
interface Call {
  readonly user: User;
  readonly token: string;
  /** The variable parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; undefined on addresses without one. */
  readonly body: unknown;
}

/** A user of the service. Administrators and integration managers may change integrations, users only read. */
export interface User {
  readonly id: string;
  readonly username: string;
  readonly role: 'administrator' | 'integration-manager' | 'user';
}

const USERS: readonly User[] = [
  { id: '1', username: 'admin', role: 'administrator' },
  { id: '2', username: 'manager', role: 'integration-manager' },
  { id: '3', username: 'user', role: 'user' },
];

/** The user with these credentials, if they are right. Each user's password is the username. */
export function userOf(username: string, password: string): User | undefined {
  return USERS.find((user) => user.username === username && password === username);
}

/** Whether a user sees integration errors and hidden options, and may change integrations: section 5. */
export function mayManage({ role }: User): boolean {
  return role !== 'user';
}

/** The valid tokens: until they expire, log out, or the process ends. They live for `lifetime` seconds. */
export function createSessions(now: () => number, lifetime: number) {
  const byToken = new Map<string, { readonly user: User; readonly expiresAt: number }>();
  const seconds = () => Math.floor(now() / 1000);
  return {
    /** A new token; it expires at a second since 1970. */
    issue(user: User) {
      const session = { token: randomBytes(32).toString('base64url'), expiresAt: seconds() + lifetime };
      byToken.set(session.token, { user, expiresAt: session.expiresAt });
      return session;
    },
    userOf(token: string): User | undefined {
      const session = byToken.get(token);
      return session !== undefined && session.expiresAt > seconds() ? session.user : undefined;
    },
    revoke: (token: string) => void byToken.delete(token),
  };
}

import { denied, error, failure, type Problem, warning } from './entry.ts';
import { ending, listed, type Reached, reachedText } from './words.ts';

/** The names of the variables that hold a login. */
export interface LoginVariables {
  readonly username: string;
  readonly password: string;
}

/** A refused login: by password, by the token that was given, or by the token of a new login. */
type LoginRefused = {
  of: 'password' | 'token' | 'renewal';
  status: number;
  detail?: string;
  variables?: LoginVariables;
  variable?: string;
  hint?: string;
};

type Unreachable = { origin: string; reason: string; hint?: string };

type Timeout = { of: keyof typeof TIMEOUT_HINTS; seconds: number; request?: string; reached?: Reached };

const TIMEOUT_HINTS = {
  request: 'Pass a longer --timeout SECONDS.',
  run: 'Pass a longer --deadline SECONDS, or run again to finish.',
  pause: 'Run again later, or with a smaller --concurrency.',
};

/** Failures between setpoint and a server. */
export const CONNECTION = {
  'no-credentials': error('Credentials are missing', {
    message: (f: { server?: string; half?: { given: string; missing: string } }) =>
      f.half === undefined ? 'No credentials are set.' : `${f.half.given} is set without ${f.half.missing}.`,
    hint: ({ server, half }) => {
      if (half !== undefined)
        return `Set ${half.missing}${half.missing.endsWith('PASSWORD') ? ` or ${half.missing}_FILE` : ''} as well.`;
      const prefix = server === undefined ? 'SETPOINT' : `SETPOINT_SERVER_${server}`;
      const general = server === undefined ? '' : ' SETPOINT_TOKEN and so on serve all servers.';
      return `Set ${prefix}_TOKEN, or ${prefix}_USERNAME with ${prefix}_PASSWORD or ${prefix}_PASSWORD_FILE.${general}`;
    },
    why: 'Credentials come from the environment alone, and are never combined from two sets.',
  }),
  'bad-url': error('The URL of a server cannot be used', {
    message: (f: Problem) => f.problem,
    why: 'A server has an https address (http only on this machine), without credentials, query or fragment.',
  }),
  'origin-not-allowed': error('Only the YAML names the address of a server', {
    message: (f: { origin: string; hasList: boolean }) =>
      `No credential goes to ${f.origin}: only setpoint.yaml names it, which a pull request can change.`,
    hint: (f) =>
      `${f.hasList ? `Add ${f.origin} to SETPOINT_ALLOWED_ORIGINS` : `Set SETPOINT_ALLOWED_ORIGINS=${f.origin}`} where the pull request cannot change it.`,
    why: 'In pipelines a changed address could collect credentials. --url, SETPOINT_URL or SETPOINT_ALLOWED_ORIGINS must name it.',
  }),
  'login-refused': denied('The server refused the login', {
    message: ({ of, status, detail }: LoginRefused) =>
      `The server refused the ${of === 'password' ? 'login' : 'token'} (${status})${ending(detail)}`,
    hint: loginHint,
    why: 'A refused login is never repeated, because accounts lock. An API key expires after 30 days without use.',
  }),
  'not-permitted': denied('The account lacks a permission', {
    message: (f: { request: string; detail?: string; integrations?: readonly string[] }) =>
      `The account may not ${f.integrations ? `change ${listed(f.integrations, 10)}` : 'do this'} (403, ${f.request})${ending(f.detail)}`,
    hint: 'Use an administrator, or an integration manager whose scope has these integrations.',
    why: 'Servers hide options from weaker roles, and let integration managers change only what they manage.',
  }),
  unreachable: failure('A server cannot be reached', {
    message: (f: Unreachable) => `Cannot reach ${f.origin}: ${f.reason}.`,
    why: 'The name, the port, the proxy (HTTPS_PROXY, NO_PROXY), the network or the certificate (--ca-file) is at fault.',
  }),
  'not-verified': warning('The certificate of a server is not verified', {
    message: (f: { origin: string }) =>
      `The certificate of ${f.origin} is not verified (--insecure): whoever answers gets the credentials.`,
    hint: 'Pass --ca-file with the authority of the certificate instead.',
  }),
  timeout: failure('A server or the run took too long', {
    message: (f: Timeout) => {
      const { of, seconds, request, reached } = f;
      if (of === 'run') return `The run did not end within ${seconds} s (--deadline).${reachedText(reached)}`;
      if (of === 'request') return `No answer within ${seconds} s (${request}).`;
      return `The server asked for a ${seconds} s pause before ${request}, which is too long for this run.`;
    },
    hint: (f) => TIMEOUT_HINTS[f.of],
    why: 'Each request and each run has a deadline, so that no pipeline hangs.',
  }),
  'bad-answer': failure('The server answered with an error, or not as the API does', {
    message: (f: { request?: string; problem?: string; status?: number; detail?: string; hint?: string }) => {
      const request = f.request === undefined ? '' : ` (${f.request})`;
      return f.problem === undefined
        ? `The server answered ${f.status}${request}${ending(f.detail)}`
        : `The answer cannot be used: ${f.problem}${request}.`;
    },
    why: 'The server failed, or something else answers at its address: a proxy, a login page, another service.',
  }),
  'incomplete-read': failure('A list of the server is incomplete', {
    message: (f: { list: string; problem: string }) => `The list of ${f.list} is incomplete: ${f.problem}.`,
    hint: 'Run again when the server is quiet.',
  }),
};

function loginHint({ of, status, variable, variables }: LoginRefused): string | undefined {
  if (of === 'renewal') return 'It refused the token of a new login too.';
  if (of === 'token') return `Check ${variable ?? 'SETPOINT_TOKEN'}: it may be mistyped or expired.`;
  if (status !== 401) return undefined;
  const { username = 'SETPOINT_USERNAME', password = 'SETPOINT_PASSWORD' } = variables ?? {};
  const token = username.replace(/USERNAME$/, 'TOKEN');
  return `Check ${username} and ${password}. Single sign-on accounts cannot log in here: use a local account or ${token}.`;
}

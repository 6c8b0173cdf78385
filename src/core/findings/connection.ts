import { denied, error, failure, warning } from './entry.ts';
import { ending, listed, type Reached, reachedText } from './words.ts';

/** The names of the variables that hold a login. */
export interface LoginVariables {
  readonly username: string;
  readonly password: string;
}

const GENERAL_LOGIN: LoginVariables = { username: 'SETPOINT_USERNAME', password: 'SETPOINT_PASSWORD' };

/** What goes wrong between here and a server. */
export const CONNECTION = {
  'no-credentials': error('No credentials are set', {
    message: 'No credentials are set.',
    hint: (f: { server?: string }) =>
      f.server === undefined
        ? 'Set SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or SETPOINT_PASSWORD_FILE.'
        : `Set SETPOINT_${f.server}_TOKEN, or SETPOINT_${f.server}_USERNAME with SETPOINT_${f.server}_PASSWORD or SETPOINT_${f.server}_PASSWORD_FILE; SETPOINT_TOKEN and so on serve all servers.`,
  }),
  'half-credentials': error('Credentials are incomplete', {
    message: (f: { given: string; missing: string }) => `${f.given} is set without ${f.missing}.`,
    hint: (f) =>
      `Set ${f.missing}${f.missing.endsWith('PASSWORD') ? ` or ${f.missing}_FILE` : ''} as well: credentials are not combined.`,
  }),
  'bad-url': error('The URL of a server cannot be used', {
    message: (f: { problem: string; hint?: string }) => f.problem,
    hint: (f) => f.hint,
  }),
  'likely-page': warning('The URL of a server is likely that of a page', {
    message: (f: { url: string; page: string }) =>
      `The URL ${f.url} ends in ${f.page}, where a server has a page or its API, not itself.`,
    hint: (f) => `Try ${f.url.slice(0, -f.page.length)}`,
  }),
  'origin-not-allowed': error('Only the YAML names the address of a server', {
    message: (f: { origin: string; hasList: boolean }) =>
      `No credential goes to ${f.origin}: only setpoint.yaml names it, which a pull request can change.`,
    hint: (f) =>
      f.hasList
        ? `Add ${f.origin} to SETPOINT_ALLOWED_ORIGINS where the pull request cannot change it.`
        : `Set SETPOINT_ALLOWED_ORIGINS=${f.origin} where the pull request cannot change it.`,
  }),
  'bad-allowed-origin': error('SETPOINT_ALLOWED_ORIGINS is malformed', {
    message: (f: { position: number }) => `Item ${f.position} of SETPOINT_ALLOWED_ORIGINS is not an origin.`,
    hint: 'Write each in full, without a path or wildcards: https://a.example.com,https://b.example.com:8443',
  }),
  'login-failed': denied('The server refused the login', {
    /** `variables` hold the name and the password. */
    message: (f: { status: number; detail?: string; variables?: LoginVariables }) =>
      `The server refused the login (${f.status})${ending(f.detail)}`,
    hint: (f) => (f.status === 401 ? loginHint(f.variables ?? GENERAL_LOGIN) : undefined),
  }),
  'token-refused': denied('The server refused the token', {
    message: 'The server refused the token (401).',
    /** `variable` holds the token that was given. */
    hint: (f: { kind: 'given' | 'login'; variable?: string }) =>
      f.kind === 'given'
        ? `Check ${f.variable ?? 'SETPOINT_TOKEN'}: it may be mistyped or expired. An API key also expires after 30 days without use.`
        : 'It refused the token of a new login too.',
  }),
  'not-permitted': denied('The account lacks a permission', {
    message: (f: { request: string; detail?: string; integrations?: readonly string[] }) =>
      f.integrations === undefined
        ? `The account may not do this (403, ${f.request})${ending(f.detail)}`
        : `The account may not change ${listed(f.integrations, 10)} (403)${ending(f.detail)}`,
    hint: (f) =>
      f.request === 'PATCH'
        ? 'Use an administrator, or an integration manager whose scope has these integrations.'
        : 'Use an account with the role administrator or integration manager.',
  }),
  unreachable: failure('A server cannot be reached', {
    message: (f: { origin: string; reason: string; hint?: string }) =>
      `Cannot reach ${f.origin}: ${f.reason}.`,
    hint: (f) => f.hint,
  }),
  'not-verified': warning('The certificate of a server is not verified', {
    message: (f: { origin: string }) =>
      `The certificate of ${f.origin} is not verified (--insecure): whoever answers gets the credentials.`,
    hint: 'Pass --ca-file with the authority of the certificate instead.',
  }),
  timeout: failure('A request timed out', {
    message: (f: { request: string; seconds: number }) => `No answer within ${f.seconds} s (${f.request}).`,
    hint: 'Pass a longer --timeout SECONDS.',
  }),
  'run-deadline': failure('The run took too long', {
    message: (f: { seconds: number; reached?: Reached }) =>
      `The run did not end within ${f.seconds} s (--deadline).${reachedText(f.reached)}`,
  }),
  'asked-to-wait': failure('The server asks for a long wait', {
    message: (f: { request: string; seconds: number }) =>
      `The server asks for a wait of ${f.seconds} s before ${f.request}, which is too long for this run.`,
    hint: 'Run again later, or with a smaller --concurrency.',
  }),
  redirected: failure('The server redirects', {
    message: (f: { request: string; status: number }) =>
      `The server redirects (${f.status}, ${f.request}), and redirects are not followed.`,
    hint: 'Use the final address as the URL of the server.',
  }),
  'http-status': failure('The server answered with an error', {
    message: (f: { request: string; status: number; detail?: string }) =>
      `The server answered ${f.status} (${f.request})${ending(f.detail)}`,
  }),
  'bad-media-type': failure('An answer is not JSON:API', {
    message: (f: { request: string; mediaType: string }) =>
      `The answer is ${f.mediaType}, not application/vnd.api+json (${f.request}).`,
    hint: 'Check that the URL is that of the integration server, not of a proxy or login page.',
  }),
  'bad-answer': failure('An answer cannot be used', {
    message: (f: { request: string; problem: string; hint?: string }) =>
      `The answer cannot be used: ${f.problem} (${f.request}).`,
    hint: (f) => f.hint,
  }),
  'unsafe-id': failure('An id cannot be a part of a path', {
    message: (f: { id: string }) =>
      `The server has an integration with the id "${f.id}", which no path can hold.`,
    hint: 'Nothing is asked for or sent under such an id: ask whoever runs the server to install it under another one.',
  }),
  'answer-too-large': failure('An answer is too large', {
    message: (f: { request: string; limit: number }) =>
      `The answer has more than ${f.limit} bytes (${f.request}).`,
  }),
  'incomplete-read': failure('A list of the server is incomplete', {
    message: (f: { list: string; problem: string }) =>
      `The list of ${f.list} could not be read completely: ${f.problem}.`,
    hint: 'Run again when the server is quiet; nothing is planned from an incomplete list.',
  }),
  'document-missing': failure('A document of the server was not given', {
    message: (f: { id: string; path: string }) =>
      `What is managed of ${f.id} is not in the documents that were given.`,
    hint: (f) => `Give the answer to GET ${f.path} as well.`,
  }),
};

function loginHint({ username, password }: LoginVariables): string {
  const token = username.replace(/USERNAME$/, 'TOKEN');
  return `Check ${username} and ${password}. Single sign-on accounts cannot log in here: use a local account or ${token}.`;
}

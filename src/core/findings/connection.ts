import { denied, error, failure, type Names, type Problem, warning } from './entry.ts';
import { ending, listed, type Reached, reachedText } from './words.ts';

type Timeout = { of: keyof typeof TIMEOUTS; seconds: number; request?: string; reached?: Reached };

const TIMEOUTS = {
  request: 'No answer within # s (--timeout)',
  run: 'The run did not end within # s (--deadline)',
  pause: 'The server asked for a pause of # s, which is too long for this run',
};

/** Failures between setpoint and a server. */
export const CONNECTION = {
  'no-credentials': error('Credentials are missing', {
    message: ({ missing }: { prefix: string; missing?: string }) =>
      missing === undefined ? 'No credentials are set.' : `${missing} is missing.`,
    hint: ({ prefix }) =>
      `Set ${prefix}TOKEN, or ${prefix}USERNAME with ${prefix}PASSWORD or ${prefix}PASSWORD_FILE.`,
    why: 'Credentials come from the environment alone: SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or SETPOINT_PASSWORD_FILE. A server of setpoint.yaml first takes variables of its own, such as SETPOINT_SERVER_PRODUCTION_TOKEN. Two sets are never combined.',
  }),
  'bad-url': error('The URL of a server cannot be used', {
    message: (f: Problem) => f.problem,
    why: 'A server has an https address (http only on this machine), without credentials, query or fragment.',
  }),
  'origin-not-allowed': error('Only the YAML names the address of a server', {
    message: (f: { origin: string }) =>
      `No credential goes to ${f.origin}: only setpoint.yaml names it, which a pull request can change.`,
    hint: (f) => `Add ${f.origin} to SETPOINT_ALLOWED_ORIGINS where the pull request cannot change it.`,
    why: 'In pipelines a changed address could collect credentials. --url, SETPOINT_URL or SETPOINT_ALLOWED_ORIGINS must name it.',
  }),
  'login-refused': denied('The server refused the login', {
    message: (f: { status: number; detail?: string; variables?: string; token?: string; hint?: string }) =>
      `The server refused the login (${f.status})${ending(f.detail)}`,
    hint: ({ status, variables = 'the credentials', token }) => {
      const other = token === undefined ? '' : ` Single sign-on accounts need ${token} instead.`;
      return status === 401 ? `Check ${variables}.${other}` : undefined;
    },
    why: 'The credentials are mistyped, or expired: an API key expires after 30 days without use. Single sign-on accounts cannot log in here: use a local account or an API key. A refused login is never repeated, because accounts lock.',
  }),
  'not-permitted': denied('The account lacks a permission', {
    message: (f: { request: string; detail?: string; integrations?: Names }) =>
      `The account may not ${f.integrations ? `change ${listed(f.integrations, 10)}` : 'do this'} (403, ${f.request})${ending(f.detail)}`,
    hint: 'Use an administrator, or an integration manager whose scope has these integrations.',
    why: 'Servers hide options from weaker roles, and let integration managers change only what they manage.',
  }),
  unreachable: failure('A server cannot be reached', {
    message: (f: { origin: string; reason: string; hint?: string }) =>
      `Cannot reach ${f.origin}: ${f.reason}.`,
    why: 'The name, the port, the proxy (HTTPS_PROXY, NO_PROXY), the network or the certificate (--ca-file) is at fault.',
  }),
  'not-verified': warning('The certificate of a server is not verified', {
    message: (f: { origin: string }) =>
      `The certificate of ${f.origin} is not verified (--insecure): whoever answers gets the credentials.`,
    hint: 'Pass --ca-file with the authority of the certificate instead.',
  }),
  timeout: failure('A server or the run took too long', {
    message: ({ of, seconds, request, reached }: Timeout) =>
      `${TIMEOUTS[of].replace('#', String(seconds))}${request ? `: ${request}` : ''}.${reachedText(reached)}`,
    hint: 'Run again when the server is less busy, with a smaller --concurrency or a longer limit.',
  }),
  'bad-answer': failure('The server answered with an error, or not as the API does', {
    message: (f: { request?: string; problem?: string; status?: number; detail?: string; hint?: string }) => {
      const answer = f.problem
        ? `The answer cannot be used: ${f.problem}`
        : `The server answered ${f.status}`;
      return `${answer}${f.request ? ` (${f.request})` : ''}${ending(f.detail)}`;
    },
    why: 'The server failed, or something else answers at its address: a proxy, a login page, another service.',
  }),
  'incomplete-read': failure('A list of the server is incomplete', {
    message: (f: { list: string; problem: string }) => `The list of ${f.list} is incomplete: ${f.problem}.`,
    hint: 'Run again when the server is quiet.',
  }),
};

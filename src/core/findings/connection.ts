import { denied, type Entries, error, failure } from './entry.ts';
import type { ConnectionFacts } from './facts.ts';
import { reachedText, withDetail } from './words.ts';

/** What goes wrong between here and a server. */
export const CONNECTION: Entries<ConnectionFacts> = {
  'no-credentials': {
    ...error,
    message: () => 'No credentials were given.',
    hint: (f) =>
      f.server === undefined
        ? 'Set SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or SETPOINT_PASSWORD_FILE.'
        : `Set SETPOINT_${f.server}_TOKEN, or SETPOINT_${f.server}_USERNAME with _PASSWORD or _PASSWORD_FILE; without them SETPOINT_TOKEN and so on are taken.`,
  },
  'half-credentials': {
    ...error,
    message: (f) => `${f.given} is set without ${f.missing}.`,
    hint: (f) =>
      `Set ${f.missing}${f.missing.endsWith('PASSWORD') ? ` or ${f.missing}_FILE` : ''} as well: an account is never put together of two.`,
  },
  'bad-url': { ...error, message: (f) => f.problem },
  'login-failed': {
    ...denied,
    message: (f) => withDetail(`The server refused the login (${f.status})`, f.detail),
    hint: (f) =>
      f.status === 401
        ? 'Check SETPOINT_USERNAME and SETPOINT_PASSWORD. Accounts of a single sign-on cannot log in here: use a local account or SETPOINT_TOKEN.'
        : undefined,
  },
  'token-refused': {
    ...denied,
    message: () => 'The server refused the token (401).',
    hint: (f) =>
      f.kind === 'given'
        ? 'The token in SETPOINT_TOKEN may be mistyped or expired; an API key also expires when it was not used for 30 days.'
        : 'It was refused again after a new login.',
  },
  'not-permitted': {
    ...denied,
    message: (f) => withDetail(`The account may not do this (403, ${f.request})`, f.detail),
    hint: () => 'It needs the role administrator or integration manager.',
  },
  unreachable: { ...failure, message: (f) => `${f.origin} cannot be reached: ${f.reason}.` },
  timeout: {
    ...failure,
    message: (f) => `No answer within ${f.seconds} s (${f.request}).`,
    hint: () => 'Give it more time with --timeout SECONDS.',
  },
  'run-deadline': {
    ...failure,
    message: (f) => `The run did not end within ${f.seconds} s (--deadline).${reachedText(f.reached)}`,
  },
  'asked-to-wait': {
    ...failure,
    message: (f) =>
      `The server asks to wait ${f.seconds} s before ${f.request}; that is too long for this run.`,
    hint: () => 'Run again later, perhaps with a smaller --concurrency.',
  },
  redirected: {
    ...failure,
    message: (f) => `The server redirects (${f.status}, ${f.request}); redirects are not followed.`,
    hint: () => 'Give the final address as --url.',
  },
  'http-status': {
    ...failure,
    message: (f) => withDetail(`The server answered ${f.status} (${f.request})`, f.detail),
  },
  'bad-media-type': {
    ...failure,
    message: (f) => `The answer is ${f.mediaType}, not application/vnd.api+json (${f.request}).`,
    hint: () => 'Is this the address of the integration server, without a proxy or login page in between?',
  },
  'bad-answer': { ...failure, message: (f) => `The answer cannot be used: ${f.problem} (${f.request}).` },
  'answer-too-large': {
    ...failure,
    message: (f) => `The answer has more than ${f.limit} bytes (${f.request}).`,
  },
  'incomplete-read': {
    ...failure,
    message: (f) => `The list of integrations could not be read completely: ${f.problem}.`,
    hint: () => 'Nothing is planned from an incomplete list. Run again when the server is at rest.',
  },
  'logout-failed': { severity: 'warning', exit: 'failure', message: (f) => `The logout failed: ${f.reason}` },
};

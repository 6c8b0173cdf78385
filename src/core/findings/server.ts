import { finding } from './entry.ts';
import { didYouMean, listed } from './words.ts';

const TIMEOUTS = {
  request: 'No answer within # s (--timeout)',
  run: 'The run did not end within # s (--deadline)',
  pause: 'The server asked for a pause of # s, which is too long for this run',
};

const TIMEOUT_HINTS: Readonly<Record<keyof typeof TIMEOUTS, string>> = {
  request:
    'Run again when the server is less busy, with a smaller --concurrency or a longer --timeout.',
  run: 'Run again with a longer --deadline.',
  pause: 'Run again after the pause, with a smaller --concurrency.',
};

/** A variable that is named after no server, and the one that was likely meant. */
export interface MistypedVariable {
  readonly variable: string;
  readonly meant: string;
}

/** Credentials that are not set; `missing` is the other half of a login. */
type Credentials = {
  prefix: string;
  missing?: string;
  mistyped?: MistypedVariable;
};

/** A match and what it could mean. */
type Selection = {
  selector: string;
  candidates: readonly string[];
  total: number;
  inCatalog?: boolean;
};

/** An option of one integration, or of all that share defaults; `known` has the first of `total` keys. */
type UnknownOption = {
  key: string;
  integration?: string;
  known?: readonly string[];
  total?: number;
};

/** How many of the options that are declared for a server it lists, and the integrations without the others. */
type FewOptions = {
  listed: number;
  declared: number;
  integrations: readonly string[];
};

/** A value of another type, a value that is no choice, or, with neither, the mask of a secret. */
type WrongValue = {
  address: string;
  type?: string;
  choices?: readonly string[];
};

const catalogKind = (f: Selection) => (f.inCatalog ? 'warning' : 'error');

const source = (f: Selection) =>
  f.inCatalog ? 'integration of the catalog' : 'installed integration';

/** Failures between setpoint and a server, and mistakes that its integrations or those of a catalog show. */
export const SERVER_FINDINGS = {
  'no-credentials': finding('error', 'Credentials are missing', {
    message: ({ missing }: Credentials) =>
      missing === undefined
        ? 'No credentials are set.'
        : `${missing} is missing.`,
    hint: ({ prefix, missing, mistyped }) => {
      if (mistyped !== undefined)
        return `${mistyped.variable} is set, but no server has this name. Did you mean ${mistyped.meant}?`;
      // Half a login hides those that hold for all servers.
      const start = missing === undefined ? 'SETPOINT_' : prefix;
      const own =
        start === prefix
          ? ''
          : `; for this server alone, the same with ${prefix}`;
      return `Set ${start}TOKEN, or ${start}USERNAME with ${start}PASSWORD or ${start}PASSWORD_FILE${own}.`;
    },
    why: 'Credentials come from the environment alone: SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or SETPOINT_PASSWORD_FILE. A server of setpoint.yaml first takes variables of its own, such as SETPOINT_SERVER_PRODUCTION_TOKEN. Two sets are never combined.',
  }),
  'bad-url': finding('error', 'The URL of a server cannot be used', {
    message: (f: { problem: string }) => f.problem,
    why: 'A server has an https address (http only on this machine), without credentials, query or fragment.',
  }),
  'origin-not-allowed': finding(
    'error',
    'Only the YAML names the address of a server',
    {
      message: (f: { origin: string }) =>
        `No credential goes to ${f.origin}: only setpoint.yaml names it, which a pull request can change.`,
      hint: (f) =>
        `Add ${f.origin} to SETPOINT_ALLOWED_ORIGINS where the pull request cannot change it.`,
      why: 'In pipelines a changed address could collect credentials. --url, SETPOINT_URL or SETPOINT_ALLOWED_ORIGINS must name it.',
    },
  ),
  'login-refused': finding('denied', 'The server refused the login', {
    message: (f: { status: number; variables?: string; token?: string }) =>
      `The server refused the login (${f.status}).`,
    hint: ({ status, variables = 'the credentials', token }) => {
      const other =
        token === undefined
          ? ''
          : ` Single sign-on accounts need ${token} instead.`;
      if (status === 404) return 'Check the URL: it has no API to log in to.';
      return status === 401 ? `Check ${variables}.${other}` : undefined;
    },
    why: 'The credentials are mistyped, or expired: an API key expires after 30 days without use. Single sign-on accounts cannot log in here: use a local account or an API key. A refused login is never repeated, because accounts lock.',
  }),
  'not-permitted': finding('denied', 'The account lacks a permission', {
    message: (f: { request: string; integrations?: readonly string[] }) =>
      `The account may not ${f.integrations ? `change ${listed(f.integrations, 10)}` : 'do this'} (403, ${f.request}).`,
    hint: 'Use an administrator, or an integration manager whose scope has these integrations.',
    why: 'Servers hide options from weaker roles, and let integration managers change only what they manage.',
  }),
  unreachable: finding('failure', 'A server cannot be reached', {
    message: (f: { origin: string; reason: string }) =>
      `Cannot reach ${f.origin}: ${f.reason}.`,
    why: 'The name, the port, the proxy (HTTPS_PROXY, NO_PROXY), the network or the certificate (--ca-file) is at fault.',
  }),
  'not-verified': finding(
    'warning',
    'The certificate of a server is not verified',
    {
      message: (f: { origin: string }) =>
        `The certificate of ${f.origin} is not verified (--insecure): whoever answers gets the credentials.`,
      hint: 'Pass --ca-file with the authority of the certificate instead.',
    },
  ),
  timeout: finding('failure', 'A server or the run took too long', {
    message: (f: {
      of: keyof typeof TIMEOUTS;
      seconds: number;
      request?: string;
    }) =>
      `${TIMEOUTS[f.of].replace('#', String(f.seconds))}${f.request ? `: ${f.request}` : ''}.`,
    hint: ({ of }) => TIMEOUT_HINTS[of],
    why: 'An answer may take as long as --timeout says, and the whole run as long as --deadline. A pause that a server asks for may take a minute.',
  }),
  'bad-answer': finding(
    'failure',
    'The server answered with an error, or not as the API does',
    {
      message: (f: { request?: string; problem?: string; status?: number }) =>
        `The ${f.problem ? `answer cannot be used: ${f.problem}` : `server answered ${f.status}`}${f.request ? ` (${f.request})` : ''}.`,
      why: 'The server failed, or something else answers at its address: a proxy, a login page, another service.',
    },
  ),
  'incomplete-read': finding('failure', 'A list of the server is incomplete', {
    message: (f: { list: string; problem: string }) =>
      `The list of ${f.list} is incomplete: ${f.problem}.`,
    hint: 'Run again when the server is quiet.',
  }),
  'not-hosted': finding(
    'warning',
    'The sandbox cannot host a part of the catalog',
    {
      message: (f: { problem: string }) =>
        `The sandbox cannot host this file of the catalog: ${f.problem}.`,
      hint: 'The file is left out; the others are served.',
    },
  ),
  'no-match': finding(catalogKind, 'No integration matches', {
    message: (f) => `No ${source(f)} matches ${f.selector}.`,
    hint: (f) =>
      `${candidatesHint(f)}${f.inCatalog ? '' : ' If it is not always installed, set expect: optional.'}`,
    why: 'It is not installed, this account may not see it, or the match is mistyped. Ids change with each upgrade: use a glob such as splunk_node_*. For an integration that is not always installed, set expect: optional.',
  }),
  'several-matches': finding(catalogKind, 'Several integrations match', {
    message: (f) =>
      `${f.total} ${source(f)}s match ${f.selector}, but one is expected.`,
    hint: (f) =>
      `${candidatesHint(f)} Write the match of the one you mean, or expect: any for all.`,
    why: 'An entry describes one integration unless it says expect: any. The integrations that it matches are left out. Write a narrower match, or expect: any for all of them.',
  }),
  'hidden-field': finding('warning', 'The server hides fields', {
    message: (f: { addresses: readonly string[] }) =>
      `The server hides ${listed(f.addresses)}.`,
    hint: 'Pass --write-hidden all, or an address, to write them.',
    why: 'Some servers show no permission flags, or mask secrets. Hidden fields cannot be compared, and are written only on request.',
  }),
  'unknown-option': finding('error', 'An integration has no such option', {
    message: ({
      key,
      integration = 'Every integration with these defaults',
    }: UnknownOption) => `${integration} has no option ${key}.`,
    hint: ({ key, known, total }) =>
      known &&
      (didYouMean(key, known) ??
        `Options that you may see: ${listed(known, 20, total) || 'none'}.`),
    why: 'The key is mistyped, another version of the integration has it, or this account may not see it: administrators see all options. Keys are case-sensitive.',
  }),
  'few-options': finding('error', 'Most declared options are not listed', {
    message: (f: FewOptions) =>
      `The server lists ${f.listed} of ${f.declared} declared options; this account may not see the others.`,
    hint: 'Use an administrator, who sees all options. If it is one, check each match: it may mean another integration.',
    why: 'Servers hide options from weaker roles. If at least 10 declared options of a server are absent, and more than half of all, that is one error, not one for each option.',
  }),
  'wrong-value': finding('error', 'A value does not fit its option', {
    message: ({ address, type, choices }: WrongValue) =>
      `${address} takes ${choices === undefined ? (TYPES[type ?? 'mask'] ?? `a value of type ${type}`) : 'one of its choices'}.`,
    hint: ({ choices }) =>
      choices === undefined ? undefined : `Choices: ${listed(choices)}.`,
    why: 'The server would refuse it, or store something else. The mask that servers show in place of a secret is no value: write ${env:SETPOINT_NAME}, and set the variable to the secret itself.',
  }),
  'not-running': finding('warning', 'Integrations are not running', {
    message: (f: {
      stopped: readonly { readonly id: string; readonly status: string }[];
    }) =>
      `Not running, so likely to refuse changes: ${listed(f.stopped.map(({ id, status }) => `${id} (${status})`))}.`,
    hint: 'Start them before you apply.',
  }),
};

function candidatesHint({ candidates, total, inCatalog }: Selection): string {
  if (total === 0)
    return `No id, name or acronym is similar${inCatalog ? '' : '; setpoint list shows all'}.`;
  const more =
    total > candidates.length ? `; and ${total - candidates.length} more` : '';
  return `Candidates: ${candidates.join('; ')}${more}.`;
}

const TYPES: Readonly<Record<string, string>> = {
  mask: 'the secret itself, not the mask that servers show in its place',
  'multi-select': 'a list of choices, such as [one, other]',
  boolean: 'true or false',
  number: 'a number in its plain form, such as 30, -1 or 0.5',
};

import type { AboutField } from './about.ts';
import { finding, type Kind } from './entry.ts';
import { didYouMean, listed, phrase } from './words.ts';

const TIMEOUTS = {
  request: {
    words: 'No answer within # s (--timeout)',
    hint: 'Run again later, with a smaller --concurrency or a longer --timeout.',
  },
  run: {
    words: 'The run did not end within # s (--deadline)',
    hint: 'Run again with a longer --deadline.',
  },
  pause: {
    words:
      'The server asked for a pause of # s, which is too long for this run',
    hint: 'Run again later, with a smaller --concurrency.',
  },
};

/** Credentials that are not set. */
type Credentials = {
  /** The beginning of the variables of this server alone. */
  prefix: string;
  /** The other half of a login. */
  missing?: string | undefined;
};

/** A match and what it could mean. */
type Selection = {
  selector: string;
  candidates: readonly string[];
  total: number;
  /** Whether a catalog or a schema tells what there is. */
  isOffline?: boolean | undefined;
  /** Whether it selects what defaults are for. */
  isDefault?: boolean | undefined;
  /** The earlier entries that it may have refined. */
  renamed?: readonly string[] | undefined;
  /** Whether two servers are compared. */
  isCompared?: boolean | undefined;
};

type RefusedLogin = {
  status: number;
  /** The variables with the credentials. */
  variables?: string | undefined;
};

type NotPermitted = {
  request: string;
  integrations?: readonly string[] | undefined;
};

type Timeout = {
  of: keyof typeof TIMEOUTS;
  seconds: number;
  request?: string | undefined;
};

type Unreachable = {
  origin: string;
  reason: string;
  /** Whether the run ended before an answer came. */
  isCutShort: boolean;
};

/** An answer without sense; without `problem`, one with an error status. */
type BadAnswer = {
  request?: string | undefined;
  problem?: string | undefined;
  status?: number | undefined;
  /** The type and the first words of an answer that is not the API's. */
  foreign?: string | undefined;
};

type UnknownOption = {
  key: string;
  /** Absent if all that share defaults lack it. */
  integration?: string | undefined;
  /** The first of `total` keys. */
  known?: readonly string[] | undefined;
  total?: number | undefined;
};

/** The share of the declared options that a server lists. */
type FewOptions = {
  listed: number;
  declared: number;
  /** Those that lack the others. */
  integrations: readonly string[];
};

/** A value of another type or no choice; with neither, a secret's mask. */
type WrongValue = AboutField & {
  type?: string | undefined;
  choices?: readonly string[] | undefined;
  /** What is written as text; absent if it may not be shown. */
  written?: string | undefined;
};

type Stopped = {
  stopped: readonly { id: string; status: string }[];
  /** Their names. */
  integrations: readonly string[];
};

/** Failures of servers, and mistakes that live or catalog integrations show. */
export const SERVER_FINDINGS = {
  'no-credentials': finding('error', 'Credentials are missing', {
    message: ({ missing }: Credentials) =>
      missing === undefined
        ? 'No credentials are set.'
        : `${missing} is missing.`,
    hint: ({ prefix }) =>
      `Set ${prefix}TOKEN, or ${prefix}USERNAME with ${prefix}PASSWORD or ${prefix}PASSWORD_FILE. A server without any of its own takes SETPOINT_TOKEN and the like.`,
    why: 'Credentials come from the environment alone: SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or SETPOINT_PASSWORD_FILE. A server of setpoint.yaml first takes variables of its own, such as SETPOINT_SERVER_PRODUCTION_TOKEN. Two sets are never combined.',
  }),
  'bad-url': finding('error', 'The URL of a server cannot be used', {
    message: (facts: { problem: string }) => facts.problem,
    why: 'A server has an https address (http only on this machine), without credentials, query or fragment.',
  }),
  'origin-not-allowed': finding(
    'error',
    'Only the YAML names the address of a server',
    {
      message: (facts: { origin: string }) =>
        `No credential goes to ${facts.origin}: only setpoint.yaml names it, which a pull request can change.`,
      hint: (facts) =>
        `Add ${facts.origin} to SETPOINT_ALLOWED_ORIGINS where the pull request cannot change it.`,
      why: 'In pipelines a changed address could collect credentials. --url, SETPOINT_URL or SETPOINT_ALLOWED_ORIGINS must name it.',
    },
  ),
  'login-refused': finding('denied', 'The server refused the login', {
    message: (facts: RefusedLogin) =>
      `The server refused the login (${facts.status}).`,
    hint: ({ status, variables = 'the credentials' }) =>
      status === 404
        ? 'Check the URL: it has no API to log in to.'
        : `Check ${variables}, and the URL. Single sign-on accounts need an API key instead.`,
    why: 'The credentials are mistyped, or expired: an API key expires after 30 days without use. Single sign-on accounts cannot log in here: use a local account or an API key. A refused login is never repeated, because accounts lock.',
  }),
  'not-permitted': finding('denied', 'The account lacks a permission', {
    message: ({ request, integrations }: NotPermitted) => {
      const act = integrations
        ? `change ${listed(integrations, 10)}`
        : 'do this';
      return `The account may not ${act} (403, ${request}).`;
    },
    hint: 'Use an administrator, or an integration manager whose scope has these integrations.',
    why: 'Servers hide options from weaker roles, and let integration managers change only what they manage.',
  }),
  unreachable: finding('failure', 'A server cannot be reached', {
    message: ({ origin, reason, isCutShort }: Unreachable) =>
      isCutShort
        ? `No answer from ${origin}: ${reason}.`
        : `Cannot reach ${origin}: ${reason}.`,
    why: 'The name, the port, the proxy (HTTPS_PROXY, NO_PROXY), the network or the certificate (--ca-file) is at fault.',
  }),
  'not-verified': finding(
    'warning',
    'The certificate of a server is not verified',
    {
      message: (facts: { origin: string }) =>
        `The certificate of ${facts.origin} is not verified (--insecure): whoever answers gets the credentials.`,
      hint: 'Pass --ca-file with the authority of the certificate instead.',
    },
  ),
  timeout: finding('failure', 'A server or the run took too long', {
    message: ({ of, seconds, request }: Timeout) => {
      const words = TIMEOUTS[of].words.replace('#', String(seconds));
      return request ? `${words}: ${request}.` : `${words}.`;
    },
    hint: ({ of }) => TIMEOUTS[of].hint,
    why: 'An answer may take as long as --timeout says, and the whole run as long as --deadline. A pause that a server asks for may take a minute.',
  }),
  'bad-answer': finding(
    'failure',
    'The server answered with an error, or not as the API does',
    {
      message: ({ request, problem, status, foreign }: BadAnswer) => {
        const end = request ? ` (${request}).` : '.';
        if (problem !== undefined)
          return `The answer cannot be used: ${problem}${end}`;
        if (foreign === undefined) return `The server answered ${status}${end}`;
        const words = `Something before the server answered ${status} (${foreign})`;
        const isWrite = request?.startsWith('PATCH') === true;
        return isWrite
          ? `${words}, maybe because of the content${end}`
          : `${words}${end}`;
      },
      why: 'The server failed, or something else answers at its address: a proxy, a firewall, a login page, another service. Only JSON or an empty body counts as an answer of the API. A firewall may refuse a change because of its content.',
    },
  ),
  'incomplete-read': finding('failure', 'A list of the server is incomplete', {
    message: (facts: { list: string; problem: string }) =>
      `The list of ${facts.list} is incomplete: ${facts.problem}.`,
    hint: 'Run again when the server is quiet.',
  }),
  'no-match': finding(selectionKind, 'No integration matches', {
    message: (facts) =>
      facts.renamed === undefined
        ? `No ${sourceOf(facts)} matches ${facts.selector}.`
        : `${facts.selector} refines no entry of an earlier layer.`,
    hint: (facts) => {
      if (facts.renamed !== undefined) {
        // An overlay that has nothing but a match may be of any.
        const isClear = facts.renamed.length <= 3;
        const to = isClear ? ` to ${listed(facts.renamed, 3)}` : '';
        return `Was it renamed${to}? Then rename this one too. If it means an integration of its own, write its match.`;
      }
      const candidates = candidatesHint(facts);
      if (facts.isOffline || facts.isDefault) return candidates;
      return `${candidates} If it was upgraded, setpoint pull writes its new match. If it is not always installed, set expect: optional, or write null for the entry in a layer of this server alone.`;
    },
    why: 'It is not installed, this account may not see it, or the match is mistyped. Ids change with each upgrade: use a glob such as splunk_node_*. For an integration that is not always installed, set expect: optional. If other servers share the entry, and this one lacks the integration, write null for the entry in a layer of this server alone.',
  }),
  'several-matches': finding(selectionKind, 'Several integrations match', {
    message: (facts) =>
      `${facts.total} ${sourceOf(facts)}s match ${facts.selector}, but one is expected.`,
    hint: (facts) => {
      const candidates = candidatesHint(facts);
      return facts.isCompared
        ? `${candidates} They are not compared: give those that belong together the same name.`
        : `${candidates} Write the match of the one you mean, or expect: any for all.`;
    },
    why: 'An entry describes one integration unless it says expect: any. The integrations that it matches are left out. Write a narrower match, or expect: any for all of them. A comparison of two servers matches what shares the start of its ids by name.',
  }),
  'unknown-option': finding('error', 'An integration has no such option', {
    message: ({
      key,
      integration = 'Every integration with these defaults',
    }: UnknownOption) => `${integration} has no option ${key}.`,
    hint: ({ key, known, total }) => {
      if (known === undefined) return undefined;
      const names = listed(known, 20, total) || 'none';
      return didYouMean(key, known) ?? `Options that you may see: ${names}.`;
    },
    why: 'The key is mistyped, another version of the integration has it, or this account may not see it: administrators see all options. Keys are case-sensitive.',
  }),
  'few-options': finding('error', 'Most declared options are not listed', {
    message: ({ listed: shown, declared, integrations }: FewOptions) => {
      const share = `The server lists ${shown} of ${declared} declared options`;
      const names = listed(integrations, 3);
      return `${share}; this account may not see the others of ${names}.`;
    },
    hint: 'Use an administrator, who sees all options. If it is one, check each match: it may mean another integration.',
    why: 'Servers hide options from weaker roles. If more than half of the declared options of a server are absent, and at least 5 are, that is one error, not one for each option.',
  }),
  'wrong-value': finding('error', 'A value does not fit its option', {
    message: ({ address, type = 'mask', choices }: WrongValue) => {
      if (choices !== undefined) return `${address} takes one of its choices.`;
      return `${address} takes ${TYPES[type] ?? `a value of type ${type}`}.`;
    },
    hint: ({ choices, written = '' }) => {
      if (choices === undefined) return undefined;
      // The near one need not be meant.
      const all = `Choices: ${listed(choices)}.`;
      return phrase([didYouMean(written, choices), all]);
    },
    why: 'The server would refuse it, or store something else. The mask that servers show in place of a secret is no value: write ${env:SETPOINT_NAME}, and set the variable to the secret itself.',
  }),
  'not-running': finding('warning', 'Integrations are not running', {
    message: (facts: Stopped) => {
      const names = facts.stopped.map(({ id, status }) => `${id} (${status})`);
      return `Not running, so likely to refuse changes: ${listed(names)}.`;
    },
    hint: 'Start them before you apply.',
  }),
};

function selectionKind({ isOffline, isDefault, isCompared }: Selection): Kind {
  if (isDefault) return 'note';
  return isOffline || isCompared ? 'warning' : 'error';
}

function sourceOf({ isOffline }: Selection): string {
  return isOffline ? 'known integration' : 'installed integration';
}

function candidatesHint({ candidates, total, isOffline }: Selection): string {
  if (total === 0) {
    const words = 'No id, name or acronym is similar';
    return isOffline ? `${words}.` : `${words}; setpoint list shows all.`;
  }
  const texts = [...candidates];
  const more = total - candidates.length;
  if (more > 0) texts.push(`and ${more} more`);
  return `Candidates: ${texts.join('; ')}.`;
}

const TYPES: Readonly<Record<string, string>> = {
  mask: 'the secret itself, not the mask that servers show in its place',
  'multi-select': 'a list of choices, such as [one, other]',
  boolean: 'true or false',
  number: 'a number in its plain form, such as 30, -1 or 0.5',
};

import { isOwnCredential } from '../model/own-credential.ts';
import type { Place } from '../model/place.ts';
import type { AboutField } from './about.ts';
import { finding, type Kind } from './entry.ts';
import { at, count, cut, didYouMean, enumerated, listed } from './words.ts';

/** A text that would be sent: that of a value in YAML, or of a reference. */
export type TextSubject = AboutField | { reference: string };

/** Texts that tools leave in place of others, and what to do about each. */
export const LEFTOVERS = {
  'lfs-pointer': {
    words: 'a Git LFS pointer',
    hint: 'Run git lfs pull before setpoint (actions/checkout: lfs: true).',
  },
  encrypted: {
    words: 'encrypted text',
    hint: 'Decrypt it before setpoint runs: with the tool that encrypted it, such as sops exec-env FILE COMMAND.',
  },
  mask: {
    words: 'the mask of a secret',
    hint: 'Copy the secret from its source: logs and pages show a mask.',
  },
  nothing: {
    words: 'null, undefined or the like',
    hint: 'Check the program that fills it in: it did not find the secret.',
  },
  unexpanded: {
    words: 'an unexpanded variable',
    hint: 'Expand it before setpoint runs, in the pipeline or a shell.',
  },
  'vault-reference': {
    words: 'the address of a secret in a vault',
    hint: 'Run setpoint through the tool that opens it, as in op run -- setpoint plan.',
  },
  'joined-pem': {
    words: 'a PEM without its line ends',
    hint: 'Keep its line ends: in a block of YAML (|), or as \\n in double quotes in a file of variables.',
  },
  undecoded: {
    words: 'text with U+FFFD in place of a character that was lost',
    hint: 'Copy it from its source, and keep it in UTF-8.',
  },
};

/** A text that a tool leaves in place of another one. */
export type Leftover = keyof typeof LEFTOVERS;

/** A text that a tool left in place of the right one. */
type StandIn = TextSubject & {
  leftover: Leftover;
  /** Whether it is written in an option that is no secret. */
  mayBeMeant: boolean;
};

function nameOf(subject: TextSubject): string {
  return 'reference' in subject ? subject.reference : subject.address;
}

/** Why a declaration has no effect. */
const IDLE = {
  entry: 'declares nothing to manage',
  null: 'is declared by no earlier layer, so this null changes nothing',
};

/** A mistake that is certain is an error, a likely one a warning. */
type MaybeMistaken = AboutField & { isCertain: boolean };

function certaintyKind({ isCertain }: MaybeMistaken): Kind {
  return isCertain ? 'error' : 'warning';
}

type UnknownKey = {
  /** Absent if it may not be shown. */
  key?: string | undefined;
  allowed: readonly string[];
};

type NotAllowed = {
  /** Words, and types as JSON Schema calls them. */
  expected: readonly string[];
  /** Absent if it may not be shown. */
  written?: string | undefined;
};

/** A secret, its age in days, and the most that the policy allows. */
type AgedSecret = AboutField & { age: number; days: number };

/** The references that an apply lacks, or one that another value needs. */
type NeededReferences = { needed: readonly string[] };

/** The references that a plan lacks, and the values that it cannot compare. */
type LackingReferences = {
  references: readonly string[];
  values: number;
};

/** Who has to set them wants all names. */
const NEEDED_SHOWN = 200;

/** Mistakes in the form of configuration files, in references and values. */
export const CONFIGURATION_FINDINGS = {
  'yaml-syntax': finding('error', 'The file is not valid YAML', {
    message: (facts: { problem: string }) => facts.problem,
    why: 'setpoint reads YAML 1.2, one document a file, in UTF-8, without tags and merge keys. Quote a text that holds ": ", " #" or begins with a bracket, a brace, a quote, * or &:\n  pattern: "[a-z]: *"',
  }),
  'duplicate-key': finding('error', 'A map has the same key twice', {
    message: (facts: { first: Place }) =>
      `This map already has this key at line ${facts.first.line}.`,
    hint: 'Remove one of the two.',
  }),
  'empty-value': finding('error', 'This key or list item has no value', {
    hint: 'Write a value, or indent what belongs below it.',
    why: 'YAML reads nothing as null, and null stops managing a field. Write null if you mean that, or "" for empty text:\n  proxy: ""',
  }),
  'ambiguous-scalar': finding('error', 'YAML would change this value or key', {
    hint: 'Quote it if it is text, as a key always is; otherwise write its plain form.',
    why: 'Plain 0123, 1e5, 1.10, True and integers beyond 2^53 would reach the server as something else, and as keys numbers, booleans and null change their spelling. Plain forms are 30, 0.5, true, false and null. Quote text:\n  version: "1.10"\n  "404": ignore',
  }),
  'too-large': finding('error', 'The configuration exceeds a limit', {
    message: (facts: { of: string; limit: number }) =>
      `There are more than ${facts.limit} ${facts.of}.`,
    why: 'Limits keep a file from holding up a pipeline, among them 2 MiB a file, 2,000 files, 5,000 keys a map, 64 levels and 100,000 tokens.',
  }),
  'unknown-key': finding('error', 'A key is unknown', {
    message: ({ key }: UnknownKey) =>
      key ? `Unknown key ${cut(key)}.` : 'Unknown key.',
    hint: ({ key = '', allowed }) =>
      didYouMean(key, allowed) ?? `Keys allowed here: ${listed(allowed)}.`,
    why: 'A mistyped key would otherwise be ignored. Options belong under options:\n  options: { timeout: 30 }',
  }),
  'missing-key': finding('error', 'A key is missing', {
    message: (facts: { key: string }) => `The key ${facts.key} is missing.`,
    hint: (facts) =>
      facts.key === 'version' ? 'Begin the file with version: 1.' : undefined,
    why: 'The file is incomplete without it: every file begins with version: 1.',
  }),
  'not-allowed': finding('error', 'A value is not allowed', {
    message: ({ expected, written }: NotAllowed) => {
      const names = expected.flatMap((word) => TYPE_NAMES[word] ?? word);
      const start = `Expected ${enumerated(names, names.length, 'or')}`;
      return written === undefined
        ? `${start}.`
        : `${start}, not ${cut(written)}.`;
    },
    hint: ({ written = '', expected }) =>
      expected.includes('object')
        ? 'Each key ends with a colon and a blank.'
        : didYouMean(written, expected),
    why: 'Names have letters A to Z, digits, underscores and dashes, at most 128; dates look like 2026-11-21. A map has keys, and a list has dashes or brackets:\n  options: { timeout: 30, types: [ip, url] }',
  }),
  'duplicate-field': finding('error', 'Two places set the same field', {
    message: (facts: AboutField & { other: Place }) =>
      `${facts.address} is also set at ${at(facts.other)}.`,
    hint: 'Remove one of the two, or move one to a later layer under the same entry name.',
    why: 'Two entries that select the same integration are equally specific, so neither wins. Specific entries override entries with expect: any, and later layers override earlier ones.',
  }),
  'ambiguous-name': finding(
    'error',
    'The name of an entry is the id of another integration',
    {
      message: (facts: { name: string; id: string }) =>
        `${facts.name} matches ${facts.id}, but is the id of another one.`,
      hint: 'Rename the entry.',
    },
  ),
  'reference-syntax': finding(
    'error',
    'A reference is malformed or not possible here',
    {
      message: (facts: { problem: string }) => facts.problem,
      hint: 'Write ${env:NAME}, ${env:NAME:-fallback}, ${file:path} or ${value:name}; $${ is a literal ${.',
      why: 'References may stand in values and named values, not in keys and matches. A select or a list must be the whole value:\n  proxy: http://${env:SETPOINT_PROXY_HOST}:3128',
    },
  ),
  'reference-not-allowed': finding(
    'error',
    'An environment variable may not be read',
    {
      message: ({ name }: { name: string }) =>
        isOwnCredential(name)
          ? `\${env:${name}} is reserved for setpoint's own login.`
          : `References may not read the environment variable ${name}.`,
      hint: 'Give the variable another name, such as SETPOINT_VENDOR_KEY. What is not reserved, --allow-env NAME allows.',
      why: 'A pull request could otherwise send any variable of the pipeline to a server. References read variables that begin with SETPOINT_, and others only with --allow-env.',
    },
  ),
  'reference-missing': finding(
    (facts: NeededReferences | LackingReferences) =>
      'values' in facts ? 'warning' : 'error',
    'A reference has no value',
    {
      message: (facts) => {
        if ('needed' in facts) {
          return `Not set: ${listed(facts.needed, NEEDED_SHOWN)}.`;
        }
        const { references, values } = facts;
        // The variables or the files that they name.
        const names = references.map((reference) =>
          reference.replace(/^\$\{(?:env|file):|:-.*|\}$/gs, ''),
        );
        const were = count(values, 'value was', 'values were');
        const are = references.length === 1 ? 'is' : 'are';
        return `${were} not compared: ${listed(names, 2)} ${are} not set.`;
      },
      hint: (facts) =>
        'values' in facts
          ? 'Only apply needs references.'
          : 'Set each variable, also in the secretsFile of the server; put each file in place; declare each named value under values.',
      why: 'Set the variable, or declare the value under values. Only apply needs references, and only those of values that it compares or writes: all that it lacks are reported together, before the first change is sent. For a plan they are a warning.',
    },
  ),
  'idle-declaration': finding('warning', 'A declaration has no effect', {
    message: (facts: { of: keyof typeof IDLE; name: string }) =>
      `${facts.name} ${IDLE[facts.of]}.`,
    why: 'Its fields were commented out, its name is mistyped, or it is no longer used. Correct or remove it.',
  }),
  'user-provides-value': finding(
    'warning',
    'A value is declared for an option that users provide',
    {
      message: ({ address }: AboutField) =>
        `${address} is declared, but with user-provides users set their own.`,
      hint: 'Remove the value, or lock the option.',
    },
  ),
  'plain-secret': finding(certaintyKind, 'A secret is written in clear text', {
    message: ({ address, isCertain }) =>
      `${address} ${isCertain ? 'is' : 'looks like'} a secret in clear text.`,
    hint: ({ isCertain }) => {
      const hint =
        'Write ${env:SETPOINT_NAME} without a fallback, and replace the secret if it was ever committed.';
      return isCertain ? hint : `${hint} If it is none, say sensitive: false.`;
    },
    why: 'Everyone who can read the repository can read it, in its history too; the fallback of a reference as well. It is an error in a password option, or in one marked sensitive. It is a warning if only its key is named like a secret, or its text has the form of a well-known credential. If it is no secret, say sensitive: false.',
  }),
  'secret-aged': finding(
    'warning',
    'A secret is older than the policy allows',
    {
      message: ({ address, age, days }: AgedSecret) =>
        `${address} was replaced ${age} days ago, and the policy allows ${days} (secret-max-age).`,
      hint: 'Replace the secret, then write that day next to it, as rotated: YYYY-MM-DD.',
      why: 'secret-max-age, below policy in setpoint.yaml, says after how many days a secret should be replaced. plan and apply count from the day that rotated has next to the secret; one without a day has no age. Replace the secret, then write that day.',
    },
  ),
  'waiver-over': finding('warning', 'A waiver has expired', {
    message: (facts: AboutField & { until: string }) =>
      `The waiver of ${facts.address} ended on ${facts.until}.`,
    hint: 'Remove it, or write a later day in until.',
    why: 'A waived difference is not planned, up to and including the last day of its waiver (UTC).',
  }),
  placeholder: finding(
    ({ mayBeMeant }: StandIn) => (mayBeMeant ? 'warning' : 'error'),
    'A value was never filled in',
    {
      message: (facts) => {
        const { words } = LEFTOVERS[facts.leftover];
        return `${nameOf(facts)} holds ${words}, not the value itself.`;
      },
      hint: ({ leftover, mayBeMeant }) => {
        const { hint } = LEFTOVERS[leftover];
        return mayBeMeant ? `${hint} Fine if this very text is meant.` : hint;
      },
      why: 'A tool left it there: a Git LFS pointer, a text of sops or ansible-vault, a mask such as ***, <no value>, null and the like, an unexpanded $(X), ${X} or %X%, a PEM without its line ends, or U+FFFD. The server would store it in place of a working key. In an option that is no secret, YAML may mean it: a warning.',
    },
  ),
  'padded-text': finding(
    'warning',
    'A text holds characters that hardly belong to it',
    {
      message: (facts: TextSubject & { padding: readonly string[] }) =>
        `${nameOf(facts)} has ${listed(facts.padding)} that would be sent too.`,
      hint: 'Remove what does not belong to the value, or retype it.',
      why: 'Shells, dotenv files and copied lines leave spaces, carriage returns, quotes and invisible characters. Of a reference, a byte order mark and one final line end are dropped, and nothing else.',
    },
  ),
  'reference-typo': finding(certaintyKind, 'A text looks like a reference', {
    message: ({ address }) =>
      `${address} looks like a reference, but is plain text.`,
    hint: 'Write ${env:NAME}, ${file:path} or ${value:name}; $${ is a literal ${.',
    why: 'The server would get the text as it stands, not the value. In a secret it is an error if all of the text is a $(X) or %X%.',
  }),
  'exposes-secret': finding('warning', 'A secret is shown to all users', {
    message: ({ address }: AboutField) =>
      `${address} shows a secret to all users.`,
    hint: 'Write lock-and-hide. If it is no secret, say sensitive: false. Otherwise apply needs --allow exposes-secret, unless the policy makes it an error.',
    why: 'lock-and-show shows the value to every user. apply refuses it without --allow exposes-secret, unless the server shows it already; if the policy makes it an error, no flag can lift that.',
  }),
};

const TYPE_NAMES: Readonly<Record<string, readonly string[]>> = {
  boolean: ['true', 'false'],
  object: ['a map (key: value)'],
  array: ['a list (- item)'],
  string: ['text'],
  number: ['a number'],
};

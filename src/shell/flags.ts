import { isCostlyGlob } from '../core/model/glob.ts';
import { RISK_NAMES } from '../core/plan/risk.ts';
import { RENDERERS } from '../core/report/formats.ts';
import { failUsage, failWord } from './failure.ts';

/** A flag of one or more commands; it is spelled after its name in the table (`caFile` is `--ca-file`). */
export interface Flag {
  readonly short?: string;
  /** The placeholder of its value; a flag without one is a switch. */
  readonly value?: string;
  readonly help: string;
  /** Checks a value; `all` holds the earlier values of a repeated flag. */
  readonly parse?: (text: string, all: never) => unknown;
  /** The values that complete it. */
  readonly words?: readonly string[];
  /** Rare flags have a group of their own in the help. */
  readonly isRare?: true;
}

/** Refuses an empty value: it is a shell variable that was not set. */
const text = (flag: string) => (value: string) =>
  value === '' ? failUsage(`${flag} has an empty value.`) : value;

const glob = (flag: string) => (value: string) =>
  isCostlyGlob(value) ? failUsage(`The glob of ${flag} has too many wildcards.`) : text(flag)(value);

/** A number within limits; a limit below 1 allows fractions. */
const number = (flag: string, least: number, most: number) => (value: string) => {
  const pattern = least > 0 && least < 1 ? /^\d+(\.\d+)?$/ : /^\d+$/;
  const parsed = pattern.test(value) ? Number(value) : Number.NaN;
  return parsed >= least && parsed <= most
    ? parsed
    : failUsage(`${flag} takes a number from ${least} to ${most}.`);
};

const word =
  <Word extends string>(flag: string, words: readonly Word[]) =>
  (value: string): Word =>
    words.find((each) => each === value) ?? failWord(`${flag} does not know`, value, words, 'Known values');

const repeated =
  (check: (value: string) => string) => (value: string, all: readonly string[] | undefined) => [
    ...(all ?? []),
    check(value),
  ];

/** A list in one word; the flag may be repeated. */
const commaSeparated = (value: string, all: readonly string[] | undefined) => [
  ...(all ?? []),
  ...value.split(',').filter((part) => part !== ''),
];

const FORMATS = Object.keys(RENDERERS);
const COLORS = ['auto', 'always', 'never'] as const;
const DIALECTS = ['included', 'inline', 'detail', 'options'] as const;
const PASSWORDS = ['clear', 'masked', 'empty'] as const;

/** Every flag of every command. */
export const FLAGS = {
  file: {
    short: '-f',
    value: 'PATH',
    help: 'configuration file or folder; later ones override',
    parse: repeated(text('--file')),
  },
  url: { value: 'URL', help: 'address of the server (SETPOINT_URL)' },
  server: {
    value: 'NAME',
    help: 'server of setpoint.yaml, or label=value; repeatable',
    parse: repeated(text('--server')),
  },
  only: { value: 'GLOB', help: 'only integrations whose name or id matches', parse: glob('--only') },
  base: { value: 'REF', help: 'git ref to compare with: who moved a field?' },
  report: {
    value: 'FORMAT[=FILE]',
    help: `${FORMATS.join(', ')}; repeatable`,
    parse: repeated((value) => value),
    words: FORMATS,
  },
  exitCode: { help: 'exit with 2 if there are differences' },
  strict: { help: 'let warnings fail: exit with 6 for refusals, 3 for others' },
  full: { help: 'show each change by itself, and values in full' },
  live: {
    value: 'FILE',
    help: 'a snapshot in place of the server; repeatable',
    parse: repeated(text('--live')),
  },
  yes: { short: '-y', help: 'do not ask' },
  allow: {
    value: 'RISK',
    help: 'allow a risk that the plan names, as exposes-secret',
    parse: repeated(word('--allow', RISK_NAMES)),
    words: RISK_NAMES,
  },
  allowChanges: {
    value: 'N',
    help: 'let at most N integrations change, if over 30 %',
    parse: number('--allow-changes', 1, 1_000_000),
  },
  writeHidden: {
    value: 'WHICH',
    help: 'write what the server hides: all, or ADDRESS,…',
    parse: commaSeparated,
  },
  failFast: { help: 'stop at the first failed integration', isRare: true },
  keepGoing: { help: 'go on with the next server after a failure', isRare: true },
  failOnErrors: { help: 'fail if integrations raise new errors' },
  verify: {
    value: 'SECONDS',
    help: 'read again until changes show (5)',
    parse: number('--verify', 0, 3600),
    isRare: true,
  },
  all: { help: 'everything that differs' },
  since: { value: 'TIME', help: 'only since: 90m, 24h, 7d or an ISO 8601 time' },
  out: { value: 'PATH', help: 'where to write', parse: text('--out') },
  secretsFile: {
    value: 'FILE',
    help: 'also write the secrets that the server shows (dotenv, 0600)',
    parse: text('--secrets-file'),
  },
  catalog: { value: 'DIR', help: "folder of integrations' configuration files (*.json)" },
  quiet: { short: '-q', help: 'no progress, no warnings' },
  verbose: { short: '-v', help: 'also requests and notes' },
  color: {
    value: 'WHEN',
    help: COLORS.join(', '),
    parse: word('--color', COLORS),
    words: COLORS,
    isRare: true,
  },
  hidesSecrets: { help: 'the server shows every secret as empty', isRare: true },
  allowEnv: {
    value: 'GLOB',
    help: 'let ${env:} read names other than SETPOINT_*',
    parse: repeated(glob('--allow-env')),
    isRare: true,
  },
  timeout: {
    value: 'SECONDS',
    help: 'limit for one request (30; PATCH 60)',
    parse: number('--timeout', 0.1, 3600),
    isRare: true,
  },
  deadline: {
    value: 'SECONDS',
    help: 'limit for the run (1800)',
    parse: number('--deadline', 0.1, 86_400),
    isRare: true,
  },
  concurrency: {
    value: 'N',
    help: 'requests at a time (8)',
    parse: number('--concurrency', 1, 64),
    isRare: true,
  },
  caFile: { value: 'FILE', help: 'PEM file of a certificate authority to trust', isRare: true },
  insecure: { help: 'do not verify the certificate of the server', isRare: true },
  port: {
    value: 'N',
    help: 'port to listen on (4010; 0 takes a free one)',
    parse: number('--port', 0, 65_535),
  },
  data: { value: 'FILE', help: 'keep the state in a file, across restarts', parse: text('--data') },
  host: { value: 'ADDRESS', help: 'address to listen on (127.0.0.1)', parse: text('--host') },
  latency: { value: 'MS', help: 'delay of each answer (0)', parse: number('--latency', 0, 60_000) },
  passwords: {
    value: 'HOW',
    help: `how passwords read back: ${PASSWORDS.join(', ')}`,
    parse: word('--passwords', PASSWORDS),
    words: PASSWORDS,
  },
  dialect: {
    value: 'WHERE',
    help: `where option values are: ${DIALECTS.join(', ')}`,
    parse: word('--dialect', DIALECTS),
    words: DIALECTS,
  },
  stopped: { value: 'NAME,…', help: 'integrations that are not running', parse: commaSeparated },
  raiseErrors: { help: 'let integrations report an error after a change' },
} satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof FLAGS;

type ValueOf<Each> = Each extends { parse: (text: string, all: never) => infer Value }
  ? Value
  : Each extends { value: string }
    ? string
    : true;

/** What commander makes of some flags. */
export type OptionsOf<Names extends FlagName> = {
  readonly [Name in Names]?: ValueOf<(typeof FLAGS)[Name]>;
};

/** How a flag is typed: `--ca-file`. */
export function spelling(name: FlagName): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

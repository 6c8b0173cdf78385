import { isCostlyGlob } from '../core/model/costly-glob.ts';
import { SERVER } from '../core/model/per-server.ts';
import { RISK_NAMES } from '../core/plan/risk.ts';
import { FORMATS, type Format } from '../core/report/formats.ts';
import { failUsage, failWord } from './failure.ts';

/**
 * A flag of one or more commands; it is spelled after its name in the table
 * (`caFile` is `--ca-file`).
 */
interface Flag {
  short?: string;
  /** The placeholder of its value; a flag without one is a switch. */
  value?: string;
  help: string;
  /** Checks a value, which is not empty. */
  parse?: (text: string, flag: string) => unknown;
  /** Whether it may be given several times. */
  repeats?: true;
  /** The values that complete it. */
  words?: readonly string[];
  isRare?: true;
}

function glob(text: string, flag: string): string {
  if (!isCostlyGlob(text)) return text;
  return failUsage(`The glob of ${flag} has too many wildcards.`);
}

function commaSeparated(given: string): readonly string[] {
  return given.split(',').filter((part) => part !== '');
}

/** A flag for a number within limits; a limit below 1 allows fractions. */
function number(value: string, help: string, least: number, most: number) {
  const pattern = least > 0 && least < 1 ? /^\d+(\.\d+)?$/ : /^\d+$/;
  const parse = (text: string, flag: string): number => {
    const parsed = pattern.test(text) ? Number(text) : Number.NaN;
    if (parsed >= least && parsed <= most) return parsed;
    return failUsage(`${flag} takes a number from ${least} to ${most}.`);
  };
  return { value, help, parse };
}

/** A flag for one of some words. */
function oneOf<Word extends string>(
  value: string,
  help: string,
  words: readonly Word[],
) {
  const parse = (text: string, flag: string): Word => {
    const known = words.find((word) => word === text);
    if (known !== undefined) return known;
    return failWord(`${flag} does not know`, text, words, 'Known values');
  };
  return { value, help, parse, words };
}

/** A flag that the help shows in a group of its own. */
function rare<Shape>(flag: Shape) {
  return { ...flag, isRare: true as const };
}

/** A report to write: to its file, or to stdout. */
export interface ReportTarget {
  format: Format;
  path?: string | undefined;
}

/** Parses `FORMAT[=FILE]`; `-` is stdout. */
function reportTarget(text: string): ReportTarget {
  const [word = '', ...rest] = text.split('=');
  const format = FORMATS.find((name) => name === word);
  if (format === undefined)
    return failWord('Unknown report format', word, FORMATS, 'Formats');
  if (rest.length === 0) return { format };
  const path = rest.join('=');
  if (path === '') failUsage('--report has no file name after the =.');
  return path === '-' ? { format } : { format, path };
}

/** A part of the servers, counted from 1. */
export interface Shard {
  index: number;
  count: number;
  /** A digest of the configuration, once it was read. */
  revision?: string | undefined;
  /** The names of the servers of all parts, once they are known. */
  servers?: readonly string[] | undefined;
}

/**
 * Parses `I/N`, the number of a part and how many there are; the environment
 * decides `auto`.
 */
function shard(text: string, flag: string): Shard | 'auto' {
  if (text === 'auto') return 'auto';
  const parts = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const [, index = 0, count = 0] = parts.map(Number);
  if (index >= 1 && index <= count) return { index, count };
  return failUsage(
    `${flag} takes I/N with I from 1 to N, such as 2/8, or auto.`,
  );
}

const COLORS = ['auto', 'always', 'never'] as const;
const DIALECTS = ['included', 'inline', 'detail', 'options'] as const;
const PASSWORDS = ['clear', 'masked', 'empty'] as const;

/**
 * Every flag of every command. A command has those that its `flags` in
 * command-table.ts name.
 */
const FLAGS = {
  file: {
    short: '-f',
    value: 'PATH',
    help: 'configuration file or folder; later ones override',
    repeats: true,
  },
  url: { value: 'URL', help: 'address of the server (SETPOINT_URL)' },
  server: {
    value: 'NAME',
    help: 'server of setpoint.yaml, or label=value; repeatable',
    repeats: true,
  },
  shard: {
    value: 'I/N',
    help: 'only a part of the servers: 2/8, or auto',
    parse: shard,
  },
  serversAtOnce: rare(
    number('N', 'servers that are read at a time (8)', 1, 64),
  ),
  only: {
    value: 'GLOB',
    help: 'only integrations whose name or id matches',
    parse: glob,
  },
  base: {
    value: 'REF',
    help: 'git ref that this branch left, also with {server}',
  },
  report: {
    value: 'FORMAT[=FILE]',
    help: `${FORMATS.join(', ')}; repeatable`,
    parse: reportTarget,
    repeats: true,
    words: FORMATS,
  },
  exitCode: { help: 'exit with 2 if there are differences' },
  strict: { help: 'let warnings fail: exit with 3' },
  full: { help: 'show each change by itself, and values in full' },
  live: {
    value: 'FILE',
    help: 'a snapshot in place of the server, also with {server}',
  },
  yes: { short: '-y', help: 'do not ask' },
  allow: {
    ...oneOf(
      'RISK',
      'allow a risk of the plan, such as exposes-secret',
      RISK_NAMES,
    ),
    repeats: true,
  },
  allowChanges: number(
    'N',
    'let at most N integrations change, if over 30 %',
    1,
    1_000_000,
  ),
  writeHidden: {
    value: 'WHICH',
    help: 'write what the server hides: all, or ADDRESS,…',
    parse: commaSeparated,
    repeats: true,
  },
  failFast: rare({
    help: 'write nothing if one has errors; stop at a failure',
  }),
  keepGoing: rare({ help: 'go on with the next server after a failure' }),
  failOnErrors: { help: 'fail if integrations raise new errors' },
  verify: rare(number('SECONDS', 'read again until changes show (5)', 0, 3600)),
  unmanaged: { help: 'only integrations that no file declares' },
  status: { value: 'STATUS', help: 'only those with this status: stopped' },
  withErrors: { help: 'only those with integration errors' },
  all: { help: 'everything that differs' },
  since: {
    value: 'TIME',
    help: 'only since: 90m, 24h, 7d or an ISO 8601 time',
  },
  out: { value: 'PATH', help: 'where to write' },
  secretsFile: {
    value: 'FILE',
    help: 'variables for references and logins, in dotenv format',
    repeats: true,
  },
  separate: { help: 'a full copy, which shares nothing with other servers' },
  catalog: {
    value: 'DIR',
    help: "folder of integrations' configuration files (*.json)",
  },
  quiet: { short: '-q', help: 'no progress, no warnings' },
  verbose: { short: '-v', help: 'also requests and notes' },
  color: rare(oneOf('WHEN', COLORS.join(', '), COLORS)),
  hidesSecrets: rare({ help: 'the server shows every secret as empty' }),
  allowEnv: {
    value: 'GLOB',
    help: 'let ${env:} read names other than SETPOINT_*',
    parse: glob,
    repeats: true,
    isRare: true,
  },
  timeout: rare(
    number('SECONDS', 'limit for one request (30; PATCH 60)', 0.1, 3600),
  ),
  deadline: rare(number('SECONDS', 'limit for the run (1800)', 0.1, 86_400)),
  concurrency: rare(number('N', 'requests at a time (8)', 1, 64)),
  caFile: rare({
    value: 'FILE',
    help: 'PEM file of a certificate authority to trust',
  }),
  insecure: rare({ help: 'do not verify the certificate of the server' }),
  port: number('N', 'port to listen on (4010; 0 takes a free one)', 0, 65_535),
  data: { value: 'FILE', help: 'keep the state in a file, across restarts' },
  host: { value: 'ADDRESS', help: 'address to listen on (127.0.0.1)' },
  latency: number('MS', 'delay of each answer (0)', 0, 60_000),
  passwords: oneOf(
    'HOW',
    `how passwords read back: ${PASSWORDS.join(', ')}`,
    PASSWORDS,
  ),
  dialect: oneOf(
    'WHERE',
    `where option values are: ${DIALECTS.join(', ')}`,
    DIALECTS,
  ),
  stopped: {
    value: 'NAME,…',
    help: 'integrations that are not running',
    parse: commaSeparated,
    repeats: true,
  },
  upgrade: {
    value: 'NAME,…',
    help: 'integrations that get the id of their next version',
    parse: commaSeparated,
    repeats: true,
  },
  raiseErrors: { help: 'let integrations report an error after a change' },
} satisfies Readonly<Record<string, Flag>>;

type ValueOf<Shape> = Shape extends {
  parse: (text: string, flag: string) => infer Value;
}
  ? Value
  : Shape extends { value: string }
    ? string
    : true;

type AllOf<Value> = Value extends readonly (infer Item)[]
  ? readonly Item[]
  : readonly Value[];

/** The flags of a command line, as commander makes them. */
export type Options = {
  readonly [Name in keyof typeof FLAGS]?:
    | ((typeof FLAGS)[Name] extends { repeats: true }
        ? AllOf<ValueOf<(typeof FLAGS)[Name]>>
        : ValueOf<(typeof FLAGS)[Name]>)
    | undefined;
};

/**
 * Whether a text has `{server}`, and means another one for each server. Fails
 * if it has another word in braces; git has some of its own: `main@{1}`.
 */
export function isPerServer(text: string, flag: string): boolean {
  const [word] = /(?<![@^])\{(?!server\})[^{}]*\}/.exec(text) ?? [];
  if (word === undefined) return text.includes(SERVER);
  return failUsage(
    `${flag} does not know ${word}.`,
    `Only ${SERVER} stands for something: the name of each server.`,
  );
}

/** A flag, and how it is typed: `--ca-file`. */
export interface NamedFlag extends Flag {
  typed: string;
}

export function flagNamed(name: keyof Options): NamedFlag {
  const words = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { ...FLAGS[name], typed: `--${words}` };
}

import { FINDINGS } from '../core/findings/diagnostic.ts';
import type { Document } from '../core/plan/plan-document.ts';
import type { Options } from './flags.ts';
import type { CommandBody } from './run.ts';

export type CommandName = Exclude<Document['command'], 'setpoint'>;

/** A command; commander, help and completion are made from it. */
export interface CommandEntry<Name extends CommandName = CommandName> {
  summary: string;
  /** Its arguments as the help shows them: `<BASE> [HEAD]`. */
  arguments?: string;
  /** The words that complete its arguments. */
  words?: readonly string[];
  flags: readonly (keyof Options)[];
  examples: readonly string[];
  notes?: string;
  /** Whether it has reports in every format: pages, and formats for CI. */
  hasPages?: true;
  /** Loads what does its work, which has the name of the command. */
  load: () => Promise<Readonly<Record<Name, CommandBody>>>;
}

const REPORTING = ['report', 'quiet', 'verbose', 'color', 'deadline'] as const;
/** Those of a connection, whatever names its server. */
const CONNECTED = [
  'secretsFile',
  ...REPORTING,
  'timeout',
  'concurrency',
  'caFile',
  'insecure',
] as const;
const CONNECTING = ['url', 'server', ...CONNECTED] as const;
const COMPARING = [...CONNECTING, 'hidesSecrets', 'allowEnv'] as const;
const PLANNING = [
  'shard',
  'file',
  'only',
  'base',
  'writeHidden',
  'full',
  ...COMPARING,
] as const;

const WRITING = [
  'yes',
  'allow',
  'allowChanges',
  'failOnErrors',
  'failFast',
  'keepGoing',
  'verify',
] as const;

const AT = '--url http://localhost:4010';
const ON = `-f integrations.yaml ${AT}`;

const FOR_EACH =
  'In a ref, and in the path of a snapshot, {server} is the name of each server.';

/** Every command, in the order of the help. */
export const COMMANDS: {
  readonly [Name in CommandName]: CommandEntry<Name>;
} = {
  pull: {
    summary: 'Write a running server as YAML, in new files.',
    flags: ['out', 'only', 'separate', ...CONNECTING, 'hidesSecrets'],
    examples: [
      `pull ${AT} --out config`,
      `pull ${AT} --secrets-file production.env`,
    ],
    notes:
      'With --url, --server is the name that the server gets in setpoint.yaml.\nA second server gets an overlay, servers/NAME/, of what differs.\n--secrets-file is written: the secrets that the server shows (dotenv, 0600).',
    load: () => import('./commands/pull.ts'),
  },
  validate: {
    summary: 'Check configuration files offline.',
    arguments: '[FILE...]',
    flags: [
      'strict',
      'file',
      'server',
      'shard',
      'catalog',
      'live',
      'allowEnv',
      ...REPORTING,
    ],
    examples: ['validate integrations.yaml --catalog catalog'],
    hasPages: true,
    load: () => import('./commands/validate.ts'),
  },
  plan: {
    summary: 'Show what would change on a server. Never writes.',
    arguments: '[FILE...]',
    flags: [
      'exitCode',
      'strict',
      'live',
      'allow',
      'allowChanges',
      'serversAtOnce',
      ...PLANNING,
    ],
    examples: [`plan integrations.yaml ${AT}`],
    hasPages: true,
    load: () => import('./commands/plan.ts'),
  },
  apply: {
    summary: 'Change a server as planned, then read everything back.',
    arguments: '[PLAN.json]',
    flags: [...WRITING, ...PLANNING],
    examples: [`apply ${ON}`, `apply plan.json ${ON}`],
    hasPages: true,
    load: () => import('./commands/apply.ts'),
  },
  undo: {
    summary: 'Take an apply back, wherever what it wrote still stands.',
    arguments: '<REPORT.json>',
    flags: [...WRITING, 'only', 'full', ...CONNECTING, 'hidesSecrets'],
    examples: ['apply --yes --report json=applied.json', 'undo applied.json'],
    notes: 'It takes the report of an apply, or of an undo. It reads no YAML.',
    hasPages: true,
    load: () => import('./commands/undo.ts'),
  },
  merge: {
    summary: 'Make one report of those of all shards of a plan or an apply.',
    arguments: '<REPORT.json...>',
    flags: ['full', ...REPORTING],
    examples: ['merge shard-*.json --report json=plan.json'],
    notes: 'It exits as one run of all shards would have.',
    hasPages: true,
    load: () => import('./commands/merge.ts'),
  },
  accept: {
    summary: 'Take drift back into the YAML. Never writes to a server.',
    arguments: '[ADDRESS...]',
    flags: ['all', 'yes', 'file', 'only', 'base', ...COMPARING],
    examples: ['accept lookup.timeout', `accept --all ${ON}`],
    load: () => import('./commands/accept.ts'),
  },
  diff: {
    summary: 'Compare what two revisions declare, offline.',
    arguments: '<BASE> [HEAD]',
    flags: [
      'exitCode',
      'strict',
      'allow',
      'catalog',
      'file',
      'server',
      'full',
      ...REPORTING,
    ],
    examples: ['diff origin/main', 'diff v1.0 v1.1 --server production'],
    notes: FOR_EACH,
    hasPages: true,
    load: () => import('./commands/diff.ts'),
  },
  compare: {
    summary: 'Show in what two servers differ, managed or not.',
    arguments: '<A> <B>',
    flags: ['exitCode', 'only', 'full', ...CONNECTED, 'hidesSecrets'],
    examples: [
      'compare staging production',
      "compare friday.json production --only 'threat_*'",
    ],
    notes:
      'A and B are servers of setpoint.yaml, addresses (https://…) or files of setpoint\nsnapshot. What A holds stands before what B holds.',
    hasPages: true,
    load: () => import('./commands/compare.ts'),
  },
  show: {
    summary: 'Show options, where a field is declared, or a saved plan.',
    arguments: '<NAME|ADDRESS|PLAN.json>',
    flags: ['file', 'full', ...COMPARING],
    examples: [`show threatlookup ${ON}`, 'show plan.json'],
    hasPages: true,
    load: () => import('./commands/show.ts'),
  },
  list: {
    summary: 'List what is installed, and how much of it is managed.',
    flags: ['file', 'only', 'status', 'withErrors', 'unmanaged', ...CONNECTING],
    examples: [`list ${AT}`, `list ${ON} --unmanaged`],
    load: () => import('./commands/list.ts'),
  },
  errors: {
    summary: 'Show the integration errors of a server.',
    flags: ['file', 'only', 'since', ...CONNECTING],
    examples: [`errors ${AT} --since 24h`, `errors ${AT} --only 'threat_*'`],
    load: () => import('./commands/list.ts'),
  },
  snapshot: {
    summary: 'Write a server to a file without secrets, for plan --live.',
    flags: ['out', 'file', ...CONNECTING],
    examples: [
      `snapshot --out server.json ${AT}`,
      'plan --live server.json -f integrations.yaml',
    ],
    notes: FOR_EACH,
    load: () => import('./commands/snapshot.ts'),
  },
  explain: {
    summary: 'Say what a finding means and what to do.',
    arguments: '<CODE>',
    words: Object.keys(FINDINGS),
    flags: REPORTING,
    examples: ['explain unknown-option'],
    load: () => import('./commands/explain.ts'),
  },
  schema: {
    summary: 'Print the JSON Schema of the YAML, for editors.',
    flags: ['catalog', ...CONNECTING],
    examples: ['schema --catalog catalog'],
    notes:
      'With --catalog, --url or --server it has the real keys, types and choices.',
    load: () => import('./commands/schema.ts'),
  },
  sandbox: {
    summary: 'Run the service on this machine, for rehearsals.',
    flags: [
      'catalog',
      'data',
      'port',
      'host',
      'latency',
      'passwords',
      'dialect',
      'stopped',
      'upgrade',
      'raiseErrors',
    ],
    examples: ['sandbox --catalog catalog --passwords masked'],
    notes:
      'Users: admin, manager and user, each with its name as the password.',
    load: () => import('./commands/sandbox.ts'),
  },
  completion: {
    summary: 'Print the completion script of a shell.',
    arguments: '<SHELL>',
    words: ['bash', 'zsh', 'fish'],
    flags: [],
    examples: ['completion bash'],
    notes:
      'In ~/.bashrc or ~/.zshrc, after compinit: source <(setpoint completion bash)\nIn ~/.config/fish/config.fish: setpoint completion fish | source',
    load: () => import('./commands/completion.ts'),
  },
};

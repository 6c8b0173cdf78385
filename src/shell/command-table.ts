import { FINDINGS } from '../core/findings/diagnostic.ts';
import type { FlagName, OptionsOf } from './flags.ts';
import type { Runtime } from './runtime.ts';

/** A command; commander, help and completion are made from it. */
export interface Command {
  readonly summary: string;
  /** Its arguments as the help shows them: `<BASE> [HEAD]`. */
  readonly arguments?: string;
  /** The words that complete its first argument. */
  readonly words?: readonly string[];
  readonly flags: readonly FlagName[];
  readonly examples: readonly string[];
  /** Flags that --server cannot be combined with. */
  readonly excludedByServer?: readonly FlagName[];
  readonly notes?: string;
  /** Loads the command and runs it; returns the exit code. */
  readonly run: (args: readonly string[], options: OptionsOf<FlagName>, runtime: Runtime) => Promise<number>;
}

const REPORTING = ['report', 'quiet', 'verbose', 'color', 'deadline'] as const;
const CONNECTING = ['url', 'server', ...REPORTING, 'timeout', 'concurrency', 'caFile', 'insecure'] as const;
const PLANNING = [
  'file',
  'only',
  'base',
  'writeHidden',
  'full',
  ...CONNECTING,
  'hidesSecrets',
  'allowEnv',
] as const;

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  pull: {
    summary: 'Write a running server as YAML, in new files.',
    flags: ['out', 'only', 'secretsFile', ...CONNECTING],
    examples: [
      'setpoint pull --url http://localhost:4010 --out config',
      "setpoint pull --server staging --only 'threat_*' --secrets-file .env",
    ],
    excludedByServer: [],
    notes: 'With --url, --server is the name that the server gets in setpoint.yaml.',
    run: async (_, options, runtime) => (await import('./commands/pull.ts')).pull(options, runtime),
  },
  validate: {
    summary: 'Check configuration files offline.',
    arguments: '[FILE...]',
    flags: ['file', 'server', 'catalog', 'live', ...REPORTING],
    examples: [
      'setpoint validate integrations.yaml --catalog catalog',
      'setpoint validate --report json integrations.yaml',
    ],
    run: async (files, options, runtime) =>
      (await import('./commands/validate.ts')).validate(files, options, runtime),
  },
  plan: {
    summary: 'Show what would change on a server. Never writes.',
    arguments: '[FILE...]',
    flags: ['exitCode', 'strict', 'live', ...PLANNING],
    examples: [
      'setpoint plan integrations.yaml --url http://localhost:4010',
      'setpoint plan -f integrations.yaml --url http://localhost:4010 --exit-code',
    ],
    run: async (files, options, runtime) =>
      (await import('./commands/plan.ts')).plan(files, options, runtime),
  },
  apply: {
    summary: 'Change a server as planned, then read everything back.',
    arguments: '[PLAN.json]',
    flags: ['yes', 'allow', 'allowChanges', 'failOnErrors', 'failFast', 'keepGoing', 'verify', ...PLANNING],
    examples: [
      'setpoint apply -f integrations.yaml --url http://localhost:4010',
      'setpoint apply plan.json -f integrations.yaml --url http://localhost:4010',
    ],
    run: async ([path], options, runtime) =>
      (await import('./commands/apply.ts')).apply(path, options, runtime),
  },
  accept: {
    summary: 'Take drift back into the YAML. Never writes to a server.',
    arguments: '[ADDRESS...]',
    flags: ['all', 'yes', 'file', 'only', 'base', ...CONNECTING, 'hidesSecrets', 'allowEnv'],
    examples: [
      'setpoint accept lookup.timeout',
      'setpoint accept --all -f integrations.yaml --url http://localhost:4010',
    ],
    run: async (addresses, options, runtime) =>
      (await import('./commands/accept.ts')).accept(addresses, options, runtime),
  },
  diff: {
    summary: 'Compare what two revisions declare, offline.',
    arguments: '<BASE> [HEAD]',
    flags: ['exitCode', 'file', 'server', 'full', ...REPORTING],
    examples: ['setpoint diff origin/main', 'setpoint diff v1.0 v1.1 --server production'],
    run: async ([base = '', head], options, runtime) =>
      (await import('./commands/diff.ts')).diff(base, head, options, runtime),
  },
  show: {
    summary: 'Show options, where a field is declared, or a saved plan.',
    arguments: '<NAME|ADDRESS|PLAN.json>',
    flags: ['file', 'full', ...CONNECTING, 'hidesSecrets', 'allowEnv'],
    examples: [
      'setpoint show threatlookup -f integrations.yaml --url http://localhost:4010',
      'setpoint show plan.json',
    ],
    run: async ([word = ''], options, runtime) =>
      (await import('./commands/show.ts')).show(word, options, runtime),
  },
  list: {
    summary: 'List what is installed, and how much of it is managed.',
    flags: ['file', ...CONNECTING],
    examples: [
      'setpoint list --url http://localhost:4010',
      'setpoint list -f integrations.yaml --url http://localhost:4010 --report json',
    ],
    run: async (_, options, runtime) => (await import('./commands/list.ts')).list(options, runtime),
  },
  errors: {
    summary: 'Show the integration errors of a server.',
    flags: ['file', 'only', 'since', ...CONNECTING],
    examples: [
      'setpoint errors --url http://localhost:4010 --since 24h',
      "setpoint errors --url http://localhost:4010 --only 'threat_*'",
    ],
    run: async (_, options, runtime) => (await import('./commands/errors.ts')).errors(options, runtime),
  },
  snapshot: {
    summary: 'Write a server to a file without secrets, for plan --live.',
    flags: ['out', 'file', ...CONNECTING],
    examples: [
      'setpoint snapshot --out server.json --url http://localhost:4010',
      'setpoint plan --live server.json -f integrations.yaml',
    ],
    run: async (_, options, runtime) => (await import('./commands/snapshot.ts')).snapshot(options, runtime),
  },
  explain: {
    summary: 'Say what a finding means and what to do.',
    arguments: '[CODE]',
    words: Object.keys(FINDINGS),
    flags: [...REPORTING],
    examples: ['setpoint explain', 'setpoint explain unknown-option'],
    run: async ([code], options, runtime) =>
      (await import('./commands/explain.ts')).explain(code, options, runtime),
  },
  schema: {
    summary: 'Print the JSON Schema of the YAML, for editors.',
    flags: ['catalog', ...CONNECTING],
    examples: ['setpoint schema --catalog catalog', 'setpoint schema --url http://localhost:4010'],
    notes: 'With --catalog, --url or --server it has the real keys, types and choices.',
    run: async (_, options, runtime) => (await import('./commands/schema.ts')).schema(options, runtime),
  },
  sandbox: {
    summary: 'Run the service on this machine, for rehearsals.',
    flags: ['catalog', 'data', 'port', 'host', 'latency', 'passwords', 'dialect', 'stopped', 'raiseErrors'],
    examples: [
      'setpoint sandbox --port 4010',
      'setpoint sandbox --catalog catalog --port 0 --passwords masked',
    ],
    notes: 'Users: admin, manager and user, each with its name as the password.',
    run: async (_, options, runtime) => (await import('./commands/sandbox.ts')).sandbox(options, runtime),
  },
  completion: {
    summary: 'Print the completion script of a shell.',
    arguments: '<SHELL>',
    words: ['bash', 'zsh', 'fish'],
    flags: [],
    examples: ['setpoint completion bash', 'setpoint completion fish'],
    notes:
      'In ~/.bashrc or ~/.zshrc, after compinit: source <(setpoint completion bash)\nIn ~/.config/fish/config.fish: setpoint completion fish | source',
    run: async ([shell = ''], _, runtime) =>
      (await import('./commands/completion.ts')).completion(shell, runtime),
  },
};

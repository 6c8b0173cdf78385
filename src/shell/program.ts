import { parseArgs } from 'node:util';
import { count, didYouMean } from '../core/findings/words.ts';
import { present } from '../core/model/json.ts';
import { COMMANDS, type Command } from './command-table.ts';
import { failUsage, failWord } from './failure.ts';
import { flagNamed, type Options } from './flags.ts';
import { commandHelp, programHelp, usageOf } from './help.ts';
import { runCommand } from './run-command.ts';
import type { Runtime } from './runtime.ts';

/** Runs the command of a command line; returns its exit code. Throws a Failure for wrong usage. */
export async function runProgram(argv: readonly string[], runtime: Runtime): Promise<number> {
  const print = (text: string) => {
    runtime.stdout.write(text);
    return 0;
  };
  const [name = '--help', ...words] = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  if (name === '__complete') return print(completions(words).join(''));
  if (name === '--help' || name === '-h') return print(programHelp());
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined)
    return name.startsWith('-')
      ? failOption(name.replace(/=.*/s, ''), ['--help', '--version'], 'Usage: setpoint [COMMAND]')
      : failWord('Unknown command', name, Object.keys(COMMANDS), 'Commands');
  const line = parseLine(name, command, words);
  if (line === undefined) return print(commandHelp(name, command));
  const { options, args } = line;
  const kind = { command: name, hasPages: command.hasPages, isEndless: !command.flags.includes('deadline') };
  return runCommand({ ...kind, ...options }, runtime, async (run) =>
    (await command.load())(run, options, args),
  );
}

/** The flags and arguments of a command line; undefined if it asks for help. */
function parseLine(name: string, command: Command, words: readonly string[]) {
  const usage = usageOf(name, command);
  const flags = command.flags.map(flagNamed);
  const known = flags.map(({ typed, short, value }) => [
    typed.slice('--'.length),
    { type: value === undefined ? 'boolean' : 'string', ...present({ short: short?.slice(1) }) } as const,
  ]);
  const { tokens, positionals: args } = parseArgs({
    args: [...words],
    options: { ...Object.fromEntries(known), help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  });
  const values = new Map<string, unknown>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (token.name === 'help') return undefined;
    const flag = flags.find(({ typed }) => typed === `--${token.name}`);
    if (flag === undefined)
      return failOption(
        token.rawName,
        flags.map(({ typed }) => typed),
        usage,
      );
    values.set(flag.name, flagValue(flag, token.value, values.get(flag.name)));
  }
  checkArguments(name, command, args, usage);
  // What a flag's own parser has made is of its type.
  const options = Object.fromEntries(values) as Options;
  // A pull names its server with both.
  const other = (['url', 'file'] as const).find((each) => options[each] !== undefined);
  if (name !== 'pull' && options.server !== undefined && other !== undefined)
    failUsage(`--server cannot be combined with --${other}.`, usage);
  return { options, args };
}

/** The value of a flag, after the earlier ones if it repeats. */
function flagValue(flag: ReturnType<typeof flagNamed>, text: string | undefined, earlier: unknown): unknown {
  const { typed, term, value, parse, repeats } = flag;
  if (value === undefined) return text === undefined ? true : failUsage(`${typed} takes no value.`);
  if (text === undefined) return failUsage(`Option ${term} argument missing.`);
  if (text === '') failUsage(`${typed} has an empty value.`);
  const parsed = parse === undefined ? text : parse(text, typed);
  return repeats === true ? [earlier ?? [], parsed].flat() : parsed;
}

/** Refuses arguments that a command lacks, or does not take. */
function checkArguments(
  name: string,
  { arguments: named = [] }: Command,
  args: readonly string[],
  usage: string,
) {
  const missing = named[args.length];
  if (missing?.startsWith('<')) failUsage(`Missing required argument ${missing.slice(1, -1)}.`, usage);
  if (args.length <= named.length || named.at(-1)?.endsWith('...]')) return;
  const expected = count(named.length, 'argument');
  failUsage(`Too many arguments for ${name}. Expected ${expected} but got ${args.length}.`, usage);
}

/** Fails with a flag that is not known. It is repeated only if it is plain: it may hold a secret. */
function failOption(typed: string, known: readonly string[], usage: string): never {
  const isPlain = /^(--[a-z-]{1,24}|-[a-z])$/i.test(typed);
  const near = isPlain ? didYouMean(typed, known) : undefined;
  return failUsage(`Unknown option${isPlain ? ` ${typed}` : ''}.`, near ?? usage);
}

/** The words that can complete a command line, each in a line; the last word is the one being typed. */
function completions(words: readonly string[]): string[] {
  const typed = words.at(-1) ?? '';
  const fitting = candidates(words, typed).filter((each) => each.startsWith(typed));
  return fitting.map((each) => `${each}\n`);
}

function candidates(words: readonly string[], typed: string): readonly string[] {
  const [name = ''] = words;
  if (words.length < 2) return [...Object.keys(COMMANDS), 'help', '--help', '--version'];
  if (name === 'help') return Object.keys(COMMANDS);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return [];
  const flags = command.flags.map(flagNamed);
  if (typed.startsWith('-')) return [...flags.map((flag) => flag.typed), '--help'];
  const before = words.at(-2);
  const flag = flags.find(
    (each) => each.value !== undefined && (before === each.typed || before === each.short),
  );
  return (flag === undefined ? command.words : flag.words) ?? [];
}

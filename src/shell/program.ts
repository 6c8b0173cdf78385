import { Command, CommanderError, Option } from 'commander';
import { VERSION } from '../core/model/version.ts';
import type { Origin } from '../core/report/document.ts';
import { COMMANDS, type CommandName } from './command-table.ts';
import { failUsage, failWord } from './failure.ts';
import {
  flagNamed,
  type NamedFlag,
  type Options,
  type ReportTarget,
} from './flags.ts';
import type { Run } from './run.ts';
import { runCommand } from './run-command.ts';
import type { Runtime, Sink } from './runtime.ts';

function isCommand(word: string): word is CommandName {
  return Object.hasOwn(COMMANDS, word);
}

const NAMES = Object.keys(COMMANDS).filter(isCommand);

/**
 * Runs setpoint with the arguments after its name and returns the exit code.
 * Never throws, never ends the process.
 */
export async function main(
  argv: readonly string[],
  runtime: Runtime,
): Promise<number> {
  try {
    return await runProgram(argv, runtime);
  } catch (thrown) {
    const [word = ''] = argv;
    const command = isCommand(word) ? word : 'setpoint';
    // A command line that is not understood still gets the JSON that it asks
    // for.
    const wantsJson = /(^|\n)--report[=\n]json(=-)?(\n|$)/.test(
      argv.join('\n'),
    );
    const report: ReportTarget[] = wantsJson ? [{ format: 'json' }] : [];
    return runCommand({ command, report }, runtime, () => {
      throw thrown;
    });
  }
}

/**
 * Runs the command of a command line; returns its exit code. Throws a Failure
 * for wrong usage.
 */
async function runProgram(
  argv: readonly string[],
  runtime: Runtime,
): Promise<number> {
  const [first, ...rest] = argv;
  if (first === '__complete') {
    complete(rest, runtime.stdout);
    return 0;
  }
  const words = first === 'help' ? [...rest, '--help'] : [...argv];
  if (words.length === 0) words.push('--help');
  const [name = ''] = words;
  if (!name.startsWith('-') && !isCommand(name)) {
    failWord('Unknown command', name, NAMES, 'Commands');
  }
  const ended = { code: 0 };
  const program = makeProgram(name, runtime, ended);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) failLine(thrown, usageOf(program));
  }
  return ended.code;
}

/**
 * Prints the words that complete a command line, each in a line; the last one
 * is being typed.
 */
function complete(words: readonly string[], stdout: Sink): void {
  const typed = words.at(-1) ?? '';
  for (const word of candidates(words, typed)) {
    if (word.startsWith(typed)) stdout.write(`${word}\n`);
  }
}

/**
 * Returns the words that can stand in the place of the last one of a command
 * line.
 */
function candidates(
  words: readonly string[],
  typed: string,
): readonly string[] {
  const [name = ''] = words;
  if (words.length < 2) return [...NAMES, 'help', '--help', '--version'];
  if (name === 'help') return NAMES;
  if (!isCommand(name)) return [];
  const command = COMMANDS[name];
  const flags = command.flags.map(flagNamed);
  if (typed.startsWith('-')) {
    return [...flags.map((flag) => flag.typed), '--help'];
  }
  const before = words.at(-2);
  const flag = flags.find(
    ({ value, typed: long, short }) =>
      value !== undefined && (before === long || before === short),
  );
  return (flag === undefined ? command.words : flag.words) ?? [];
}

/**
 * Makes the program; with the one command of that name, as making all takes
 * milliseconds.
 */
function makeProgram(
  name: string,
  runtime: Runtime,
  ended: { code: number },
): Command {
  const program = new Command('setpoint')
    .description('Keeps the configuration of installed integrations as code.')
    .version(VERSION)
    .helpCommand('help [COMMAND]', 'show the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: runtime.stdout.write,
      writeErr: () => {},
    })
    .configureHelp({
      helpWidth: 80,
      subcommandTerm: (command) => command.name(),
    })
    .addHelpText('after', HELP);
  const names = isCommand(name) ? [name] : NAMES;
  for (const commandName of names) {
    const command = makeCommand(commandName, runtime, ended);
    program.addCommand(command.copyInheritedSettings(program));
  }
  return program;
}

function makeCommand<Name extends CommandName>(
  name: Name,
  runtime: Runtime,
  ended: { code: number },
): Command {
  const entry = COMMANDS[name];
  const { summary, flags, examples, notes, load, hasPages } = entry;
  const command = new Command(name).description(summary);
  for (const argument of entry.arguments?.split(' ') ?? []) {
    command.argument(argument);
  }
  for (const flag of flags) command.addOption(makeOption(flag, name));
  const shownNotes = notes === undefined ? '' : `\n${notes}\n`;
  const lines = examples.map((line) => `  setpoint ${line}`).join('\n');
  command.addHelpText('after', `${shownNotes}\nExamples:\n${lines}`);
  const isEndless = !flags.includes('deadline');
  return command.action(async () => {
    const given: Options = command.opts();
    const file = [...command.args, ...(given.file ?? [])];
    const isOfFiles = entry.arguments === '[FILE...]';
    const options = isOfFiles ? { ...given, file } : given;
    // biome-ignore lint/style/noParameterAssign: commander returns no exit code
    ended.code = await runCommand(
      { ...options, command: name, hasPages, isEndless, findOrigin },
      runtime,
      async (run) => {
        const { [name]: body } = await load();
        return body(run, command.args);
      },
    );
  });
}

/** Asks git where the files of a run come from; few runs need to know. */
async function findOrigin(run: Run): Promise<Origin> {
  const { readOrigin } = await import('./sources/commit.ts');
  return readOrigin(run);
}

function makeOption(name: keyof Options, command: CommandName): Option {
  const flag = flagNamed(name);
  const { hasPages = false } = COMMANDS[command];
  const isListReport = name === 'report' && !hasPages;
  const help = isListReport ? 'text or json; repeatable' : flag.help;
  const short = flag.short === undefined ? '' : `${flag.short}, `;
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  const option = new Option(`${short}${flag.typed}${value}`, help);
  // A pull names its server with both.
  if (name === 'server' && command !== 'pull') {
    option.conflicts(['url', 'file']);
  }
  if (flag.value !== undefined) {
    option.argParser<unknown>((text, earlier) => parsed(flag, text, earlier));
  }
  return flag.isRare ? option.helpGroup('Rare options:') : option;
}

/**
 * Parses the value of a flag, and adds it to the earlier ones of a flag that
 * repeats.
 */
function parsed(flag: NamedFlag, text: string, earlier: unknown): unknown {
  const { typed, parse, repeats } = flag;
  if (text === '') failUsage(`${typed} has an empty value.`);
  const value = parse === undefined ? text : parse(text, typed);
  return repeats === true ? [earlier ?? [], value].flat() : value;
}

/** Returns the usage of the one command of a program, or of the program. */
function usageOf(program: Command): string {
  const [command, ...others] = program.commands;
  const usage =
    command === undefined || others.length > 0
      ? '[COMMAND]'
      : `${command.name()} ${command.usage()}`;
  return `Usage: setpoint ${usage}`;
}

/**
 * Fails with what commander found. An option that was typed is repeated only if
 * it is plain: it may hold a secret.
 */
function failLine({ message }: CommanderError, usage: string): never {
  const [, typed] = /^error: unknown option '([^=]*).*'/s.exec(message) ?? [];
  if (typed === undefined) {
    const problem = message
      .replace('error: ', '')
      .replaceAll("'", '')
      .replace(/\.$/, '');
    const capital = problem.charAt(0).toUpperCase();
    return failUsage(`${capital}${problem.slice(1)}.`, usage);
  }
  const isPlain = /^(--[a-z-]{1,24}|-[a-z])$/i.test(typed);
  if (!isPlain) return failUsage('Unknown option.', usage);
  const [, near] = /\((Did you mean [^()]*\?)\)$/.exec(message) ?? [];
  return failUsage(`Unknown option ${typed}.`, near ?? usage);
}

const HELP = `
Examples:
  setpoint sandbox --port 4010
  setpoint plan -f integrations.yaml --url http://localhost:4010

Credentials: SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or
SETPOINT_PASSWORD_FILE; for one server of setpoint.yaml, first
SETPOINT_SERVER_<NAME>_TOKEN and so on. SETPOINT_URL stands for --url.

Exit codes: 0 done, 1 failure, 2 differences (--exit-code), 3 configuration or
usage, 4 login or permission, 5 apply incomplete, 6 refused by a guard.`;

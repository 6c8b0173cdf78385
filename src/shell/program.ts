import { Command, CommanderError, Option } from 'commander';
import { VERSION } from '../core/model/version.ts';
import { COMMANDS } from './command-table.ts';
import { failUsage, failWord } from './failure.ts';
import { flagNamed, type Options } from './flags.ts';
import { runCommand } from './run-command.ts';
import type { Runtime } from './runtime.ts';

type Name = keyof typeof COMMANDS;
type Entry = (typeof COMMANDS)[Name];

function isCommand(word: string): word is Name {
  return Object.hasOwn(COMMANDS, word);
}

/** Runs setpoint with the arguments after its name and returns the exit code. Never throws, never ends the process. */
export async function main(
  argv: readonly string[],
  runtime: Runtime,
): Promise<number> {
  try {
    return await runProgram(argv, runtime);
  } catch (thrown) {
    // A command line that is not understood still gets the JSON that it asks for.
    const wantsJson = /(^|\n)--report[=\n]json(=-)?(\n|$)/.test(
      argv.join('\n'),
    );
    const report = wantsJson ? [{ format: 'json' as const }] : [];
    const [word = ''] = argv;
    return runCommand(
      { command: isCommand(word) ? word : 'setpoint', report },
      runtime,
      () => {
        throw thrown;
      },
    );
  }
}

/** Runs the command of a command line; returns its exit code. Throws a Failure for wrong usage. */
async function runProgram(
  argv: readonly string[],
  runtime: Runtime,
): Promise<number> {
  if (argv[0] === '__complete') {
    // Each in a line; the last word is the one being typed.
    const typed = argv.at(-1) ?? '';
    const fitting = candidates(argv.slice(1), typed).filter((each) =>
      each.startsWith(typed),
    );
    runtime.stdout.write(fitting.map((each) => `${each}\n`).join(''));
    return 0;
  }
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const [name = '--help'] = words;
  if (!name.startsWith('-') && !isCommand(name))
    failWord('Unknown command', name, Object.keys(COMMANDS), 'Commands');
  const ended = { code: 0 };
  const program = makeProgram(name, runtime, ended);
  try {
    await program.parseAsync(words.length === 0 ? [name] : [...words], {
      from: 'user',
    });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    const [command] = program.commands.length === 1 ? program.commands : [];
    const usage =
      command === undefined
        ? '[COMMAND]'
        : `${command.name()} ${command.usage()}`;
    if (thrown.exitCode !== 0) failLine(thrown, `Usage: setpoint ${usage}`);
  }
  return ended.code;
}

/** The program; with the one command of that name, as making all takes milliseconds. */
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
      getOutHelpWidth: () => 80,
    })
    .configureHelp({
      helpWidth: 80,
      subcommandTerm: (command) => command.name(),
    })
    .addHelpText('after', HELP);
  for (const each of isCommand(name)
    ? [name]
    : Object.keys(COMMANDS).filter(isCommand))
    program.addCommand(
      makeCommand(each, runtime, ended).copyInheritedSettings(program),
    );
  return program;
}

function makeCommand(
  name: Name,
  runtime: Runtime,
  ended: { code: number },
): Command {
  const entry = COMMANDS[name];
  const { summary, flags, examples, notes, load, hasPages } = entry;
  const command = new Command(name).description(summary);
  for (const each of entry.arguments?.split(' ') ?? []) command.argument(each);
  for (const each of flags) command.addOption(makeOption(each, name, entry));
  const lines = examples.map((line) => `  setpoint ${line}`).join('\n');
  return command
    .addHelpText(
      'after',
      `${notes === undefined ? '' : `\n${notes}\n`}\nExamples:\n${lines}`,
    )
    .action(async () => {
      const options: Options = command.opts();
      const kind = {
        command: name,
        hasPages,
        isEndless: !flags.includes('deadline'),
      };
      ended.code = await runCommand(
        { ...kind, ...options },
        runtime,
        async (run) => (await load())(run, options, command.args),
      );
    });
}

function makeOption(
  name: Entry['flags'][number],
  command: string,
  { hasPages }: Entry,
): Option {
  const { typed, short, value, help, parse, repeats, isRare } = flagNamed(name);
  const term = `${short === undefined ? '' : `${short}, `}${typed}${value === undefined ? '' : ` <${value}>`}`;
  const shown =
    name === 'report' && hasPages === undefined
      ? 'text or json; repeatable'
      : help;
  const option = new Option(term, shown);
  // A pull names its server with both.
  if (name === 'server' && command !== 'pull')
    option.conflicts(['url', 'file']);
  if (value !== undefined)
    option.argParser<unknown>((text, earlier) => {
      if (text === '') failUsage(`${typed} has an empty value.`);
      const parsed = parse === undefined ? text : parse(text, typed);
      return repeats === true ? [earlier ?? [], parsed].flat() : parsed;
    });
  return isRare ? option.helpGroup('Rare options:') : option;
}

/** The words that can stand in the place of the last one of a command line. */
function candidates(
  words: readonly string[],
  typed: string,
): readonly string[] {
  const [name = ''] = words;
  if (words.length < 2)
    return [...Object.keys(COMMANDS), 'help', '--help', '--version'];
  if (name === 'help') return Object.keys(COMMANDS);
  if (!isCommand(name)) return [];
  const command = COMMANDS[name];
  const flags = command.flags.map(flagNamed);
  if (typed.startsWith('-'))
    return [...flags.map((flag) => flag.typed), '--help'];
  const before = words.at(-2);
  const flag = flags.find(
    (each) =>
      each.value !== undefined &&
      (before === each.typed || before === each.short),
  );
  return (flag === undefined ? command.words : flag.words) ?? [];
}

/** Fails with what commander found. An option that was typed is repeated only if it is plain: it may hold a secret. */
function failLine({ message }: CommanderError, usage: string): never {
  const [, typed] = /^error: unknown option '([^=]*).*'/s.exec(message) ?? [];
  if (typed === undefined) {
    const found = message
      .replace('error: ', '')
      .replaceAll("'", '')
      .replace(/\.$/, '');
    return failUsage(
      `${found.charAt(0).toUpperCase()}${found.slice(1)}.`,
      usage,
    );
  }
  const isPlain = /^(--[a-z-]{1,24}|-[a-z])$/i.test(typed);
  const [, near] = /\((Did you mean [^()]*\?)\)$/.exec(message) ?? [];
  return failUsage(
    `Unknown option${isPlain ? ` ${typed}` : ''}.`,
    isPlain && near !== undefined ? near : usage,
  );
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

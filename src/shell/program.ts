import { Command, CommanderError, Option } from 'commander';
import { VERSION } from '../core/model/version.ts';
import { COMMANDS, type Command as Entry } from './command-table.ts';
import { fail } from './failure.ts';
import { FLAGS, type Flag, type FlagName, spelling } from './flags.ts';
import { checkArrived } from './prepared.ts';
import { hasPages } from './report-target.ts';
import type { Runtime } from './runtime.ts';
import { usageProblem } from './usage.ts';

/** Parses the command line and hands over to the command; returns its exit code. Throws a Failure for wrong usage. */
export async function runProgram(argv: readonly string[], runtime: Runtime): Promise<number> {
  const result = { code: 0 };
  const program = makeProgram(argv[0], runtime, (code) => {
    result.code = code;
  });
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) fail(usageProblem(thrown, argv, program));
    await checkArrived(runtime.stdout);
  }
  return result.code;
}

/** The program; with the one command of that name, as making all takes milliseconds. */
function makeProgram(name: string | undefined, runtime: Runtime, done: (code: number) => void): Command {
  const program = new Command('setpoint')
    .description('Keeps the configuration of installed integrations as code.')
    .version(VERSION)
    .helpCommand('help [COMMAND]', 'show the help of a command')
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: runtime.stdout.write, writeErr: () => {}, getOutHelpWidth: () => 80 })
    .configureHelp({
      helpWidth: 80,
      subcommandTerm: (command) => command.name(),
    })
    .addHelpText('after', HELP);
  const all = Object.entries(COMMANDS);
  const named = all.filter(([each]) => each === name);
  for (const [each, entry] of named.length > 0 ? named : all)
    program.addCommand(makeCommand(each, entry, runtime, done).copyInheritedSettings(program));
  return program;
}

function makeCommand(name: string, entry: Entry, runtime: Runtime, done: (code: number) => void): Command {
  const command = new Command(name).description(entry.summary);
  for (const each of entry.arguments?.split(' ') ?? []) command.argument(each);
  for (const each of entry.flags) command.addOption(makeOption(each, name, entry.excludedByServer));
  const examples = entry.examples.map((line) => `  ${line}`).join('\n');
  const notes = entry.notes === undefined ? '' : `\n${entry.notes}\n`;
  return command
    .addHelpText('after', `${notes}\nExamples:\n${examples}`)
    .action(async () => done(await entry.run(command.args, command.opts(), runtime)));
}

function makeOption(
  name: FlagName,
  command: string,
  excluded: readonly FlagName[] = ['url', 'file'],
): Option {
  const { short, value, help, parse, isRare }: Flag = FLAGS[name];
  const typed = `${short === undefined ? '' : `${short}, `}${spelling(name)}${value === undefined ? '' : ` <${value}>`}`;
  const option = new Option(
    typed,
    name === 'report' && !hasPages(command) ? 'text or json; repeatable' : help,
  );
  if (name === 'server') option.conflicts([...excluded]);
  // Each parser takes what it returned for the flag before.
  if (parse !== undefined) option.argParser(parse as (text: string, all: unknown) => unknown);
  return isRare === true ? option.helpGroup('Rare options:') : option;
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

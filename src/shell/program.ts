import { Command, CommanderError } from '@commander-js/extra-typings';
import { VERSION } from '../core/model/version.ts';
import { COMMANDS } from './command-line.ts';
import { fail } from './failure.ts';
import { type Done, examples } from './flags.ts';
import { checkArrived } from './prepared.ts';
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

function makeProgram(name: string | undefined, runtime: Runtime, done: Done) {
  const program = new Command('setpoint')
    .description('Keeps the configuration of installed integrations as code.')
    .version(VERSION)
    .helpCommand('help [COMMAND]', 'show the help of a command')
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: runtime.stdout.write, writeErr: () => {}, getOutHelpWidth: () => 80 })
    .configureHelp({ helpWidth: 80, subcommandTerm })
    .addHelpText('after', HELP);
  for (const command of commandsFor(name))
    program.addCommand(command(runtime, done).copyInheritedSettings(program));
  return program;
}

/** A command with its arguments: that each takes options goes without saying. */
function subcommandTerm(command: { readonly name: () => string; readonly usage: () => string }): string {
  return `${command.name()} ${command.usage().replace(/^\[options\] ?/, '')}`.trimEnd();
}

/** The command of that name, as making all takes milliseconds; all where the name is none, for help and advice. */
function commandsFor(name: string | undefined) {
  const [only] = Object.entries(COMMANDS).filter(([each]) => each === name);
  return only === undefined ? Object.values(COMMANDS) : [only[1]];
}

const HELP = `${examples(
  'setpoint sandbox --port 4010',
  'setpoint plan -f integrations.yaml --url http://localhost:4010',
)}

Credentials: SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or
SETPOINT_PASSWORD_FILE; for one server of setpoint.yaml, SETPOINT_<NAME>_TOKEN
if plan and apply log in differently, or by password.

Exit codes: 0 done, 1 failure, 2 differences (--exit-code), 3 configuration or
usage, 4 login or permission, 5 apply incomplete, 6 refused by a guard.`;

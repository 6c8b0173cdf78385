import { Command, CommanderError, Option } from '@commander-js/extra-typings';
import { nearNames } from '../core/catalogue.ts';
import { diagnostic } from '../core/diagnostic.ts';
import { ACCEPTABLE_RISKS } from '../core/plan/risk.ts';
import { fail } from './failure.ts';
import type { Runtime } from './runtime.ts';
import { VERSION } from './version.ts';

/** Parses the command line and hands over to the command; gives its exit code. Throws a Failure for wrong usage. */
export async function runProgram(argv: readonly string[], runtime: Runtime): Promise<number> {
  const result = { code: 0 };
  const program = makeProgram(runtime, (code) => {
    result.code = code;
  });
  try {
    await program.parseAsync(argv.length === 0 ? ['--help'] : [...argv], { from: 'user' });
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode !== 0) fail(usageProblem(thrown, argv, program));
  }
  return result.code;
}

type Done = (code: number) => void;

function makeProgram(runtime: Runtime, done: Done) {
  const program = new Command('setpoint')
    .description('Keeps the configuration of installed integrations as code.')
    .version(VERSION)
    .helpCommand(false)
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: runtime.stdout.write, writeErr: () => {}, getOutHelpWidth: () => 80 })
    .configureHelp({ helpWidth: 80 })
    .addHelpText(
      'after',
      examples(
        'setpoint validate integrations.yaml',
        'setpoint plan -f integrations.yaml --url https://integrations.example.com',
      ),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 failure, 2 differences (--exit-code), 3 wrong configuration\nor usage, 4 login or permission, 5 apply incomplete, 6 refused by a guard.',
    );
  for (const command of [validate, plan, apply, list, errors, sandbox])
    program.addCommand(command(runtime, done).copyInheritedSettings(program));
  return program;
}

function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

const collect = (value: string, all: string[] | undefined) => [...(all ?? []), value];

/** A positive number within limits; the text that was given is not repeated, it may be a misplaced secret. */
function number(name: string, least: number, most: number) {
  return (value: string): number => {
    const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (parsed >= least && parsed <= most) return parsed;
    return fail(diagnostic('usage', { problem: `The ${name} takes a number from ${least} to ${most}.` }));
  };
}

function reporting(name: string, description: string) {
  return new Command(name)
    .description(description)
    .option('--report <FORMAT[=FILE]>', 'text or json, to stdout or a file; repeatable', collect)
    .addOption(new Option('--color <WHEN>', 'colours').choices(['auto', 'always', 'never'] as const))
    .option('-q, --quiet', 'no progress, no warnings')
    .option('-v, --verbose', 'also requests and notes');
}

function connecting(name: string, description: string) {
  return reporting(name, description)
    .option('--url <URL>', 'address of the server')
    .option('--timeout <SECONDS>', 'for one request (30; PATCH 60)', number('--timeout', 0.1, 3600))
    .option('--deadline <SECONDS>', 'for the run (1800)', number('--deadline', 0.1, 86_400))
    .option('--concurrency <N>', 'requests side by side (8)', number('--concurrency', 1, 64))
    .option('--ca-file <FILE>', 'PEM file of a certificate authority to trust')
    .option('--insecure', 'do not verify the certificate of the server');
}

const FILE_OPTION = ['-f, --file <PATH>', 'configuration file or folder; later ones override'] as const;

function planning(name: string, description: string) {
  return connecting(name, description)
    .option(...FILE_OPTION, collect)
    .option('--only <GLOB>', 'only integrations whose name or id matches')
    .option('--allow-env <GLOB>', 'let ${env:} read other names than SETPOINT_*', collect);
}

function validate(runtime: Runtime, done: Done) {
  return reporting('validate', 'Check configuration files offline.')
    .argument('[FILE...]', 'files or folders')
    .option(...FILE_OPTION, collect)
    .addHelpText(
      'after',
      examples('setpoint validate integrations.yaml', 'setpoint validate --report json config/'),
    )
    .action(async (paths, options) => {
      const command = await import('./commands/validate.ts');
      done(await command.validate(paths, options, runtime));
    });
}

function plan(runtime: Runtime, done: Done) {
  return planning('plan', 'Show how a server differs from its configuration. Never writes.')
    .option('--exit-code', 'exit with 2 if there are differences')
    .option('--show-requests', 'also show the requests that an apply would send')
    .addHelpText(
      'after',
      examples(
        'setpoint plan -f integrations.yaml --url https://integrations.example.com',
        "setpoint plan -f config/ --url http://localhost:4010 --only 'virus*' --exit-code",
      ),
    )
    .action(async (options) => {
      const command = await import('./commands/plan.ts');
      done(await command.plan(options, runtime));
    });
}

function apply(runtime: Runtime, done: Done) {
  return planning('apply', 'Make a server as its configuration says, and verify it.')
    .option('-y, --yes', 'do not ask')
    .option('--accept <RISK>', `accept a risk: ${ACCEPTABLE_RISKS.join(', ')}`, acceptRisk)
    .option('--fail-fast', 'start nothing new after a failure')
    .addHelpText(
      'after',
      examples(
        'setpoint apply -f integrations.yaml --url https://integrations.example.com',
        'setpoint apply -f config/ --url http://localhost:4010 --yes --report json=applied.json',
      ),
    )
    .action(async (options) => {
      const command = await import('./commands/apply.ts');
      done(await command.apply(options, runtime));
    });
}

function acceptRisk(value: string, all: string[] | undefined): string[] {
  if (ACCEPTABLE_RISKS.includes(value)) return collect(value, all);
  return fail(
    diagnostic('usage', {
      problem: 'This risk is not known to --accept.',
      hint: `Risks: ${ACCEPTABLE_RISKS.join(', ')}`,
    }),
  );
}

function list(runtime: Runtime, done: Done) {
  return connecting('list', 'List the installed integrations; with -f also how much of them is managed.')
    .option(...FILE_OPTION, collect)
    .addHelpText(
      'after',
      examples(
        'setpoint list --url https://integrations.example.com',
        'setpoint list -f integrations.yaml --url http://localhost:4010 --report json',
      ),
    )
    .action(async (options) => {
      const command = await import('./commands/list.ts');
      done(await command.list(options, runtime));
    });
}

function errors(runtime: Runtime, done: Done) {
  return connecting('errors', 'Show the integration errors that the server holds.')
    .option('--integration <GLOB>', 'only integrations whose id matches')
    .option('--since <TIME>', 'only those that occurred since: 90m, 24h, 7d or an ISO 8601 time')
    .addHelpText(
      'after',
      examples(
        'setpoint errors --url https://integrations.example.com --since 24h',
        "setpoint errors --url http://localhost:4010 --integration 'virustotal_*'",
      ),
    )
    .action(async (options) => {
      const command = await import('./commands/errors.ts');
      done(await command.errors(options, runtime));
    });
}

function sandbox(runtime: Runtime, done: Done) {
  return new Command('sandbox')
    .description(
      'Run the whole service on this machine, to rehearse against. Users: admin, manager and user, each with its name as the password.',
    )
    .option('--catalog <DIR>', "folder of integrations' configuration files (*.json)")
    .option('--port <N>', 'port to listen on (4010; 0 takes a free one)', number('--port', 0, 65_535))
    .addHelpText(
      'after',
      examples(
        'setpoint sandbox --catalog examples/catalog',
        'setpoint sandbox --catalog examples/catalog --port 0',
      ),
    )
    .action(async (options) => {
      const command = await import('./commands/sandbox.ts');
      done(await command.sandbox(options, runtime));
    });
}

/** Own words for what commander found: its own can repeat a value that was meant to be secret. */
function usageProblem(thrown: CommanderError, argv: readonly string[], program: Command) {
  const name = argv.find((argument) => !argument.startsWith('-'));
  const command = program.commands.find((each) => each.name() === name);
  const help = `See setpoint ${command === undefined ? '' : `${command.name()} `}--help.`;
  switch (thrown.code) {
    case 'commander.unknownOption':
      return diagnostic('usage', unknownOption(argv, command ?? program, help));
    case 'commander.unknownCommand': {
      const [near] = nearNames(
        name ?? '',
        program.commands.map((each) => each.name()),
      );
      return diagnostic('usage', {
        problem: 'There is no such command.',
        hint: near === undefined ? help : `Did you mean setpoint ${near}?`,
      });
    }
    case 'commander.optionMissingArgument':
      return diagnostic('usage', { problem: 'An option lacks its value.', hint: help });
    case 'commander.invalidArgument':
      return diagnostic('usage', { problem: 'An option has a value that it does not take.', hint: help });
    default:
      return diagnostic('usage', { problem: 'The arguments do not fit the command.', hint: help });
  }
}

function unknownOption(
  argv: readonly string[],
  command: {
    readonly options: readonly { readonly long?: string | undefined; readonly short?: string | undefined }[];
  },
  help: string,
) {
  const known = command.options.flatMap(({ long, short }) =>
    [long, short].filter((flag) => flag !== undefined),
  );
  const flags = argv
    .filter((argument) => argument.startsWith('-'))
    .map((argument) => argument.replace(/=.*$/s, ''));
  const unknown = flags.find((flag) => !known.includes(flag) && flag !== '--help' && flag !== '-h');
  const [near] = nearNames(unknown ?? '', known);
  const shown = unknown !== undefined && /^--?[A-Za-z-]{1,24}$/.test(unknown) ? ` ${unknown}` : '';
  return { problem: `Unknown option${shown}.`, hint: near === undefined ? help : `Did you mean ${near}?` };
}

import { Command, CommanderError } from '@commander-js/extra-typings';
import { diagnostic } from '../core/findings/diagnostic.ts';
import { isRisk, RISK_NAMES } from '../core/plan/risk.ts';
import { fail, failWord } from './failure.ts';
import {
  CATALOG_OPTION,
  connecting,
  examples,
  FILE_OPTION,
  FULL_OPTION,
  number,
  planning,
  reporting,
  SERVER_OPTION,
  several,
  someGlob,
  someText,
} from './flags.ts';
import type { Runtime } from './runtime.ts';
import { usageProblem } from './usage.ts';
import { VERSION } from './version.ts';

/** Parses the command line and hands over to the command; returns its exit code. Throws a Failure for wrong usage. */
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
    const lost = await runtime.stdout.lost();
    if (lost?.isReaderGone === false) fail(diagnostic('report-unwritable', { reason: lost.reason }));
  }
  return result.code;
}

type Done = (code: number) => void;

function makeProgram(runtime: Runtime, done: Done) {
  const program = new Command('setpoint')
    .description('Keeps the configuration of installed integrations as code.')
    .version(VERSION)
    .helpCommand('help [COMMAND]', 'show the help of a command')
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({ writeOut: runtime.stdout.write, writeErr: () => {}, getOutHelpWidth: () => 80 })
    .configureHelp({ helpWidth: 80 })
    .addHelpText('after', HELP);
  for (const command of [validate, plan, apply, show, list, errors, schema, sandbox])
    program.addCommand(command(runtime, done).copyInheritedSettings(program));
  return program;
}

const HELP = `${examples(
  'setpoint sandbox --port 4010',
  'setpoint plan -f examples/minimal --url http://localhost:4010',
)}

Credentials: SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or
SETPOINT_PASSWORD_FILE; for one server of setpoint.yaml, SETPOINT_<NAME>_TOKEN
and so on. Set SETPOINT_FINGERPRINT_KEY (16 characters or more) for saved plans
if plan and apply log in differently, or by password.

Exit codes: 0 done, 1 failure, 2 differences (--exit-code), 3 configuration or
usage, 4 login or permission, 5 apply incomplete, 6 refused by a guard.`;

function validate(runtime: Runtime, done: Done) {
  return reporting(
    'validate',
    'Check configuration files offline.',
    'setpoint validate examples/minimal --catalog examples/catalog',
    'setpoint validate --report json examples/minimal',
  )
    .argument('[FILE...]', 'files or folders')
    .option(...FILE_OPTION, several())
    .option(...SERVER_OPTION, several())
    .option(...CATALOG_OPTION)
    .action(async (paths, options) => {
      const command = await import('./commands/validate.ts');
      done(await command.validate(paths, options, runtime));
    });
}

function plan(runtime: Runtime, done: Done) {
  return planning(
    'plan',
    'Show how a server differs from its configuration. Never writes.',
    'setpoint plan examples/minimal --url http://localhost:4010',
    'setpoint plan -f examples/minimal --url http://localhost:4010 --exit-code',
  )
    .argument('[FILE...]', 'configuration files or folders, as with -f')
    .option('--exit-code', 'exit with 2 if there are differences')
    .option('--strict', 'warnings count: exit with 6 for refusals, 3 for others')
    .option('--show-requests', 'also show the requests that an apply would send')
    .option(...FULL_OPTION)
    .action(async (paths, options) => {
      const command = await import('./commands/plan.ts');
      done(await command.plan(paths, options, runtime));
    });
}

function apply(runtime: Runtime, done: Done) {
  return planning(
    'apply',
    'Bring a server in line with its configuration, and verify it.',
    'setpoint apply -f examples/minimal --url http://localhost:4010',
    'setpoint apply plan.json -f examples/minimal --url http://localhost:4010',
  )
    .argument('[PLAN.json]', 'only what is in this plan, saved by plan --report json=FILE')
    .option('-y, --yes', 'do not ask')
    .option(...FULL_OPTION)
    .option('--accept <RISK>', `accept a risk: ${RISK_NAMES.join(', ')}`, several(knownRisk))
    .option(
      '--allow-changes <N>',
      'change exactly N integrations, if over 30 %',
      number('--allow-changes', 1, 1_000_000),
    )
    .option('--fail-fast', 'stop at the first error, also one in the plan')
    .option('--fail-on-errors', 'fail if integrations have new errors')
    .option('--verify <SECONDS>', 'read again until changes show (5)', number('--verify', 0, 3600))
    .option('--settle <SECONDS>', 'wait this long for new errors (0)', number('--settle', 0, 3600))
    .action(async (path, options) => {
      const command = await import('./commands/apply.ts');
      done(await command.apply(path, options, runtime));
    });
}

function knownRisk(value: string): string {
  return isRisk(value) ? value : failWord('--accept does not know the risk', value, RISK_NAMES, 'Risks');
}

function show(runtime: Runtime, done: Done) {
  return reporting('show', 'Show a saved plan again, in any format.', 'setpoint show plan.json')
    .argument('<PLAN.json>', 'a plan, saved by plan --report json=FILE')
    .option(...FULL_OPTION)
    .action(async (path, options) => {
      const command = await import('./commands/show.ts');
      done(await command.show(path, options, runtime));
    });
}

function list(runtime: Runtime, done: Done) {
  return connecting(
    'list',
    'List the installed integrations; with -f, also how much is managed.',
    'setpoint list --url http://localhost:4010',
    'setpoint list -f examples/minimal --url http://localhost:4010 --report json',
  )
    .option(...FILE_OPTION, several())
    .action(async (options) => {
      const command = await import('./commands/list.ts');
      done(await command.list(options, runtime));
    });
}

function errors(runtime: Runtime, done: Done) {
  return connecting(
    'errors',
    'Show the integration errors that the server holds.',
    'setpoint errors --url http://localhost:4010 --since 24h',
    "setpoint errors --url http://localhost:4010 --integration 'threat_*'",
  )
    .option('--integration <GLOB>', 'only integrations whose id matches', someGlob('--integration'))
    .option('--since <TIME>', 'only since: 90m, 24h, 7d or an ISO 8601 time')
    .action(async (options) => {
      const command = await import('./commands/errors.ts');
      done(await command.errors(options, runtime));
    });
}

function schema(runtime: Runtime, done: Done) {
  return connecting('schema', 'Print the JSON Schema of the configuration, for editors.')
    .option(...CATALOG_OPTION)
    .addHelpText(
      'after',
      '\nWith --catalog, --url or --server, it covers the integrations found there: their\noption keys, types, choices and descriptions.',
    )
    .addHelpText(
      'after',
      examples('setpoint schema --catalog examples/catalog', 'setpoint schema --url http://localhost:4010'),
    )
    .action(async (options) => {
      const command = await import('./commands/schema.ts');
      done(await command.schema(options, runtime));
    });
}

function sandbox(runtime: Runtime, done: Done) {
  return new Command('sandbox')
    .description(
      'Run the whole service on this machine, for rehearsals. Users: admin, manager and user, each with its name as the password.',
    )
    .option(...CATALOG_OPTION)
    .option('--data <FILE>', 'keep the state in a file, across restarts', someText('--data'))
    .option('--port <N>', 'port to listen on (4010; 0 takes a free one)', number('--port', 0, 65_535))
    .option('--host <ADDRESS>', 'address to listen on (127.0.0.1)', someText('--host'))
    .option('--dialect <ANSWER>', 'where option values are: included, inline, detail, options')
    .option('--passwords <ANSWER>', 'how passwords read back: clear, masked, null, absent, empty')
    .option('--store <ANSWER>', 'how values are stored: typed, strings')
    .option('--set <NAME=ANSWER>', 'any other setting of the service; repeatable', several())
    .option(
      '--token-lifetime <SECONDS>',
      'how long a token is valid',
      number('--token-lifetime', 1, 31_536_000),
    )
    .option(
      '--stopped <GLOB>',
      'integrations that are not running; repeatable',
      several(someText('--stopped')),
    )
    .option(
      '--raise-errors <GLOB>',
      'integrations that report an error after a change',
      several(someText('--raise-errors')),
    )
    .option('--require <GLOB>', 'options that must have a value; repeatable', several(someText('--require')))
    .addHelpText(
      'after',
      examples(
        'setpoint sandbox --port 4010',
        'setpoint sandbox --catalog examples/catalog --port 0 --passwords masked',
      ),
    )
    .action(async (options) => {
      const command = await import('./commands/sandbox.ts');
      done(await command.sandbox(options, runtime));
    });
}

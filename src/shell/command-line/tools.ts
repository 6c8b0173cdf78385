import { Command, Option } from '@commander-js/extra-typings';
import {
  CATALOG_OPTION,
  commaSeparated,
  type Done,
  examples,
  number,
  reporting,
  someText,
} from '../flags.ts';
import type { Runtime } from '../runtime.ts';

/** The commands that need neither a configuration nor a server. */

export function explain(runtime: Runtime, done: Done) {
  return reporting(
    'explain',
    'Say what a finding means, or list all findings.',
    'setpoint explain unknown-option',
  )
    .argument('[CODE]', 'the code of a finding, such as unknown-option')
    .action(async (code, options) => {
      const command = await import('../commands/explain.ts');
      done(await command.explain(code, options, runtime));
    });
}

export function sandbox(runtime: Runtime, done: Done) {
  return new Command('sandbox')
    .description('Run the service on this machine, for rehearsals.')
    .option(...CATALOG_OPTION)
    .option('--data <FILE>', 'keep the state in a file, across restarts', someText('--data'))
    .option('--port <N>', 'port to listen on (4010; 0 takes a free one)', number('--port', 0, 65_535))
    .option('--host <ADDRESS>', 'address to listen on (127.0.0.1)', someText('--host'))
    .option('--latency <MS>', 'wait before each answer', number('--latency', 0, 60_000))
    .addOption(
      new Option('--passwords <HOW>', 'how passwords read back: clear, masked or empty').choices([
        'clear',
        'masked',
        'empty',
      ] as const),
    )
    .addOption(
      new Option('--dialect <WHERE>', 'where option values are: included, inline, detail or options').choices(
        ['included', 'inline', 'detail', 'options'] as const,
      ),
    )
    .option('--stopped <NAME,…>', 'integrations that are not running; globs', commaSeparated)
    .option('--raise-errors', 'each integration reports an error after a change')
    .addHelpText('after', '\nUsers: admin, manager and user, each with its name as the password.')
    .addHelpText(
      'after',
      examples(
        'setpoint sandbox --port 4010',
        'setpoint sandbox --catalog catalog --port 0 --passwords masked',
      ),
    )
    .action(async (options) => {
      const command = await import('../commands/sandbox.ts');
      done(await command.sandbox(options, runtime));
    });
}

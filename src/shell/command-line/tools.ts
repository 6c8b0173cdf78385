import { Command } from '@commander-js/extra-typings';
import { CATALOG_OPTION, type Done, examples, number, reporting, several, someText } from '../flags.ts';
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

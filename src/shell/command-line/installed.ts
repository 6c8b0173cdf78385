import {
  CATALOG_OPTION,
  connecting,
  type Done,
  examples,
  FILE_OPTION,
  LIVE_OPTION,
  several,
  someGlob,
  someText,
} from '../flags.ts';
import type { Runtime } from '../runtime.ts';

/** The commands that read what is installed. */

export function list(runtime: Runtime, done: Done) {
  return connecting(
    'list',
    'List what is installed; with -f, what is managed.',
    'setpoint list --url http://localhost:4010',
    'setpoint list -f integrations.yaml --url http://localhost:4010 --report json',
  )
    .option(...FILE_OPTION, several())
    .option(...LIVE_OPTION, several(someText('--live')))
    .action(async (options) => {
      const command = await import('../commands/list.ts');
      done(await command.list(options, runtime));
    });
}

export function errors(runtime: Runtime, done: Done) {
  return connecting(
    'errors',
    'Show the integration errors of a server.',
    'setpoint errors --url http://localhost:4010 --since 24h',
    "setpoint errors --url http://localhost:4010 --integration 'threat_*'",
  )
    .option('--integration <GLOB>', 'only integrations whose id matches', someGlob('--integration'))
    .option('--since <TIME>', 'only since: 90m, 24h, 7d or an ISO 8601 time')
    .action(async (options) => {
      const command = await import('../commands/errors.ts');
      done(await command.errors(options, runtime));
    });
}

export function pull(runtime: Runtime, done: Done) {
  return connecting(
    'pull',
    'Write YAML for what is installed, in new files.',
    'setpoint pull --url http://localhost:4010 --out config',
    "setpoint pull --server staging --only 'threat_*' --secrets-file .env",
  )
    .addHelpText('after', '\nBeside --url, --server is the name that the server gets in setpoint.yaml.')
    .option('--out <DIR>', 'folder of the configuration (the working folder)', someText('--out'))
    .option('--only <GLOB>', 'only integrations whose name or id matches', someGlob('--only'))
    .option('--single-file <FILE>', 'all entries in one file of that folder', someText('--single-file'))
    .option('--catalog <DIR>', 'leave out what is at the default of these *.json files')
    .option('--comments', 'name, description and choices above each option')
    .option(
      '--secrets-file <FILE>',
      'write the secrets that the server shows (dotenv, 0600)',
      someText('--secrets-file'),
    )
    .action(async (options) => {
      const command = await import('../commands/pull.ts');
      done(await command.pull(options, runtime));
    });
}

export function schema(runtime: Runtime, done: Done) {
  return connecting('schema', 'Print the JSON Schema of the YAML, for editors.')
    .option(...CATALOG_OPTION)
    .option(...LIVE_OPTION, several(someText('--live')))
    .addHelpText(
      'after',
      '\nWith --catalog, --live, --url or --server, it covers the integrations found\nthere: their option keys, types, choices and descriptions.',
    )
    .addHelpText(
      'after',
      examples('setpoint schema --catalog catalog', 'setpoint schema --url http://localhost:4010'),
    )
    .action(async (options) => {
      const command = await import('../commands/schema.ts');
      done(await command.schema(options, runtime));
    });
}

export function snapshot(runtime: Runtime, done: Done) {
  return connecting(
    'snapshot',
    'Write a server to a file, for plan --live.',
    'setpoint snapshot --out server.json --url http://localhost:4010',
    'setpoint plan --live server.json -f integrations.yaml',
  )
    .option('--out <FILE>', 'file to write or replace; - for stdout', someText('--out'))
    .option(...FILE_OPTION, several())
    .addHelpText(
      'after',
      '\nThe configuration tells which options hold secrets beside passwords.\nCommit it: git diff shows what an upgrade brought.',
    )
    .action(async (options) => {
      const command = await import('../commands/snapshot.ts');
      done(await command.snapshot(options, runtime));
    });
}

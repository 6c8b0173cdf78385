import {
  ALLOW_ENV_OPTION,
  CATALOG_OPTION,
  comparing,
  connecting,
  type Done,
  FILE_OPTION,
  FULL_OPTION,
  knownRisk,
  LIVE_OPTION,
  number,
  planning,
  reporting,
  SERVER_OPTION,
  several,
  someGlob,
  someText,
} from '../flags.ts';
import type { Runtime } from '../runtime.ts';

/** The commands that work on a configuration: against a server, revisions or a saved plan. */

export function validate(runtime: Runtime, done: Done) {
  return reporting(
    'validate',
    'Check configuration files offline.',
    'setpoint validate integrations.yaml --catalog catalog',
    'setpoint validate --report json integrations.yaml',
  )
    .argument('[FILE...]', 'files or folders')
    .option(...FILE_OPTION, several())
    .option(...SERVER_OPTION, several())
    .option(...CATALOG_OPTION)
    .option(...LIVE_OPTION, several(someText('--live')))
    .action(async (paths, options) => {
      const command = await import('../commands/validate.ts');
      done(await command.validate(paths, options, runtime));
    });
}

export function plan(runtime: Runtime, done: Done) {
  return planning(
    'plan',
    'Show how a server differs from its configuration. Never writes.',
    'setpoint plan integrations.yaml --url http://localhost:4010',
    'setpoint plan -f integrations.yaml --url http://localhost:4010 --exit-code',
  )
    .argument('[FILE...]', 'configuration files or folders, as with -f')
    .option(...LIVE_OPTION, several(someText('--live')))
    .option('--exit-code', 'exit with 2 if there are differences')
    .option('--strict', 'warnings count: exit with 6 for refusals, 3 for others')
    .option(...FULL_OPTION)
    .action(async (paths, options) => {
      const command = await import('../commands/plan.ts');
      done(await command.plan(paths, options, runtime));
    });
}

export function apply(runtime: Runtime, done: Done) {
  return planning(
    'apply',
    'Bring a server in line with its configuration, and verify it.',
    'setpoint apply -f integrations.yaml --url http://localhost:4010',
    'setpoint apply plan.json -f integrations.yaml --url http://localhost:4010',
  )
    .argument('[PLAN.json]', 'only what is in this plan of --report json=FILE')
    .option('-y, --yes', 'do not ask')
    .option(...FULL_OPTION)
    .option(
      '--allow <RISK>',
      'allow a risk that the plan refuses, such as exposes-secret',
      several(knownRisk),
    )
    .option(
      '--allow-changes <N>',
      'let at most N integrations change, over all servers',
      number('--allow-changes', 1, 1_000_000),
    )
    .option('--fail-fast', 'stop at the first error, also one in the plan')
    .option('--keep-going', 'go on with the next server after a failure')
    .option('--fail-on-errors', 'fail if integrations have new errors')
    .option('--verify <SECONDS>', 'read again until changes show (5)', number('--verify', 0, 3600))
    .action(async (path, options) => {
      const command = await import('../commands/apply.ts');
      done(await command.apply(path, options, runtime));
    });
}

export function accept(runtime: Runtime, done: Done) {
  return comparing(
    'accept',
    'Accept drift: edit values where the YAML declares them. Never writes to a server.',
    'setpoint accept lookup.timeout',
    'setpoint accept --all -f integrations.yaml --url http://localhost:4010',
  )
    .argument('[ADDRESS...]', 'integrations, options or fields, as a plan shows them')
    .option('--all', 'all drift')
    .option('-y, --yes', 'do not ask')
    .action(async (addresses, options) => {
      const command = await import('../commands/accept.ts');
      done(await command.accept(addresses, options, runtime));
    });
}

export function diff(runtime: Runtime, done: Done) {
  return reporting(
    'diff',
    'Compare two revisions of the configuration, offline.',
    'setpoint diff origin/main',
    'setpoint diff v1.0 v1.1 --server production',
  )
    .argument('<BASE>', 'a branch, tag or commit of git')
    .argument('[HEAD]', 'another one; the work tree without it')
    .option(...FILE_OPTION, several())
    .option(...SERVER_OPTION, several())
    .option('--exit-code', 'exit with 2 if there are differences')
    .option(...FULL_OPTION)
    .action(async (base, head, options) => {
      const command = await import('../commands/diff.ts');
      done(await command.diff(base, head, options, runtime));
    });
}

export function show(runtime: Runtime, done: Done) {
  return connecting(
    'show',
    'Show options, origins of values, or a saved plan.',
    'setpoint show tickets.options.url --uses apiHost -f integrations.yaml',
    'setpoint show threatlookup -f integrations.yaml --url http://localhost:4010',
  )
    .argument('[NAME|PLAN.json...]', 'integrations (name, id or glob), addresses, or one plan')
    .option(...FILE_OPTION, several())
    .option(...CATALOG_OPTION)
    .option(...LIVE_OPTION, several(someText('--live')))
    .option(
      '--uses <NAME>',
      'fields that a value, variable or file feeds; repeatable',
      several(someText('--uses')),
    )
    .option(...ALLOW_ENV_OPTION, several(someGlob('--allow-env')))
    .option(...FULL_OPTION)
    .addHelpText(
      'after',
      '\nA server is asked only with --server or --url; --live takes a snapshot.\nThe other servers of setpoint.yaml are compared by their configuration.',
    )
    .action(async (words, options) => {
      const { isSavedPlan } = await import('../sources/saved-plan.ts');
      const { uses, file, url, server, catalog, live } = options;
      const isBare = [uses, file, url, server, catalog, live].every((flag) => flag === undefined);
      const [path = ''] = words;
      if (isBare && words.length === 1 && (await isSavedPlan(path, runtime.cwd))) {
        const command = await import('../commands/show.ts');
        return done(await command.show(path, options, runtime));
      }
      const command = await import('../commands/inspect.ts');
      done(await command.inspect(words, options, runtime));
    });
}

import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { accept, apply, diff, plan, show, validate } from './command-line/configuration.ts';
import { errors, list, pull, schema, snapshot } from './command-line/installed.ts';
import { explain, sandbox } from './command-line/tools.ts';
import { type Done, examples } from './flags.ts';
import type { Runtime } from './runtime.ts';

/** All commands by their names: each makes its command line, and loads what it does when it is run. */
export const COMMANDS = {
  pull,
  validate,
  plan,
  apply,
  accept,
  diff,
  show,
  list,
  errors,
  snapshot,
  explain,
  schema,
  sandbox,
  completion,
};

function completion(runtime: Runtime, done: Done): CommandUnknownOpts {
  return new Command('completion')
    .description('Print the completion script of a shell.')
    .argument('<SHELL>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      '\nIn ~/.bashrc or ~/.zshrc, after compinit:  source <(setpoint completion bash)\nIn ~/.config/fish/config.fish:  setpoint completion fish | source',
    )
    .addHelpText('after', examples('setpoint completion bash', 'setpoint completion fish'))
    .action(async (shell) => {
      const all = Object.values(COMMANDS).map((command) => command(runtime, done));
      const command = await import('./completion.ts');
      await command.completion(shell, all, runtime);
    });
}

import type { Command, CommanderError } from '@commander-js/extra-typings';
import { diagnostic } from '../core/findings/diagnostic.ts';
import { nearNames } from '../core/model/near-names.ts';

/** Says in our words what commander found: its own can repeat a value that is secret. */
export function usageProblem(thrown: CommanderError, argv: readonly string[], program: Command) {
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
      return diagnostic('usage', { problem: 'An option needs a value.', hint: help });
    case 'commander.invalidArgument':
      return diagnostic('usage', { problem: 'An option has a value that is not allowed.', hint: help });
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
  const shown = unknown !== undefined && /^(--[A-Za-z-]{1,24}|-[A-Za-z])$/.test(unknown) ? ` ${unknown}` : '';
  return { problem: `Unknown option${shown}.`, hint: near === undefined ? help : `Did you mean ${near}?` };
}

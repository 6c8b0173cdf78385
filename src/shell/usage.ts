import type { Command, CommanderError } from '@commander-js/extra-typings';
import { diagnostic } from '../core/findings/diagnostic.ts';
import { nearNames } from '../core/model/near-names.ts';

/** Says in our words what commander found: its own can repeat a value that is secret. */
export function usageProblem({ code }: CommanderError, argv: readonly string[], program: Command) {
  const name = argv.find((argument) => !argument.startsWith('-')) ?? '';
  const command = program.commands.find((each) => each.name() === name);
  const help = `See setpoint ${command === undefined ? '' : `${command.name()} `}--help.`;
  if (code === 'commander.unknownOption')
    return diagnostic('usage', unknownOption(argv, command ?? program, help));
  const names = program.commands.map((each) => each.name());
  const [near] = code === 'commander.unknownCommand' ? nearNames(name, names) : [];
  const problem = PROBLEMS[code] ?? 'The arguments do not fit the command.';
  return diagnostic('usage', { problem, hint: near === undefined ? help : `Did you mean setpoint ${near}?` });
}

const PROBLEMS: Readonly<Record<string, string>> = {
  'commander.unknownCommand': 'There is no such command.',
  'commander.optionMissingArgument': 'An option needs a value.',
  'commander.invalidArgument': 'An option has a value that is not allowed.',
};

function unknownOption(
  argv: readonly string[],
  {
    options,
  }: {
    readonly options: readonly { readonly long?: string | undefined; readonly short?: string | undefined }[];
  },
  help: string,
) {
  const known = options.flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));
  const flags = argv
    .filter((argument) => argument.startsWith('-'))
    .map((argument) => argument.replace(/=.*$/s, ''));
  const unknown = flags.find((flag) => !known.includes(flag) && flag !== '--help' && flag !== '-h');
  const [near] = nearNames(unknown ?? '', known);
  const shown = unknown !== undefined && /^(--[A-Za-z-]{1,24}|-[A-Za-z])$/.test(unknown) ? ` ${unknown}` : '';
  return { problem: `Unknown option${shown}.`, hint: near === undefined ? help : `Did you mean ${near}?` };
}

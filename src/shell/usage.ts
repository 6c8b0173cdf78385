import type { Command, CommanderError } from 'commander';
import { diagnostic } from '../core/findings/diagnostic.ts';
import { nearNames } from '../core/model/near-names.ts';
import { isPlainKey } from '../core/model/secrecy.ts';

/** Says in our words what commander found: its own can repeat a value that is secret. */
export function usageProblem(error: CommanderError, argv: readonly string[], program: Command) {
  const name = argv.find((argument) => !argument.startsWith('-') && argument !== 'help') ?? '';
  const command = program.commands.find((each) => each.name() === name) ?? program;
  const help = `See setpoint ${command === program ? '' : `${name} `}--help.`;
  if (error.code === 'commander.unknownOption')
    return diagnostic('usage', unknownOption(argv, command, help));
  const others = command === program ? program.commands : [];
  const [near] = nearNames(
    name,
    others.map((each) => each.name()),
  );
  const hint = near === undefined ? help : `Did you mean setpoint ${near}?`;
  return diagnostic('usage', { problem: problemOf(error, command, name), hint });
}

function problemOf({ code, message }: CommanderError, command: Command, name: string): string {
  // Commander quotes the flag as we declare it, before anything that was typed.
  const flag = /^error: option '(?:-\w, )?(--[a-z-]+)/.exec(message)?.[1] ?? 'An option';
  switch (code) {
    case 'commander.unknownCommand':
    case 'commander.help':
      return isPlainKey(name) ? `There is no command ${name}.` : 'There is no such command.';
    case 'commander.optionMissingArgument':
      return `${flag} needs a value.`;
    case 'commander.missingArgument':
      return `${command.name()} needs ${command.registeredArguments.find(({ required }) => required)?.name() ?? 'an argument'}.`;
    case 'commander.conflictingOption':
      return `${flag} cannot be combined with ${/cannot be used with option '(?:-\w, )?(--[a-z-]+)/.exec(message)?.[1] ?? 'another flag'}.`;
    case 'commander.excessArguments':
      return `${command.name()} takes ${command.registeredArguments.length === 0 ? 'no arguments' : 'at most one argument'}.`;
    default:
      return 'The arguments do not fit the command.';
  }
}

function unknownOption(argv: readonly string[], { options }: Command, help: string) {
  const own = options.flatMap(({ long, short }) => [long, short].filter((flag) => flag !== undefined));
  const known = [...own, '--help', '-h'];
  const flags = argv
    .filter((argument) => argument.startsWith('-'))
    .map((argument) => argument.replace(/=.*$/s, ''));
  const unknown = flags.find((flag) => !known.includes(flag));
  const [near] = nearNames(unknown ?? '', known);
  const shown = unknown !== undefined && /^(--[A-Za-z-]{1,24}|-[A-Za-z])$/.test(unknown) ? ` ${unknown}` : '';
  return { problem: `Unknown option${shown}.`, hint: near === undefined ? help : `Did you mean ${near}?` };
}

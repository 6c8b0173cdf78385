import type { Candidates, CommandSyntax, FlagSyntax } from './syntax.ts';

/** The completion script of fish. */
export function fishCompletion(commands: readonly CommandSyntax[]): string {
  const flags = commands.flatMap(({ name, flags, argument }) => [
    ...flags.map((flag) => `${ofCommand(name)} ${flagRule(flag)}`),
    ...(argument === undefined || argument.kind === 'unknown'
      ? []
      : [`${ofCommand(name)} ${valueRule(argument)}`]),
  ]);
  return `# Completion of setpoint for fish, printed by \`setpoint completion fish\`.
function __setpoint_command
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end

complete -c setpoint -f
complete -c setpoint -n '__setpoint_command ""' -s h -l help -d 'show the help'
complete -c setpoint -n '__setpoint_command ""' -s V -l version -d 'show the version'
${commands.map(({ name, description }) => `complete -c setpoint -n '__setpoint_command ""' -a ${name} -d ${quoted(description)}`).join('\n')}
${flags.join('\n')}
`;
}

function ofCommand(name: string): string {
  return `complete -c setpoint -n '__setpoint_command ${name}'`;
}

function flagRule({ names, description, value }: FlagSyntax): string {
  const typed = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const rule = value === undefined ? [] : [value.kind === 'unknown' ? '-x' : `-r ${valueRule(value)}`];
  return [...typed, ...rule, `-d ${quoted(description)}`].join(' ');
}

/** With -f no files beside the words, with -F these. */
function valueRule(value: Exclude<Candidates, { kind: 'unknown' }>): string {
  switch (value.kind) {
    case 'words':
      return `-f -a ${quoted(value.words.join(' '))}`;
    case 'list':
      return `-f -a ${quoted(`(__fish_append , ${value.words.join(' ')})`)}`;
    case 'words-with-file':
      return `-F -a ${quoted(value.words.join(' '))}`;
    case 'files':
      return '-F';
    case 'folders':
      return "-f -a '(__fish_complete_directories)'";
  }
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

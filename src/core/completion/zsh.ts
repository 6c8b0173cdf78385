import type { Candidates, CommandSyntax, FlagSyntax } from './syntax.ts';

/** The completion script of zsh: to be sourced after compinit, or a file `_setpoint` in fpath. */
export function zshCompletion(commands: readonly CommandSyntax[]): string {
  const described = commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`);
  return `#compdef setpoint
# Completion of setpoint for zsh, printed by \`setpoint completion zsh\`.
_setpoint() {
  local -a commands=(
${described.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe -t commands command commands
    _arguments '(- *)'{-h,--help}'[show the help]' '(- *)'{-V,--version}'[show the version]'
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _setpoint ]]; then _setpoint "$@"; else compdef _setpoint setpoint; fi
`;
}

function commandCase({ name, flags, argument }: CommandSyntax): string {
  const specs = [
    ...flags.flatMap(flagSpecs),
    ...(argument === undefined ? [] : [`*:argument:${actionOf(argument)}`]),
  ];
  return `    ${name})\n      _arguments -S ${specs.map((spec) => `\\\n        ${quoted(spec)}`).join(' ')}\n      ;;`;
}

function flagSpecs({ names, description, value }: FlagSyntax): string[] {
  const text = description.replace(/[\\[\]]/g, '\\$&');
  return names.map((name) => {
    if (value === undefined) return `*${name}[${text}]`;
    return `*${name}${name.startsWith('--') ? '=' : '+'}[${text}]:value:${actionOf(value)}`;
  });
}

function actionOf(value: Candidates): string {
  switch (value.kind) {
    case 'words':
      return `(${value.words.join(' ')})`;
    case 'list':
      return `_values -s , word ${value.words.join(' ')}`;
    case 'words-with-file':
      return `{compset -P "*=" && _files || compadd -S "" -- ${value.words.join(' ')}}`;
    case 'files':
      return '_files';
    case 'folders':
      return '_files -/';
    case 'unknown':
      return ' ';
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

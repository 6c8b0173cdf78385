import type { Candidates, CommandSyntax } from './syntax.ts';

/** The completion script of bash, for 3.2 and newer. */
export function bashCompletion(commands: readonly CommandSyntax[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# Completion of setpoint for bash, printed by \`setpoint completion bash\`.
_setpoint() {
  local arguments=() i word='' previous='' command='' current='' flag=''
  COMPREPLY=()
  # bash takes words apart at every =.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    previous=$word word=\${COMP_WORDS[i]}
    if ((i > 1)) && [[ $word == = || $previous == = ]]; then
      arguments[\${#arguments[@]} - 1]+=$word
    else
      arguments+=("$word")
    fi
  done
  i=\${#arguments[@]} command=\${arguments[0]} current=\${arguments[i - 1]}
  if ((i == 1)); then
    _setpoint_words '${names} --help --version'
    return
  fi
  if [[ $current == --*=* ]]; then
    flag=\${current%%=*} current=\${current#*=}
  elif ((i > 2)); then
    flag=\${arguments[i - 2]}
  fi
  case $flag in
${valueCases(commands).join('\n')}
  esac
  case $command:$current in
${commands.flatMap(commandCases).join('\n')}
  esac
}
${FUNCTIONS}
complete -F _setpoint setpoint
`;
}

const FUNCTIONS = `
# Offers words.
_setpoint_words() {
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}

# Offers words for the part behind the last comma.
_setpoint_list() {
  local last=\${current##*,}
  COMPREPLY=($(compgen -P "\${current%"$last"}" -W "$1" -- "$last"))
}

# Offers words, and files behind a word and =.
_setpoint_words_with_file() {
  if [[ $current == *=* ]]; then
    current=\${current#*=}
    _setpoint_paths -f
  else
    _setpoint_words "$1"
  fi
}

# Offers files (-f) or folders (-d), whatever is in their names.
_setpoint_paths() {
  local path
  while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$current")
  compopt -o filenames 2>/dev/null || true
}
`;

/** A case for each kind of value, with all flags that take it: a flag means the same in every command. */
function valueCases(commands: readonly CommandSyntax[]): string[] {
  const flagsByOffer = new Map<string, Set<string>>();
  for (const { names, value } of commands.flatMap(({ flags }) => flags)) {
    if (value === undefined) continue;
    const offer = offerOf(value);
    flagsByOffer.set(offer, new Set([...(flagsByOffer.get(offer) ?? []), ...names]));
  }
  return [...flagsByOffer].map(([offer, flags]) => `    ${[...flags].join(' | ')}) ${offer}; return ;;`);
}

function commandCases({ name, flags, argument }: CommandSyntax): string[] {
  const typed = flags.flatMap(({ names }) => names).join(' ');
  return [
    `    ${name}:-*) _setpoint_words '${typed}' ;;`,
    ...(argument === undefined ? [] : [`    ${name}:*) ${offerOf(argument)} ;;`]),
  ];
}

function offerOf(value: Candidates): string {
  switch (value.kind) {
    case 'words':
      return `_setpoint_words '${value.words.join(' ')}'`;
    case 'list':
      return `_setpoint_list '${value.words.join(' ')}'`;
    case 'words-with-file':
      return `_setpoint_words_with_file '${value.words.join(' ')}'`;
    case 'files':
      return '_setpoint_paths -f';
    case 'folders':
      return '_setpoint_paths -d';
    case 'unknown':
      return ':';
  }
}

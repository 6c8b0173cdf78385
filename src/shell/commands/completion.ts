import { linesReport } from '../../core/report/report.ts';
import { failWord } from '../failure.ts';
import type { CommandBody } from '../run.ts';

/** Prints the completion script of a shell. */
export const completion: CommandBody = async (_run, [shell = '']) => {
  const script = SCRIPTS.get(shell);
  if (script === undefined) {
    const known = [...SCRIPTS.keys()];
    const problem = 'There is no completion for the shell';
    return failWord(problem, shell, known, 'Shells');
  }
  return { diagnostics: [], report: linesReport({ script }, () => script) };
};

/**
 * Scripts that ask `setpoint __complete` for words, and leave files to the
 * shell.
 */
const SCRIPTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bash: `_setpoint() {
  local IFS=$'\\n'
  COMPREPLY=($(setpoint __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _setpoint setpoint
`,
    zsh: `_setpoint() {
  local -a all=(\${(f)"$(setpoint __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#all )); then compadd -a all; else _files; fi
}
compdef _setpoint setpoint
`,
    fish: `function __setpoint_complete
  set -l words (commandline -opc) (commandline -ct)
  setpoint __complete $words[2..-1] 2>/dev/null
end
complete -c setpoint -a '(__setpoint_complete)'
`,
  }),
);

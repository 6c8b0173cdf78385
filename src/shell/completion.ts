import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { bashCompletion } from '../core/completion/bash.ts';
import { fishCompletion } from '../core/completion/fish.ts';
import type { Candidates, CommandSyntax } from '../core/completion/syntax.ts';
import { zshCompletion } from '../core/completion/zsh.ts';
import { FINDINGS } from '../core/findings/diagnostic.ts';
import { LABEL_NAMES } from '../core/plan/label.ts';
import { RISK_NAMES } from '../core/plan/risk.ts';
import { RENDERERS } from '../core/report/formats.ts';
import { failWord } from './failure.ts';
import { print } from './prepared.ts';
import type { Runtime } from './runtime.ts';

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** Prints the script with which a shell completes these commands. */
export async function completion(
  shell: string,
  commands: readonly CommandUnknownOpts[],
  runtime: Runtime,
): Promise<void> {
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
  if (script === undefined)
    return failWord('There is no completion for the shell', shell, Object.keys(SCRIPTS), 'Shells');
  await print(script(syntaxOf(commands)), runtime);
}

function syntaxOf(commands: readonly CommandUnknownOpts[]): CommandSyntax[] {
  const names = commands.map((command) => command.name());
  return [
    ...commands.map((command) => commandSyntax(command)),
    {
      name: 'help',
      description: 'Show the help of a command.',
      flags: [],
      argument: { kind: 'words', words: names },
    },
  ];
}

function commandSyntax(command: CommandUnknownOpts): CommandSyntax {
  const [argument] = command.registeredArguments;
  const flags = command.options.map(({ short, long, description, flags: typed, argChoices: words }) => {
    const name = /<(.+)>$/.exec(typed)?.[1];
    const names = [short, long].filter((each) => each !== undefined);
    if (name === undefined) return { names, description };
    return { names, description, value: words === undefined ? candidates(name) : wordsOf(words) };
  });
  return {
    name: command.name(),
    description: command.description(),
    flags: [...flags, { names: ['-h', '--help'], description: 'show the help' }],
    ...(argument === undefined ? {} : { argument: candidates(argument.name()) }),
  };
}

const wordsOf = (words: readonly string[]): Candidates => ({ kind: 'words', words });

/** What stands for a value, by the name that the help gives it. */
function candidates(name: string): Candidates {
  switch (name) {
    case 'FORMAT[=FILE]':
      return { kind: 'words-with-file', words: Object.keys(RENDERERS) };
    case 'LABELS':
      return { kind: 'list', words: LABEL_NAMES };
    case 'RISK':
      return wordsOf(RISK_NAMES);
    case 'CODE':
      return wordsOf(Object.keys(FINDINGS));
    case 'SHELL':
      return wordsOf(Object.keys(SCRIPTS));
    case 'PATH':
    case 'FILE':
    case 'PLAN.json':
    case 'NAME|PLAN.json':
      return { kind: 'files' };
    case 'DIR':
      return { kind: 'folders' };
    default:
      return { kind: 'unknown' };
  }
}

import { COMMANDS } from './command-table.ts';
import { FLAGS, type Flag, type FlagName, spelling } from './flags.ts';

/** The words that can complete a command line; the last word is the one being typed. */
export function complete(words: readonly string[]): string[] {
  const typed = words.at(-1) ?? '';
  return candidates(words, typed).filter((each) => each.startsWith(typed));
}

function candidates(words: readonly string[], typed: string): readonly string[] {
  const [name = ''] = words;
  if (words.length < 2) return [...Object.keys(COMMANDS), 'help', '--help', '--version'];
  if (name === 'help') return Object.keys(COMMANDS);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) return [];
  if (typed.startsWith('-')) return [...command.flags.map(spelling), '--help'];
  const flag = command.flags.find((each) => isSpelled(each, words.at(-2)));
  const { value, words: values = [] }: Flag = flag === undefined ? { help: '' } : FLAGS[flag];
  return value === undefined ? (command.words ?? []) : values;
}

function isSpelled(name: FlagName, word: string | undefined): boolean {
  const { short }: Flag = FLAGS[name];
  return word === spelling(name) || (short !== undefined && word === short);
}

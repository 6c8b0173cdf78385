import { filled, paragraphs } from '../core/report/wrap.ts';
import { COMMANDS, type Command } from './command-table.ts';
import { flagNamed } from './flags.ts';

/** The help of the program. */
export function programHelp(): string {
  const commands = Object.entries(COMMANDS).map(([name, { summary }]): Row => [name, summary]);
  const help: Row = ['help', 'show the help of a command'];
  return paragraphs([
    ['Usage: setpoint [options] [command]'],
    ['Keeps the configuration of installed integrations as code.'],
    ...tables({
      Options: [['-V, --version', 'output the version number'], HELP],
      Commands: [...commands, help],
    }),
    ...NOTES,
  ]);
}

/** The help of a command. */
export function commandHelp(name: string, command: Command): string {
  const { summary, flags, notes, examples, hasPages } = command;
  const rowsOf = (isRare: true | undefined) =>
    flags
      .map(flagNamed)
      .filter((flag) => flag.isRare === isRare)
      .map(({ term, typed, help }): Row => {
        const isShort = typed === '--report' && hasPages === undefined;
        return [term, isShort ? 'text or json; repeatable' : help];
      });
  return paragraphs([
    [usageOf(name, command)],
    [summary],
    ...tables({ Options: [...rowsOf(undefined), HELP], 'Rare options': rowsOf(true) }),
    notes ?? [],
    ['Examples:', ...examples.map((line) => `  setpoint ${line}`)],
  ]);
}

/** How a command is called. */
export function usageOf(name: string, { arguments: named = [] }: Command): string {
  return ['Usage: setpoint', name, '[options]', ...named].join(' ');
}

/** Something that can be typed, and what it means. */
type Row = readonly [term: string, meaning: string];

const HELP: Row = ['-h, --help', 'display help for command'];

/** Columns of a line. */
const WIDTH = 80;

/** Rows below their titles, with all meanings in one column. */
function tables(groups: Readonly<Record<string, readonly Row[]>>): string[][] {
  const widest = Math.max(...Object.values(groups).flatMap((rows) => rows.map(([term]) => term.length)));
  const linesOf = ([term, meaning]: Row) => {
    const text = filled(meaning, WIDTH, widest + 4).join('\n');
    return `  ${term.padEnd(widest)}${text.slice(widest + 2)}`;
  };
  return Object.entries(groups).map(([title, rows]) =>
    rows.length === 0 ? [] : [`${title}:`, ...rows.map(linesOf)],
  );
}

const NOTES = [
  [
    'Examples:',
    '  setpoint sandbox --port 4010',
    '  setpoint plan -f integrations.yaml --url http://localhost:4010',
  ],
  [
    'Credentials: SETPOINT_TOKEN, or SETPOINT_USERNAME with SETPOINT_PASSWORD or',
    'SETPOINT_PASSWORD_FILE; for one server of setpoint.yaml, first',
    'SETPOINT_SERVER_<NAME>_TOKEN and so on. SETPOINT_URL stands for --url.',
  ],
  [
    'Exit codes: 0 done, 1 failure, 2 differences (--exit-code), 3 configuration or',
    'usage, 4 login or permission, 5 apply incomplete, 6 refused by a guard.',
  ],
];

/** A line that Node would drop a part of, or join with others. */
interface DotenvFlaw {
  reason: string;
  hint: string;
  line: number;
}

/** The variables of a file in dotenv format, and the lines that are refused. */
interface Dotenv {
  variables: ReadonlyMap<string, string>;
  flaws: readonly DotenvFlaw[];
}

const EXPORT = String.raw`[ \t]*(?:export[ \t]+)?`;
const NAME = String.raw`[A-Za-z_][\w.-]*`;
const EQUALS = String.raw`[ \t]*=`;

/** The end of base64, which looks like an assignment. */
const PADDING = String.raw`[A-Za-z\d]+==?[ \t]*(?:\k<quote>|\n|$)`;

/** An assignment on a line of a quoted text: a quote that was forgotten. */
const SWALLOWED = `(?!${PADDING})${EXPORT}${NAME}${EQUALS}`;

const QUOTED = String.raw`(?<quote>["'\x60])(?<body>(?:[^\n]|\n(?!${SWALLOWED}))*?)\k<quote>`;

/** `A==`, which Node takes for no assignment either. */
const DOUBLED = String.raw`=[ \t]*(?:\n|$)`;

const ASSIGNMENT = String.raw`${EXPORT}(?<name>${NAME})${EQUALS}(?!${DOUBLED})(?:[ \t]*${QUOTED})?`;

const LINE = new RegExp(String.raw`(?:${ASSIGNMENT})?(?<rest>[^\n]*)\n?`, 'gy');

/** An assignment with its quoted text, or any other line. */
interface Line {
  /** All of it, with its line end; of a quoted text, several. */
  whole: string;
  name: string | undefined;
  quote: string | undefined;
  /** What is between the quotes. */
  body: string;
  /** What is behind the quotes, or all behind the name. */
  rest: string;
}

/**
 * Parses a file as `util.parseEnv` does, whose versions read blanks at the ends
 * of lines differently; refuses what that would drop or join.
 */
export function parseDotenv(source: string): Dotenv {
  const variables = new Map<string, string>();
  const flaws: DotenvFlaw[] = [];
  let number = 1;
  for (const match of source.replace(/\r(?=\n|$)/g, '').matchAll(LINE)) {
    const [whole] = match;
    const { name, quote, body = '', rest = '' } = match.groups ?? {};
    const line: Line = { whole, name, quote, body, rest };
    const isTwice = name !== undefined && variables.has(name);
    const flaw = isTwice ? 'has a name that an earlier line has' : flawIn(line);
    if (flaw !== undefined) {
      const reason = `line ${number} ${flaw}`;
      flaws.push({ reason, hint: HINT, line: number });
    } else if (name !== undefined) variables.set(name, textOf(line));
    number += whole.split('\n').length - 1;
  }
  return { variables, flaws };
}

const HINT =
  'Write NAME=text, and each name once. Put a text with # or quotes in single quotes, and one of several lines in double quotes with \\n for each line end.';

/** Words the flaw of a line. */
function flawIn({ whole, name, quote, rest }: Line): string | undefined {
  if (whole.includes('\r')) return 'has a carriage return inside';
  if (name === undefined) {
    return /^[ \t]*(#|$)/.test(rest) ? undefined : 'is no assignment';
  }
  if (quote !== undefined) {
    const isDone = /^[ \t]*$|^[ \t]+#/.test(rest);
    return isDone ? undefined : 'has text behind the closing quote';
  }
  if (/^[ \t]*["'`]/.test(rest)) {
    return 'opens a quote that does not close before the next name';
  }
  const isCut = /^(?:[^#]*[^ \t#])?#/.test(rest);
  return isCut ? 'has a # without a blank before it' : undefined;
}

/** The text of a variable. */
function textOf({ quote, body, rest }: Line): string {
  if (quote === '"') return body.replaceAll('\\n', '\n');
  if (quote !== undefined) return body;
  return rest.replace(/#.*/s, '').replace(/^[ \t]+|[ \t]+$/g, '');
}

/**
 * Writes a variable as a line of a dotenv file, or as several; undefined if no
 * quotes let it read back the very text.
 */
export function dotenvLines(name: string, text: string): string | undefined {
  for (const quoted of quotations(text)) {
    const lines = `${name}=${quoted}`;
    const { variables, flaws } = parseDotenv(Buffer.from(lines).toString());
    if (flaws.length === 0 && variables.get(name) === text) return lines;
  }
  return undefined;
}

/** The ways to write a text, the plainest first. */
function quotations(text: string): string[] {
  const quoted = [`'${text}'`, `"${text}"`, `\`${text}\``];
  // Tools such as sops keep one line a variable, with its quotes.
  if (text.includes('\n'))
    return [`"${text.replaceAll('\n', '\\n')}"`, ...quoted];
  const isPlain = /^[\w./:@%+=,-]+$/.test(text);
  return isPlain ? [text, ...quoted] : [...quoted, text];
}

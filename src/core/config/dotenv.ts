/** A line that Node would drop a part of, or join with others. */
interface DotenvFlaw {
  readonly reason: string;
  readonly hint: string;
  readonly line: number;
}

/** The variables of a file in dotenv format, and the lines that are refused. */
interface Dotenv {
  readonly variables: ReadonlyMap<string, string>;
  readonly flaws: readonly DotenvFlaw[];
}

const ASSIGNED = String.raw`[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=`;

/** An assignment in a quoted text; the end of base64 looks like one. */
const SWALLOWED = String.raw`(?![A-Za-z\d]+==?[ \t]*(?:\2|\n|$))${ASSIGNED}`;

const QUOTED = String.raw`(["'${'`'}])((?:[^\n]|\n(?!${SWALLOWED}))*?)\2`;

/** An assignment with its quoted text, or any other line. */
const LINE = new RegExp(
  String.raw`(?:${ASSIGNED}(?!=[ \t]*(?:\n|$))(?:[ \t]*${QUOTED})?)?([^\n]*)\n?`,
  'gy',
);

/**
 * Parses a file as `util.parseEnv` does, whose versions read blanks at the ends
 * of lines differently; refuses what that would drop or join.
 */
export function parseDotenv(source: string): Dotenv {
  const variables = new Map<string, string>();
  const flaws: DotenvFlaw[] = [];
  let line = 1;
  for (const match of source.replace(/\r(?=\n|$)/g, '').matchAll(LINE)) {
    const [whole, name, quote, body = '', , rest = ''] = match;
    const words = variables.has(name ?? '')
      ? 'has a name that an earlier line has'
      : flawIn(whole, name, quote, rest);
    if (words !== undefined) {
      flaws.push({ reason: `line ${line} ${words}`, hint: HINT, line });
    } else if (name !== undefined) {
      const text = quote === '"' ? body.replaceAll('\\n', '\n') : body;
      const plain = rest.replace(/#.*/s, '').replace(/^[ \t]+|[ \t]+$/g, '');
      variables.set(name, quote === undefined ? plain : text);
    }
    line += whole.split('\n').length - 1;
  }
  return { variables, flaws };
}

const HINT =
  'Write each name once, as NAME=text. Single quotes keep a text as it is, and double quotes take \\n for each line end.';

/** Words the flaw of a line, or of a quoted text of several lines. */
function flawIn(
  whole: string,
  name: string | undefined,
  quote: string | undefined,
  rest: string,
): string | undefined {
  if (whole.includes('\r')) return 'has a carriage return inside';
  if (name === undefined)
    return /^[ \t]*(#|$)/.test(rest) ? undefined : 'is no assignment';
  if (quote !== undefined)
    return /^[ \t]*$|^[ \t]+#/.test(rest)
      ? undefined
      : 'has text behind the closing quote';
  if (/^[ \t]*["'`]/.test(rest))
    return 'opens a quote that does not close before the next name';
  const isCut = /^(?:[^#]*[^ \t#])?#/.test(rest);
  return isCut ? 'has a # without a blank before it' : undefined;
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

import { parseEnv } from 'node:util';

/**
 * Writes a variable as lines of a dotenv file; undefined if no quotes make Node
 * read back the very text.
 */
export function dotenvLines(name: string, text: string): string | undefined {
  for (const quoted of quotations(text)) {
    const lines = `${name}=${quoted}`;
    if (isReadBack(lines, name, text)) return lines;
  }
  return undefined;
}

/** The ways to write a text, the plainest first. */
function quotations(text: string): string[] {
  const quoted = [`'${text}'`, `"${text}"`, `\`${text}\``];
  const isPlain = /^[\w./:@%+=,-]+$/.test(text);
  return isPlain ? [text, ...quoted] : [...quoted, text];
}

/** Quotes below a text, with which one in it could make a pair. */
const BELOW = ["A='x'", 'B="x"', 'C=`x`'];

/** Whether lines hold a text, whatever stands below them. */
function isReadBack(lines: string, name: string, text: string): boolean {
  const file = Buffer.from([lines, ...BELOW, ''].join('\n'));
  return parseEnv(file.toString())[name] === text;
}

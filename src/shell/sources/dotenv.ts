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

/** Whether lines hold a text, whatever quotes stand below them. */
function isReadBack(lines: string, name: string, text: string): boolean {
  const below = ["'x'", '"x"', '`x`'];
  const others = below.map((quoted, index) => `BELOW_${index}=${quoted}`);
  const file = ['# above', lines, ...others, ''].join('\n');
  const read = parseEnv(Buffer.from(file).toString());
  if (read[name] !== text) return false;
  return below.every((_, index) => read[`BELOW_${index}`] === 'x');
}

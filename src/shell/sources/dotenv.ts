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

/** Whether lines hold a text, and leave those below alone. */
function isReadBack(lines: string, name: string, text: string): boolean {
  const below = `${name}_BELOW`;
  const read = parseEnv(`# above\n${lines}\n${below}=x\n`);
  const names = Object.keys(read);
  return names.length === 2 && read[name] === text && read[below] === 'x';
}

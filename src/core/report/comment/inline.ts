import { cut } from '../../findings/words.ts';
import { forLog, forXml, visible } from '../escape.ts';

/** The most characters of a foreign text in a span or a line of a fence. */
const LONGEST = 300;

/** The most characters of a name. */
const LONGEST_NAME = 100;

/**
 * Foreign text as a code span: no mention, link, HTML or border of a cell can
 * begin in it.
 */
export function code(text: string, most = LONGEST): string {
  return quoted(cut(visible(text), '', most));
}

/** A text without invisible characters as a code span. */
export function quoted(text: string): string {
  if (text === '') return '(empty)';
  // A bar ends a cell, in code too, and renderers differ in how it is escaped.
  const content = text.replaceAll('|', '\\u{7c}');
  const fence = '`'.repeat(longestRun(content) + 1);
  // One space at both ends is not part of the code.
  const space = /^`|`$|^ .* $/.test(content) ? ' ' : '';
  return `${fence}${space}${content}${space}${fence}`;
}

/** The longest run of backticks. */
function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run.length);
  }
  return longest;
}

/** A name as a code span. */
export function nameCode(name: string): string {
  return code(name, LONGEST_NAME);
}

/** A name as code in a summary, which is HTML. */
export function nameHtml(name: string): string {
  return `<code>${forXml(cut(visible(name), '', LONGEST_NAME))}</code>`;
}

/** A list of names; of many the first, and a count of the others. */
export function nameList(
  names: readonly string[],
  most = 12,
  write = nameCode,
): string {
  const shown = names.slice(0, most).map(write).join(', ');
  const more = names.length - most;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** A line of a fence, and the line that it replaces or is replaced by. */
export interface FenceLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  readonly counterpart?: string | undefined;
}

/** Foreign lines as a fenced block, longer than all runs of backticks in them. */
export function fenced(lines: readonly FenceLine[]): string {
  const shown: string[] = [];
  for (const { mark, text, counterpart } of lines) {
    const other = counterpart === undefined ? undefined : visible(counterpart);
    shown.push(`${mark} ${cut(visible(text), other, LONGEST)}`);
  }
  // A line that stays could be a command of a runner.
  const content = forLog(shown.join('\n'));
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}diff\n${content}\n${fence}`;
}

/** A part that opens with a click; the summary is HTML. */
export function folded(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

/** Rows of cells that are Markdown; the columns from `numbers` on are right. */
export function tableOf(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  numbers = head.length,
): string {
  const border = head.map((_, at) => (at < numbers ? '---' : '---:'));
  return [head, border, ...rows].map(tableRow).join('\n');
}

export function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

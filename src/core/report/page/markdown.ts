import { cut } from '../../findings/words.ts';
import type { Document } from '../../plan/document.ts';
import { forLog, visible } from '../escape.ts';
import { type Inline, type Node, pageOf } from './page.ts';

/** The most characters of all blocks: with their count, less than GitHub takes for a comment. */
const MOST = 59_800;

/** The most characters of a foreign text in a span, and of a line in a fence. */
const LONGEST = 500;

/** A comment on a pull request, cut between two blocks. Its first line is a hidden mark by which it is found again. */
export function renderMarkdown(document: Document): string {
  const blocks = pageOf(document).map((node) => forLog(blockOf(node)));
  let length = 0;
  const shown = blocks.filter((block) => {
    length += block.length + 2;
    return length <= MOST;
  });
  const left = blocks.length - shown.length;
  const rest = `**Left out here: ${left} of ${blocks.length} blocks.** The html report has all of them.`;
  const parts = [`<!-- setpoint ${document.command} -->`, ...shown, ...(left > 0 ? [rest] : [])];
  return `${parts.join('\n\n')}\n`;
}

function blockOf(node: Node): string {
  switch (node.kind) {
    case 'heading':
      return `${'#'.repeat(node.level)} ${inline(node.text)}`;
    case 'line':
      return `- ${inline(node.text)}`;
    case 'table': {
      const line = node.head.map((_, at) => (at === 0 ? '---' : '---:'));
      const rows = [node.head, line, ...node.rows].map((cells) => cells.map((cell) => inline([cell])));
      return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    }
    case 'details': {
      const lines = node.changes.flatMap((change) => [
        `@@ ${change.head} @@`,
        ...change.lines.map(({ mark, text }) => `${mark} ${text}`),
      ]);
      return `${inline(node.title)}\n\n<details>\n<summary>${node.summary}</summary>\n\n${fenced(lines)}\n\n</details>`;
    }
  }
}

function inline(all: readonly Inline[]): string {
  return all.map((each) => (typeof each === 'string' ? each : codeSpan(each.code))).join('');
}

/** Foreign text as a code span: in one line, and no mention, link, HTML, or border of a cell. */
function codeSpan(text: string): string {
  // A bar in a table ends its cell, in a code span too, and renderers differ in how it is escaped.
  const shown = cut(visible(text), '', LONGEST).replaceAll('|', '\\u{7c}');
  if (shown === '') return '(empty)';
  const fence = '`'.repeat(longestRun(shown) + 1);
  // One space at both ends is not part of the code.
  const space = /^`|`$|^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
}

/** Foreign lines as a fenced block, longer than every run of backticks in them. */
function fenced(lines: readonly string[]): string {
  const shown = lines.map((line) => cut(visible(line), '', LONGEST));
  const fence = '`'.repeat(Math.max(3, longestRun(shown.join('\n')) + 1));
  return [`${fence}diff`, ...shown, fence].join('\n');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

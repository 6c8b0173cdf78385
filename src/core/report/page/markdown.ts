import { withoutCommands } from '../escape.ts';
import { codeSpan, fenced } from '../escape-sinks.ts';
import type { Renderer } from '../report.ts';
import type { Inline, Node } from './nodes.ts';
import { pageOf } from './page.ts';

/** The most characters of all blocks: with their count, less than GitHub takes for a comment. */
const MOST = 59_800;

/** A comment on a pull request, cut between two blocks. Its first line is a hidden mark by which it is found again. */
export const renderMarkdown: Renderer = (document) => {
  const blocks = pageOf(document).map((node) => withoutCommands(blockOf(node)));
  let length = 0;
  const shown = blocks.filter((block) => {
    length += block.length + 2;
    return length <= MOST;
  });
  const left = blocks.length - shown.length;
  const rest = `**Left out here: ${left} of ${blocks.length} blocks.** The html report has all of them.`;
  const parts = [`<!-- setpoint ${document.command} -->`, ...shown, ...(left > 0 ? [rest] : [])];
  return `${parts.join('\n\n')}\n`;
};

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
      const lines = node.lines.map(({ mark, text }) => (mark === '@' ? `@@ ${text} @@` : `${mark} ${text}`));
      return `${inline(node.title)}\n\n<details>\n<summary>${node.summary}</summary>\n\n${fenced(lines, 'diff')}\n\n</details>`;
    }
  }
}

function inline(all: readonly Inline[]): string {
  return all.map((each) => (typeof each === 'string' ? each : codeSpan(each.code))).join('');
}

import { withoutCommands } from '../escape.ts';
import { codeSpan, fenced } from '../escape-sinks.ts';
import type { Renderer } from '../report.ts';
import type { Inline, Node } from './nodes.ts';
import { pageOf } from './page.ts';

/** The most characters of a page: less than GitHub takes for a comment. */
const MOST = 60_000;

/** Characters kept for the count of what is left out. */
const REST = 200;

/** A comment on a pull request, cut between two blocks. Its first line is a hidden mark by which it is found again. */
export const renderMarkdown: Renderer = (document) => {
  const blocks = pageOf(document)
    .filter((node) => !('wide' in node))
    .map(blockOf);
  const parts = [`<!-- setpoint ${document.command} -->`];
  let length = parts.join('').length;
  for (const block of blocks) {
    length += block.length + 2;
    if (length > MOST - REST) break;
    parts.push(block);
  }
  const left = blocks.length + 1 - parts.length;
  if (left > 0)
    parts.push(`**Left out here: ${left} of ${blocks.length} blocks.** The html report has all of them.`);
  return withoutCommands(`${parts.join('\n\n')}\n`);
};

function blockOf(node: Node): string {
  switch (node.kind) {
    case 'heading':
      return `${'#'.repeat(node.level)} ${inline(node.text)}`;
    case 'paragraph':
      return inline(node.text);
    case 'list':
      return node.items.map((item) => `- ${inline(item)}`).join('\n');
    case 'table': {
      const rows = node.rows.map((cells) => row(cells.map((cell) => inline([cell]))));
      const line = row(node.head.map((_, at) => (at === 0 ? '---' : '---:')));
      return [row(node.head.map((cell) => inline([cell]))), line, ...rows].join('\n');
    }
    case 'details': {
      const lines = node.lines.map(({ mark, text }) => (mark === '@' ? `@@ ${text} @@` : `${mark} ${text}`));
      const body = fenced(lines.flatMap(splitLines), 'diff');
      return `${inline(node.title)}\n\n<details>\n<summary>${node.summary}</summary>\n\n${body}\n\n</details>`;
    }
  }
}

/** A value of several lines keeps its mark in each. */
function splitLines(line: string): string[] {
  const [first = '', ...rest] = line.split('\n');
  return [first, ...rest.map((each) => `${line.slice(0, 2)}${each}`)];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function inline(all: readonly Inline[]): string {
  return all.map((each) => (typeof each === 'string' ? each : codeSpan(each.code))).join('');
}

import { reportScript, reportStyle } from '../../../generated/report-page.ts';
import { cut } from '../../findings/words.ts';
import type { Document } from '../../plan/plan.ts';
import { forLog, forXml, visible } from '../escape.ts';
import { type Line, matrixOf, type Node, pageOf } from './page.ts';

/** The most characters of all blocks: with their count, less than GitHub takes for a comment. */
const MOST = 59_800;

/** The most characters of a foreign text in a span, and of a line in a fence. */
const LONGEST = 500;

/** The formats of a page. */
export const PAGES = { markdown: renderMarkdown, html: renderHtml };

/** A comment on a pull request, cut between two blocks. Its first line is a hidden mark by which it is found again. */
function renderMarkdown(document: Document): string {
  const blocks = pageOf(document).map((node) => forLog(markdownOf(node)));
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

function markdownOf(node: Node): string {
  switch (node.kind) {
    case 'heading':
      return `${'#'.repeat(node.level)} ${markdownInline(node.text)}`;
    case 'line':
      return `- ${markdownInline(node.text)}`;
    case 'table': {
      const line = node.head.map((_, at) => (at === 0 ? '---' : '---:'));
      const rows = [node.head, line, ...node.rows].map((cells) =>
        cells.map((cell) => markdownInline([cell])),
      );
      return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
    }
    case 'details': {
      const lines = node.changes.flatMap((change) => [
        `@@ ${change.head} @@`,
        ...change.lines.map(({ mark, text }) => `${mark} ${text}`),
      ]);
      return `${markdownInline(node.title)}\n\n<details>\n<summary>${node.summary}</summary>\n\n${fenced(lines)}\n\n</details>`;
    }
  }
}

function markdownInline(all: Line): string {
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

/** A page that loads nothing: the policy allows only the script and the style of its own, by their hashes. */
function renderHtml(document: Document): string {
  const policy = `default-src 'none'; style-src '${reportStyle.hash}'; script-src '${reportScript.hash}'; base-uri 'none'; form-action 'none'`;
  const [title = '', ...blocks] = [...pageOf(document), ...matrixOf(document.servers)].map(htmlOf);
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${forXml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>setpoint ${document.command}</title><style>${reportStyle.text}</style></head><body><main>`,
    title,
    `<p class="date">${forXml(document.createdAt ?? '')}</p>`,
    '<p class="filter" hidden><input type="search" id="filter" placeholder="Filter" aria-label="Filter changes"> <output id="count"></output></p>',
    ...blocks,
    `</main><script>${reportScript.text}</script></body></html>`,
    '',
  ].join('\n');
}

function htmlOf(node: Node): string {
  switch (node.kind) {
    case 'heading':
      return `<h${node.level - 1}>${htmlInline(node.text)}</h${node.level - 1}>`;
    case 'line':
      return `<p>${htmlInline(node.text)}</p>`;
    case 'table':
      return `<div class="scroll"><table>${[row(node.head, 'th'), ...node.rows.map((cells) => row(cells, 'td'))].join('\n')}</table></div>`;
    case 'details': {
      const head = `${htmlInline(node.title)} <small>${node.summary}</small>`;
      const lines = node.changes.flatMap((change) => [
        `<b>${forXml(change.head)}</b>`,
        ...change.lines.map(
          ({ mark, text }) => `<${TAGS[mark]}>${forXml(`${mark} ${text}`)}</${TAGS[mark]}>`,
        ),
      ]);
      return `<details open data-item><summary>${head}</summary><pre>${lines.join('\n')}</pre></details>`;
    }
  }
}

const TAGS = { '-': 'del', '+': 'ins', '!': 'strong', '#': 'em', ' ': 'span' } as const;

function row(cells: Line, tag: 'th' | 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${htmlInline([cell])}</${tag}>`).join('')}</tr>`;
}

function htmlInline(all: Line): string {
  return all
    .map((each) => (typeof each === 'string' ? forXml(each) : `<code>${forXml(each.code)}</code>`))
    .join('');
}

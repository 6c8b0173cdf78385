import { reportScript, reportStyle } from '../../../generated/report-page.ts';
import { forHtml } from '../escape.ts';
import type { Renderer } from '../report.ts';
import type { DiffLine, Inline, Node } from './nodes.ts';
import { pageOf } from './page.ts';

/** A page that loads nothing: the policy allows only the script and the style of its own, by their hashes. */
export const renderHtml: Renderer = (document) => {
  const policy = `default-src 'none'; style-src '${reportStyle.hash}'; script-src '${reportScript.hash}'; base-uri 'none'; form-action 'none'`;
  const date = document.createdAt === undefined ? '' : `<p class="date">${forHtml(document.createdAt)}</p>`;
  const [title, ...nodes] = pageOf(document);
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${forHtml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>setpoint ${forHtml(document.command)}</title><style>${reportStyle.text}</style></head><body><main>`,
    ...(title === undefined ? [] : [blockOf(title)]),
    date,
    '<p class="filter" hidden><input type="search" id="filter" placeholder="Filter" aria-label="Filter changes"> <output id="count"></output></p>',
    ...nodes.map(blockOf),
    `</main><script>${reportScript.text}</script></body></html>`,
    '',
  ].join('\n');
};

function blockOf(node: Node): string {
  switch (node.kind) {
    case 'heading':
      return `<h${node.level - 1}>${inline(node.text)}</h${node.level - 1}>`;
    case 'paragraph':
      return `<p>${inline(node.text)}</p>`;
    case 'list':
      return `<ul>${node.items.map((item) => `<li>${inline(item)}</li>`).join('')}</ul>`;
    case 'table': {
      const cells = (all: readonly Inline[], tag: string) =>
        `<tr>${all.map((cell) => `<${tag}>${inline([cell])}</${tag}>`).join('')}</tr>`;
      const rows = node.rows.map((row) => cells(row, 'td')).join('\n');
      const title = node.wide === undefined ? '' : `<h2>${forHtml(node.wide)}</h2>`;
      return `${title}<div class="scroll"><table>${cells(node.head, 'th')}\n${rows}</table></div>`;
    }
    case 'details': {
      const opened = node.isItem === true ? ' open data-item' : '';
      const head = `${inline(node.title)} <small>${forHtml(node.summary)}</small>`;
      const lines = node.lines.map(lineOf).join('\n');
      return `<details${opened}><summary>${head}</summary><pre>${lines}</pre></details>`;
    }
  }
}

const TAGS = { '-': 'del', '+': 'ins', '!': 'strong', '#': 'em', '@': 'b', ' ': 'span' } as const;

function lineOf({ mark, text }: DiffLine): string {
  const lines = text.split('\n').map((each) => forHtml(mark === '@' ? each : `${mark} ${each}`));
  return `<${TAGS[mark]}>${lines.join('\n')}</${TAGS[mark]}>`;
}

function inline(all: readonly Inline[]): string {
  return all
    .map((each) => (typeof each === 'string' ? forHtml(each) : `<code>${forHtml(each.code)}</code>`))
    .join('');
}

import { reportScript, reportStyle } from '../../../generated/report-page.ts';
import type { Document } from '../../plan/document.ts';
import { forXml } from '../escape.ts';
import { type Inline, matrix, type Node, pageOf } from './page.ts';

/** A page that loads nothing: the policy allows only the script and the style of its own, by their hashes. */
export function renderHtml(document: Document): string {
  const policy = `default-src 'none'; style-src '${reportStyle.hash}'; script-src '${reportScript.hash}'; base-uri 'none'; form-action 'none'`;
  const [title = '', ...blocks] = [...pageOf(document), ...matrix(document.servers)].map(blockOf);
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

function blockOf(node: Node): string {
  switch (node.kind) {
    case 'heading':
      return `<h${node.level - 1}>${inline(node.text)}</h${node.level - 1}>`;
    case 'line':
      return `<p>${inline(node.text)}</p>`;
    case 'table':
      return `<div class="scroll"><table>${[row(node.head, 'th'), ...node.rows.map((cells) => row(cells, 'td'))].join('\n')}</table></div>`;
    case 'details': {
      const head = `${inline(node.title)} <small>${node.summary}</small>`;
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

function row(cells: readonly Inline[], tag: 'th' | 'td'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${inline([cell])}</${tag}>`).join('')}</tr>`;
}

function inline(all: readonly Inline[]): string {
  return all
    .map((each) => (typeof each === 'string' ? forXml(each) : `<code>${forXml(each.code)}</code>`))
    .join('');
}

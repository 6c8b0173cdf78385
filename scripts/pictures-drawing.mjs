// Draws reports: a terminal, a page and a comment, with words beside their parts.
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Columns of pixels for words beside a report. */
const MARGIN = 260;

/** Draws a page: a window of it if it has a height, or all of it. */
export async function draw(
  browser,
  path,
  html,
  { width, height, scale = 1, marks },
) {
  const isMarked = marks !== undefined;
  const shown = await browser.newPage({
    viewport: {
      width: width + (isMarked ? MARGIN : 0),
      height: height ?? 400,
    },
    deviceScaleFactor: scale,
    bypassCSP: true,
  });
  await shown.setContent(html);
  if (isMarked)
    await shown.evaluate(annotate, { width, margin: MARGIN, marks });
  await shown.screenshot({ path, fullPage: height === undefined });
  await shown.close();
}

/** Puts words beside the first occurrence of texts, in their order. Runs in the page. */
function annotate({ width, margin, marks }) {
  const { body } = document;
  body.style.width = `${width}px`;
  const nodes = [];
  let text = '';
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const range = document.createRange();
    range.selectNode(node);
    if (range.getClientRects().length === 0) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const placed = (at) => {
    const { node, start } = nodes.findLast((each) => each.start <= at);
    return [node, at - start];
  };
  const LINE = {
    fill: 'none',
    stroke: '#e8590c',
    'shape-rendering': 'crispEdges',
  };
  function part(name, attributes, words = '') {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes))
      made.setAttribute(key, value);
    made.textContent = words;
    return made;
  }
  const svg = part('svg', {
    width: width + margin,
    height: document.documentElement.scrollHeight,
  });
  svg.style.cssText =
    'position:absolute;left:0;top:0;font:600 12.5px DejaVu Sans,sans-serif';
  let from = 0;
  let lowest = 0;
  for (const [words, label, selector] of marks) {
    const range = document.createRange();
    if (selector === undefined) {
      const at = text.indexOf(words, from);
      if (at < 0) throw new Error(`Nothing reads ${words}`);
      from = at + words.length;
      const [last, end] = placed(from - 1);
      range.setStart(...placed(at));
      range.setEnd(last, end + 1);
    } else range.selectNode(document.querySelector(selector));
    const { left, right, bottom } = range.getBoundingClientRect();
    // Below the text, which stays legible.
    const below = Math.round(bottom + scrollY) + 0.5;
    const y = Math.max(below, lowest + 18);
    lowest = y;
    svg.append(
      part('path', { d: `M${left} ${below}H${right}`, ...LINE }),
      part('path', {
        d: `M${right} ${below}H${width - 16}L${width} ${y}H${width + 8}`,
        'stroke-dasharray': '1 4',
        ...LINE,
      }),
      part('text', { x: width + 12, y: y + 3, fill: '#e8590c' }, label),
    );
  }
  body.append(svg);
}

/** A text with colours as a page. */
export function terminalPage(command, output) {
  const names = {
    1: 'bold',
    7: 'marked',
    31: 'red',
    32: 'green',
    33: 'yellow',
    35: 'magenta',
    36: 'cyan',
    90: 'gray',
  };
  const safe = `$ ${command}\n${output}`
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
  const [start, ...parts] = safe.split('\u001b[');
  const spans = parts.map((part) => {
    const [, code, words] = /^(\d+)m(.*)$/s.exec(part);
    return `${names[code] === undefined ? '</span>' : `<span class="${names[code]}">`}${words}`;
  });
  return `<style>
    body { margin: 0; background: #16191d; } pre { margin: 16px; color: #d6dae0; font: 13px/1.45 monospace; }
    .bold { font-weight: bold; color: #fff; } .gray { color: #8b929c; } .red { color: #ff7b72; } .green { color: #5ec66f; }
    .yellow { color: #e3b341; } .cyan { color: #6cc7d4; } .magenta { color: #d2a8ff; }
    .marked > span { color: #16191d; } .marked > .red { background: #ff7b72; } .marked > .green { background: #5ec66f; }
  </style><pre>${start}${spans.join('')}</pre>`;
}

/** A comment as GitHub shows it, nearly. */
export function commentPage(markdown) {
  const tree = fromMarkdown(markdown, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return `<style>
    body { margin: 0; background: #fff; color: #1f2328; font: 14px/1.5 DejaVu Sans, sans-serif; } main { padding: 16px 20px; }
    h3 { font-size: 17px; } h4 { font-size: 14px; } h3, h4, p, ul, table, pre { margin: 0 0 10px; } ul { padding-left: 26px; }
    code { background: #eff1f3; border-radius: 5px; padding: 1px 5px; font: 12px DejaVu Sans Mono, monospace; }
    strong code { font-weight: bold; } pre { background: #f6f8fa; border-radius: 6px; padding: 8px 12px; } pre code { background: none; padding: 0; }
    .in { background: #dafbe1; color: #116329; } .out { background: #ffebe9; color: #82071e; }
    td, th { border: 1px solid #d1d9e0; padding: 3px 12px; } table { border-collapse: collapse; }
    blockquote { margin: 0 0 10px; padding: 0 14px; border-left: 4px solid #cf222e; } blockquote b { color: #d1242f; } sub { color: #59636e; }
  </style><main>${htmlOf(tree)}</main>`;
}

const TAGS = {
  blockquote: 'blockquote',
  delete: 'del',
  emphasis: 'em',
  list: 'ul',
  listItem: 'li',
  paragraph: 'p',
  root: 'div',
  strong: 'strong',
  table: 'table',
  tableCell: 'td',
  tableRow: 'tr',
};

function htmlOf(node) {
  const { type, value = '', children = [], depth, url } = node;
  const safe = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  if (type === 'html') return value;
  if (type === 'text') return safe.replace('[!CAUTION]', '<b>Caution</b><br>');
  if (type === 'inlineCode') return `<code>${safe}</code>`;
  if (type === 'code') {
    const lines = safe.replace(/^([+-]).*$/gm, (line, mark) => {
      return `<span class="${mark === '+' ? 'in' : 'out'}">${line}</span>`;
    });
    return `<pre><code>${lines}</code></pre>`;
  }
  // Items of a tight list have no paragraphs.
  const own =
    type === 'listItem'
      ? children.flatMap((each) => {
          return each.type === 'paragraph' ? each.children : [each];
        })
      : children;
  const inside = own.map(htmlOf).join('');
  if (type === 'heading') return `<h${depth}>${inside}</h${depth}>`;
  if (type === 'link') return `<a href="${url}">${inside}</a>`;
  return `<${TAGS[type]}>${inside}</${TAGS[type]}>`;
}

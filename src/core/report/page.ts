import { reportScript, reportStyle } from '../../generated/report-page.ts';
import { count, cut } from '../findings/words.ts';
import { type Document, OUTCOMES, type ServerDocument } from '../plan/plan.ts';
import { changeLines } from './change.ts';
import { forLog, forXml, visible } from './escape.ts';
import { alikeServers } from './groups.ts';
import { changesOf, factsOf, isLabelled, totalText } from './totals.ts';

/** A line of our own words and foreign text. */
type Line = readonly (string | { readonly code: string })[];

type Alike = ReturnType<typeof alikeServers>[number];
type Group = Alike['sections'][number]['groups'][number];

/** A page as data, which each format writes down. */
type Node =
  | { readonly kind: 'heading'; readonly level: 2 | 3 | 4; readonly text: Line }
  | { readonly kind: 'line'; readonly text: Line }
  | {
      readonly kind: 'table';
      readonly head: Line;
      readonly rows: readonly Line[];
    }
  | ReturnType<typeof groupNode>;

/** The most characters of all blocks: with their count, less than GitHub takes for a comment. */
const MOST = 59_800;

/** The most names in a line, and the most characters of a foreign text in a span or a line of a fence. */
const MOST_NAMES = 40;
const LONGEST = 500;

/** The formats of a page. */
export const PAGES = { markdown: renderMarkdown, html: renderHtml };

/** A document for a reviewer: totals, risks and findings, then the changes, the branch's own first. */
function pageOf(document: Document): Node[] {
  const { command, servers } = document;
  return [
    heading(2, `setpoint ${command}`),
    ...(servers.length === 0 ? [] : totals(document)),
    ...factLines(Object.values(factsOf(document)).flat()),
    ...alikeServers(document).flatMap((alike) => serverNodes(alike, document)),
  ];
}

/** The changes of servers with equal ones below their names. The table of totals has those without any. */
function serverNodes(alike: Alike, document: Document): Node[] {
  const { servers, basis, sections } = alike;
  const below = factLines(basis);
  for (const { title, groups } of sections) {
    if (isLabelled(document)) below.push(heading(4, title));
    below.push(...groups.map(groupNode));
  }
  if (below.length === 0) return [];
  return [heading(3, ...names(servers.map(({ name }) => name))), ...below];
}

function heading(level: 2 | 3 | 4, ...text: Line): Node {
  return { kind: 'heading', level, text };
}

function code(text: string) {
  return { code: text };
}

/** A line for each fact that has names. */
function factLines(
  facts: readonly (readonly [title: string, names: readonly string[]])[],
): Node[] {
  const shown = facts.filter(([, all]) => all.length > 0);
  return shown.map(([title, all]) => ({
    kind: 'line',
    text: [`${title}: `, ...names(all)],
  }));
}

/** Names with commas; of many the first, and a count. */
function names(all: readonly string[]): Line {
  const shown = all.slice(0, MOST_NAMES).flatMap((name) => [', ', code(name)]);
  const more =
    all.length > MOST_NAMES ? [` and ${all.length - MOST_NAMES} more`] : [];
  return [...shown.slice(1), ...more];
}

/** The counts of a server, by their columns. */
function countsOf(server: ServerDocument): Readonly<Record<string, number>> {
  const { summary, integrations } = server;
  const changes = changesOf([server]);
  const number = (word: string) =>
    changes.filter(({ label, outcome }) => label === word || outcome === word)
      .length;
  return {
    managed: summary.managed,
    changes: changes.length,
    risks: changes.flatMap((change) => change.risks).length,
    conflict: number('conflict'),
    drift: number('drift'),
    hidden: summary.hidden + summary.unread,
    waived: summary.waived,
    'not planned': integrations.filter(({ unplanned }) => unplanned).length,
    ...Object.fromEntries(
      Object.keys(OUTCOMES).map((name) => [name, number(name)]),
    ),
  };
}

/** What all changes come to, and a row a server; a column that counts nothing is left out, except the first two. */
function totals(document: Document): Node[] {
  const { servers } = document;
  const all = servers.map(countsOf);
  const columns = Object.keys(all[0] ?? {}).filter(
    (column, at) => at < 2 || all.some((each) => each[column]),
  );
  const rows = servers.map(({ name }, at) => [
    code(name),
    ...columns.map((column) => `${all[at]?.[column]}`),
  ]);
  return [
    { kind: 'line', text: [totalText(document)] },
    { kind: 'table', head: ['server', ...columns], rows },
  ];
}

/** The changes of one integration, or of several that have the same. */
function groupNode({ first, names: all, changes }: Group) {
  const id =
    all.length > 1 || first.id === first.name ? [] : [' ', code(first.id)];
  const fields = changes.map(({ field }) => field.replace(/\.value$/, ''));
  return {
    kind: 'details' as const,
    title: [...names(all), ...id, ': ', ...names(fields)],
    summary: count(changes.length * all.length, 'change'),
    lines: changes.flatMap(({ change, field, place }) => {
      const { sides, notes } = changeLines(change);
      const state = change.outcome === undefined ? '' : ` [${change.outcome}]`;
      return [
        { mark: '@' as const, text: `${field}${state}  ${place}` },
        ...sides,
        ...notes,
      ];
    }),
  };
}

/** Integrations by servers, with the number of changes of each. */
function matrixOf(servers: readonly ServerDocument[]): Node[] {
  const counts = servers.map(({ integrations }) => {
    const changed = integrations.filter(({ changes }) => changes.length > 0);
    return new Map(changed.map(({ name, changes }) => [name, changes.length]));
  });
  const changed = new Set(counts.flatMap((each) => [...each.keys()]).sort());
  if (servers.length < 2 || changed.size === 0) return [];
  const rows = [...changed].map((name) => [
    code(name),
    ...counts.map((each) => `${each.get(name) ?? ''}`),
  ]);
  const head = ['integration', ...servers.map(({ name }) => code(name))];
  return [heading(3, 'Changes by server'), { kind: 'table', head, rows }];
}

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
  const parts = [
    `<!-- setpoint ${document.command} -->`,
    ...shown,
    ...(left > 0 ? [rest] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function markdownOf(node: Node): string {
  if (node.kind === 'heading')
    return `${'#'.repeat(node.level)} ${markdownLine(node.text)}`;
  if (node.kind === 'line') return `- ${markdownLine(node.text)}`;
  if (node.kind === 'table') {
    const border = node.head.map((_, at) => (at === 0 ? '---' : '---:'));
    const rows = [node.head, border, ...node.rows].map((cells) =>
      cells.map((cell) => markdownLine([cell])),
    );
    return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  }
  const lines = node.lines.map(({ mark, text }) =>
    mark === '@' ? `@@ ${text} @@` : `${mark} ${text}`,
  );
  return `${markdownLine(node.title)}\n\n<details>\n<summary>${node.summary}</summary>\n\n${fenced(lines)}\n\n</details>`;
}

function markdownLine(all: Line): string {
  return all
    .map((each) => (typeof each === 'string' ? each : codeSpan(each.code)))
    .join('');
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
  const [title = '', ...blocks] = [
    ...pageOf(document),
    ...matrixOf(document.servers),
  ].map(htmlOf);
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
  if (node.kind === 'heading')
    return element(`h${node.level - 1}`, htmlLine(node.text));
  if (node.kind === 'line') return element('p', htmlLine(node.text));
  if (node.kind === 'table') {
    const row = (cells: Line, tag: string) =>
      element(
        'tr',
        cells.map((cell) => element(tag, htmlLine([cell]))).join(''),
      );
    const rows = [
      row(node.head, 'th'),
      ...node.rows.map((cells) => row(cells, 'td')),
    ];
    return `<div class="scroll">${element('table', rows.join('\n'))}</div>`;
  }
  const lines = node.lines.map(({ mark, text }) =>
    element(TAGS[mark], forXml(mark === '@' ? text : `${mark} ${text}`)),
  );
  const summary = element(
    'summary',
    `${htmlLine(node.title)} ${element('small', node.summary)}`,
  );
  return `<details open data-item>${summary}${element('pre', lines.join('\n'))}</details>`;
}

const TAGS = {
  '@': 'b',
  '-': 'del',
  '+': 'ins',
  '!': 'strong',
  '#': 'em',
  ' ': 'span',
} as const;

function element(tag: string, content: string): string {
  return `<${tag}>${content}</${tag}>`;
}

function htmlLine(all: Line): string {
  return all
    .map((each) =>
      typeof each === 'string'
        ? forXml(each)
        : element('code', forXml(each.code)),
    )
    .join('');
}

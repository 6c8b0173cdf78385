import { count } from '../../findings/words.ts';
import { grouped } from '../../model/grouped.ts';
import { LONGEST_LINE } from '../escape-sinks.ts';

/** A part of a page that is shown whole or not at all. */
export interface Block {
  /** The headings above it, the outermost first; each is shown above the first block that has it. */
  readonly headings?: readonly string[];
  readonly text: string;
  /** What it shows so many of. */
  readonly of: 'change' | 'finding' | 'field' | 'line';
  readonly count: number;
}

/** The most characters of a page: less than GitHub takes for a comment, in UTF-16 units. */
const LONGEST_PAGE = 60_000;

/** Characters kept for the count of what is left out. */
const REST = 400;

/** A page with its mark, its head, and as many blocks as it has room for, then a count of what the others hold. */
export function pageOf(mark: string, head: readonly string[], blocks: readonly Block[]): string {
  const start = [mark, ...head].join('\n\n');
  const paragraphs: string[] = [];
  let [length, shown] = [start.length, 0];
  let above: readonly string[] = [];
  for (const block of blocks) {
    const added = [...newHeadings(block, above), block.text];
    length += added.reduce((sum, each) => sum + each.length + 2, 0);
    if (length > LONGEST_PAGE - REST) break;
    paragraphs.push(...added);
    above = block.headings ?? [];
    shown += 1;
  }
  return `${[start, ...paragraphs, ...restOf(blocks, shown)].join('\n\n')}\n`;
}

function newHeadings({ headings = [] }: Block, above: readonly string[]): string[] {
  const first = headings.findIndex((each, index) => each !== above[index]);
  return first < 0 ? [] : headings.slice(first);
}

/** What is left out, of how many, by kind. */
function restOf(blocks: readonly Block[], shown: number): string[] {
  if (shown === blocks.length) return [];
  const left = grouped(blocks.slice(shown), (block) => block.of);
  const parts = [...left].map(([of, hidden]) => {
    const all = blocks.filter((block) => block.of === of);
    return `${totalOf(hidden)} of ${count(totalOf(all), of)}`;
  });
  return [`**Left out here: ${parts.join(', ')}.** Other formats, such as html, have all of them.`];
}

function totalOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + block.count, 0);
}

/** The most names in a list. */
const NAMED_AT_MOST = 40;

/** Names that are escaped already; of many the first, and a count. */
export function namesText(names: readonly string[]): string {
  const more = names.length - NAMED_AT_MOST;
  return `${names.slice(0, NAMED_AT_MOST).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Blocks below a line that opens them; the summary is of our own words. */
export function collapsed(summary: string, body: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** Lines of several items in parts of bounded size, so that a page can end between two. */
export function partsOf<Item>(items: readonly Item[], linesOf: (item: Item) => readonly string[]) {
  const parts: { items: Item[]; lines: string[]; size: number }[] = [];
  for (const item of items) {
    const lines = linesOf(item);
    const size = lines.reduce((sum, line) => sum + Math.min(line.length, LONGEST_LINE), 0);
    const last = parts.at(-1);
    if (last === undefined || last.size + size > LARGEST_PART)
      parts.push({ items: [item], lines: [...lines], size });
    else {
      last.items.push(item);
      last.lines.push(...lines);
      last.size += size;
    }
  }
  return parts;
}

/** Characters of the changes that are shown or left out together. */
const LARGEST_PART = 6_000;

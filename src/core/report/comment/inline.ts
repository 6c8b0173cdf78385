import { count, cut, listed } from '../../findings/words.ts';
import type { Place } from '../../model/place.ts';
import type { Document } from '../../plan/plan-document.ts';
import { visible } from '../escape.ts';
import { placeLink } from '../repository.ts';

/** The most characters of foreign text in a span, or in a line of a fence. */
export const LONGEST = 300;

/** Foreign text as a code span: no mention, link or HTML can begin in it. */
export function code(text: string): string {
  return quoted(cut(visible(text), '', LONGEST));
}

/** A text without invisible characters as a code span. */
function quoted(text: string): string {
  if (text === '') return '(empty)';
  const ticks = fenceOf(text, 1);
  // One space at both ends is not part of the code.
  const space = /^`|`$|^ .* $/.test(text) ? ' ' : '';
  return `${ticks}${space}${text}${space}${ticks}`;
}

/** More backticks than any run of them in a text. */
export function fenceOf(text: string, least: number): string {
  let longest = least;
  for (const [run] of text.matchAll(/`+/g)) {
    longest = Math.max(longest, run.length + 1);
  }
  return '`'.repeat(longest);
}

/** Names as code; of many the first, and a count of the others. */
export function list(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).map((name) => code(name));
  return listed(shown, most, names.length);
}

/** Code that leads to its place, if the document knows the commit. */
export function linked(
  shown: string,
  place: Place,
  document: Document,
): string {
  const link = placeLink(document, place);
  return link === undefined ? shown : `[${shown}](${link})`;
}

/** A part that opens with a click; the summary is HTML of ours. */
export function fold(summary: string, content: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

/** The most characters of a list; all that a comment may have fit into it. */
const LONGEST_LIST = 5_000;

/**
 * The texts that have room in a list, each whole, and a count of the others.
 */
export function fitting(texts: readonly string[], noun: string): string[] {
  const shown: string[] = [];
  let room = LONGEST_LIST;
  for (const text of texts) {
    if (text.length > room) continue;
    room -= text.length;
    shown.push(text);
  }
  const left = texts.length - shown.length;
  if (left > 0) shown.push(`and ${count(left, `more ${noun}`)}`);
  return shown;
}

/** Words that mean nothing to Markdown, wherever they stand in a line. */
const PLAIN =
  /^(?:[A-Za-z][a-z]*(?:-[a-z]+)*(?:'[a-z]*)?|UTC|YAML|\d{1,6}(?:\.\d{1,6})*|%|\d{4}-\d{2}-\d{2}|\d{2}:\d{2})$/;

/** A word between a bracket before it, and the signs that end it. */
const PARTS = /^(\(?)([^(]+?)(\)?[.,;:?]?)$/;

/** A word, or a flag with its argument. */
const WORDS = /\(?--[a-z-]+(?: (?:[A-Z]+|\d+|[a-z]+(?:-[a-z]+)+)\b)?\S*|\S+/g;

/** What would begin a list at the start of a line. */
const NUMBERED = /^\d+[.)]/;

/** Words that are written alike: as they are, or as code. */
interface Phrase {
  isPlain: boolean;
  before: string;
  text: string;
  after: string;
}

/**
 * A sentence with foreign text, never cut: plain words stay, all others are
 * code. Neighbours are joined before they are quoted, as two code spans beside
 * each other could be read as a single other one.
 */
export function sentence(text: string): string {
  const phrases: Phrase[] = [];
  for (const word of visible(text).match(WORDS) ?? []) {
    const [, before = '', inner = word, after = ''] = PARTS.exec(word) ?? [];
    const last = phrases.at(-1);
    const isMarker = last === undefined && NUMBERED.test(word);
    const isPlain = PLAIN.test(inner) && !isMarker;
    const isNear = last?.after === '' && before === '';
    if (isNear && !isPlain && !last.isPlain) {
      last.text += ` ${inner}`;
      last.after = after;
    } else phrases.push({ isPlain, before, text: inner, after });
  }
  const texts = phrases.map((phrase) => {
    const { isPlain, before, text: inner, after } = phrase;
    return `${before}${isPlain ? inner : quoted(inner)}${after}`;
  });
  return texts.join(' ');
}

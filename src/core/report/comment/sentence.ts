import { visible } from '../escape.ts';
import { quoted } from './inline.ts';

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
  readonly isPlain: boolean;
  readonly before: string;
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
  return phrases.map(written).join(' ');
}

function written({ isPlain, before, text, after }: Phrase): string {
  return `${before}${isPlain ? text : quoted(text)}${after}`;
}

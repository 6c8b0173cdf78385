import { cut } from '../../findings/words.ts';
import { visible } from '../escape.ts';
import { quoted } from './inline.ts';

/** The most characters of a sentence. */
const LONGEST = 400;

/** Words that mean nothing to Markdown, wherever they stand in a line. */
const PLAIN =
  /^(?:[A-Za-z][a-z]*(?:-[a-z]+)*(?:'[a-z]*)?|\d{1,6}|%|\d{4}-\d{2}-\d{2}|\d{2}:\d{2})$/;

/** A word between a bracket before it, and the signs that end it. */
const PARTS = /^(\(?)(.*?)(\)?[.,;:?]?)$/s;

/** A flag with its argument. */
const FLAG = /(?:^| )--[a-z-]+$/;
const ARGUMENT = /^(?:[A-Z]+|\d+|[a-z]+(?:-[a-z]+)+)$/;

/** Words that are written alike: as they are, or as code. */
interface Phrase {
  isPlain: boolean;
  readonly before: string;
  text: string;
  after: string;
}

/**
 * A sentence with foreign text: plain words stay, all others are code spans.
 * It may stand anywhere but at the start of a line.
 */
export function sentence(text: string): string {
  const words = cut(visible(text), '', LONGEST).split(/ +/);
  const phrases = joined(words.filter((word) => word !== '').map(phraseOf));
  return phrases.map(written).join(' ');
}

function phraseOf(word: string): Phrase {
  const [, before = '', inner = '', after = ''] = PARTS.exec(word) ?? [];
  // A bracket that opens inside closes inside.
  const isSplit = inner.includes('(') && after.startsWith(')');
  if (inner === '' || isSplit) {
    return { isPlain: false, before: '', text: word, after: '' };
  }
  return { isPlain: PLAIN.test(inner), before, text: inner, after };
}

/** Joins neighbours that are code, unless a sign stands between them. */
function joined(phrases: readonly Phrase[]): Phrase[] {
  const all: Phrase[] = [];
  for (const phrase of phrases) {
    const last = all.at(-1);
    const isNear = last?.after === '' && phrase.before === '';
    if (last === undefined || !isNear || !belongs(last, phrase)) {
      all.push({ ...phrase });
      continue;
    }
    last.text += ` ${phrase.text}`;
    last.after = phrase.after;
  }
  return all;
}

function belongs(last: Phrase, next: Phrase): boolean {
  if (last.isPlain) return next.isPlain;
  return !next.isPlain || (FLAG.test(last.text) && ARGUMENT.test(next.text));
}

function written({ isPlain, before, text, after }: Phrase): string {
  return `${before}${isPlain ? text : quoted(text)}${after}`;
}

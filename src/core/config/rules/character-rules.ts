import { type Diagnostic, diagnostic } from '../../findings/diagnostic.ts';
import { characterNames } from '../character-names.ts';
import { optionKeys, type Word } from './option-keys.ts';
import type { Rule } from './rule.ts';

/** A key with characters that cannot be seen or look like others: no option of an integration has such a key. */
export const oddKey: Rule = ({ layers }) =>
  layers
    .flat()
    .flatMap(({ entries }) => entries)
    .flatMap(({ fields }) => optionKeys(fields).flatMap(oddCharactersIn));

/** A value with characters that cannot be seen, or a word of two alphabets that looks like one. */
export const oddCharacter: Rule = ({ winning }) =>
  winning.flatMap(({ address, texts }) =>
    texts.flatMap(({ text, place }) => {
      const characters = oddCharactersOf(text);
      return characters.length === 0 ? [] : [diagnostic('odd-character', { address, characters }, place)];
    }),
  );

/** The names of what is odd in a text: what cannot be seen, look-alikes, quotes around it; and whatever else is `foreign`. */
export function oddCharactersOf(text: string, foreign?: RegExp): string[] {
  const others = foreign === undefined ? [] : (text.match(foreign) ?? []);
  return characterNames([...hiddenIn(text), ...mixedIn(text), ...quotesAround(text), ...others]);
}

function oddCharactersIn({ word, place }: Word): Diagnostic[] {
  const characters = characterNames([
    ...(word.match(NOT_IN_KEYS) ?? []),
    ...mixedIn(word),
    ...blanksAround(word),
  ]);
  return characters.length === 0 ? [] : [diagnostic('odd-key', { characters }, place)];
}

/** Controls, marks of direction, joiners, and blanks that are none of the keyboard's. */
const HIDDEN =
  /[\p{Cf}\p{Zl}\p{Zp}\u00a0\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0\u2800]|\u034f/gu;
const NOT_IN_KEYS = new RegExp(`${HIDDEN.source}|[\\p{Cc}\\u2010-\\u2015\\u2212\\uff01-\\uff5e]`, 'gu');

/** Joiners belong to words of some languages, and to emoji. */
function hiddenIn(text: string): string[] {
  return (text.match(HIDDEN) ?? []).filter((character) => character !== '\u200c' && character !== '\u200d');
}

/** Cyrillic and Greek letters that look like Latin ones. */
const LOOK_ALIKES =
  /[\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb\u0501\u051b\u051d\u0410\u0412\u0415\u041a\u041c-\u041e\u0420-\u0422\u0425\u0423\u0406\u0408\u0405\u03bf\u03bd\u03b1\u03b9\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7]/gu;

/** The letters of another alphabet in words that are Latin but for them. */
function mixedIn(text: string): string[] {
  if (!/[\u0370-\u052f]/.test(text)) return [];
  const words = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => /[A-Za-z]/.test(word)).flatMap((word) => word.match(LOOK_ALIKES) ?? []);
}

/** The quotes of a text processor around a whole value are part of it. */
function quotesAround(text: string): string[] {
  return /^[\u201c\u201e\u2018\u201a].*[\u201c\u201d\u2018\u2019]$/su.test(text)
    ? [text.slice(0, 1), text.slice(-1)]
    : [];
}

function blanksAround(key: string): string[] {
  return key === key.trim() ? [] : [' '];
}

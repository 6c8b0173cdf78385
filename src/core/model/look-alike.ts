import { grouped } from './lists.ts';

/** Letters and signs, each before the one that it looks like. */
const ALIKE = [
  'АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS аa еe кK оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw',
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa ιi κk νv οo ρp υu χx ıi',
  `‘' ’' ‚' ‛' ʼ' ′' “" ”" „" ‟" ‐- ‒- –- —- ―- −- ×x`,
];

const LOOKS = new Map(
  ALIKE.join(' ')
    .split(' ')
    .map(([from = '', to = '']) => [from, to] as const),
);

/** Characters that show nothing, among plain spaces. */
const UNSEEN = /^(?:[^\S\n]|[\p{Cf}\p{DI}\u2800])+$/u;

/** Characters that can look like others. */
const SUSPECT = /[^\x20-\x7e\n]| \n| $/;

/**
 * Texts that are compared by people. What shows nothing is written by its
 * number, and so are the words that look like another word: `Z[U+00FC]rich`,
 * `Zu[U+0308]rich`.
 */
export function toldApart(texts: readonly string[]): readonly string[] {
  if (!texts.some((text) => SUSPECT.test(text))) return texts;
  // A run of what shows nothing, a word, or any other character.
  const run =
    /[\p{Cf}\p{DI}\u2800]+|[^\S\n]+|[\p{L}\p{M}\p{N}\p{Cf}\p{DI}]+|./gsu;
  const parts = texts.map((text) => text.match(run) ?? []);
  const byLook = grouped([...new Set(parts.flat())], lookOf);
  return parts.map((own) => {
    let shown = '';
    for (const part of own) {
      const alike = byLook.get(lookOf(part)) ?? [];
      const isMistakable = UNSEEN.test(part) || alike.length > 1;
      shown += isMistakable ? numbered(part, /[^\x20-\x7e\n]/gu) : part;
    }
    return numbered(shown, /[^\S\n]+$/gm);
  });
}

/** The look of a word, whichever characters draw it. */
function lookOf(word: string): string {
  let look = '';
  for (const character of word.normalize('NFKD')) {
    if (!UNSEEN.test(character)) look += LOOKS.get(character) ?? character;
  }
  return look;
}

/** A text with the numbers of some characters in their place. */
function numbered(text: string, which: RegExp): string {
  return text.replace(which, (characters) => {
    let numbers = '';
    for (const character of characters) numbers += `[${codePoint(character)}]`;
    return numbers;
  });
}

/** The code of the first character of a text: `U+00A0`. */
export function codePoint(text: string): string {
  const code = (text.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${code.padStart(4, '0')}`;
}

/** Letters and signs, each before the one that it looks like. */
const ALIKE = [
  'АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS аa еe кK оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw',
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa ιi κk νv οo ρp υu χx ıi',
  `‘' ’' ‚' ‛' ʼ' ′' ‐- ‒- –- —- ―- −- ×x`,
];

const LOOKS = new Map(
  ALIKE.join(' ')
    .split(' ')
    .map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]),
);

/** Characters that show nothing, and quotes: some texts alone have them around. */
const INVISIBLE = /[\p{Cf}\p{DI}"“”„‟]/gu;

/** Blanks and invisible characters. */
const UNSEEN = /^(?:[^\S\n]|[\p{Cf}\p{DI}"“”„‟\u2800])+$/u;

/** Characters that can look like others. */
const SUSPECT = /[^\x20-\x7e\n]| \n| $/;

/** A piece of a text, and its look. */
interface Piece {
  readonly text: string;
  readonly look: string;
}

/**
 * Texts that are compared by people. What differs and looks alike, or shows
 * nothing, is written by its number: `Z[U+00FC]rich`, `Zu[U+0308]rich`.
 */
export function toldApart(texts: readonly string[]): readonly string[] {
  if (!texts.some((text) => SUSPECT.test(text))) return texts;
  const all = texts.map(piecesOf);
  return all.map((pieces) => {
    const alike = new Set<Piece>();
    for (const others of all) {
      addAlike(alike, pieces, others);
      addAlike(alike, pieces.toReversed(), others.toReversed());
    }
    let shown = '';
    for (const piece of pieces) {
      shown += alike.has(piece) ? numbered(piece.text) : piece.text;
    }
    return shown.slice(0, -1);
  });
}

/** Ends a word. */
const BORDER = /^[^\p{L}\p{M}\p{N}]+$/u;

/** Adds the pieces that differ in words that look alike, up to the first that do not. */
function addAlike(
  alike: Set<Piece>,
  pieces: readonly Piece[],
  others: readonly Piece[],
): void {
  let word: Piece[] = [];
  for (const [at, piece] of pieces.entries()) {
    const other = others[at];
    if (other === undefined) return;
    const isAlike = piece.look === other.look;
    if (isAlike && piece.text !== other.text) word.push(piece);
    if (BORDER.test(piece.look + other.look)) {
      for (const own of word) alike.add(own);
      word = [];
    }
    if (!isAlike) return;
  }
}

/**
 * The pieces of a text: one for what is unseen before each character that is
 * seen, and one for each of its parts. The end is like the end of a line.
 */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let unseen = '';
  for (const [character] of `${text}\n`.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)) {
    if (UNSEEN.test(character)) {
      unseen += character;
      continue;
    }
    // Blanks show nothing before a text, and at the end of a line.
    const isOutside = character === '\n' || pieces.length === 0;
    const blanks = isOutside ? '' : unseen.replace(INVISIBLE, '');
    pieces.push({ text: unseen, look: ' '.repeat(blanks.length) });
    unseen = '';
    let rest = character;
    for (const part of character.replace(INVISIBLE, '').normalize('NFKD')) {
      pieces.push({ text: rest, look: LOOKS.get(part) ?? part });
      pieces.push({ text: '', look: '' });
      rest = '';
    }
    pieces.pop();
  }
  return pieces;
}

/** A text with the number of each character that is no letter or sign of ASCII. */
function numbered(text: string): string {
  return text.replace(/[^\x21-\x7e\n]/gu, (character) => {
    const number = character.codePointAt(0)?.toString(16).toUpperCase() ?? '';
    return `[U+${number.padStart(4, '0')}]`;
  });
}

import { firstPast } from '../model/bisect.ts';
import type { Span } from '../model/place.ts';

/** A text in another form, such as decoded, and where its parts are in the original. */
export interface Reading {
  readonly text: string;
  /** Whether the text is bytes, each as one character. */
  readonly isBytes?: true;
  /** The part of the original that a part of this text was made from, in UTF-16 units. */
  readonly origin: (from: number, to: number) => Span;
}

/** A text as it is. */
export function plainReading(text: string): Reading {
  return { text, origin: (from, to) => [from, to] };
}

/** Parts of a text that were replaced: where each is in the new text and in the old one, from left to right. */
interface Edits {
  readonly starts: number[];
  readonly ends: number[];
  readonly from: number[];
  readonly to: number[];
}

/** A reading with all matches of a global pattern without groups replaced; the same one where nothing matches. */
function rewritten(reading: Reading, pattern: RegExp, replace: (match: string) => string): Reading {
  const edits: Edits = { starts: [], ends: [], from: [], to: [] };
  let growth = 0;
  const text = reading.text.replace(pattern, (match: string, at: number) => {
    const replacement = replace(match);
    edits.starts.push(at + growth);
    edits.from.push(at);
    edits.to.push(at + match.length);
    growth += replacement.length - match.length;
    edits.ends.push(at + match.length + growth);
    return replacement;
  });
  if (edits.starts.length === 0) return reading;
  const origin: Reading['origin'] = (from, to) => reading.origin(oldStart(edits, from), oldEnd(edits, to));
  return { ...reading, text, origin };
}

function oldStart({ starts, ends, from, to }: Edits, at: number): number {
  const edit = firstPast(starts.length, (index) => (starts[index] ?? 0) > at) - 1;
  const end = ends[edit];
  if (end === undefined) return at;
  return at < end ? (from[edit] ?? 0) : at - end + (to[edit] ?? 0);
}

function oldEnd({ starts, ends, to }: Edits, at: number): number {
  const edit = firstPast(starts.length, (index) => (starts[index] ?? 0) >= at) - 1;
  const end = ends[edit];
  if (end === undefined) return at;
  return at <= end ? (to[edit] ?? 0) : at - end + (to[edit] ?? 0);
}

/** What people and programs put into a secret without changing it: blanks, line ends, quotes, invisible characters. */
const LOOSE = /[\s'"`\\+]+/g;
const LOOSE_OR_LETTER = /[\s'"`\\+\p{DI}]+|[^\0-\x7f]/gu;

/** A reading in which case, quoting, wrapping and the form of letters make no difference. */
export function folded(reading: Reading): Reading {
  const isAscii = reading.isBytes || !/[^\0-\x7f]/.test(reading.text);
  const tight = isAscii
    ? rewritten(reading, LOOSE, () => '')
    : rewritten(reading, LOOSE_OR_LETTER, (match) =>
        foldedLetter(match).replace(LOOSE_OR_LETTER, keptLetter),
      );
  // The lower case of what is left has the same length.
  return { ...tight, text: tight.text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) };
}

/** A letter whose forms are one to a server: `ß` is `SS` in capitals, and `é` may come in two parts. */
function foldedLetter(match: string): string {
  return match.normalize('NFKD').toUpperCase().toLowerCase();
}

function keptLetter(match: string): string {
  return /^[\s'"`\\+\p{DI}]/u.test(match) ? '' : match;
}

/** Rounds of decoding: a text may be JSON inside of JSON inside of a URL. */
const ROUNDS = 3;

/** All readings of a text in which a secret could be seen: as it is, decoded, and from its Base64 and hexadecimal parts. */
export function readingsOf(text: string): readonly Reading[] {
  const texts = decodings(plainReading(text));
  const bytes = texts.flatMap((reading) => [...fromBase64(reading), ...fromHex(reading)]);
  return [...texts, ...bytes.flatMap(decodings)];
}

/** A text, and how it reads decoded, as often as that changes it. */
export function decodings(reading: Reading): Reading[] {
  const found = [reading];
  for (let round = 0; round < ROUNDS; round += 1) {
    const last = found.at(-1) ?? reading;
    const next = rewritten(last, ENCODED, decodedForm);
    if (next === last) return found;
    found.push(next);
  }
  return found;
}

/** Escapes of JSON, JavaScript, shells, URLs, HTML and XML. */
const ENCODED =
  /\\u\{[0-9a-f]{1,6}\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^ux]|(?:%[0-9a-f]{2})+|&(?:#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,5});/gi;

function decodedForm(match: string): string {
  const code = /^(?:\\u\{?|\\x|&#x)([0-9a-f]+)/i.exec(match)?.[1];
  if (code !== undefined) return characterOf(Number.parseInt(code, 16));
  if (match.startsWith('&#')) return characterOf(Number(match.slice(2, -1)));
  if (match.startsWith('&')) return ENTITIES[match.slice(1, -1).toLowerCase()] ?? match;
  if (match.startsWith('\\')) return CONTROLS[match.charAt(1)] ?? match.slice(1);
  return Buffer.from(match.replaceAll('%', ''), 'hex').toString();
}

function characterOf(code: number): string {
  return code <= 0x10_ffff ? String.fromCodePoint(code) : '';
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Base64 of either alphabet, wrapped or not, from each of the positions where it may begin. */
function fromBase64(reading: Reading): Reading[] {
  const joined = rewritten(reading, /\s+/g, () => '');
  return (joined === reading ? [reading] : [reading, joined]).flatMap((each) =>
    runsOf(each, /[\w+/-]{6,}/g, 4).map(({ run, origin }) => ({
      text: Buffer.from(run, 'base64').toString('latin1'),
      isBytes: true,
      origin: (from, to) => origin(Math.floor((from * 4) / 3), Math.ceil((to * 4) / 3)),
    })),
  );
}

/** Hexadecimal digits, together or as lists of bytes: `0x70, 0x77`, `\x70\x77`, `70:77`. */
function fromHex(reading: Reading): Reading[] {
  const joined = rewritten(reading, /\\x|0x|[\s:,-]+/gi, () => '');
  return runsOf(joined, /[0-9a-f]{8,}/gi, 2).map(({ run, origin }) => ({
    text: Buffer.from(run, 'hex').toString('latin1'),
    isBytes: true,
    origin: (from, to) => origin(from * 2, to * 2),
  }));
}

/** The runs of characters that a pattern finds, each from its first `shifts` positions. */
function runsOf(reading: Reading, pattern: RegExp, shifts: number) {
  return [...reading.text.matchAll(pattern)].flatMap(({ 0: whole, index }) =>
    Array.from({ length: shifts }, (_, shift) => {
      const start = index + shift;
      const end = index + whole.length;
      const origin = (from: number, to: number) =>
        reading.origin(Math.min(start + from, end), Math.min(start + to, end));
      return { run: whole.slice(shift), origin };
    }),
  );
}

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
const LOOSE = /[\s\0'"`\\+]+/g;
const LOOSE_OR_LETTER = /[\s\0'"`\\+\p{DI}]+|[^\0-\x7f]/gu;

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
  return /^[\s\0'"`\\+\p{DI}]/u.test(match) ? '' : match;
}

/** Rounds of decoding: a text may be JSON inside of JSON inside of a URL. */
const ROUNDS = 3;

/** All readings of a text in which a secret could be seen: as it is, decoded, and from the bytes that it may hold. */
export function readingsOf(text: string): readonly Reading[] {
  const texts = decodings(plainReading(text));
  const bytes = texts.flatMap(bytesIn);
  // Bytes may be text that holds bytes again, such as a secret of Kubernetes.
  const again = bytes.filter((reading) => TEXT_OF_BYTES.test(reading.text)).flatMap(bytesIn);
  return [...texts, ...[...bytes, ...again].flatMap(decodings)];
}

/** Twelve characters of Base64 or hexadecimal digits in a row, as in no bytes by chance. */
const TEXT_OF_BYTES = /[\w+/-]{12}/;

function bytesIn(reading: Reading): Reading[] {
  return [...fromBase64(reading), ...fromHex(reading), ...fromList(reading)];
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

/** Escapes of JSON, JavaScript, C, shells, URLs, mails, HTML and XML. */
const ENCODED =
  /\\u\{[0-9a-fA-F]{1,6}\}|[\\%]u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\x[0-9a-fA-F]{2}|\\[0-3]?[0-7]{2}|\\[^ux]|(?:%[0-9a-fA-F]{2})+|(?:=[0-9A-F]{2}){3,}|&#[xX][0-9a-fA-F]{1,8};?|&#\d{2,7}(?!\d);?|&[a-zA-Z]{2,5};/g;

function decodedForm(match: string): string {
  const code = /^(?:[\\%][uU]\{?|\\x|&#x)([0-9a-f]+)/i.exec(match)?.[1];
  if (code !== undefined) return characterOf(Number.parseInt(code, 16));
  if (match.startsWith('&#')) return characterOf(Number.parseInt(match.slice(2), 10));
  if (match.startsWith('&')) return ENTITIES[match.slice(1, -1).toLowerCase()] ?? match;
  if (/^\\[0-7]{2}/.test(match)) return characterOf(Number.parseInt(match.slice(1), 8));
  if (match.startsWith('\\')) return CONTROLS[match.charAt(1)] ?? match.slice(1);
  return decodedBytes(Buffer.from(match.replace(/[%=]/g, ''), 'hex'));
}

/** Bytes as UTF-8, or as Latin-1 where they are not. */
function decodedBytes(bytes: Buffer): string {
  const text = bytes.toString();
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
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
    runsOf(each, BASE64, 4).map(({ run, origin }) => ({
      text: Buffer.from(run, 'base64').toString('latin1'),
      isBytes: true,
      origin: (from, to) => origin(Math.floor((from * 4) / 3), Math.ceil((to * 4) / 3)),
    })),
  );
}

/** Longer runs are read in parts: a pattern without a limit fails on millions of characters. */
const BASE64 = /[\w+/-]{6,65536}/g;

/** Bytes as numbers, as programs print them: `[112, 119]`. */
function fromList(reading: Reading): Reading[] {
  return [...reading.text.matchAll(/\d{1,3}(?:,\s*\d{1,3}){3,65536}/g)].map(({ 0: list, index }) => {
    const numbers = [...list.matchAll(/\d+/g)].map(({ 0: digits, index: at }) => ({
      at: index + at,
      digits,
    }));
    const end = ({ at, digits }: { at: number; digits: string }) => at + digits.length;
    return {
      text: Buffer.from(numbers.map(({ digits }) => Number(digits) & 0xff)).toString('latin1'),
      isBytes: true,
      origin: (from, to) => {
        const [first, last] = [numbers[from], numbers[to - 1]];
        return reading.origin(first?.at ?? index, last === undefined ? index + list.length : end(last));
      },
    };
  });
}

/** Hexadecimal digits, together or as lists of bytes: `0x70, 0x77`, `\x70\x77`, `70:77`. */
function fromHex(reading: Reading): Reading[] {
  const joined = rewritten(reading, /\\x|0x|[\s:,-]+/gi, () => '');
  return runsOf(joined, /[0-9a-f]{8,65536}/gi, 2).map(({ run, origin }) => ({
    text: Buffer.from(run, 'hex').toString('latin1'),
    isBytes: true,
    origin: (from, to) => origin(from * 2, to * 2),
  }));
}

/** The runs of characters that a pattern finds, each from its first `shifts` positions. */
function runsOf(reading: Reading, pattern: RegExp, shifts: number) {
  // Small letters alone are words: no bytes look like that.
  const runs = [...reading.text.matchAll(pattern)].filter(([run]) => !/^[a-z]+$/.test(run));
  return runs.flatMap(({ 0: whole, index }) =>
    Array.from({ length: shifts }, (_, shift) => {
      const start = index + shift;
      const end = index + whole.length;
      const origin = (from: number, to: number) =>
        reading.origin(Math.min(start + from, end), Math.min(start + to, end));
      return { run: whole.slice(shift), origin };
    }),
  );
}

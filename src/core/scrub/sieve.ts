import { SHORTEST } from './text-index.ts';

/** Tells of most texts, at little cost, that they hold no secret; of all others it says nothing. */
export type Sieve = (text: string) => boolean;

/** Characters that no decoding changes. */
const PLAIN = /^[\w .:/@-]*$/;

/** Whether a secret has one form only: nothing in it is encoded, loose, or more than one byte. */
export function isPlainSecret(secret: string): boolean {
  return PLAIN.test(secret) && !secret.includes(' ');
}

/**
 * Makes a sieve from what is searched for, folded. A plain text is walked once as it is, as Base64 and as hexadecimal digits,
 * at each position where these may begin. Wherever four characters in a row could begin a secret, or bytes could be decoded
 * further, only a search can tell.
 */
export function sieve(parts: readonly string[]): Sieve {
  if (parts.some(({ length }) => length < SHORTEST)) return () => false;
  const starts = new Starts(parts);
  const [plain, base64, hex] = [new Track(starts), tracks(starts, 4), tracks(starts, 2)];
  return (text) => {
    if (!PLAIN.test(text) || /0x/i.test(text)) return false;
    for (const track of [plain, ...base64, ...hex]) track.reset();
    return isFreeAsItIs(text, plain) && isFreeAsBase64(text, base64) && isFreeAsHex(text, hex);
  };
}

function tracks(starts: Starts, count: number): readonly Track[] {
  return Array.from({ length: count }, () => new Track(starts));
}

/** The last four characters, a byte each. */
function shifted(last: number, code: number): number {
  return (last << 8) | (code & 0xff);
}

/** Marks how texts begin, by four characters, in a table so large that few others meet a mark by chance. */
class Starts {
  readonly #marks: Uint8Array;
  readonly #unused: number;

  constructor(texts: readonly string[]) {
    const bits = Math.min(24, 14 + Math.ceil(Math.log2(texts.length + 1)));
    this.#unused = 32 - bits;
    this.#marks = new Uint8Array(2 ** (bits - 3));
    for (const text of texts) {
      let last = 0;
      for (let at = 0; at < SHORTEST; at += 1) last = shifted(last, text.charCodeAt(at));
      const place = this.#placeOf(last);
      this.#marks[place >>> 3] = (this.#marks[place >>> 3] ?? 0) | (1 << (place & 7));
    }
  }

  has(last: number): boolean {
    const place = this.#placeOf(last);
    return ((this.#marks[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  /** Fibonacci hashing. */
  #placeOf(last: number): number {
    return Math.imul(last, 0x9e37_79b1) >>> this.#unused;
  }
}

function isFreeAsItIs(text: string, track: Track): boolean {
  for (let at = 0; at < text.length; at += 1) if (!track.isFreeAfter(text.charCodeAt(at))) return false;
  return true;
}

/** Each character ends a byte of three of the four tracks, one for each position where Base64 may begin. */
function isFreeAsBase64(text: string, all: readonly Track[]): boolean {
  let last = 0;
  for (let at = 0, begun = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE) continue;
    const bits = SIX_BITS[code] ?? NONE;
    if (bits === NONE) {
      begun = 0;
      for (const track of all) track.reset();
      continue;
    }
    if (!areFreeAfterBits(all, begun, last, bits)) return false;
    last = bits;
    begun += 1;
  }
  return true;
}

function areFreeAfterBits(all: readonly Track[], begun: number, last: number, bits: number): boolean {
  for (let start = 0; start < 4 && start < begun; start += 1) {
    const place = (begun - start) & 3;
    const byte = ((last << (2 * place)) | (bits >> (6 - 2 * place))) & 0xff;
    if (place !== 0 && all[start]?.isFreeAfterByte(byte) === false) return false;
  }
  return true;
}

/** Each digit ends a byte of one of the two tracks; blanks, colons and dashes may stand between bytes. */
function isFreeAsHex(text: string, all: readonly Track[]): boolean {
  let last = 0;
  for (let at = 0, begun = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === COLON || code === DASH) continue;
    const digit = FOUR_BITS[code] ?? NONE;
    if (digit === NONE) {
      begun = 0;
      for (const track of all) track.reset();
      continue;
    }
    const byte = (last << 4) | digit;
    if (begun > 0 && all[(begun - 1) & 1]?.isFreeAfterByte(byte) === false) return false;
    last = digit;
    begun += 1;
  }
  return true;
}

const NONE = 0xff;

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const SIX_BITS = valuesOf(`${LETTERS_AND_DIGITS}+/`, `${LETTERS_AND_DIGITS}-_`);
const FOUR_BITS = valuesOf('0123456789abcdef', '0123456789ABCDEF');

/** The values of the digits of one or more alphabets, by their codes. */
function valuesOf(...alphabets: readonly string[]): Uint8Array {
  const values = new Uint8Array(0x80).fill(NONE);
  for (const digits of alphabets)
    for (const [value, digit] of [...digits].entries()) values[digit.charCodeAt(0)] = value;
  return values;
}

const [SPACE, DASH, COLON, BACKSLASH] = [0x20, 0x2d, 0x3a, 0x5c];

/** Bytes that searching leaves out: blanks, quotes, line ends, the backslash and the plus sign. */
const LOOSE = codesOf(/[\s\0'"`\\+]/);

/** Bytes that make an escape with the backslash before them, if that changes more than to leave it out. */
const BACKSLASHED = codesOf(/[0-7ntrbfuUx]/);

/** The other bytes that begin an escape, and what may follow them in it; a backslash may stand anywhere between. */
const MARKS = codesOf(/[%=&]/);
const ESCAPED = codesOf(/[0-9a-zA-Z#]/);
const ESCAPE_LENGTH = 3;

/** The bytes of Base64 and hexadecimal digits; so many in a row may be bytes again. */
const WORD = codesOf(/[\w+/-]/);
const WORD_LENGTH = 12;

/** Which of the first 256 characters a pattern matches. */
function codesOf(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 0x100 }, (_, code) => Number(pattern.test(String.fromCharCode(code))));
}

/** What was walked of one reading of a text. */
class Track {
  readonly #starts: Starts;
  #last = 0;
  #words = 0;
  /** Whether the last byte was a backslash. */
  #isAfterBackslash = false;
  /** How many bytes of an escape there are, with the one that begins it. */
  #escape = 0;

  constructor(starts: Starts) {
    this.#starts = starts;
  }

  reset(): void {
    this.#last = 0;
    this.#words = 0;
    this.#isAfterBackslash = false;
    this.#escape = 0;
  }

  /** Walks over a character of a plain text; false where a secret may begin with the last four. */
  isFreeAfter(code: number): boolean {
    if (LOOSE[code] === 1) return true;
    // Capitals are found as small letters.
    this.#last = shifted(this.#last, code >= 0x41 && code <= 0x5a ? code + 0x20 : code);
    return !this.#starts.has(this.#last);
  }

  /** The same for a byte that was decoded, which may itself be encoded. */
  isFreeAfterByte(byte: number): boolean {
    if (this.#isAfterBackslash && BACKSLASHED[byte] === 1) return false;
    this.#isAfterBackslash = byte === BACKSLASH;
    if (MARKS[byte] === 1) this.#escape = 1;
    else if (!this.#isAfterBackslash)
      this.#escape = this.#escape > 0 && ESCAPED[byte] === 1 ? this.#escape + 1 : 0;
    this.#words = WORD[byte] === 1 ? this.#words + 1 : 0;
    return this.#words < WORD_LENGTH && this.#escape < ESCAPE_LENGTH && this.isFreeAfter(byte);
  }
}

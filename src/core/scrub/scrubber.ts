import type { Span } from '../model/place.ts';
import { HIDDEN } from '../model/secret.ts';
import { decodings, folded, plainReading, type Reading, readingsOf } from './reading.ts';
import { isPlainSecret, type Sieve, sieve } from './sieve.ts';
import { SHORTEST, type TextIndex, textIndex } from './text-index.ts';

/** Keeps the secrets that a run knows out of all other texts. */
export interface Scrubber {
  /** A text with each secret in it replaced, in whatever form. */
  readonly clean: (text: string) => string;
  /** The same for names and plain values, of which a secret that is a mere word is a part by chance. */
  readonly name: (text: string) => string;
  /** Where the secrets are in a text. */
  readonly find: (text: string) => readonly Span[];
  /** What a server said: clean, or replaced as a whole where it may hold a part of a secret. */
  readonly said: (text: string) => string;
}

/** Shorter secrets are found only as whole words in their exact case, not by chance. */
const SHORTEST_PART = 8;

/** Longer secrets are found by their pieces, so that what it costs does not grow with their length. */
const PIECE = 64;

/** A server's text that shares this many characters in a row with a secret is not shown. */
const SHARED = 6;

/** The most characters of secrets that server texts are compared with; with more, no server text is shown. */
const MOST_COMPARED = 1_000_000;

/** The most characters of a text that are searched; what is longer is not shown at all. */
const LONGEST_SEARCHED = 256 * 1024;

const TOO_LONG = '(not shown: it is too long to be searched for secrets)';
const REPEATS = '(not shown: it may repeat a part of a secret)';
/** Stands for every text that a server said in a run with a secret that is too short. */
export const TOO_SHORT = '(not shown: a secret of this run is too short to be found in it)';

/** Makes a scrubber; its indexes are made when the first text is cleaned. */
export function scrubber(secrets: Iterable<string>): Scrubber {
  const known = [...new Set(secrets)].filter(isHideable);
  const made: { indexes?: Indexes; shared?: (text: string) => boolean; names?: Scrubber } = {};
  const find = (text: string) => {
    if (known.length === 0) return [];
    made.indexes ??= indexesOf(known);
    return found(text, made.indexes);
  };
  const clean = (text: string) =>
    known.length > 0 && text.length > LONGEST_SEARCHED ? TOO_LONG : replaced(text, find(text));
  const isWord = (text: string) => /^[A-Z]?[a-z]{0,15}$/.test(text);
  const hard = known.filter((secret) => !isWord(secret));
  const name = (text: string): string => {
    if (hard.length === known.length) return clean(text);
    made.names ??= scrubber(hard);
    return made.names.clean(text);
  };
  const isTooShort = known.some(({ length }) => length < SHORTEST);
  const said = (text: string) => {
    if (text === '' || known.length === 0) return text;
    if (isTooShort) return TOO_SHORT;
    made.shared ??= sharing(known);
    const cleanText = clean(text);
    return cleanText.split(HIDDEN).some(made.shared) ? REPEATS : cleanText;
  };
  return { clean, name, find, said };
}

/** A boolean is never a secret: hiding one would hide all. */
function isHideable(secret: string): boolean {
  return secret !== '' && secret !== 'true' && secret !== 'false';
}

interface Indexes {
  /** Whether a text is certain to hold none. */
  readonly isFree: Sieve;
  /** Folded pieces of secrets, found anywhere. */
  readonly long: TextIndex;
  /** Short secrets as they are, found as whole words. */
  readonly short: TextIndex;
}

function indexesOf(secrets: readonly string[]): Indexes {
  const forms = secrets.flatMap(formsOf);
  const isLong = ({ loose }: Form) => loose.length >= SHORTEST_PART;
  const short = forms.filter((form) => !isLong(form) && form.exact.length >= SHORTEST);
  const pieces = forms.filter(isLong).flatMap(({ loose }) => piecesOf(loose));
  return {
    isFree: sieve([...pieces, ...short.map(({ loose }) => loose)]),
    long: textIndex(pieces),
    short: textIndex(short.map(({ exact }) => exact)),
  };
}

/** A form of a secret, and how it reads folded. */
interface Form {
  readonly exact: string;
  readonly loose: string;
}

/** A secret and, of several lines, each: without the frame of a key, which only says what it is. */
function formsOf(secret: string): Form[] {
  if (isPlainSecret(secret)) return [{ exact: secret, loose: secret.toLowerCase() }];
  const lines = secret.split(/[\r\n]+/).filter((line) => !line.startsWith('-----'));
  const own = lines.length > 1 ? lines.filter((line) => line.length >= SHORTEST_PART) : [];
  const texts = new Set([lines.join('\n').trim() || secret, ...own]);
  // A secret may itself look encoded.
  return [...texts].flatMap((text) => decodings(plainReading(text))).flatMap(withBytes);
}

/** A reading as it is found in texts and, where they differ, in decoded bytes. */
function withBytes(reading: Reading): Form[] {
  const { text } = reading;
  const bytes = { ...reading, text: Buffer.from(text).toString('latin1'), isBytes: true } as const;
  // Programs write bytes in UTF-8 or Latin-1.
  const readings = bytes.text === text ? [reading] : [reading, bytes, { ...reading, isBytes: true } as const];
  return readings.map((each) => ({ exact: each.text, loose: folded(each).text }));
}

function foldedText(text: string): string {
  return folded(plainReading(text)).text;
}

function piecesOf(text: string): string[] {
  const count = Math.ceil(text.length / PIECE);
  return Array.from({ length: count }, (_, index) => {
    // The last piece overlaps the one before: alone it could be too short to be found.
    const from = Math.max(0, Math.min(index * PIECE, text.length - PIECE));
    return text.slice(from, from + PIECE);
  });
}

function found(text: string, { isFree, long, short }: Indexes): Span[] {
  if (isFree(text)) return [];
  const spans = readingsOf(text).flatMap((reading) => {
    const loose = folded(reading);
    return [
      ...long.find(loose.text, () => true).map(([from, to]) => loose.origin(from, to)),
      ...short.find(reading.text, wordIn(reading.text)).map(([from, to]) => reading.origin(from, to)),
    ];
  });
  return merged(spans);
}

/** Makes a test whether a part of a text is a word of its own. */
function wordIn(text: string): (from: number, to: number) => boolean {
  const isPart = (at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at));
  return (from, to) => !(isPart(from - 1) && isPart(from)) && !(isPart(to - 1) && isPart(to));
}

/** Spans from left to right, those that overlap as one. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const [from, to] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1);
    if (last === undefined || from > last[1]) result.push([from, to]);
    else result[result.length - 1] = [last[0], Math.max(last[1], to)];
  }
  return result;
}

function replaced(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const starts = [0, ...spans.map(([, to]) => to)];
  const ends = [...spans.map(([from]) => from), text.length];
  return starts.map((from, index) => text.slice(from, ends[index])).join(HIDDEN);
}

/** Makes a test whether a text shares characters in a row with any of the secrets, or has a shorter one as a word. */
function sharing(secrets: readonly string[]): (text: string) => boolean {
  const parts = secrets.flatMap(formsOf).map(({ loose }) => loose.replace(SCHEME, ''));
  if (parts.reduce((sum, { length }) => sum + length, 0) > MOST_COMPARED) return () => true;
  const words = textIndex(parts.filter(({ length }) => length >= SHORTEST && length < SHARED));
  const known = new Set(parts.flatMap(runsOf));
  for (const run of runsOf(foldedText(OWN_WORDS))) known.delete(run);
  return (text) =>
    readingsOf(text).some((reading) => {
      const { text: loose, origin } = folded({ ...reading, origin: (from, to) => [from, to] });
      // What stands around decoded bytes may have been decoded by chance.
      const isWord = reading.isBytes ? () => true : wordIn(reading.text);
      const hasWord = words.find(loose, (from, to) => isWord(...origin(from, to))).length > 0;
      return hasWord || runsOf(loose).some((run) => known.has(run));
    });
}

/** What setpoint says itself around a server's words. */
const OWN_WORDS =
  'The server answered The username or the password is wrong, required or expired PATCH GET POST /api/users/login /api/integrations/errors /api/integration-options';

/** What every address begins with says nothing of a secret one. */
const SCHEME = /^https?:\/\//;

function runsOf(text: string): string[] {
  return Array.from({ length: Math.max(0, text.length + 1 - SHARED) }, (_, at) =>
    text.slice(at, at + SHARED),
  );
}

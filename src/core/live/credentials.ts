import { HIDDEN } from '../model/secret.ts';

/** Names of credentials; more may stand before one, as in `X-Api-Key`. */
const NAMES = [
  'authorization|cookies?|x-auth',
  '(?:api|access|private|secret|shared|account|subscription|signing|encryption|license|consumer)[-_ ]?key',
  'token|secrets?|passwords?|passwd|passphrase|passcode|pwd|(?<![a-z])pass',
  'signature|credentials?|jwt|session[-_ ]?id',
  // Too short to mean much outside of a query.
  '[?&](?:key|auth|sig|code|sid)',
];

/** A name up to its value. Bounded: a server may send endless backslashes. */
const NAMED = new RegExp(
  `(?<name>${NAMES.join('|')})(?<quote>\\\\{0,8}["'\`])?\\s*(?<sign>:|={1,3}>?|%3[ad])(?<space>\\s*)`,
  'gi',
);

/** The most characters before the word that makes a name, with its quote. */
const LONGEST_NAME = 64;

/** How a header with a login goes on. */
const SCHEME = /^(?:bearer|basic|token|digest|api-?key|negotiate|ntlm|aws4)\b/i;

/** A login as headers have it, wherever it stands. */
const LOGIN = /\b(bearer|basic)(\s+)([^\s"'`,;<>]+)/gi;

/** A login in a URL. */
const USERINFO = /(?<=:\/\/)[^\s/?#"'`<>]+(?=@)/g;

/** A word of prose, which proves nothing: `token: expired`. */
const WORD = /^[A-Z]?[a-z]{1,15}[.,:;!?)]*$/;

/** A part of a text, without its end; empty if both are the same. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Masks the values of credentials in a text of a server, by their names. */
export function withoutCredentials(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const name of text.matchAll(NAMED)) {
    if (name.index < done) continue;
    const { start, end } = valueAfter(text, name);
    if (start === end) continue;
    parts.push(text.slice(done, start), HIDDEN);
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('').replace(USERINFO, HIDDEN).replace(LOGIN, shownLogin);
}

function shownLogin(
  login: string,
  scheme: string,
  space: string,
  key: string,
): string {
  // A challenge goes on with `realm="…"`.
  const isHarmless = WORD.test(key) || /^[a-z_]+=/.test(key);
  return isHarmless ? login : `${scheme}${space}${HIDDEN}`;
}

/** The value after a match of NAMED; empty if it is only a word of prose. */
function valueAfter(text: string, match: RegExpExecArray): Part {
  const { name = '', quote } = match.groups ?? {};
  const start = match.index + match[0].length;
  const opening = quoteAt(text, start);
  if (opening !== undefined) {
    const inside = start + opening.length;
    return { start: inside, end: endOfQuoted(text, inside, opening) };
  }
  const first = text.charAt(start);
  if (first === '[' || first === '{')
    return { start, end: endOfBrackets(text, start) };
  const isHeader = /authorization|cookie/i.test(name);
  if (isHeader && quote === undefined) return lineAfter(text, match);
  const end = endAt(quote === undefined ? WORD_END : JSON_END, text, start);
  const isHarmless = isHarmlessWord(text, match, text.slice(start, end));
  return { start, end: isHarmless ? start : end };
}

/** Whether a value is a constant, or a word of prose behind a colon. */
function isHarmlessWord(
  text: string,
  match: RegExpExecArray,
  value: string,
): boolean {
  if (/^(?:null|true|false)$/.test(value)) return true;
  const { name = '', sign, space } = match.groups ?? {};
  const isProse = sign === ':' && space !== '' && WORD.test(value);
  return isProse && isWord(text, match.index, name);
}

/** Whether a name may stand in prose, unlike `X-Api-Key`. */
function isWord(text: string, place: number, name: string): boolean {
  return !/[-_?&]/.test(name) && !/[\w-]/.test(text.charAt(place - 1));
}

/** The rest of the line of a header, or of the quotes around it. */
function lineAfter(text: string, match: RegExpExecArray): Part {
  const start = match.index + match[0].length;
  const around = quoteBefore(text, match.index);
  const end =
    around === undefined
      ? endAt(LINE_END, text, start)
      : endOfQuoted(text, start, around);
  const line = text.slice(start, end);
  const isProse = !SCHEME.test(line) && isAllWords(line);
  return { start, end: isProse ? start : end };
}

function isAllWords(line: string): boolean {
  return line.split(/\s+/).every((word) => WORD.test(word));
}

const LINE_END = /[\r\n]|$/g;
const WORD_END = /[\s&"'`<>]|$/g;
const JSON_END = /[\s,}\]&"'`<>]|$/g;

function endAt(mark: RegExp, text: string, start: number): number {
  mark.lastIndex = start;
  return mark.exec(text)?.index ?? text.length;
}

/** The quote at a place, with the backslashes before it. */
function quoteAt(text: string, start: number): string | undefined {
  return /^\\*["'`]/.exec(text.slice(start, start + 9))?.[0];
}

/** The quote before the name that a place is in. */
function quoteBefore(text: string, place: number): string | undefined {
  const before = text.slice(Math.max(0, place - LONGEST_NAME), place);
  return /(\\*["'`])[\w-]*$/.exec(before)?.[1];
}

/** Where a quoted text ends: a quote with no more backslashes ends it. */
function endOfQuoted(text: string, start: number, opening: string): number {
  const quote = opening.slice(-1);
  let at = text.indexOf(quote, start);
  while (at >= 0) {
    const first = startOfBackslashes(text, at, start);
    if (at - first < opening.length) return first;
    at = text.indexOf(quote, at + 1);
  }
  return text.length;
}

function startOfBackslashes(text: string, at: number, least: number): number {
  let first = at;
  while (first > least && text[first - 1] === '\\') first -= 1;
  return first;
}

/** Where a list or map ends, with all that is in it. */
function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '[' || character === '{') depth += 1;
    if (character === ']' || character === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

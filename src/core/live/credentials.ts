import { HIDDEN } from '../model/secret.ts';

/** Names of credentials in headers, queries and JSON; more may stand before one, as in `X-Api-Key` and `client_secret`. */
const NAMES = [
  'authorization|cookies?|x-auth',
  '(?:api|access|private|secret|shared|account|subscription|signing|encryption|license|consumer)[-_ ]?key',
  'token|secrets?|passwords?|passwd|passphrase|passcode|pwd|(?<![a-z])pass',
  'signature|credentials?|jwt|session[-_ ]?id',
  // Too short to mean much outside of a query.
  '[?&](?:key|auth|sig|code|sid)',
];

/** A name with what stands between it and its value. Bounded, as a server may send backslashes without end. */
const NAMED = new RegExp(
  `(?<name>${NAMES.join('|')})(?<quote>\\\\{0,8}["'\`])?\\s*(?<sign>:|={1,3}>?|%3[ad])(?<space>\\s*)`,
  'gi',
);

/** The most characters of a name before the word that makes it one, and of the quote before it. */
const LONGEST_NAME = 64;

/** How a header with a login goes on. */
const SCHEME = /^(?:bearer|basic|token|digest|api-?key|negotiate|ntlm|aws4)\b/i;

/** A login as headers have it, wherever it stands. */
const LOGIN = /\b(bearer|basic)(\s+)([^\s"'`,;<>]+)/gi;

/** A login in a URL. */
const USERINFO = /(?<=:\/\/)[^\s/?#"'`<>]+(?=@)/g;

/** A word of prose, which proves nothing: `token: expired`. */
const WORD = /^[A-Z]?[a-z]{1,15}[.,:;!?)]*$/;

/** A part of a text, without its end. */
type Part = readonly [start: number, end: number];

/** Takes out of a text of a server what follows the names of credentials: it may have recorded requests with those of others. */
export function withoutCredentials(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const found of text.matchAll(NAMED)) {
    if (found.index < done) continue;
    const [start, end] = valueAfter(text, found);
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

/** The value that follows a name; nothing if there is none, or only a word of prose. */
function valueAfter(text: string, found: RegExpExecArray): Part {
  const { name = '', quote, sign, space } = found.groups ?? {};
  const start = found.index + found[0].length;
  const opening = quoteAt(text, start);
  if (opening !== undefined) {
    const inside = start + opening.length;
    return [inside, endOfQuoted(text, inside, opening)];
  }
  if (/^[[{]/.test(text.slice(start, start + 1)))
    return [start, endOfBrackets(text, start)];
  const isLine = /authorization|cookie/i.test(name);
  if (isLine && quote === undefined) return lineAfter(text, found, start);
  const end = endAt(quote === undefined ? WORD_END : JSON_END, text, start);
  const value = text.slice(start, end);
  const isConstant = /^(?:null|true|false)$/.test(value);
  const isProse = sign === ':' && space !== '' && WORD.test(value);
  const isHarmless = isConstant || (isProse && isWord(text, found.index, name));
  return [start, isHarmless ? start : end];
}

/** Whether a name may stand in prose: `X-Api-Key` and `client_secret` do not. */
function isWord(text: string, place: number, name: string): boolean {
  return !/[-_?&]/.test(name) && !/[\w-]/.test(text.charAt(place - 1));
}

/** The rest of the line of a header, or of the quotes around it. */
function lineAfter(text: string, found: RegExpExecArray, start: number): Part {
  const around = quoteBefore(text, found.index);
  const end =
    around === undefined
      ? endAt(LINE_END, text, start)
      : endOfQuoted(text, start, around);
  const line = text.slice(start, end);
  const isProse =
    !SCHEME.test(line) && line.split(/\s+/).every((word) => WORD.test(word));
  return [start, isProse ? start : end];
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

/** Where a quoted text ends: at a quote that has no more backslashes than the opening one. */
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

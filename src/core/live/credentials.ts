import { HIDDEN } from '../model/secret.ts';

/** A quote, as JSON in JSON has it too. Bounded: a server may send endless backslashes. */
const QUOTE = '\\\\{0,8}["\'`]';

/** Names of credentials; more may stand before one, as in `X-Api-Key`. */
const NAMES = [
  'authorization|cookies?|x-auth|(?<![a-z])x[-_]key',
  '(?:api|access|private|secret|shared|account|subscription|signing|encryption|license|consumer|auth|client|master|(?<![a-z])app)[-_ ]?keys?',
  'tokens?|secrets?|passwords?|passwd|passphrase|passcode|pwd|(?<![a-z])pass',
  'signature|credentials?|jwt|session[-_ ]?id',
  // Too short to mean much outside of code or a query.
  `(?<![a-z])auth(?=${QUOTE}|\\s*=)`,
  '[?&](?:key|auth|sig|code|sid)',
];

/** The end of a name, as in `password1` and `token_value`. */
const SUFFIX = '(?:[-_]?\\d{1,4})?(?:[-_ ]?(?:value|hash|text|string))?';

/** The signs between a name and its value. */
const SIGNS = [
  ':=?|={1,3}>?|%3[ad]',
  // The next member of a list, or the value of `{"name": …, "value": …}`.
  `(?<=["'\`]\\s?),\\s*${QUOTE}value${QUOTE}\\s*:`,
  `(?<=["'\`]\\s?),(?=\\s*${QUOTE}(?![\\w-]{1,64}${QUOTE}\\s*:))`,
  // The end of an opening tag, with its attributes.
  '(?<=<(?<tag>[\\w:.-]{1,64}))(?:\\s[^<>]{0,200})?>',
];

/** A name up to its value, or up to the quote of a text of bytes in Python. */
const NAMED = new RegExp(
  `(?<name>(?:${NAMES.join('|')})${SUFFIX})(?<quote>${QUOTE})?\\s*(?<sign>${SIGNS.join('|')})(?<space>\\s*)(?:b(?=["']))?`,
  'gi',
);

/** The most characters before the word that makes a name, with its quote. */
const LONGEST_NAME = 64;

/** How many characters of a header show whether it is prose. */
const PROSE_LENGTH = 64;

/** How a header with a login goes on, maybe on its next line. */
const SCHEME =
  /(?:bearer|basic|token|digest|api-?key|negotiate|ntlm|aws4)\b\s*/iy;

/** A login as headers have it, wherever it stands. */
const LOGIN = /\b(bearer|basic)(\s+)([^\s"'`,;<>]+)/gi;

/** A credential that prose names without a sign: it has a digit. */
const SPOKEN =
  /\b(token|api[-_ ]?key|password|secret)(\s+["'`]?)(?!\w+:\/\/)(?=[^\s"'`,;<>\d]*\d)[^\s"'`,;<>]{6,}/gi;

/** A private key in lines, up to its end or the end of the text. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[\s\S]*?(?:-----END [A-Z0-9 ]{0,60}-----|$)/g;

/** A login in a URL. */
const USERINFO = /(?<=:\/\/)[^\s/?#"'`<>]+(?=@)/g;

/** A word of prose, which proves nothing: `token: expired`. */
const WORD = /^[A-Z]?[a-z]{1,15}[.,:;!?)]*$/;

/** A part of a text, without its end. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** The name of a credential in a text. */
interface Name {
  readonly word: string;
  readonly start: number;
  /** Where its value starts. */
  readonly end: number;
  readonly isQuoted: boolean;
  readonly sign: string;
  readonly hasSpace: boolean;
  /** The tag of an element of XML. */
  readonly tag: string | undefined;
}

/** Masks the values of credentials in a text of a server, by their names. */
export function withoutCredentials(text: string): string {
  return withoutNamedValues(text.replace(PRIVATE_KEY, HIDDEN))
    .replace(USERINFO, HIDDEN)
    .replace(LOGIN, shownLogin)
    .replace(SPOKEN, `$1$2${HIDDEN}`);
}

function withoutNamedValues(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const match of text.matchAll(NAMED)) {
    if (match.index < done) continue;
    const value = valueAfter(text, nameOf(match));
    if (value === undefined || value.start === value.end) continue;
    parts.push(text.slice(done, value.start), HIDDEN);
    done = value.end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

function nameOf(match: RegExpExecArray): Name {
  const { name = '', quote, sign = '', space, tag } = match.groups ?? {};
  return {
    word: name,
    start: match.index,
    end: match.index + match[0].length,
    isQuoted: quote !== undefined,
    sign,
    hasSpace: space !== '',
    tag,
  };
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

/** The value after a name; undefined if it is prose. A hostile text repeats names, so prose is judged by a bounded part of it. */
function valueAfter(text: string, name: Name): Part | undefined {
  if (name.tag !== undefined) return elementAfter(text, name.end, name.tag);
  const opening = quoteAt(text, name.end);
  if (opening !== undefined) return quotedAfter(text, name, opening);
  const first = text.charAt(name.end);
  if (first === '[' || first === '{') return bracketsAt(text, name.end);
  const isHeader = /authorization|cookie/i.test(name.word);
  if (isHeader && !name.isQuoted) return headerAfter(text, name);
  return wordAfter(text, name);
}

/** All that is in an element of XML. */
function elementAfter(text: string, start: number, tag: string): Part {
  const end = text.indexOf(`</${tag}`, start);
  return { start, end: end < 0 ? text.length : end };
}

/** The text in quotes; in a list, a word behind a word proves nothing. */
function quotedAfter(
  text: string,
  name: Name,
  opening: string,
): Part | undefined {
  const start = name.end + opening.length;
  const end = endOfQuoted(text, start, opening);
  const isMember = name.sign === ',';
  if (isMember && isProse(name, text, { start, end })) return undefined;
  return { start, end };
}

/** A list or map, with all that is in it; brackets in quotes do not count. */
function bracketsAt(text: string, start: number): Part {
  const marks = new RegExp(`${QUOTE}|[[\\]{}]`, 'g');
  marks.lastIndex = start;
  let depth = 0;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    const [found] = mark;
    if (found === '[' || found === '{') depth += 1;
    else if (found === ']' || found === '}') depth -= 1;
    else marks.lastIndex = afterQuoted(text, marks.lastIndex, found);
    if (depth === 0) return { start, end: marks.lastIndex };
  }
  return { start, end: text.length };
}

/** The rest of the line of a header, or of the quotes around it. */
function headerAfter(text: string, name: Name): Part | undefined {
  const start = name.end;
  const around = quoteBefore(text, name.start);
  SCHEME.lastIndex = start;
  const scheme = SCHEME.exec(text);
  if (scheme !== null) {
    const login = start + scheme[0].length;
    return { start, end: endOfLine(text, login, around) };
  }
  const beginning = text.slice(start, start + PROSE_LENGTH);
  const line = beginning.slice(0, endOfLine(beginning, 0, around));
  const words = line.trim().split(/\s+/);
  if (words.every((word) => WORD.test(word))) return undefined;
  return { start, end: endOfLine(text, start, around) };
}

/** A value without quotes. */
function wordAfter(text: string, name: Name): Part | undefined {
  const start = name.end;
  const end = endAt(name.isQuoted ? JSON_END : WORD_END, text, start);
  const value = text.slice(start, end);
  const isConstant = /^(?:null|true|false)$/.test(value);
  const isPlural = /[^s]s$/i.test(name.word);
  const isCount = isPlural && /^\d{1,6}[.,;)]*$/.test(value);
  if (isConstant || isCount) return undefined;
  const isSentence = name.sign === ':' && name.hasSpace;
  if (isSentence && isProse(name, text, { start, end })) return undefined;
  return { start, end };
}

/** Whether a word stands behind a name that may stand in prose, unlike `X-Api-Key`. */
function isProse(name: Name, text: string, value: Part): boolean {
  const isWord =
    !/[-_?&]/.test(name.word) && !/[\w-]/.test(text.charAt(name.start - 1));
  return isWord && WORD.test(text.slice(value.start, value.end));
}

const LINE_END = /[\r\n]|$/g;
const WORD_END = /[\s&"'`<>]|$/g;
const JSON_END = /[\s,}\]&"'`<>]|$/g;

function endAt(mark: RegExp, text: string, start: number): number {
  mark.lastIndex = start;
  return mark.exec(text)?.index ?? text.length;
}

/** Where a line ends, or the quotes around it. */
function endOfLine(
  text: string,
  start: number,
  around: string | undefined,
): number {
  if (around === undefined) return endAt(LINE_END, text, start);
  return endOfQuoted(text, start, around);
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

/** The place behind a quoted text and its closing quote. */
function afterQuoted(text: string, start: number, opening: string): number {
  const end = endOfQuoted(text, start, opening);
  const closing = text.indexOf(opening.slice(-1), end);
  return closing < 0 ? text.length : closing + 1;
}

/** Where a quoted text ends: a quote with no more backslashes ends it. */
function endOfQuoted(text: string, start: number, opening: string): number {
  const quote = opening.slice(-1);
  let at = text.indexOf(quote, start);
  while (at >= 0) {
    let first = at;
    while (first > start && text[first - 1] === '\\') first -= 1;
    if (at - first < opening.length) return first;
    at = text.indexOf(quote, at + 1);
  }
  return text.length;
}

import type { Span } from '../model/place.ts';
import { HIDDEN } from '../model/secret.ts';

/**
 * A quote, as JSON in JSON has it too. Bounded: a server may send endless
 * backslashes.
 */
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

/** A name with its end, as in `password1` and `token_value`. */
const NAME = `(?:${NAMES.join('|')})(?:[-_]?\\d{1,4})?(?:[-_ ]?(?:value|hash|text|string))?`;

/**
 * A name with its sign, as code, JSON and queries have it, maybe a mark of
 * bytes, and a value: in quotes, in brackets up to the end of the line, or a
 * word.
 */
const NAMED = new RegExp(
  [
    `(?<name>${NAME})(?<quote>${QUOTE})?`,
    // The last sign is that of `{"key": …, "value": …}`.
    `\\s*(?<sign>:=?|={1,3}>?|%3[ad]|,\\s*${QUOTE}value${QUOTE}\\s*:)`,
    '(?<space>\\s*)(?:b(?=["\']))?',
    `(?<value>(?<open>${QUOTE})[^]*?(?:(?<!\\\\)\\k<open>|$)|[[{][^\\r\\n]*|[^\\s&"'\`<>]+)`,
  ].join(''),
  'gi',
);

/** An element of XML with such a name, and its text. */
const ELEMENT = new RegExp(
  `(<[\\w:.-]{0,64}(?:${NAME})(?:\\s[^<>]{0,200})?>)[^<]+`,
  'gi',
);

/** A header with a login in quotes of its own, as a command line has it. */
const QUOTED_HEADER =
  /(["'`])([\w-]{0,32}(?:authorization|cookies?)[ \t]*:[ \t]*)(?:(?!\1)[^\r\n])+/gi;

/** A header with a login, up to the end of its line. */
const HEADER =
  /((?:authorization|cookies?)[ \t]*[:=][ \t]*)(?![ \t]|\(secret\))([^\r\n]+)/gi;

/** How a header with a login goes on. */
const SCHEME = /^(?:bearer|basic|token|digest|api-?key|negotiate|ntlm|aws4)\b/i;

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

/** How many characters of a header show whether it is prose. */
const PROSE_LENGTH = 64;

/** Masks the values of credentials in a text of a server, by their names. */
export function withoutCredentials(text: string): string {
  const known = text
    .replace(PRIVATE_KEY, HIDDEN)
    .replace(USERINFO, HIDDEN)
    .replace(LOGIN, withoutLogin)
    .replace(QUOTED_HEADER, `$1$2${HIDDEN}`)
    .replace(HEADER, withoutHeader)
    .replace(ELEMENT, `$1${HIDDEN}`);
  return withoutNamedValues(known).replace(SPOKEN, `$1$2${HIDDEN}`);
}

function withoutLogin(
  login: string,
  scheme: string,
  space: string,
  key: string,
): string {
  // A challenge goes on with `realm="…"`.
  const isHarmless = WORD.test(key) || /^[a-z_]+=/.test(key);
  return isHarmless ? login : `${scheme}${space}${HIDDEN}`;
}

function withoutHeader(whole: string, head: string, line: string): string {
  const words = line.slice(0, PROSE_LENGTH).trim().split(/\s+/);
  const isProse = !SCHEME.test(line) && words.every((word) => WORD.test(word));
  return isProse ? whole : `${head}${HIDDEN}`;
}

function withoutNamedValues(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const match of text.matchAll(NAMED)) {
    const [start, end] = valueIn(match);
    if (start === end || isHarmless(match, text.slice(start, end))) continue;
    parts.push(text.slice(done, start), HIDDEN);
    done = end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** Where the value behind a name begins and ends, without its quotes. */
function valueIn({ 0: whole, index, groups = {} }: RegExpExecArray): Span {
  const { value = '', open = '', quote } = groups;
  const end = index + whole.length;
  const start = end - value.length + open.length;
  if (open !== '') {
    const isClosed = value.length > open.length && value.endsWith(open);
    return [start, isClosed ? end - open.length : end];
  }
  // A number in JSON ends where its member does.
  const isMember = quote !== undefined && !/^[[{]/.test(value);
  return [start, isMember ? start + value.search(/[,}\]]|$/) : end];
}

/**
 * Whether what stands behind a name is no credential: a constant, how many
 * there are, or a word of prose.
 */
function isHarmless(
  { input, index, groups = {} }: RegExpExecArray,
  value: string,
): boolean {
  const { name = '', sign, space, open } = groups;
  if (open !== undefined) return false;
  if (/^(?:null|true|false)$/.test(value)) return true;
  const isPlural = /[^s]s$/i.test(name);
  if (isPlural && /^\d{1,6}[.,;)]*$/.test(value)) return true;
  // No prose has a name such as `X-Api-Key`.
  const isPart = /[-_?&]/.test(name) || /[\w-]/.test(input.charAt(index - 1));
  const isSentence = sign === ':' && space !== '';
  return !isPart && isSentence && WORD.test(value);
}

import { HIDDEN, isHidden, type Secret } from './secret.ts';
import { type OptionValue, textsOf, type WrittenValue } from './value.ts';

/**
 * Forms that nothing but a credential has, wherever it stands in a text. A
 * token has a digit, which words of prose have not.
 */
const CREDENTIALS: readonly RegExp[] = [
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/,
  // Keys and tokens of large services, and tokens of three parts.
  /(?<![\w-])(?:AKIA|ASIA)[A-Z0-9]{16}(?![\w-])/,
  /(?<![\w-])(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{22}|glpat-[\w-]{20}|xox[abprs]-[\w-]{10}|sk_live_\w{16})/,
  /(?<![\w-])(?:sk-(?:ant|proj)-[\w-]{16}|AIza[\w-]{35}(?![\w-])|hvs\.[\w-]{20})/,
  /(?<![\w-])eyJ[\w-]{8,8192}\.eyJ[\w-]{8,8192}\.[\w-]{8}/,
  // Logins as headers have them. Base64 has capitals inside of words.
  /\bbearer\s{1,8}(?=eyJ|[a-z_.~+/=-]{0,256}\d)[\w.~+/=-]{8}/i,
  /\b(?:[Bb]asic|BASIC)\s{1,8}(?=[\w+/]{0,256}[a-z0-9][A-Z][\w+/]{0,256}(?:[a-z0-9][A-Z]|=))[\w+/]{7}/,
  // Passwords and keys in URLs, and webhooks.
  /:\/\/[^\s/:@{}<>]{1,256}:[^\s/:@{}<>]{1,256}@/,
  /[?&](?:api[-_]?key|(?:access[-_]?|auth[-_]?)?token|(?:client[-_]?)?secret|password|passwd|pwd|(?:x-(?:amz|goog)-)?sig(?:nature)?)=(?=\w)(?=[^&#\s\d]{0,256}\d)/i,
  /\/\/hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)(?:\/\w{6,64}){3}/i,
  /\bdiscord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/\d{6,32}\/[\w-]{16}/i,
  /\/\/(?:outlook\.office(?:365)?\.com|[\w-]{1,64}\.webhook\.office\.com)\/webhook(?:b2)?\/[\w@-]{32}/i,
];

/** Matches each of these forms, and few other texts. */
const HINT =
  /-----BEGIN |:\/\/[^\s/@]{3,513}@|[?&]|hooks\.slack|webhook|bearer|basic|AKIA|ASIA|gh[pousr]_|github_|glpat-|xox|sk[-_]|AIza|hvs|eyJ/i;

function hasCredential(text: string): boolean {
  return HINT.test(text) && CREDENTIALS.some((form) => form.test(text));
}

/**
 * How the names of secrets end: keys of options, for servers that do not serve
 * the type of an option.
 */
const SECRET_KEY =
  /(passwords?|passwd|pwd|passphrase|secrets?|tokens?|(api|access|private|secret|shared)[-_]?keys?|credentials?)$/i;

/**
 * The types of options that hold secrets: `password` in the document, and how
 * other servers name such a type.
 */
const SECRET_TYPE =
  /pass(word|wd|phrase|code|key)|pwd|secret|token|credential|encrypted|sensitive|(api|access|private)[-_ ]?key/i;

/** The clues to whether a value is a secret. */
export interface Clues extends DeclaredSecrecy {
  /** The key of the option; absent if only the value counts. */
  key?: string | undefined;
  /** The type of the option; undefined if it is not known. */
  type?: string | undefined;
  /** The declared and the live value. */
  values?: readonly (WrittenValue | Secret<OptionValue>)[] | undefined;
}

/** Whether a value is a secret. The one place that decides. */
export function isSecret(clues: Clues): boolean {
  const { key = '', type, mark, isSecretByValue, values = [] } = clues;
  if (isCertainSecret(clues)) return true;
  if (mark === false) return false;
  if (isSecretByValue === true) return true;
  if (type === undefined && SECRET_KEY.test(key)) return true;
  for (const value of values) {
    if (isHidden(value) || holdsCredential(value)) return true;
  }
  return false;
}

/**
 * Whether an option holds a secret for certain: by its type, or because the
 * YAML says so; not by its name.
 */
export function isCertainSecret({ type, mark }: Clues): boolean {
  return mark === true || isSecretType(type);
}

/** Whether a server calls an option one of secrets; `undefined` is no type. */
export function isSecretType(type: string | undefined): boolean {
  return type !== undefined && SECRET_TYPE.test(type);
}

/**
 * Whether a text of a value has the form of a credential; numbers and booleans
 * have none.
 */
function holdsCredential(value: WrittenValue): boolean {
  if (typeof value === 'string') return hasCredential(value);
  return typeof value === 'object' && textsOf(value).some(hasCredential);
}

/** The declared secrecy of an option. */
export interface DeclaredSecrecy {
  /** `sensitive:` in the YAML, which only a type for secrets overrides. */
  mark?: boolean | undefined;
  /** Whether its value comes from outside, or has the form of a credential. */
  isSecretByValue?: boolean | undefined;
}

/**
 * The effective secrecy of an option: a secret of the base stays one, and
 * `sensitive: false` needs the base to say it too.
 */
export function declaredSecrecy(
  now: DeclaredSecrecy,
  past?: DeclaredSecrecy,
): DeclaredSecrecy {
  if (past === undefined) return now;
  let { mark } = now;
  // A branch cannot make a secret public by saying so.
  if (mark === false && past.mark !== false) mark = undefined;
  if (past.mark === true) mark = true;
  const wasSecret = past.mark !== false && past.isSecretByValue === true;
  return { mark, isSecretByValue: wasSecret || now.isSecretByValue };
}

/**
 * Forms in which a mask comes, whole or with the ends of the secret left to be
 * recognised.
 */
const MASKS = [
  /[*•●∙⬤█○◦▪■·]{3}/u,
  /^[•●∙⬤█○◦▪■·]+$/u,
  // One mark again and again: `......`, `######`, `------`.
  /^([^\p{L}\p{N}\s])\1{3,}$/u,
  // `xxxxxxxx`, `XXXXXXXX1234`, `sk_xxxxxxxx`
  /^\S{0,8}([xX])\1{5,}\S{0,8}$/,
  /^[xX]{4,}$/,
  // `sk-...EA`, `sk…EA`
  /^\S{0,8}(\.{3,}|…)\S{0,8}$/u,
  // A word, bare or in any brackets: `[REDACTED]`, `<hidden>`, `__masked__`.
  /^[[(<{_*-]{0,3}(redacted|filtered|hidden|masked|obfuscated|concealed|omitted|removed|secret|sensitive|protected|encrypted|configured|unchanged|not shown|(hidden|masked|secret|sensitive|encrypted) value)[\])>}_*-]{0,3}$/i,
];

/**
 * Whether what a server sends for a secret is a mask: stars, bullets,
 * `sk****EA`, `[redacted]`, `xxxxxx`. A secret that looks like one is not
 * compared, which is harmless; comparing a mask is not.
 */
export function isMask(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= 65_536 && MASKS.some((mask) => mask.test(trimmed));
}

/** A comment, unless it holds a credential. */
export function shownComment(comment: string | undefined): string | undefined {
  return comment === undefined || hasCredential(comment) ? undefined : comment;
}

/**
 * Whether an unknown key can be named: words, and no secret that lost its
 * quotes.
 */
export function isPlainKey(key: string): boolean {
  return (
    /^[a-z]{1,24}(?:[-_][a-z]{1,24}){0,3}$/i.test(key) && !hasCredential(key)
  );
}

/** Splits a text at its references, which become every second part. */
const REFERENCE = /(\$\{(?:env|file|value):[^}]*\})/;

/**
 * Harmless text around the reference of a secret: a scheme, or the marks of a
 * list, in which a literal shows as `…`.
 */
const HARMLESS_AROUND = /^(?:[[\], …]*|\s*(?:bearer|basic|digest|token)\s*)$/i;

/**
 * A text with references as far as it may be shown: all of it if a person
 * marked the value as no secret; else without fallbacks, and without what is
 * around the references of a secret option or holds a credential.
 */
export function shownReference(
  text: string,
  { key, type, mark }: Clues,
): string {
  if (mark === false && !isSecret({ type, mark })) return text;
  const parts = text.split(REFERENCE);
  const hidesAround =
    isSecret({ key, type, mark }) || parts.some((part) => hasCredential(part));
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part.replace(/:-[^}]+/s, `:-${HIDDEN}`);
      return hidesAround && !HARMLESS_AROUND.test(part) ? HIDDEN : part;
    })
    .join('');
}

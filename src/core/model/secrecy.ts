import { isPermission } from './permission.ts';
import { HIDDEN } from './secret.ts';
import { type Choice, type OptionValue, type Scalar, textsOf } from './value.ts';

/** Forms that nothing but a secret has: keys of large services, tokens of three parts, headers, passwords in a URL, webhooks. */
const SECRET_FORMS: readonly RegExp[] = [
  /^(AKIA|ASIA)[A-Z0-9]{16}$/,
  /^(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|sk_live_\w{16,})$/,
  /^(sk-(ant|proj)-[\w-]{16,}|AIza[\w-]{35}|hvs\.[\w-]{20,})$/,
  /^eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}$/,
  /^(authorization:\s*)?bearer\s+[\w.~+/=-]{16,}$/i,
  // A short token has a digit, which a word of prose has not; a header may stand in any text.
  /^bearer\s+(?=[a-z_.~+/=-]*\d)[\w.~+/=-]{8,}$/i,
  /authorization["']?\s{0,8}[:=]\s{0,8}["']?bearer\s{1,8}(?=[a-z_.~+/=-]*\d)[\w.~+/=-]{8,}/i,
  // Base64 has capitals inside of words, or digits, which prose has not.
  /^([Aa]uthorization:\s*)?([Bb]asic|BASIC)\s+(?=[A-Za-z0-9+/]*[a-z0-9][A-Z])[A-Za-z0-9+/]{4,1024}={0,2}$/,
  /^[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@{}<>]{1,256}:[^\s/:@{}<>]{1,256}@/i,
  /^https:\/\/hooks\.slack(-gov)?\.com\/(services|workflows|triggers)(\/\w{6,}){3}/i,
  /^https:\/\/(\w{1,20}\.)?discord(app)?\.com\/api\/(v\d+\/)?webhooks\/\d{6,}\/[\w-]{16,}/i,
  /^https:\/\/(outlook\.office(365)?\.com|[\w-]{1,64}\.webhook\.office\.com)\/webhook(b2)?\/[\w@-]{32,}\//i,
];

/** What each of these forms has somewhere, or at its beginning: most texts have none of it. */
const HINT =
  /-----BEGIN |[@?&]|authorization|webhook|^(?:https:\/\/hooks\.|AKIA|ASIA|gh[pousr]_|github_|glpat-|xox|sk|AIza|hvs|eyJ|bearer|basic)/i;

/** The most characters that are matched with what only a secret is: longer texts end the stack of the library. */
const LONGEST = 16_384;

/** Whether a text can hardly be anything but a secret, whatever its key. */
function hasSecretForm(text: string): boolean {
  if (!HINT.test(text)) return false;
  if (/-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----/.test(text)) return true;
  const start = text.slice(0, LONGEST);
  return SECRET_FORMS.some((form) => form.test(start)) || hasSecretParameter(text);
}

/** Whether a text or a part of it has the form of a secret: one of its words, or two in a row as in a header. */
function holdsSecretForm(text: string): boolean {
  if (hasSecretForm(text)) return true;
  return [/[\s"'`<>()[\]{},;|]+/, /[\s"'`<>()[\]{},;|=]+/].some((separator) => {
    const words = text.split(separator).map((word) => word.replace(/[.:!?]+$/, ''));
    return words.some((word, index) => hasSecretForm(word) || hasSecretForm(`${word} ${words[index + 1]}`));
  });
}

/** A URL with a key in its query. A placeholder is in brackets or capitals, or says so. */
function hasSecretParameter(text: string): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  return [...text.matchAll(SECRET_PARAMETER)].some(
    ([, value = '']) => !HOW_IT_IS_USED.test(value) && !/^([A-Z_]+|x+|your.*|\W.*)$/.test(value),
  );
}

/** A signature differs from a word by its length and a digit. */
const SECRET_PARAMETER =
  /[?&](?:api[-_]?key|(?:access[-_]?|auth[-_]?)?token|(?:client[-_]?)?secret|password|passwd|pwd|(?:x-(?:amz|goog)-)?sig(?:nature)?(?==[^&#\s\d]*\d)(?==[^&#\s]{6}))=([^&#\s]+)/gi;

/** Values of keys named like secrets that say how one is used, or that there is none. */
const HOW_IT_IS_USED =
  /^(bearer|basic|digest|token|oauth ?2?|api[-_ ]?key|jwt|hmac|ntlm|negotiate|kerberos|header|query|cookie|body|none|no|yes|true|false|off|on|null|n\/a|enabled|disabled)$/i;

/** The public half of a pair of keys, or a certificate. */
const PUBLIC_HALF =
  /^\s*(-----BEGIN ([A-Z0-9]+ )*(PUBLIC KEY|CERTIFICATE)-----|(ssh-(rsa|ed25519)|ecdsa-sha2-\S+) AAAA)/;

/** Whether a text is a scheme, such as `Bearer`, or another word that says how a secret is used. */
function isScheme(text: string): boolean {
  return HOW_IT_IS_USED.test(text.trim());
}

/** Whether a text is not a secret, although its key is named like one. */
export function isHarmless(key: string, text: string): boolean {
  const rest = text.replace(/\{\{[^{}]*\}\}/g, ' ').trim();
  // The integration fills in double braces; a scheme and marks beside them are not secret.
  const words = rest.split(/[^A-Za-z0-9]/).filter((word) => word !== '');
  const isTemplate = rest !== text.trim() && words.every((word) => HOW_IT_IS_USED.test(word));
  const isCount = /tokens$/i.test(key) && /^\d{1,7}$/.test(text);
  return isTemplate || isCount || isPermission(text) || isScheme(text) || PUBLIC_HALF.test(text);
}

/** The end of keys that hold secrets, for servers that do not serve the type of an option. */
const SECRET_KEY =
  /(passwords?|passwd|pwd|passphrase|secrets?|tokens?|(api|access|private|secret|shared)[-_]?keys?|credentials?)$/i;

/** The types of options that hold secrets: `password` in the document, and how other servers name such a type. */
const SECRET_TYPE =
  /password|passwd|pwd|passphrase|passcode|passkey|secret|token|credential|encrypted|sensitive|(api|access|private)[-_ ]?key/i;

/** Words that servers show instead of a secret, bare or in any brackets: `[REDACTED]`, `<hidden>`, `__masked__`. */
const PLACEHOLDERS =
  /^[[(<{_*-]{0,3}(redacted|filtered|hidden|masked|obfuscated|concealed|omitted|removed|secret|sensitive|protected|encrypted|configured|unchanged|not shown|(hidden|masked|secret|sensitive|encrypted) value)[\])>}_*-]{0,3}$/i;

/** Forms in which a mask comes, whole or with the ends of the secret left to be recognised. */
const MASKS = [
  /[*•●∙⬤█○◦▪■·]{3,}/u,
  /^[•●∙⬤█○◦▪■·]+$/u,
  // One mark again and again: `......`, `######`, `------`.
  /^([^\p{L}\p{N}\s])\1{3,}$/u,
  // `xxxxxxxx`, `XXXXXXXX1234`, `sk_xxxxxxxx`
  /^\S{0,8}([xX])\1{5,}\S{0,8}$/,
  /^[xX]{4,}$/,
  // `sk-...EA`, `sk…EA`
  /^\S{0,8}(\.{3,}|…)\S{0,8}$/u,
];

/** The most characters of a mask: one that shows the length of its secret may be long. */
const LONGEST_MASK = 65_536;

/** What shows whether a value is a secret. */
export interface Clues {
  /** The key of the option; absent if only the value counts. */
  readonly key?: string | undefined;
  /** The type of the option; undefined if it is not known. */
  readonly type?: string | undefined;
  /** `sensitive:` in the YAML, which only a type for secrets overrides. */
  readonly mark?: boolean | undefined;
  /** Whether a part of the value comes from the environment or a file. */
  readonly isFromOutside?: boolean | undefined;
  /** What is declared and what is live. */
  readonly values?: readonly (OptionValue | readonly (Scalar | Choice)[])[] | undefined;
}

/** Whether a value is a secret. The one place that decides. */
export function isSecret({ key = '', type, mark, isFromOutside = false, values = [] }: Clues): boolean {
  if (isSecretType(type) || mark === true) return true;
  if (mark === false) return false;
  return isFromOutside || isSecretOption(key, type) || values.flatMap(textsOf).some(hasSecretForm);
}

/** What a configuration says of the secrecy of an option. */
export type DeclaredSecrecy = Pick<Clues, 'mark' | 'isFromOutside'>;

interface Declared {
  readonly sensitive?: boolean | undefined;
  readonly value?: { readonly isFromOutside: boolean } | undefined;
  /** What counted at the base; undefined without one. */
  readonly past?: DeclaredSecrecy | undefined;
}

/** What counts of the secrecy of an option: a secret of the base stays one, and `sensitive: false` needs the base to say it too. */
export function declaredSecrecy({ sensitive, value, past }: Declared): DeclaredSecrecy {
  const isUnproven = sensitive === false && past !== undefined && past.mark !== false;
  const wasFromOutside = past?.mark !== false && past?.isFromOutside === true;
  return {
    mark: past?.mark === true || (isUnproven ? undefined : sensitive),
    isFromOutside: wasFromOutside || value?.isFromOutside,
  };
}

/** Whether an option holds a secret: by its type, or by its key where no type is served (hiding too much is harmless). */
export function isSecretOption(key: string, type: string | undefined): boolean {
  return type === undefined ? SECRET_KEY.test(key) : isSecretType(type);
}

/** Whether the type of an option says that it holds a secret. */
function isSecretType(type: string | undefined): boolean {
  return type !== undefined && !PLAIN_TYPES.has(type) && SECRET_TYPE.test(type);
}

/** The types of the document that hold no secrets: those of nearly all options. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(['text', 'number', 'boolean', 'select']);

/**
 * Whether what a server sends for a secret is a mask: stars, bullets, `sk****EA`, `[redacted]`, `xxxxxx`. A secret that
 * looks like one by chance is not compared, which is harmless; comparing a mask is not.
 */
export function isMask(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_MASK) return false;
  return PLACEHOLDERS.test(trimmed) || MASKS.some((mask) => mask.test(trimmed));
}

/** Whether a whole text is a mask: only marks, or a word in brackets such as `[redacted]`. */
export function isBareMask(text: string): boolean {
  return isMask(text) && /^[^\p{L}\p{N}]/u.test(text.trim()) && /[^\p{L}\p{N}]$/u.test(text.trim());
}

/** A comment, unless it holds the form of a secret. */
export function shownComment(comment: string | undefined): string | undefined {
  return comment === undefined || holdsSecretForm(comment) ? undefined : comment;
}

/** Whether an unknown key can be named: words, and no secret that lost its quotes. */
export function isPlainKey(key: string): boolean {
  return /^[a-z]{1,24}(?:[-_][a-z]{1,24}){0,3}$/i.test(key) && !hasSecretForm(key);
}

/** Splits a text at its references, which become every second part. */
const REFERENCE = /(\$\{(?:env|file|value):[^}]*\})/;

/**
 * A text with references as far as it may be shown: all of it if a person marked the value as no secret; else without fallbacks,
 * and without what is around the references of a secret option or has the form of a secret.
 */
export function shownReference(text: string, { key, type, mark }: Clues): string {
  if (mark === false && !isSecretType(type)) return text;
  const parts = text.split(REFERENCE);
  const around = parts.filter((part, index) => index % 2 === 0 && !LIST_MARKS.test(part)).join('');
  const hidesAround = !isScheme(around) && (isSecret({ key, type, mark }) || holdsSecretForm(around));
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return part.replace(/:-[^}]+/s, `:-${HIDDEN}`);
      return LIST_MARKS.test(part) || !hidesAround ? part : HIDDEN;
    })
    .join('');
}

/** What is around references that are members of a list; a literal member shows as `…`. */
const LIST_MARKS = /^[[\], …]*$/;

import { hasSecretForm, holdsSecretForm, isHarmless } from './secret-form.ts';
import { type Choice, type OptionValue, type Scalar, textsOf } from './value.ts';

/** The end of keys that hold secrets, for servers that do not serve the type of an option. */
const SECRET_KEY =
  /(passwords?|passwd|pwd|passphrase|secrets?|tokens?|(api|access|private|secret|shared)[-_]?keys?|credentials?)$/i;

/** The types of options that hold secrets: `password` in the document, and how other servers name such a type. */
const SECRET_TYPE =
  /password|passwd|passphrase|secret|token|credential|encrypted|sensitive|(api|access|private)[-_ ]?key/i;

/** The same as whole words of a type: `basicAuth`, `auth_header`, but not `author`. */
const SECRET_TYPE_WORD = /(?<![a-z])(pwd|passcode|passkey|auth|hidden|masked)(?![a-z])/i;

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
  readonly key: string;
  readonly type?: string | undefined;
  /** `sensitive:` in the YAML, which only a type for secrets overrides. */
  readonly mark?: boolean | undefined;
  /** Whether a part of the value came from the environment or a file. */
  readonly isFromOutside?: boolean | undefined;
  readonly values?: readonly (OptionValue | readonly (Scalar | Choice)[])[] | undefined;
  /** Whether the server shows nothing but a mask, though no type tells of a secret. */
  readonly isMasked?: boolean | undefined;
}

/** Whether a value is a secret. The one place that decides; `isKnown` finds secrets that were seen elsewhere in a run. */
export function isSecret(
  { key, type, mark, isFromOutside = false, values = [] }: Clues,
  isKnown: (value: OptionValue) => boolean = () => false,
): boolean {
  if (isSecretType(type) || mark === true) return true;
  if (mark === false) return false;
  if (isFromOutside || isSecretOption(key, type)) return true;
  return values.some((value) => textsOf(value).some((text) => hasSecretForm(text) || isKnown(text)));
}

/** What a configuration says of the secrecy of an option. */
export type Told = Pick<Clues, 'mark' | 'isFromOutside'>;

/** What counts of the secrecy of an option: what the base made a secret still is one. */
export function toldOf({ sensitive, value, past }: Declared): Told {
  const wasFromOutside = past?.isFromOutside === true && past.mark !== false;
  const isFromOutside = wasFromOutside || value?.isFromOutside;
  const isUnproven = sensitive === false && past !== undefined && past.mark !== false;
  return { mark: past?.mark === true || (isUnproven ? undefined : sensitive), isFromOutside };
}

interface Declared {
  readonly sensitive?: boolean | undefined;
  readonly value?: { readonly isFromOutside: boolean } | undefined;
  /** What counted at the base; undefined without one. */
  readonly past?: Told | undefined;
}

/** The mark that counts: that a value is no secret does not where the type says otherwise, and a mask of the server is one. */
export function countedMark({ type, mark, isMasked }: Omit<Clues, 'key'>): boolean | undefined {
  if (isSecretType(type)) return true;
  return mark ?? (isMasked || undefined);
}

/** Whether showing a value to users gives away a secret: one that the server masks is none if a person says so. */
export function isExposing(clues: Clues, isKnown?: (value: OptionValue) => boolean): boolean {
  if (clues.isMasked === true && clues.mark !== false) return true;
  return isSecret(clues, isKnown);
}

/** Whether an option holds a secret: by its type, or by its key where no type is served (hiding too much is harmless). */
export function isSecretOption(key: string, type: string | undefined): boolean {
  return type === undefined ? SECRET_KEY.test(key) : isSecretType(type);
}

/** Whether the type of an option says that it holds a secret. */
export function isSecretType(type: string | undefined): boolean {
  if (type === undefined || PLAIN_TYPES.has(type)) return false;
  return SECRET_TYPE.test(type) || SECRET_TYPE_WORD.test(type.replace(/([a-z])(?=[A-Z])/g, '$1 '));
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

/** Whether a text is nothing but a mask: marks alone, or a word in brackets that says what was taken out. */
export function isBareMask(text: string): boolean {
  return isMask(text) && /^[^\p{L}\p{N}]/u.test(text.trim()) && /[^\p{L}\p{N}]$/u.test(text.trim());
}

/**
 * Whether a value may be a secret as far as the file alone shows, so that excerpts hide it: its key says so, or it is not
 * plainly something else. References are shown, their fallbacks are not. A value that a person marked as no secret is shown.
 */
export function mayBeSecret(key: string, value: Scalar, mark?: boolean): boolean {
  const text = withoutReferences(value);
  if (text === '' || (mark === false && !FROM_OUTSIDE.test(text))) return false;
  if (mark === true || isSecretOption(key, undefined)) return true;
  return typeof value === 'string' && !HARMLESS.test(text) && !isPlainSetting(key, text);
}

/**
 * Whether a value of the YAML is a secret or likely to be one: its mark or key says so, a part of it has the form of one, or
 * it is the fallback of a reference. Anything else may be shown to those who read the repository.
 */
export function isLikelySecret(key: string, value: Scalar, mark?: boolean): boolean {
  const text = withoutReferences(value);
  if (text === '' || mark === false) return false;
  if (mark === true || FROM_OUTSIDE.test(text) || holdsSecret(text)) return true;
  return isSecretOption(key, undefined) && !isHarmless(key, text);
}

/**
 * A comment, unless it is likely to hold a secret. Beside a secret an older one may stand in it, so it is shown there only if
 * it is plain words.
 */
export function shownComment(
  comment: string | undefined,
  beside: Clues | undefined,
  isKnown?: (value: OptionValue) => boolean,
): string | undefined {
  if (comment === undefined || isLikelySecret('', comment)) return undefined;
  if (beside === undefined || !isSecret(beside, isKnown)) return comment;
  return comment.split(/\s+/).every(isPlainWord) ? comment : undefined;
}

/** Whether a part of a text has the form of a secret, or is given to a name of one: `password: …`, `token=…`. */
function holdsSecret(text: string): boolean {
  if (holdsSecretForm(text)) return true;
  return [...text.matchAll(ASSIGNMENT)].some(
    ([, name = '', value = '']) => isSecretOption(name, undefined) && !isHarmless(name, value),
  );
}

/** A name, and four or more letters or digits that are given to it. */
const ASSIGNMENT = /(?<![\w-])([a-z][\w-]{0,63})["']? ?[:=] ?["']?([a-z0-9][^\s"',;&{}]{3,1024})/gi;

/** Whether a word of a comment is one, a ticket, a short number or a setting, with punctuation around it. */
function isPlainWord(text: string): boolean {
  const word = text.replace(/^["'(]+/, '').replace(/["').,:;!?]+$/, '');
  return PLAIN_WORD.test(word) || SETTINGS.some((form) => form.test(word));
}

const PLAIN_WORD =
  /^(?:[-–—]*|\p{L}{1,24}(?:[-_/'’]\p{L}{1,24}){0,5}|[A-Z]{2,10}-\d{1,6}|#\d{1,6}|\d{1,3})$/u;

const FROM_OUTSIDE = /\$\{(?:env|file):/;

function withoutReferences(value: Scalar): string {
  return String(value).replace(/\$\{(?:env|file|value):(?:(?!:-)[^}])*\}/g, '');
}

/** Whether an unknown key can be named: words, and no secret that lost its quotes. */
export function isPlainKey(key: string): boolean {
  return /^[a-z]{1,24}(?:[-_][a-z]{1,24}){0,3}$/i.test(key) && !hasSecretForm(key);
}

/** Whether a text under the key of an option is a setting in a common form: a duration, a date, an address, or several. */
function isPlainSetting(key: string, text: string): boolean {
  if (key === '' || LIKE_SECRET_KEY.test(key) || hasSecretForm(text)) return false;
  return text.split(/, ?/).every((part) => HARMLESS.test(part) || SETTINGS.some((form) => form.test(part)));
}

/** Keys of what proves who somebody is, in any part of the key. */
const LIKE_SECRET_KEY =
  /pass|pwd|secret|token|key|cred|auth|log-?in|pin|cert|private|licen[cs]e|signature|salt|hash|cookie|session|dsn|connection|account|user|header|code|otp|seed/i;

const SETTINGS: readonly RegExp[] = [
  // A duration, a size, a share, or a number in groups: `30s`, `1.5 GB`, `80%`, `1,000`.
  /^[-+]?\d{1,6}(?:\.\d{1,6})? ?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?|w|weeks?|[kmgt]i?b?|bytes?|%)$/i,
  // A date, a time, or both.
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/,
  /^\d{1,2}:\d{2}(?::\d{2})?$/,
  // An address of a network or host.
  /^\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?::\d{1,5})?$/,
  /^[a-z-]{1,24}(?:\.[a-z-]{1,24}){1,5}(?::\d{1,5})?$/i,
  // A URL without a login or query, also with its scheme mistyped.
  /^(?:[a-z]{2,6}:?\/{1,3}){1,2}[a-z0-9.-]{0,80}(?::\d{1,6})?(?:\/(?:[a-z_.~-]{0,24}|v\d{1,2}|\d{1,4})){0,8}$/i,
];

/** A few words, a short number, or the address of a server or page. */
const HARMLESS =
  /^(?:[a-z]{1,24}(?:[-_ ][a-z]{1,24}){0,5}|-?\d{1,6}(?:\.\d{1,6})?|https?:\/\/[a-z0-9.-]{1,80}(?::\d{1,5})?(?:\/[a-z_-]{0,24}){0,6})$/i;

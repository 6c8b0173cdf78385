import { hasSecretForm, holdsSecretForm } from './secret-form.ts';
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
export function isSecret({ key, type, mark, isFromOutside = false, values = [] }: Clues): boolean {
  if (isSecretType(type) || mark === true) return true;
  if (mark === false) return false;
  return isFromOutside || isSecretOption(key, type) || values.flatMap(textsOf).some(hasSecretForm);
}

/** What a configuration says of the secrecy of an option. */
export type Told = Pick<Clues, 'mark' | 'isFromOutside'>;

interface Declared {
  readonly sensitive?: boolean | undefined;
  readonly value?: { readonly isFromOutside: boolean } | undefined;
  /** What counted at the base; undefined without one. */
  readonly past?: Told | undefined;
}

/** What counts of the secrecy of an option: a secret of the base stays one, and `sensitive: false` needs the base to say it too. */
export function toldOf({ sensitive, value, past }: Declared): Told {
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

import { isPermission } from './permission.ts';

const PRIVATE_KEY = /-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY-----/;

/** Addresses that take messages from whoever knows them: of Slack, Discord and Teams. */
const WEBHOOKS =
  /^https:\/\/(hooks\.slack(-gov)?\.com\/(services|workflows|triggers)(\/\w{6,}){3}|(\w{1,20}\.)?discord(app)?\.com\/api\/(v\d+\/)?webhooks\/\d{6,}\/[\w-]{16,}|(outlook\.office(365)?\.com|[\w-]{1,64}\.webhook\.office\.com)\/webhook(b2)?\/[\w@-]{32,}\/)/i;

/** Forms that nothing but a secret has: keys of large services, tokens of three parts, passwords in a URL, webhooks. */
const SECRET_FORMS: readonly RegExp[] = [
  /^(AKIA|ASIA)[A-Z0-9]{16}$/,
  /^(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|xox[abprs]-[\w-]{10,}|sk_live_\w{16,})$/,
  /^(sk-(ant|proj)-[\w-]{16,}|AIza[\w-]{35}|hvs\.[\w-]{20,})$/,
  /^eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}$/,
  /^(authorization:\s*)?bearer\s+[\w.~+/=-]{16,}$/i,
  // A short token has a digit, which a word of prose has not; a header may stand in any text.
  /^bearer\s+(?=[a-z_.~+/=-]*\d)[\w.~+/=-]{8,}$/i,
  /authorization["']?\s{0,8}[:=]\s{0,8}["']?bearer\s{1,8}(?=[a-z_.~+/=-]*\d)[\w.~+/=-]{8,}/i,
  /^[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@{}<>]{1,256}:[^\s/:@{}<>]{1,256}@/i,
  WEBHOOKS,
];

/** What each of these forms has somewhere, or at its beginning: most texts have none of it. */
const HINT =
  /-----BEGIN |[@?&]|authorization|webhook|^(?:https:\/\/hooks\.|AKIA|ASIA|gh[pousr]_|github_|glpat-|xox|sk|AIza|hvs|eyJ|bearer|basic)/i;

/** The most characters that are matched with what only a secret is: longer texts end the stack of the library. */
const LONGEST = 16_384;

/** Whether a text can hardly be anything but a secret, whatever its key. */
export function hasSecretForm(text: string): boolean {
  if (!HINT.test(text)) return false;
  if (PRIVATE_KEY.test(text)) return true;
  const start = text.slice(0, LONGEST);
  return SECRET_FORMS.some((form) => form.test(start)) || isBasicLogin(start) || hasSecretParameter(text);
}

/** Whether a text or a part of it has the form of a secret: one of its words, or two in a row as in a header. */
export function holdsSecretForm(text: string): boolean {
  if (hasSecretForm(text)) return true;
  return [/[\s"'`<>()[\]{},;|]+/, /[\s"'`<>()[\]{},;|=]+/].some((separator) => {
    const words = text.split(separator).map((word) => word.replace(/[.:!?]+$/, ''));
    return words.some((word, index) => hasSecretForm(word) || hasSecretForm(`${word} ${words[index + 1]}`));
  });
}

/** A name and a password as in a header. Prose after `basic` does not decode to printable text with a colon. */
function isBasicLogin(text: string): boolean {
  const encoded = /^(?:authorization:\s*)?basic\s+([A-Za-z0-9+/]{4,1024}={0,2})$/i.exec(text)?.[1];
  if (encoded === undefined) return false;
  return /^[\x20-\x7e]+:[\x20-\x7e]*$/.test(Buffer.from(encoded, 'base64').toString('latin1'));
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
export function isScheme(text: string): boolean {
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

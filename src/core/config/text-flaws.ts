import type { Leftover, TextSubject } from '../findings/configuration.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { codePoint } from '../model/look-alike.ts';
import type { Place } from '../model/place.ts';

/** How findings name a text that would be sent. */
interface JudgedText {
  subject: TextSubject;
  place: Place;
  /** Whether its value is a secret, by all that the configuration says. */
  isSecret: () => boolean;
}

/** Finds the flaws of a text that would be sent; none shows the text. */
export function textFlaws(
  text: string,
  { subject, place, isSecret }: JudgedText,
): Diagnostic[] {
  const visible = visibleText(text);
  const bare = bareText(visible);
  const leftover = leftoverOf(bare);
  const isWritten = 'address' in subject;
  // In YAML, the syntax of another tool is a reference that was mistyped.
  const isVariable = leftover === 'unexpanded';
  if (isWritten && (isVariable || isReferenceTypo(text, bare))) {
    const isCertain = isVariable && isSecret();
    return [diagnostic('reference-typo', { ...subject, isCertain }, place)];
  }
  if (leftover !== undefined) {
    const mayBeMeant = isWritten && !isSecret();
    const facts = { ...subject, leftover, mayBeMeant };
    return [diagnostic('placeholder', facts, place)];
  }
  const hidden = visible === text ? [] : (text.match(HIDDEN) ?? []);
  const padding = [...new Set(hidden)].slice(0, 5).map(codePoint);
  padding.push(...paddingOf(visible, isWritten));
  if (padding.length === 0) return [];
  return [diagnostic('padded-text', { ...subject, padding }, place)];
}

/** The kind of text that a tool left in place of another, if it is one. */
export function leftoverIn(text: string): Leftover | undefined {
  return leftoverOf(bareText(visibleText(text)));
}

const VAULT_REFERENCE = /^op:\/\/[^\s/]/;

/** How the leftovers of tools look. */
const FORMS: readonly (readonly [Leftover, RegExp])[] = [
  ['lfs-pointer', /^version https:\/\/(git-lfs|hawser)\.github\.com\//],
  [
    'encrypted',
    /ENC\[AES256_GCM|\$ANSIBLE_VAULT;|^(ENC\[[A-Z]\w*,|vault:v\d+:|-----BEGIN (AGE ENCRYPTED FILE|PGP MESSAGE)-----)/,
  ],
  // A server that shows it later would seem to mask the secret.
  ['mask', /^([*•●∙⬤█]{3,}|[xX]{8,64})$/u],
  [
    'nothing',
    /^(<no value>|<nil>|<null>|\(null\)|undefined|null|\[object Object\])$/i,
  ],
  ['nothing', /^None$/],
  ['unexpanded', /^\$(\([^()]*\)|\{[^{}]*\}|\{\{[^{}]*\}\})$/],
  // `%TL_KEY%` is a variable, `%word%` a pattern of a search.
  ['unexpanded', /^%(?=\w*[A-Z_])[A-Za-z_]\w*%$/],
  // As pipelines of Azure and Octopus write them.
  ['unexpanded', /^(#\{[^{}]*\}#?|__[A-Z][A-Z0-9_]*__)$/],
  ['vault-reference', VAULT_REFERENCE],
  // A first line with nothing behind its label but its end.
  ['joined-pem', /^-----BEGIN (?!(-{0,4}[^-\n])+-----[ \t\r]*\n)/],
  ['undecoded', /\ufffd/],
];

function leftoverOf(bare: string): Leftover | undefined {
  const [leftover] = FORMS.find(([, form]) => form.test(bare)) ?? [];
  return leftover;
}

/** A visible text without blanks and quotes around it. */
function bareText(visible: string): string {
  const text = visible.trim();
  return isQuoted(text) ? text.slice(1, -1).trim() : text;
}

/** Blanks or quotes around a visible text, which hardly belong to it. */
function paddingOf(visible: string, isWritten: boolean): string[] {
  const lines = visible.replace(/\r?\n$/, '');
  // A block of YAML ends with a line end, and so does a text of several lines.
  const mayEndLine = isWritten || lines.includes('\n');
  const body = mayEndLine ? lines : visible;
  if (body.trim() !== body) return ['white space at an end'];
  return isQuoted(body) ? ['quotes around it'] : [];
}

/** Whether one pair of quotes is around all of a text: `"a" or "b"` has two. */
function isQuoted(text: string): boolean {
  const ends = `${text.charAt(0)}${text.slice(-1)}`;
  if (text.length < 2 || !QUOTES.includes(ends)) return false;
  const inside = text.slice(1, -1).replace(/\\./gs, '');
  return !inside.includes(ends.charAt(1));
}

const QUOTES = ['""', "''", '“”', '‘’', '„“', '«»'];

/** A text without invisible characters. */
function visibleText(text: string): string {
  return PLAIN.test(text) ? text : text.replace(HIDDEN, '');
}

/** Nearly all texts: HIDDEN takes its time. */
const PLAIN = /^[\t\n\r -~]*$/;

/** Joiners belong between letters of some languages, and into emoji. */
const HIDDEN =
  /(?!\u200c|\u200d|[\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[\u200c\u200d](?![^\0-\x7f])|(?<![^\0-\x7f])[\u200c\u200d]/gu;

/** Whether a text looks like a reference in the syntax of another tool. */
function isReferenceTypo(text: string, bare: string): boolean {
  if (OTHER_SYNTAX.some((form) => form.test(bare))) return true;
  return TYPO.test(text.replace(NO_TYPO, ' '));
}

/** References of other tools; integrations fill in `{{entity}}` themselves. */
const OTHER_SYNTAX: readonly RegExp[] = [
  /^(\$[A-Z_][A-Z0-9_]*|@@\w+@@)$/,
  /^\{\{(?!\s*entity\s*\}\})[^{}]*\}\}$/i,
  VAULT_REFERENCE,
];

/** What integrations fill in. A text in YAML comes without its references. */
const NO_TYPO = /\{\{[^{}]*\}\}/g;

const TYPO =
  /\$\((env|file|value):|\$(file:|value:|env:SETPOINT_)|[{[]env:[A-Za-z_]\w*(:-[^{}[\]]*)?[}\]]|\$SETPOINT_[A-Z0-9_]+|%SETPOINT_[A-Z0-9_]+%|^env:[A-Za-z_]\w*$/;

import { diagnostic } from '../../findings/diagnostic.ts';
import { isBareUrl, isSlashedUrl } from '../../model/url-text.ts';
import { booleanWord } from '../../model/value.ts';
import type { Reference } from '../reference.ts';
import type { Rule } from './rule.ts';

/** A blank or line end at the end or the beginning of a text: it came in by copying, and cannot be seen. */
export const outerBlank: Rule = ({ winning }) =>
  winning.flatMap(({ address, texts }) =>
    texts
      .filter(({ text }) => hasOuterBlank(text))
      .map(({ place }) => diagnostic('outer-blank', { address }, place)),
  );

/** A URL with a slash at its end, where another layer writes none: what puts a path behind it fails with one of the two. */
export const trailingSlash: Rule = ({ winning, written }) => {
  const bare = new Map(
    written.flatMap(({ address, texts }) => {
      const [only, second] = texts;
      const isBare = only !== undefined && second === undefined && isBareUrl(only.text);
      return isBare ? [[address, only.place] as const] : [];
    }),
  );
  return winning.flatMap(({ address, texts }) => {
    const other = bare.get(address);
    if (other === undefined) return [];
    return texts
      .filter(({ text }) => isSlashedUrl(text))
      .map(({ place }) => diagnostic('trailing-slash', { address, other }, place));
  });
};

/** A URL that cannot be right: a scheme twice or with too few or many slashes, or `//` where a named value was put in. */
export const brokenUrl: Rule = ({ winning, resolved }) =>
  winning.flatMap(({ address, field, references }) => {
    const found = resolved.get(field);
    const text = found?.unread === true || typeof found?.value !== 'string' ? field.value : found.value;
    if (typeof text !== 'string') return [];
    const of = BAD_SCHEME.test(text) ? 'scheme' : isComposed(text, references) ? 'path' : undefined;
    return of === undefined ? [] : [diagnostic('broken-url', { address, of }, field.place)];
  });

/** A word without quotes that other versions of YAML read as a boolean, as the value of an option. */
export const booleanAsText: Rule = ({ winning }) =>
  winning.flatMap(({ address, field: { value, place } }) => {
    const written = booleanWord(value);
    const isPlain = place.endColumn === place.column + String(value).length;
    return written !== undefined && isPlain && address.endsWith('.value')
      ? [diagnostic('boolean-word', { address, written }, place)]
      : [];
  });

/** What a tool for secrets leaves in a file: it was not decrypted before. */
export const stillEncrypted: Rule = ({ winning }) =>
  winning.flatMap(({ address, texts }) =>
    texts
      .filter(({ text }) => isEncrypted(text))
      .map(({ place }) => diagnostic('still-encrypted', { address }, place)),
  );

/** Whether a text is the encrypted form of another one, in the manner of a tool that keeps secrets in files. */
export function isEncrypted(text: string): boolean {
  return ENCRYPTED.test(text);
}

/** A text that was meant as a reference, in the manner of another tool. */
export const referenceTypo: Rule = ({ winning }) =>
  winning.flatMap(({ address, texts }) =>
    texts
      .filter(({ text }) => isReferenceTypo(text))
      .map(({ place }) => diagnostic('reference-typo', { address }, place)),
  );

/** A choice that stands twice in a list. */
export const repeatedChoice: Rule = ({ winning }) =>
  winning.flatMap(({ address, field }) => {
    if (!Array.isArray(field.value)) return [];
    const texts = field.value.map(choiceText);
    const firsts = new Map(texts.map((text, index) => [text, index] as const).reverse());
    return texts.flatMap((text, index) =>
      firsts.get(text) === index
        ? []
        : [diagnostic('repeated-choice', { address }, field.members?.[index] ?? field.place)],
    );
  });

/** What tells one choice of a list from another. */
function choiceText(choice: unknown): string {
  const isLong = typeof choice === 'object' && choice !== null && 'value' in choice;
  return String(isLong ? choice.value : choice);
}

/** Whether a text looks like a reference in the manner of another tool. */
export function isReferenceTypo(text: string): boolean {
  return TYPO.test(text.replace(NO_TYPO, ' '));
}

/**
 * A block of several lines may end with a line end: keys in PEM do. So may a text without letters or digits begin and end
 * with blanks: it separates.
 */
export function hasOuterBlank(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  const isBlock = /\n./.test(text);
  return !isBlock && text !== text.trim();
}

/** References, their escaped form, and the double braces of the integrations. */
const NO_TYPO = /\$?\$\{[^}]*\}?|\{\{[^{}]*\}\}/g;

const TYPO =
  /\$\(?(env|file|value):|[{[]env:[A-Za-z_]\w*(:-[^{}[\]]*)?[}\]]|\$SETPOINT_[A-Z0-9_]+|%SETPOINT_[A-Z0-9_]+%|^env:[A-Za-z_]\w*$/;

const ENCRYPTED = /^\s*(ENC\[AES256_GCM,|\$ANSIBLE_VAULT;|-----BEGIN (AGE ENCRYPTED FILE|PGP MESSAGE)-----)/;

const BAD_SCHEME =
  /^(https?:\/{2,3}https?:\/|https?:\/(?!\/)|https?:\/{3}|https?\/\/|(htttps?|hhttps?|htps?|ttps?):\/\/)/i;

/** Whether a URL was put together so that a path begins with a second slash. */
function isComposed(text: string, references: readonly Reference[]): boolean {
  return references.length > 0 && /^https?:\/\/[^?#]{0,2000}[^:/?#]\/\//i.test(text);
}

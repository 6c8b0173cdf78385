import { type Diagnostic, diagnostic } from '../../findings/diagnostic.ts';
import type { Place } from '../../model/place.ts';
import type { Entry } from '../entry.ts';
import { filled } from '../template.ts';
import type { ValueRule } from './rule.ts';

/** A URL that cannot be right: by its scheme, or with `//` in its path only once named values are put in. */
const brokenUrl: ValueRule = ({ address, link, template, place }) => {
  const linked = link();
  if (typeof linked?.value !== 'string') return [];
  const text = filled(linked.value, linked.named, ({ source }) => source);
  const isJoined = PATH_BEGINS_TWICE.test(text) && !PATH_BEGINS_TWICE.test(String(template.value));
  return BAD_SCHEME.test(text) || isJoined ? [diagnostic('broken-url', { address }, place)] : [];
};

/** A text that was meant as a reference, but has the syntax of another tool. */
const referenceTypo: ValueRule = ({ address, texts }) =>
  texts
    .filter(({ text }) => isReferenceTypo(text))
    .map(({ place }) => diagnostic('reference-typo', { address }, place));

/** Whether a text looks like a reference in the syntax of another tool. */
export function isReferenceTypo(text: string): boolean {
  return TYPO.test(text.replace(NO_TYPO, ' '));
}

const hiddenInValue: ValueRule = ({ address, texts }) =>
  texts.flatMap(({ text, place }) => hiddenCharacters(address, text, place));

/** Invisible characters in the keys and the match of an entry. */
export function hiddenInEntry({ name, match, options }: Entry<unknown>): Diagnostic[] {
  const globs = match?.value ? hiddenCharacters(name, Object.values(match.value).join(), match.place) : [];
  return [...globs, ...[...options.values()].flatMap(({ key, place }) => hiddenCharacters(name, key, place))];
}

/** Finds controls, and marks that turn the direction of text. */
function hiddenCharacters(address: string, text: string, place: Place): Diagnostic[] {
  const characters = [...new Set(text.match(HIDDEN))].slice(0, 5).map(codePoint);
  return characters.length === 0 ? [] : [diagnostic('hidden-character', { address, characters }, place)];
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Joiners belong to words of some languages, and to emoji; texts of several lines end their lines. */
const HIDDEN = /(?!\u200c|\u200d|[\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** References, their escaped form, and the double braces of the integrations. */
const NO_TYPO = /\$?\$\{[^}]*\}?|\{\{[^{}]*\}\}/g;

const TYPO =
  /\$\((env|file|value):|\$(file:|value:|env:SETPOINT_)|[{[]env:[A-Za-z_]\w*(:-[^{}[\]]*)?[}\]]|\$SETPOINT_[A-Z0-9_]+|%SETPOINT_[A-Z0-9_]+%|^env:[A-Za-z_]\w*$/;

const BAD_SCHEME =
  /^(https?:\/{2,3}https?:\/|https?:\/(?!\/)|https?:\/{3}|https?\/\/|(htttps?|hhttps?|htps?|ttps?):\/\/)/i;

/** A path that begins with a second slash. */
const PATH_BEGINS_TWICE = /^https?:\/\/[^?#]{0,2000}[^:/?#]\/\//i;

/** What is wrong with the texts of the values that count. */
export const TEXT_RULES: readonly ValueRule[] = [brokenUrl, referenceTypo, hiddenInValue];

import { diagnostic } from '../../findings/diagnostic.ts';
import { partsOf, type Template } from '../template.ts';
import type { Rule, Subject } from './rule.ts';

/** A URL that cannot be right: a scheme that is doubled or has too few or many slashes, or `//` next to a named value. */
const brokenUrl: Rule = ({ winning }) => {
  const texts = new Map(winning.map((subject) => [subject.address, composedText(subject)]));
  return winning.flatMap(({ address, template, place }) => {
    const text = texts.get(address) ?? '';
    const isDoubled = PATH_BEGINS_TWICE.test(text) && slashesMeet(template, texts);
    return BAD_SCHEME.test(text) || isDoubled ? [diagnostic('broken-url', { address }, place)] : [];
  });
};

/** The text of a value with its named values put in, other references as written; empty for other values. */
function composedText({ linked, template }: Subject): string {
  if (linked?.kind === 'text')
    return linked.parts.map((part) => (part.kind === 'text' ? part.text : part.source)).join('');
  const text = linked?.kind === 'literal' ? linked.value : template.source;
  return typeof text === 'string' ? text : '';
}

/** Whether a named value and the text beside it both have a slash where they meet. */
function slashesMeet(template: Template, texts: ReadonlyMap<string, string>): boolean {
  const pieces = partsOf(template).map((part) => {
    if (part.kind === 'text') return part.text;
    return (part.kind === 'value' ? texts.get(`values.${part.name}`) : undefined) ?? part.source;
  });
  return pieces.some((piece, index) => piece.endsWith('/') && pieces[index + 1]?.startsWith('/'));
}

/** A text that was meant as a reference, but has the syntax of another tool. */
const referenceTypo: Rule = ({ winning }) =>
  winning.flatMap(({ address, texts }) =>
    texts
      .filter(({ text }) => isReferenceTypo(text))
      .map(({ place }) => diagnostic('reference-typo', { address }, place)),
  );

/** Whether a text looks like a reference in the syntax of another tool. */
export function isReferenceTypo(text: string): boolean {
  return TYPO.test(text.replace(NO_TYPO, ' '));
}

/** An invisible character in a value, a key or a match: a control, or a mark that turns the direction of text. */
const hiddenCharacter: Rule = ({ winning, entries }) =>
  [
    ...winning.flatMap(({ address, texts }) => texts.map((text) => ({ address, ...text }))),
    ...entries.flatMap(({ name: address, match, options }) => [
      ...[...options.values()].map(({ key: text, place }) => ({ address, text, place })),
      ...(match?.value ? [{ address, text: Object.values(match.value).join(), place: match.place }] : []),
    ]),
  ].flatMap(({ address, text, place }) => {
    const characters = [...new Set(text.match(HIDDEN))].slice(0, 5).map(codePoint);
    return characters.length === 0 ? [] : [diagnostic('hidden-character', { address, characters }, place)];
  });

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

/** Mistakes in texts, in any part of a configuration. */
export const TEXT_RULES: readonly Rule[] = [brokenUrl, referenceTypo, hiddenCharacter];

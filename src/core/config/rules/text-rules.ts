import { diagnostic } from '../../findings/diagnostic.ts';
import { selectorOf } from '../entry.ts';
import type { LinkedPart } from '../template.ts';
import type { PlacedText, Rule, RuleInput, Subject } from './rule.ts';

/** A URL that cannot be right: a scheme twice or with too few or many slashes, or `//` where a named value was put in. */
export const brokenUrl: Rule = ({ winning }) =>
  winning.flatMap((subject) => {
    const text = composedText(subject);
    const isComposed = subject.template.kind === 'text' && PATH_BEGINS_TWICE.test(text);
    const of = BAD_SCHEME.test(text) ? 'scheme' : isComposed ? 'path' : undefined;
    return of === undefined
      ? []
      : [diagnostic('broken-url', { address: subject.address, of }, subject.place)];
  });

/** The text that a value makes, references to the outside as written; empty for other values. */
function composedText({ linked, template }: Subject): string {
  if (linked?.kind === 'text') return linked.parts.map(textOfPart).join('');
  const text = linked?.kind === 'literal' ? linked.value : template.source;
  return typeof text === 'string' ? text : '';
}

function textOfPart(part: LinkedPart): string {
  return part.kind === 'text' ? part.text : part.source;
}

/** A text that was meant as a reference, in the manner of another tool. */
export const referenceTypo: Rule = ({ winning }) =>
  winning.flatMap(({ address, texts }) =>
    texts
      .filter(({ text }) => isReferenceTypo(text))
      .map(({ place }) => diagnostic('reference-typo', { address }, place)),
  );

/** Whether a text looks like a reference in the manner of another tool. */
export function isReferenceTypo(text: string): boolean {
  return TYPO.test(text.replace(NO_TYPO, ' '));
}

/** A character that nobody sees in a value, a key or a match: a control, or a mark that turns the direction of text. */
export const hiddenCharacter: Rule = (input) =>
  [
    ...input.winning.flatMap(({ address, texts }) => texts.map((text) => ({ address, ...text }))),
    ...names(input),
  ]
    .map(({ address, text, place }) => ({ address, place, characters: hiddenIn(text) }))
    .filter(({ characters }) => characters.length > 0)
    .map(({ address, place, characters }) => diagnostic('hidden-character', { address, characters }, place));

/** The keys of options, and the globs of matches. */
function names({ entries }: RuleInput): (PlacedText & { readonly address: string })[] {
  return entries.flatMap((entry) => [
    ...[...entry.options.values()].map(({ key, place }) => ({ address: entry.name, text: key, place })),
    ...(entry.match === undefined
      ? []
      : [{ address: entry.name, text: Object.values(selectorOf(entry)).join(), place: entry.match.place }]),
  ]);
}

function hiddenIn(text: string): string[] {
  const found = new Set(text.match(HIDDEN) ?? []);
  return [...found].slice(0, 5).map((character) => {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

/** Joiners belong to words of some languages, and to emoji; texts of several lines end their lines. */
const HIDDEN = /(?!\u200c|\u200d|[\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** References, their escaped form, and the double braces of the integrations. */
const NO_TYPO = /\$?\$\{[^}]*\}?|\{\{[^{}]*\}\}/g;

const TYPO =
  /\$\(?(env|file|value):|[{[]env:[A-Za-z_]\w*(:-[^{}[\]]*)?[}\]]|\$SETPOINT_[A-Z0-9_]+|%SETPOINT_[A-Z0-9_]+%|^env:[A-Za-z_]\w*$/;

const BAD_SCHEME =
  /^(https?:\/{2,3}https?:\/|https?:\/(?!\/)|https?:\/{3}|https?\/\/|(htttps?|hhttps?|htps?|ttps?):\/\/)/i;

/** A path that begins with a second slash. */
const PATH_BEGINS_TWICE = /^https?:\/\/[^?#]{0,2000}[^:/?#]\/\//i;

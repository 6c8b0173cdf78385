import { diagnostic, type FactsOf } from '../../findings/diagnostic.ts';
import type { Place } from '../../model/place.ts';
import type { MergedEntry } from '../layers.ts';
import { oddCharactersOf } from './character-rules.ts';
import type { Rule } from './rule.ts';
import { hasOuterBlank } from './text-rules.ts';

/** A text in which an entry selects, and what of an integration it is held against. */
interface Selector {
  readonly address: string;
  readonly attribute: string;
  readonly text: string;
  readonly place: Place;
}

/** A match that begins or ends with a blank: no id, name or acronym does. */
export const matchBlank: Rule = ({ config }) =>
  config.entries
    .flatMap(selectorsOf)
    .filter(({ text }) => hasOuterBlank(text))
    .map(({ address, place }) => diagnostic('outer-blank', { address }, place));

/** A match with characters that are not what they seem; in ids, which are ASCII, with any other. */
export const matchCharacter: Rule = ({ config }) =>
  config.entries.flatMap(selectorsOf).flatMap(({ address, attribute, text, place }) => {
    const characters = oddCharactersOf(text, attribute === 'id' ? /[^\0-\x7f]/gu : undefined);
    return characters.length === 0 ? [] : [diagnostic('odd-character', { address, characters }, place)];
  });

/** Another language of patterns where a glob is read, and what no id has: `vt_.*` asks for a dot, `vt_*,jira_*` for a comma. */
export const patternMatch: Rule = ({ config }) =>
  config.entries.flatMap(selectorsOf).flatMap(({ attribute, text, place }) => {
    const of = slipIn(text.trim(), attribute === 'id');
    return of === undefined ? [] : [diagnostic('match-is-no-glob', { of }, place)];
  });

/** Names may hold what is odd in an id: blanks, commas, bars. */
function slipIn(text: string, isId: boolean): FactsOf<'match-is-no-glob'>['of'] | undefined {
  if (/\.\*|^\^|\$$|\\[dw]|[@!+*?]\([^)]*\|/.test(text)) return 'pattern';
  if (/^![^(]/.test(text)) return 'negation';
  const rest = withoutGroups(text.replace(/\\./g, ''));
  if (/[[\]{}]/.test(rest)) return 'bracket';
  if (!isId) return undefined;
  if (/[,;|]/.test(rest)) return 'list';
  return /\s/.test(rest) ? 'blank' : undefined;
}

/** A glob without its sets and alternatives, the inner ones first. */
function withoutGroups(glob: string): string {
  const shorter = glob.replace(/\[[^[\]]*\]|\{[^{}]*\}/g, '');
  return shorter === glob ? glob : withoutGroups(shorter);
}

function selectorsOf({ name, fields }: MergedEntry): Selector[] {
  const field = fields.get('match');
  if (field === undefined) return [];
  const texts = typeof field.value === 'string' ? { id: field.value } : Object(field.value);
  return Object.entries(texts).map(([attribute, text]) => ({
    address: `${name}.match`,
    attribute,
    text: String(text),
    place: field.place,
  }));
}

import { Lexer } from 'yaml';
import { firstPast } from '../model/bisect.ts';

/** A token of a YAML text, with its offsets in UTF-16 units. */
export interface YamlToken {
  readonly source: string;
  readonly from: number;
  readonly to: number;
  /** Whether it is a scalar of any style. */
  readonly isScalar: boolean;
}

/** What the lexer puts before the text of a scalar without quotes. */
export const SCALAR_FOLLOWS = '\u001f';
const MARKERS = new Set(['\u0002', '\u0018', SCALAR_FOLLOWS]);

/** How many tokens of a text are read: more than any accepted file has, without its spaces. */
const MOST_TOKENS = 500_000;

/** The tokens of a text, which together are the text. The lexer takes any text, without failing or recursing. */
export function yamlTokens(text: string): YamlToken[] {
  const tokens: YamlToken[] = [];
  const state = { offset: 0, scalarFollows: false };
  for (const source of new Lexer().lex(text)) {
    if (!state.scalarFollows && MARKERS.has(source)) {
      state.scalarFollows = source === SCALAR_FOLLOWS;
      continue;
    }
    const from = state.offset;
    state.offset = from + source.length;
    tokens.push({ source, from, to: state.offset, isScalar: state.scalarFollows || /^["']/.test(source) });
    state.scalarFollows = false;
    if (tokens.length >= MOST_TOKENS) break;
  }
  return tokens;
}

/** The index of the first token that ends after an offset. */
export function tokenAt(tokens: readonly YamlToken[], offset: number): number {
  return firstPast(tokens.length, (index) => (tokens[index]?.to ?? 0) > offset);
}

import { Lexer } from 'yaml';

/** A token of a YAML text, with its offsets in UTF-16 units. */
interface YamlToken {
  readonly source: string;
  readonly from: number;
  readonly to: number;
  /** Whether it is a scalar of any style. */
  readonly isScalar: boolean;
}

/** What the lexer puts before the text of a scalar without quotes. */
export const SCALAR_FOLLOWS = '\u001f';
const MARKERS = new Set(['\u0002', '\u0018', SCALAR_FOLLOWS]);

/** The tokens of a text, which together are the text. */
export function yamlTokens(text: string): YamlToken[] {
  const tokens: YamlToken[] = [];
  let previous = '';
  for (const source of new Lexer().lex(text)) {
    const isScalar = previous === SCALAR_FOLLOWS || /^["']/.test(source);
    const from = tokens.at(-1)?.to ?? 0;
    if (isScalar || !MARKERS.has(source)) tokens.push({ source, from, to: from + source.length, isScalar });
    previous = source;
  }
  return tokens;
}

import { Composer, type Document, Lexer, Parser } from 'yaml';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { PlaceOf } from './text.ts';
import { SCALAR_FOLLOWS } from './tokens.ts';

/** What exceeds these limits is refused before it costs time. */
export const YAML_LIMITS = {
  bytes: 2 * 1024 * 1024,
  /** Words and marks, without spaces and comments. The library needs ten seconds for a million of them. */
  tokens: 100_000,
  /** All pieces of the text, blank lines and comments among them. */
  lexemes: 500_000,
  keys: 5_000,
  depth: 64,
  aliasNodes: 10_000,
} as const;

/** The first document of a text and where a second one begins. */
export interface ComposedYaml {
  readonly doc: Document;
  readonly second: number | undefined;
}

/**
 * Composes the first document of a text, or finds the limit that the text exceeds. Composing is slow and recursive, so
 * depth and tokens are checked as tokens arrive, before anything is composed of them.
 */
export function composeYaml(text: string, placeOf: PlaceOf): ComposedYaml | Diagnostic {
  const parser = new Parser();
  const composer = new Composer(OPTIONS);
  const documents: Document[] = [];
  const compose = (tokens: ReturnType<Parser['next']>) => {
    for (const token of tokens) documents.push(...composer.next(token));
  };
  const progress = { tokens: 0, lexemes: 0, previous: '' };
  for (const lexeme of new Lexer().lex(text)) {
    compose(parser.next(lexeme));
    if (progress.previous === SCALAR_FOLLOWS || !NO_NODE.test(lexeme)) progress.tokens += 1;
    progress.previous = lexeme;
    progress.lexemes += 1;
    const { tokens, lexemes, depth } = YAML_LIMITS;
    const limit = progress.tokens > tokens ? tokens : lexemes;
    if (progress.tokens > limit || progress.lexemes > limit)
      return diagnostic(
        'too-large',
        { of: 'YAML tokens in this file', limit },
        placeOf(parser.offset, parser.offset + 1),
      );
    const tooDeep = beyondDepth(parser);
    if (tooDeep !== undefined)
      return diagnostic(
        'too-large',
        { of: 'levels of nesting', limit: depth },
        placeOf(tooDeep, tooDeep + 1),
      );
    if (documents.length > 1) break;
  }
  compose(parser.end());
  documents.push(...composer.end(true, text.length));
  const [doc, second] = documents;
  if (doc === undefined) throw new Error('a text without any YAML document');
  return { doc, second: second?.range?.[0] };
}

/** Spaces, line ends, comments and the lexer's own marks: they are no data, and take hardly any time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the lexer marks with these
const NO_NODE = /^(?:[\s#\x02\x18]|\x1f$)/;

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  uniqueKeys: false,
  merge: false,
  logLevel: 'error',
} as const;

/** Where the first map or list nested too deep begins. The stack has a document at its bottom, then what is open. */
function beyondDepth({ stack }: Parser): number | undefined {
  const top = stack[YAML_LIMITS.depth + 1];
  return top !== undefined && COLLECTIONS.has(top.type) ? top.offset : undefined;
}

const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

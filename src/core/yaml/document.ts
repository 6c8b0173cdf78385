import { Composer, type Document, Lexer, Parser } from 'yaml';
import { SCALAR_FOLLOWS } from './tokens.ts';

/** Limits of product safety: what is beyond them is refused before it costs time. */
export const YAML_LIMITS = {
  bytes: 2 * 1024 * 1024,
  /** Words and marks, without blanks and comments. The library needs ten seconds for a million of them. */
  tokens: 100_000,
  keys: 5_000,
  depth: 64,
  aliasNodes: 10_000,
} as const;

/** A text as YAML: its first document and where a second one begins, or the limit that it breaks and where. */
export type ComposedYaml =
  | { readonly doc: Document; readonly second?: number }
  | { readonly limit: 'tokens' | 'depth'; readonly offset: number };

/**
 * Composes the first document of a text. Composing is recursive and takes its time, so the depth and the number of tokens
 * are watched while the tokens come in, before anything is composed of them.
 */
export function composeYaml(text: string): ComposedYaml {
  const parser = new Parser();
  const composer = new Composer(OPTIONS);
  const documents: Document[] = [];
  const compose = (tokens: ReturnType<Parser['next']>) => {
    for (const token of tokens) documents.push(...composer.next(token));
  };
  const progress = { tokens: 0, previous: '' };
  for (const lexeme of new Lexer().lex(text)) {
    compose(parser.next(lexeme));
    if (progress.previous === SCALAR_FOLLOWS || !NO_NODE.test(lexeme)) progress.tokens += 1;
    progress.previous = lexeme;
    if (progress.tokens > YAML_LIMITS.tokens) return { limit: 'tokens', offset: parser.offset };
    const tooDeep = beyondDepth(parser);
    if (tooDeep !== undefined) return { limit: 'depth', offset: tooDeep };
    if (documents.length > 1) break;
  }
  compose(parser.end());
  documents.push(...composer.end(true, text.length));
  return firstOf(documents);
}

/** Blanks, line ends, comments and the lexer's own marks: these make no part of the data, and hardly cost time. */
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

/** Where the map or list begins that is nested one level too deep. What is open is on the stack, a document at its bottom. */
function beyondDepth({ stack }: Parser): number | undefined {
  const top = stack.length > YAML_LIMITS.depth + 1 ? stack[YAML_LIMITS.depth + 1] : undefined;
  return top !== undefined && COLLECTIONS.has(top.type) ? top.offset : undefined;
}

const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

function firstOf(documents: readonly Document[]): ComposedYaml {
  const [doc, second] = documents;
  if (doc === undefined) throw new Error('a text without any YAML document');
  return second === undefined ? { doc } : { doc, second: second.range?.[0] ?? 0 };
}

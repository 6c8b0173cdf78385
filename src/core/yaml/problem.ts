import type { Document, ErrorCode, YAMLError } from 'yaml';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import type { PlaceOf } from './text.ts';
import { tokenAt, type YamlToken, yamlTokens } from './tokens.ts';

/** Own sentences for what the YAML parser finds: its messages can quote the source, and so a secret. */
const SENTENCES: Record<Exclude<ErrorCode, 'MULTIPLE_DOCS' | 'TAG_RESOLVE_FAILED'>, string> = {
  ALIAS_PROPS: 'An alias cannot have an anchor or a tag.',
  BAD_ALIAS: 'A star begins an alias, but no anchor has this name; quote a text that begins with *.',
  BAD_COLLECTION_TYPE: 'The tag does not fit this collection.',
  BAD_DIRECTIVE: 'This directive is not valid.',
  BAD_DQ_ESCAPE:
    'This escape is not valid in double quotes; write \\\\ for a backslash, or use single quotes.',
  BAD_INDENT: 'The indentation does not fit; start all lines of one level in the same column.',
  BAD_PROP_ORDER: 'Anchors and tags go before what they belong to.',
  BAD_SCALAR_START: 'A plain value cannot begin with this character; quote the value.',
  BLOCK_AS_IMPLICIT_KEY:
    'A nested map cannot begin on the line of its key; start a new line, or quote the value.',
  BLOCK_IN_FLOW: 'Brackets and braces cannot contain a block.',
  DUPLICATE_KEY: 'This map already has this key.',
  IMPOSSIBLE: 'This is not valid YAML.',
  KEY_OVER_1024_CHARS: 'A key has at most 1024 characters.',
  MISSING_CHAR:
    'A character is missing here: a closing quote, bracket or brace, a colon, or a space after one.',
  MULTILINE_IMPLICIT_KEY: 'A key must fit on one line; a colon may be missing.',
  MULTIPLE_ANCHORS: 'A node has at most one anchor.',
  MULTIPLE_TAGS: 'A node has at most one tag.',
  NON_STRING_KEY: 'A key must be text.',
  RESOURCE_EXHAUSTION: 'The file is too complex to read.',
  TAB_AS_INDENT: 'Tabs cannot indent; use spaces.',
  UNEXPECTED_TOKEN: 'This does not fit here; a quote, colon or comma may be missing before it.',
};

/** Everything that the YAML parser finds in a text; of syntax errors the first of each line, since the next follow from it. */
export function syntaxProblems(
  { doc, second }: { readonly doc: Document; readonly second?: number },
  text: string,
  placeOf: PlaceOf,
): Diagnostic[] {
  const foreign = foreignVersions(doc, text, placeOf);
  const found = rootProblems([...doc.errors, ...doc.warnings], text, placeOf);
  const several =
    second === undefined ? [] : [diagnostic('several-documents', {}, placeOf(second, second + 3))];
  return [...firstOfLines([...foreign, ...found]), ...several];
}

/** The diagnostic for an error code of the YAML parser. */
export function syntaxProblem(code: ErrorCode, place: Place): Diagnostic {
  if (code === 'MULTIPLE_DOCS') return diagnostic('several-documents', {}, place);
  if (code === 'TAG_RESOLVE_FAILED') return diagnostic('unknown-tag', {}, place);
  return diagnostic('yaml-syntax', { problem: SENTENCES[code] }, place);
}

function foreignVersions({ directives }: Document, text: string, placeOf: PlaceOf): Diagnostic[] {
  if (directives === undefined || !text.includes('%YAML')) return [];
  return yamlTokens(text)
    .filter(({ source, isScalar }) => !isScalar && /^%YAML(?![ \t]+1\.2\s*$)/.test(source))
    .map(({ from, to }) => diagnostic('yaml-version', {}, placeOf(from, to)));
}

/** The findings for errors of the parser, without those that only follow from something that was not closed. */
function rootProblems(errors: readonly YAMLError[], text: string, placeOf: PlaceOf): Diagnostic[] {
  if (errors.length === 0) return [];
  const tokens = yamlTokens(text);
  const openBefore = openFinder(tokens, text);
  const located = errors.map(({ code, pos }) => ({ code, pos, open: openBefore(code, pos[0]) }));
  const first = located.find(({ open }) => open !== undefined)?.open ?? text.length;
  const nested = new Set(errors.flatMap(({ code, pos }) => (code === NESTED ? [pos[0]] : [])));
  return (
    located
      .filter(({ pos, open }) => open !== undefined || pos[0] <= first)
      // The same slip, seen from the value that takes in the next line.
      .filter(({ code, pos }) => code !== 'MULTILINE_IMPLICIT_KEY' || !nested.has(pos[0]))
      .map(({ code, pos: [from, to], open }) => {
        if (open !== undefined)
          return diagnostic('yaml-syntax', { problem: UNCLOSED }, placeOf(open, open + 1));
        if (text.startsWith('${', from - 1))
          return diagnostic('yaml-syntax', { problem: BARE_REFERENCE }, placeOf(from - 1, from + 1));
        const deeper = code === NESTED ? continuedKey(tokens, from) : undefined;
        if (deeper !== undefined) return diagnostic('yaml-syntax', { problem: TOO_FAR }, placeOf(...deeper));
        const indent =
          code === 'BAD_INDENT' ? (/^[ \t]*/.exec(text.slice(from, from + 200))?.[0].length ?? 0) : 0;
        return syntaxProblem(code, placeOf(from + indent, to));
      })
  );
}

const NESTED: ErrorCode = 'BLOCK_AS_IMPLICIT_KEY';

/** The key that a plain value at an offset took in, since its line is indented too far. */
function continuedKey(tokens: readonly YamlToken[], offset: number): [number, number] | undefined {
  const token = tokens[tokenAt(tokens, offset)];
  const key = /^[^"'|>].*\n[ \t]*/s.exec(token?.source ?? '')?.[0];
  return token?.isScalar && key !== undefined ? [token.from + key.length, token.to] : undefined;
}

const TOO_FAR =
  'This line is indented too far, so it continues the value above; start all lines of one level in the same column.';

const UNCLOSED = 'This is not closed, or its content is indented too little.';

const BARE_REFERENCE = 'Quote a text with ${ inside braces and brackets.';

/** Finds the quote or bracket before an offset that is missing its end: the parser only says where it missed it. */
function openFinder(
  tokens: readonly YamlToken[],
  text: string,
): (code: ErrorCode, offset: number) => number | undefined {
  const end = text.trimEnd().length;
  return (code, offset) => {
    if (code !== 'MISSING_CHAR' && code !== 'BAD_INDENT') return undefined;
    const last = tokenAt(tokens, offset - 1);
    const token = tokens[last];
    if (token !== undefined && /^(["'])(?:.*[^"'])?$/s.test(token.source)) return token.from;
    // Inside brackets a comma may be missing just as well; at the end of the file it is the bracket.
    if (code === 'MISSING_CHAR' && offset < end) return undefined;
    return openBracket(tokens.slice(Math.max(0, last - LONGEST_SEARCH), last + 1));
  };
}

/** How many tokens are looked through for a bracket. */
const LONGEST_SEARCH = 1_000;

/** The last bracket that is open after these tokens. */
function openBracket(tokens: readonly YamlToken[]): number | undefined {
  const open: number[] = [];
  for (const { source, isScalar, from } of tokens) {
    if (isScalar) continue;
    if (source === '[' || source === '{') open.push(from);
    else if (source === ']' || source === '}') open.pop();
  }
  return open.at(-1);
}

function firstOfLines(found: readonly Diagnostic[]): Diagnostic[] {
  const lines = new Set<number | undefined>();
  return found.filter(({ code, place }) => {
    const isFirst = !lines.has(place?.line);
    lines.add(place?.line);
    return isFirst || code === 'unknown-tag';
  });
}

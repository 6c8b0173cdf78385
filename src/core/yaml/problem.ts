import type { Document, ErrorCode, YAMLError } from 'yaml';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import type { ComposedYaml } from './document.ts';
import type { PlaceOf } from './text.ts';
import { tokenAt, type YamlToken, yamlTokens } from './tokens.ts';

/** Our own sentences for errors of the YAML parser: its messages can quote the source, and so a secret. */
const SENTENCES: Record<ErrorCode, string> = {
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
  MULTIPLE_DOCS: 'The file holds more than one YAML document; put each in a file of its own.',
  MULTIPLE_ANCHORS: 'A node has at most one anchor.',
  MULTIPLE_TAGS: 'A node has at most one tag.',
  NON_STRING_KEY: 'A key must be text.',
  RESOURCE_EXHAUSTION: 'The file is too complex to read.',
  TAB_AS_INDENT: 'Tabs cannot indent; use spaces.',
  TAG_RESOLVE_FAILED: 'This YAML tag is unknown; remove it, and quote the value if it is text.',
  UNEXPECTED_TOKEN: 'This does not fit here; a quote, colon or comma may be missing before it.',
};

/** Everything that the YAML parser finds in a text; one syntax error a line, since the others follow from it. */
export function syntaxProblems({ doc, second }: ComposedYaml, text: string, placeOf: PlaceOf): Diagnostic[] {
  const found = [
    ...foreignVersions(doc, text, placeOf),
    ...rootProblems([...doc.errors, ...doc.warnings], text, placeOf),
  ];
  const lines = new Set<number | undefined>();
  const firsts = found.filter((each) => {
    const line = each.place?.line;
    const isFirst = !lines.has(line);
    lines.add(line);
    return isFirst || !endsReading(each);
  });
  return second === undefined
    ? firsts
    : [...firsts, syntaxProblem('MULTIPLE_DOCS', placeOf(second, second + 3))];
}

/** The diagnostic for an error code of the YAML parser. */
export function syntaxProblem(code: ErrorCode, place: Place): Diagnostic {
  const problem = SENTENCES[code];
  return READABLE.has(code)
    ? refusedConstruct(problem, place)
    : diagnostic('yaml-syntax', { problem }, place);
}

/** What is refused, though the rest of the file can be read. */
const READABLE: ReadonlySet<ErrorCode> = new Set(['MULTIPLE_DOCS', 'TAG_RESOLVE_FAILED']);

/** The diagnostic for a construct that is refused; the rest of the file can be read. */
export function refusedConstruct(problem: string, place: Place): Diagnostic {
  return diagnostic('yaml-syntax', { problem, isReadable: true }, place);
}

/** Whether a finding leaves nothing of a file that could be checked. */
export function endsReading(found: Diagnostic): boolean {
  return found.code === 'too-large' || (found.code === 'yaml-syntax' && found.facts.isReadable !== true);
}

function foreignVersions({ directives }: Document, text: string, placeOf: PlaceOf): Diagnostic[] {
  if (directives === undefined || !text.includes('%YAML')) return [];
  return yamlTokens(text)
    .filter(({ source, isScalar }) => !isScalar && /^%YAML(?![ \t]+1\.2\s*$)/.test(source))
    .map(({ from, to }) =>
      diagnostic(
        'yaml-syntax',
        { problem: 'Only YAML 1.2 is supported; remove the %YAML line.' },
        placeOf(from, to),
      ),
    );
}

/** The findings for errors of the parser, without those that only follow from something that was not closed. */
function rootProblems(errors: readonly YAMLError[], text: string, placeOf: PlaceOf): Diagnostic[] {
  if (errors.length === 0) return [];
  const tokens = yamlTokens(text);
  const end = text.trimEnd().length;
  const located = errors.map(({ code, pos }) => ({ code, pos, open: openBefore(code, pos[0], tokens, end) }));
  const first = located.find(({ open }) => open !== undefined)?.open ?? text.length;
  const nested = new Set(errors.flatMap(({ code, pos }) => (code === NESTED ? [pos[0]] : [])));
  return (
    located
      .filter(({ pos, open }) => open !== undefined || pos[0] <= first)
      // The same slip, seen from the value that takes in the next line.
      .filter(({ code, pos }) => code !== 'MULTILINE_IMPLICIT_KEY' || !nested.has(pos[0]))
      .map(({ code, pos: [from, to], open }) => {
        const explained = (problem: string, start: number, end: number) =>
          diagnostic('yaml-syntax', { problem }, placeOf(start, end));
        if (open !== undefined) return explained(UNCLOSED, open, open + 1);
        if (text.startsWith('${', from - 1)) return explained(BARE_REFERENCE, from - 1, from + 1);
        const deeper = code === NESTED ? continuedKey(tokens, from) : undefined;
        if (deeper !== undefined) return explained(TOO_FAR, ...deeper);
        const indent = code === 'BAD_INDENT' ? text.slice(from, from + 200).search(/[^ \t]|$/) : 0;
        return syntaxProblem(code, placeOf(from + indent, to));
      })
  );
}

const NESTED: ErrorCode = 'BLOCK_AS_IMPLICIT_KEY';

const UNCLOSED = 'This is not closed, or its content is indented too little.';

const BARE_REFERENCE = 'Quote a text with ${ inside braces and brackets.';

const TOO_FAR =
  'This line is indented too far, so it continues the value above; start all lines of one level in the same column.';

/** The key that a plain value at an offset took in because its line is indented too far. */
function continuedKey(tokens: readonly YamlToken[], offset: number): [number, number] | undefined {
  const token = tokens[tokenAt(tokens, offset)];
  const key = /^[^"'|>].*\n[ \t]*/s.exec(token?.source ?? '')?.[0];
  return token?.isScalar && key !== undefined ? [token.from + key.length, token.to] : undefined;
}

/** The quote or bracket before an offset that is never closed: the parser only says where it missed the end. */
function openBefore(
  code: ErrorCode,
  offset: number,
  tokens: readonly YamlToken[],
  end: number,
): number | undefined {
  if (code !== 'MISSING_CHAR' && code !== 'BAD_INDENT') return undefined;
  const last = tokenAt(tokens, offset - 1);
  const token = tokens[last];
  if (token !== undefined && /^(["'])(?:.*[^"'])?$/s.test(token.source)) return token.from;
  // Inside brackets a comma may be missing just as well; at the end of the file it is the bracket.
  if (code === 'MISSING_CHAR' && offset < end) return undefined;
  return openBracket(tokens.slice(Math.max(0, last - LONGEST_SEARCH), last + 1));
}

/** How many tokens are searched for a bracket. */
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

import {
  Composer,
  type Document,
  type ErrorCode,
  isCollection,
  isNode,
  isScalar,
  Lexer,
  LineCounter,
  Parser,
  visit,
  type YAMLError,
  YAMLParseError,
} from 'yaml';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { count } from '../findings/words.ts';
import { grouped } from '../model/json.ts';
import type { Place, SourceFile, Span } from '../model/place.ts';

/** What exceeds these limits is refused before it costs time. */
export const YAML_LIMITS = {
  bytes: { most: 2 * 1024 * 1024, of: 'bytes in this file' },
  /** Words and marks, without spaces and comments. The library needs ten seconds for a million of them. */
  tokens: { most: 100_000, of: 'YAML tokens in this file' },
  keys: { most: 5_000, of: 'keys in this map' },
  depth: { most: 64, of: 'levels of nesting' },
  aliases: { most: 10_000, of: 'values in aliases' },
} as const;

/** All pieces of a text, blank lines and comments among them. */
const MOST_LEXEMES = 500_000;

/** The finding for a limit that is exceeded. */
export function tooLarge(
  limit: keyof typeof YAML_LIMITS,
  place: Place,
): Diagnostic {
  const { most, of } = YAML_LIMITS[limit];
  return diagnostic('too-large', { of, limit: most }, place);
}

/** A file as the library reads it. Offsets are those of the text without the byte order mark that some editors add. */
interface ComposedYaml {
  readonly text: string;
  readonly doc: Document;
  readonly placeOf: PlaceOf;
}

/** The place of a span of a text; it ends with the first line of the span. */
export type PlaceOf = (span: Span) => Place;

/** Composes the only document of a file, and finds everything that the parser finds in it; with unknown tags it can be read. */
export function composeYaml({
  path,
  text: raw,
}: SourceFile): Checked<ComposedYaml> {
  const text = raw.replace(/^\ufeff/, '');
  const placeOf = placeMaker(path, text);
  if (Buffer.byteLength(text) > YAML_LIMITS.bytes.most)
    return { diagnostics: [tooLarge('bytes', placeOf([0, 1]))] };
  const strays = straysIn(text, placeOf);
  if (strays.length > 0) return { diagnostics: strays };
  const doc = firstDocument(text, placeOf);
  if ('code' in doc) return { diagnostics: [doc] };
  const diagnostics = syntaxProblems(doc, text, placeOf);
  const isReadable = doc.errors.every(
    ({ code }) => code === 'TAG_RESOLVE_FAILED',
  );
  return isReadable
    ? { value: { text, doc, placeOf }, diagnostics }
    : { diagnostics };
}

/** Where a node of a document is in its text, without what is before and behind it. */
export function spanOf(node: unknown): Span {
  const [from, to] = (isNode(node) && node.range) || [0, 0];
  return [from, to];
}

function placeMaker(file: string, text: string): PlaceOf {
  const lines = new LineCounter();
  lines.addNewLine(0);
  let end = text.indexOf('\n');
  while (end >= 0) {
    lines.addNewLine(end + 1);
    end = text.indexOf('\n', end + 1);
  }
  const startOf = (line: number) => lines.lineStarts[line - 1] ?? text.length;
  // Most spans are on the line of the last one, or on the next.
  let line = 1;
  return ([from, to]) => {
    if (startOf(line) > from || from >= startOf(line + 2)) {
      line = lines.linePos(from).line;
    } else if (from >= startOf(line + 1)) {
      line += 1;
    }
    const column = from - startOf(line) + 1;
    const width = Math.min(to, endOfLine(text, startOf(line + 1))) - from;
    return { file, line, column, endColumn: column + Math.max(1, width) };
  };
}

/** Where a line ends in a text, by the start of the next one. */
function endOfLine(text: string, next: number): number {
  if (text[next - 1] !== '\n') return next;
  return next - (text[next - 2] === '\r' ? 2 : 1);
}

/** Finds characters and lines that no file of configuration has. */
function straysIn(text: string, placeOf: PlaceOf): Diagnostic[] {
  const isMarked = text.includes('<<<<<<<') || text.includes('%YAML');
  if (!isMarked && ORDINARY.test(text)) return [];
  const strays: Diagnostic[] = [];
  for (const { 0: found, index } of text.matchAll(STRAY)) {
    const problem = strayProblem(found);
    const place = placeOf([index, index + 1]);
    strays.push(diagnostic('yaml-syntax', { problem }, place));
  }
  return strays;
}

/** Nearly all texts: STRAY takes its time. */
const ORDINARY = /^[\t\n -~]*$/;

/** A character that YAML does not allow, a merge marker of git or another version of YAML, with the rest of its line. */
const STRAY =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /(?:[\0-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufeff\ufffe\uffff\p{Cs}]|\r(?!\n)|^<{7} |^%YAML(?![ \t]+1\.2\s*$))[^\n]*/gmu;

function strayProblem(found: string): string {
  if (found.startsWith('%'))
    return 'Only YAML 1.2 is supported; remove the %YAML line.';
  if (found.startsWith('<'))
    return 'git left merge markers here; keep one side, and remove the <<<<<<<, ======= and >>>>>>> lines.';
  if (found.startsWith('\r'))
    return 'A carriage return alone does not end a line; save the file with LF or CRLF.';
  const name = (found.codePointAt(0) ?? 0)
    .toString(16)
    .toUpperCase()
    .padStart(4, '0');
  return `YAML does not allow the character U+${name}; remove it.`;
}

/**
 * The first document of a text, in which warnings and a second one are errors; or the limit that the text exceeds. Composing is slow and
 * recursive, so depth and tokens are checked as tokens arrive, before anything is composed of them.
 */
function firstDocument(text: string, placeOf: PlaceOf): Document | Diagnostic {
  const parser = new Parser();
  // Keys are compared by us: the library takes the square of their number.
  const composer = new Composer({ resolveKnownTags: false, uniqueKeys: false });
  const documents: Document[] = [];
  const compose = (tokens: ReturnType<Parser['next']>) => {
    for (const token of tokens) documents.push(...composer.next(token));
  };
  const seen = { tokens: 0, lexemes: 0 };
  for (const lexeme of new Lexer().lex(text)) {
    compose(parser.next(lexeme));
    seen.lexemes += 1;
    if (isOfNode(lexeme)) seen.tokens += 1;
    if (seen.tokens > YAML_LIMITS.tokens.most || seen.lexemes > MOST_LEXEMES)
      return tooLarge('tokens', placeOf([parser.offset, parser.offset + 1]));
    const deep = beyondDepth(parser);
    if (deep !== undefined) return tooLarge('depth', placeOf([deep, deep + 1]));
    if (documents.length > 1) break;
  }
  compose(parser.end());
  documents.push(...composer.end(true, text.length));
  const [doc, second] = documents;
  if (doc === undefined) throw new Error('a text without any YAML document');
  doc.errors.push(...doc.warnings);
  const from = second?.range?.[0];
  if (from !== undefined)
    doc.errors.push(new YAMLParseError([from, from + 3], 'MULTIPLE_DOCS', ''));
  return doc;
}

/** Where the first map or list nested too deep begins. The stack has a document at its bottom, then what is open. */
function beyondDepth({ stack }: Parser): number | undefined {
  const most = YAML_LIMITS.depth.most + 1;
  if (stack.length <= most) return undefined;
  const top = stack[most];
  return top !== undefined &&
    /^(block-map|block-seq|flow-collection)$/.test(top.type)
    ? top.offset
    : undefined;
}

/** False for comments, blanks, line ends and the lexer's own marks: they are no data, and take hardly any time. */
function isOfNode(lexeme: string): boolean {
  const first = lexeme.charAt(0);
  return first > ' ' && first !== '#';
}

/** Our own sentences for errors of the YAML parser: its messages can quote the source, and so a secret. */
const SENTENCES: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS:
    'A star begins an alias, but no anchor has this name; quote a text that begins with *.',
  BAD_DQ_ESCAPE:
    'This escape is not valid in double quotes; write \\\\ for a backslash, or use single quotes.',
  BAD_INDENT:
    'The indentation does not fit; start all lines of one level in the same column.',
  BAD_SCALAR_START:
    'A plain value cannot begin with this character; quote the value.',
  BLOCK_AS_IMPLICIT_KEY:
    'A nested map cannot begin on the line of its key; start a new line, or quote the value.',
  BLOCK_IN_FLOW: 'Brackets and braces cannot contain a block.',
  MISSING_CHAR:
    'A character is missing here: a closing quote, bracket or brace, a colon, or a space after one.',
  MULTILINE_IMPLICIT_KEY: 'A key must fit on one line; a colon may be missing.',
  MULTIPLE_DOCS:
    'The file holds more than one YAML document; put each in a file of its own.',
  TAG_RESOLVE_FAILED:
    'This YAML tag is unknown; remove it, and quote the value if it is text.',
  UNEXPECTED_TOKEN:
    'This does not fit here; a quote, colon or comma may be missing before it.',
};

const UNCLOSED = 'This is not closed, or its content is indented too little.';

const TOO_FAR =
  'This line is indented too far, so it continues the value above; start all lines of one level in the same column.';

const BARE_REFERENCE = 'Quote a text with ${ inside braces and brackets.';

/** Explains the errors of the parser; one a line and a cause, since the others follow from it. */
function syntaxProblems(
  doc: Document,
  text: string,
  placeOf: PlaceOf,
): Diagnostic[] {
  if (doc.errors.length === 0) return [];
  const tabs = tabsIn(doc.errors, text);
  const [firstTab] = tabs;
  // Behind a tab, nothing stands where it was meant to be.
  const errors =
    firstTab === undefined
      ? doc.errors
      : doc.errors.filter(({ pos }) => pos[0] < lineStart(firstTab, text));
  const openings = openingsIn(doc, text);
  const found: Diagnostic[] = [];
  const lines = new Set<number>();
  let tooFar: number | undefined;
  for (const same of grouped(errors, ({ pos: [from] }) => from).values()) {
    const { problem, span } = explained(same, openings, text);
    const place = placeOf(span);
    const isTooFar = problem === TOO_FAR;
    // A line that continues a line that is too far is as far as that.
    const follows = isTooFar && placeOf(same[0].pos).line === tooFar;
    if (isTooFar) tooFar = place.line;
    if (follows || lines.has(place.line)) continue;
    lines.add(place.line);
    found.push(diagnostic('yaml-syntax', { problem }, place));
  }
  if (firstTab === undefined) return found;
  const place = placeOf([firstTab, firstTab + 1]);
  const problem = tabProblem(tabs.length);
  return [...found, diagnostic('yaml-syntax', { problem }, place)];
}

function tabProblem(lines: number): string {
  const more = lines > 1 ? ` here and in ${count(lines - 1, 'more line')}` : '';
  return `Tabs cannot indent; use spaces${more}.`;
}

/** Where the first tab is in the indentation of each line with an error, in their order. */
function tabsIn(errors: readonly YAMLError[], text: string): number[] {
  const tabs = new Set<number>();
  for (const { code, pos } of errors) {
    // Between brackets tabs are allowed.
    if (code !== 'TAB_AS_INDENT' && code !== 'BAD_INDENT') continue;
    const [from, to] = pos;
    const start = code === 'TAB_AS_INDENT' ? from : lineStart(from, text);
    const indent = /^[ \t]*/.exec(text.slice(start, start + MOST_INDENT))?.[0];
    const tab = start + (indent ?? '').indexOf('\t');
    if (tab >= start && tab < Math.max(to, from + 1)) tabs.add(tab);
  }
  return [...tabs].sort((a, b) => a - b);
}

/** How much of a line is searched for its indentation. */
const MOST_INDENT = 200;

function lineStart(offset: number, text: string): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** What errors of the parser at one offset mean, and where their cause is. */
function explained(
  [first, ...others]: readonly [YAMLError, ...YAMLError[]],
  openings: ReadonlyMap<number, number>,
  text: string,
): { readonly problem: string; readonly span: Span } {
  const { code, pos } = first;
  const [from, to] = pos;
  const opening =
    code === 'MISSING_CHAR' || code === 'BAD_INDENT'
      ? openings.get(from)
      : undefined;
  if (opening !== undefined)
    return { problem: UNCLOSED, span: [opening, opening + 1] };
  const dollar = Math.max(0, from - 1);
  if (text.startsWith('${', dollar)) {
    return { problem: BARE_REFERENCE, span: [dollar, dollar + 2] };
  }
  // A line that is indented too far makes a key of the value above and itself.
  const joined = others.find((each) => each.code === 'MULTILINE_IMPLICIT_KEY');
  const line =
    joined === undefined ? from : text.lastIndexOf('\n', joined.pos[1] - 1) + 1;
  const start = line + text.slice(line, line + 200).search(/[^ ]|$/);
  return joined === undefined
    ? {
        problem: SENTENCES[code] ?? 'This is not valid YAML.',
        span: [start, to],
      }
    : { problem: TOO_FAR, span: [start, joined.pos[1]] };
}

/** Where flow collections and unclosed quotes begin, by their ends; of several with one end the outermost. */
function openingsIn(doc: Document, text: string): ReadonlyMap<number, number> {
  const openings = new Map<number, number>();
  visit(doc, {
    Node: (_, node) => {
      const [from, to] = node.range ?? [0, 0];
      const isOpen = isScalar(node)
        ? /^(["'])(?:.*[^"'])?$/s.test(text.slice(from, to))
        : isCollection(node) && node.flow === true;
      if (isOpen && !openings.has(to)) openings.set(to, from);
    },
  });
  return openings;
}

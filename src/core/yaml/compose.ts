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
import { grouped } from '../model/json.ts';
import { codePoint } from '../model/look-alike.ts';
import type { Place, SourceFile, Span } from '../model/place.ts';

/** Limits, which are checked before a text costs time. */
export const YAML_LIMITS = {
  bytes: { most: 2 * 1024 * 1024, of: 'bytes in this file' },
  /** Without spaces and comments; a million take the library ten seconds. */
  tokens: { most: 100_000, of: 'YAML tokens in this file' },
  keys: { most: 5_000, of: 'keys in this map' },
  depth: { most: 64, of: 'levels of nesting' },
  aliases: { most: 10_000, of: 'values in aliases' },
} as const;

/** The most pieces of a text, blank lines and comments among them. */
const MOST_LEXEMES = 500_000;

/** The finding for a limit that is exceeded. */
export function tooLarge(
  limit: keyof typeof YAML_LIMITS,
  place: Place,
): Diagnostic {
  const { most, of } = YAML_LIMITS[limit];
  return diagnostic('too-large', { of, limit: most }, place);
}

/** A file as the library reads it. */
export interface ComposedYaml {
  /** Without a byte order mark: offsets count from behind it. */
  readonly text: string;
  readonly doc: Document;
  readonly placeOf: PlaceOf;
}

/** The place of a span of a text; it ends with the first line of the span. */
export type PlaceOf = (span: Span) => Place;

/** Composes the only document of a file; one with unknown tags has a value. */
export function composeYaml(file: SourceFile): Checked<ComposedYaml> {
  const text = file.text.replace(/^\ufeff/, '');
  const placeOf = placeMaker(file.path, text);
  if (Buffer.byteLength(text) > YAML_LIMITS.bytes.most)
    return { diagnostics: [tooLarge('bytes', placeOf([0, 1]))] };
  const strays = strayCharacters(text, placeOf);
  if (strays.length > 0) return { diagnostics: strays };
  const doc = firstDocument(text, placeOf);
  if ('code' in doc) return { diagnostics: [doc] };
  const value = { text, doc, placeOf };
  const diagnostics = syntaxProblems(value);
  const isReadable = doc.errors.every(
    ({ code }) => code === 'TAG_RESOLVE_FAILED',
  );
  return isReadable ? { value, diagnostics } : { diagnostics };
}

/** Where a node is in its text, without the blanks around it. */
export function spanOf(node: unknown): Span {
  const [from, to] = (isNode(node) && node.range) || [0, 0];
  return [from, to];
}

function placeMaker(file: string, text: string): PlaceOf {
  const lines = new LineCounter();
  lines.addNewLine(0);
  let lineEnd = text.indexOf('\n');
  while (lineEnd >= 0) {
    lines.addNewLine(lineEnd + 1);
    lineEnd = text.indexOf('\n', lineEnd + 1);
  }
  return ([from, to]) => {
    const { line, col: column } = lines.linePos(from);
    const next = lines.lineStarts[line] ?? text.length;
    const width = Math.min(to, endOfLine(text, next)) - from;
    return { file, line, column, endColumn: column + Math.max(1, width) };
  };
}

/** Where a line ends in a text, by the start of the next one. */
function endOfLine(text: string, next: number): number {
  if (text[next - 1] !== '\n') return next;
  return next - (text[next - 2] === '\r' ? 2 : 1);
}

function strayCharacters(text: string, placeOf: PlaceOf): Diagnostic[] {
  const isMarked = text.includes('<<<<<<<') || text.includes('%YAML');
  if (!isMarked && ORDINARY.test(text)) return [];
  const findings: Diagnostic[] = [];
  for (const { 0: stray, index } of text.matchAll(STRAY)) {
    const problem = strayProblem(stray);
    const place = placeOf([index, index + 1]);
    findings.push(diagnostic('yaml-syntax', { problem }, place));
  }
  return findings;
}

/** Nearly all texts: STRAY is slow. */
const ORDINARY = /^[\t\n -~]*$/;

/** A forbidden character or line, with the rest of the line. */
const STRAY =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
  /(?:[\0-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f\ufeff\ufffe\uffff\p{Cs}]|\r(?!\n)|^<{7} |^%YAML(?![ \t]+1\.2\s*$))[^\n]*/gmu;

function strayProblem(stray: string): string {
  if (stray.startsWith('%'))
    return 'Only YAML 1.2 is supported; remove the %YAML line.';
  if (stray.startsWith('<'))
    return 'git left merge markers here; keep one side, and remove the <<<<<<<, ======= and >>>>>>> lines.';
  if (stray.startsWith('\r'))
    return 'A carriage return alone does not end a line; save the file with LF or CRLF.';
  return `YAML does not allow the character ${codePoint(stray)}; remove it.`;
}

/**
 * The first document of a text, with all errors; or a limit it exceeds.
 * Composing is slow and recursive, so depth and tokens are checked as tokens
 * arrive, before anything is composed of them.
 */
function firstDocument(text: string, placeOf: PlaceOf): Document | Diagnostic {
  const parser = new Parser();
  // Keys are compared by us: the library takes the square of their number.
  const composer = new Composer({ resolveKnownTags: false, uniqueKeys: false });
  const documents: Document[] = [];
  let tokens = 0;
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme))
      documents.push(...composer.next(token));
    lexemes += 1;
    if (isData(lexeme)) tokens += 1;
    if (tokens > YAML_LIMITS.tokens.most || lexemes > MOST_LEXEMES)
      return tooLarge('tokens', placeOf([parser.offset, parser.offset + 1]));
    const deep = beyondDepth(parser);
    if (deep !== undefined) return tooLarge('depth', placeOf([deep, deep + 1]));
    if (documents.length > 1) break;
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(true, text.length));
  const [document, second] = documents;
  if (document === undefined) throw new Error('a text without a document');
  document.errors.push(...document.warnings);
  const from = second?.range?.[0];
  if (from !== undefined) {
    const extra = new YAMLParseError([from, from + 3], 'MULTIPLE_DOCS', '');
    document.errors.push(extra);
  }
  return document;
}

/** True for a piece of data: no comment, space, line end or mark of the lexer. */
function isData(lexeme: string): boolean {
  return lexeme >= '!' && !lexeme.startsWith('#');
}

/** Where the first map or list that is nested too deep begins. */
function beyondDepth({ stack }: Parser): number | undefined {
  // At the bottom of the stack is a document, then all that is open.
  const deepest = YAML_LIMITS.depth.most + 1;
  if (stack.length <= deepest) return undefined;
  const top = stack[deepest];
  if (top === undefined) return undefined;
  const isNested = /^(block-map|block-seq|flow-collection)$/.test(top.type);
  return isNested ? top.offset : undefined;
}

/** Sentences for errors of the parser: its own can quote a secret. */
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
    'This line has a second colon; quote the value if it is text, or begin its keys on a new line.',
  BLOCK_IN_FLOW:
    'Brackets and braces cannot contain a block; a second colon needs quotes around the value.',
  MISSING_CHAR:
    'A character is missing here: a closing quote, bracket or brace, a colon, or a space after one.',
  MULTILINE_IMPLICIT_KEY:
    'A key must fit on one line; a colon, or the blank behind it, may be missing.',
  MULTIPLE_DOCS:
    'The file holds more than one YAML document; put each in a file of its own.',
  TAG_RESOLVE_FAILED:
    'This YAML tag is unknown; remove it, and quote the value if it is text.',
  UNEXPECTED_TOKEN:
    'This does not fit here; a quote, colon or comma may be missing before it.',
};

export const NO_BLANK =
  'A colon needs a blank before { or [; quote the key if the text is meant.';

const UNCLOSED = 'This is not closed, or its content is indented too little.';

const TOO_FAR =
  'This line is indented too far, so it continues the value above; start all lines of one level in the same column.';

const TAB = 'Tabs cannot indent; use spaces, in the lines below too.';

const BARE_REFERENCE = 'Quote a text with ${ inside braces and brackets.';

/** Explains the errors of the parser: one a line, as further ones follow from it. */
function syntaxProblems({ doc, text, placeOf }: ComposedYaml): Diagnostic[] {
  if (doc.errors.length === 0) return [];
  const openings = openingsIn(doc, text);
  const findings = new Map<number, Diagnostic>();
  const errors = doc.errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  for (const same of grouped(errors, ({ pos: [from] }) => from).values()) {
    const { problem, span } = causeOf(same, openings, text);
    const place = placeOf(span);
    const finding = diagnostic('yaml-syntax', { problem }, place);
    if (!findings.has(place.line)) findings.set(place.line, finding);
    // Behind a tab, nothing stands where it was meant to be.
    if (problem === TAB) break;
  }
  return [...findings.values()];
}

/** The cause of errors of the parser at one offset, and where it is. */
function causeOf(
  errors: readonly [YAMLError, ...YAMLError[]],
  openings: ReadonlyMap<number, number>,
  text: string,
): { readonly problem: string; readonly span: Span } {
  const [{ code, pos }, ...others] = errors;
  const [from, to] = pos;
  const start = lineStart(from, text);
  const tab = start + indentOf(start, text).indexOf('\t');
  const mayBeTab = code === 'TAB_AS_INDENT' || code === 'BAD_INDENT';
  if (mayBeTab && tab >= start) return { problem: TAB, span: [tab, tab + 1] };
  const opening = openings.get(from);
  const mayBeUnclosed = code === 'MISSING_CHAR' || code === 'BAD_INDENT';
  if (mayBeUnclosed && opening !== undefined)
    return { problem: UNCLOSED, span: [opening, opening + 1] };
  const dollar = Math.max(0, from - 1);
  if (text.startsWith('${', dollar))
    return { problem: BARE_REFERENCE, span: [dollar, dollar + 2] };
  // A line that is indented too far makes a key of the value above and itself.
  const joined = others.find(
    (error) => error.code === 'MULTILINE_IMPLICIT_KEY',
  );
  if (joined !== undefined) {
    const [, end] = joined.pos;
    const line = lineStart(end, text);
    const indent = indentOf(line, text).length;
    return { problem: TOO_FAR, span: [line + indent, end] };
  }
  const problem = SENTENCES[code] ?? 'This is not valid YAML.';
  return { problem, span: [from + indentOf(from, text).length, to] };
}

function lineStart(offset: number, text: string): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** The blanks at an offset, as far as any line is searched for them. */
function indentOf(offset: number, text: string): string {
  return /^[ \t]*/.exec(text.slice(offset, offset + 200))?.[0] ?? '';
}

/** Where flow collections and unclosed quotes begin, by their ends. */
function openingsIn(doc: Document, text: string): ReadonlyMap<number, number> {
  const openings = new Map<number, number>();
  visit(doc, {
    Node: (_, node) => {
      const [from, to] = node.range ?? [0, 0];
      // The outermost comes first.
      if (openings.has(to)) return;
      const isOpen = isScalar(node)
        ? isUnclosedQuote(text.slice(from, to))
        : isCollection(node) && node.flow === true;
      if (isOpen) openings.set(to, from);
    },
  });
  return openings;
}

function isUnclosedQuote(text: string): boolean {
  return /^(["'])(?:.*[^"'])?$/s.test(text);
}

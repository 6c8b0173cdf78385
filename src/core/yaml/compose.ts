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
  Schema,
  visit,
  YAMLParseError,
} from 'yaml';
import {
  type Checked,
  type Diagnostic,
  diagnostic,
} from '../findings/diagnostic.ts';
import { codePoint } from '../model/look-alike.ts';
import type { Place, SourceFile, Span } from '../model/place.ts';

/** Limits, which are checked before a text costs time. */
export const YAML_LIMITS = {
  bytes: { most: 2 * 1024 * 1024, of: 'bytes in this file' },
  /** Without spaces and comments, which cost little. */
  tokens: { most: 100_000, of: 'YAML tokens in this file' },
  keys: { most: 5_000, of: 'keys in this map' },
  depth: { most: 64, of: 'levels of nesting' },
  aliases: { most: 10_000, of: 'values in aliases' },
} as const;

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
  text: string;
  doc: Document;
  placeOf: PlaceOf;
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
  for (const { 0: end, index } of text.matchAll(/^|\n/g))
    lines.addNewLine(index + end.length);
  return ([from, to]) => {
    const { line, col: column } = lines.linePos(from);
    const length = text.slice(from, to).search(/\r?\n|$/);
    return { file, line, column, endColumn: column + Math.max(1, length) };
  };
}

function strayCharacters(text: string, placeOf: PlaceOf): Diagnostic[] {
  return [...text.matchAll(STRAY)].map(({ 0: stray, index }) => {
    const problem = strayProblem(stray);
    return diagnostic('yaml-syntax', { problem }, placeOf([index, index + 1]));
  });
}

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
  const composer = new Composer({ schema: SCHEMA, uniqueKeys: false });
  const documents: Document[] = [];
  let tokens = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme))
      documents.push(...composer.next(token));
    if (isData(lexeme)) tokens += 1;
    if (tokens > YAML_LIMITS.tokens.most)
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

/** Shared by all files: making one takes as long as some lines of YAML. */
const SCHEMA = new Schema({ resolveKnownTags: false });

/**
 * True for a piece of data: no comment, space, line end or mark of the lexer.
 */
function isData(lexeme: string): boolean {
  return lexeme >= '!' && !lexeme.startsWith('#');
}

/** Where the first map or list that is nested too deep begins. */
function beyondDepth({ stack }: Parser): number | undefined {
  // At the bottom of the stack is a document, then all that is open.
  const top = stack[YAML_LIMITS.depth.most + 1];
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
    'A map or a list cannot begin here; quote a text with a second colon, or begin the keys on a new line.',
  BLOCK_IN_FLOW:
    'Brackets and braces cannot contain a block; a second colon needs quotes around the value.',
  MISSING_CHAR:
    'A character is missing here: a closing quote, bracket or brace, a colon, or a space after one.',
  MULTILINE_IMPLICIT_KEY:
    'This line and the next are read as one key; a colon, or the blank behind it, is missing, or the next line is indented too far.',
  MULTIPLE_DOCS:
    'The file holds more than one YAML document; put each in a file of its own.',
  TAB_AS_INDENT: 'Tabs cannot indent; use spaces, in the lines below too.',
  TAG_RESOLVE_FAILED:
    'This YAML tag is unknown; remove it, and quote the value if it is text.',
  UNEXPECTED_TOKEN:
    'This does not fit here; a quote, colon or comma may be missing before it.',
};

const UNCLOSED = 'This is not closed, or its content is indented too little.';

const BARE_REFERENCE = 'Quote a text with ${ inside braces and brackets.';

/**
 * Explains the errors of the parser: one a line, as further ones follow from
 * it.
 */
function syntaxProblems({ doc, text, placeOf }: ComposedYaml): Diagnostic[] {
  if (doc.errors.length === 0) return [];
  const openings = openingsIn(doc, text);
  const findings = new Map<number, Diagnostic>();
  // Of those at one place, the longest tells most.
  const errors = doc.errors.toSorted(
    ({ pos: [from, to] }, { pos: [start, end] }) => from - start || end - to,
  );
  for (const { code, pos } of errors) {
    const [from, to] = pos;
    const opening = openings.get(from);
    const dollar = text.lastIndexOf('$', from);
    const mayBeUnclosed = code === 'MISSING_CHAR' || code === 'BAD_INDENT';
    let problem = SENTENCES[code] ?? 'This is not valid YAML.';
    let span: Span = [from + text.slice(from).search(/[^ ]|$/), to];
    if (mayBeUnclosed && opening !== undefined) {
      problem = UNCLOSED;
      span = [opening, opening + 1];
    } else if (dollar >= from - 1 && text.startsWith('${', dollar)) {
      problem = BARE_REFERENCE;
      span = [dollar, dollar + 2];
    }
    const place = placeOf(span);
    const finding = diagnostic('yaml-syntax', { problem }, place);
    if (!findings.has(place.line)) findings.set(place.line, finding);
    // Behind a tab, nothing stands where it was meant to be.
    if (code === 'TAB_AS_INDENT') break;
  }
  return [...findings.values()];
}

/** Where flow collections and unclosed quotes begin, by their ends. */
function openingsIn(doc: Document, text: string): ReadonlyMap<number, number> {
  const openings = new Map<number, number>();
  visit(doc, {
    Node: (_, node) => {
      const [from, to] = spanOf(node);
      const isOpen = isScalar(node)
        ? /^(["'])(?:.*[^"'])?$/s.test(text.slice(from, to))
        : isCollection(node) && node.flow === true;
      // The outermost comes first.
      if (isOpen && !openings.has(to)) openings.set(to, from);
    },
  });
  return openings;
}

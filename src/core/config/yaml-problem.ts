import type { ErrorCode } from 'yaml';
import { type Diagnostic, diagnostic } from '../diagnostic.ts';
import type { Place } from '../model.ts';

/** Own sentences for what the YAML parser finds: its messages can quote the source, and so a secret. */
const SENTENCES: Record<Exclude<ErrorCode, 'MULTIPLE_DOCS' | 'TAG_RESOLVE_FAILED'>, string> = {
  ALIAS_PROPS: 'An alias cannot have an anchor or a tag.',
  BAD_ALIAS: 'This alias has no anchor, or not a valid name.',
  BAD_COLLECTION_TYPE: 'The tag does not fit this collection.',
  BAD_DIRECTIVE: 'This directive is not valid.',
  BAD_DQ_ESCAPE:
    'This escape is not valid in double quotes; write \\\\ for a backslash, or use single quotes.',
  BAD_INDENT: 'The indentation does not fit; lines of one level begin in the same column.',
  BAD_PROP_ORDER: 'Anchors and tags stand before what they belong to.',
  BAD_SCALAR_START: 'A plain value cannot begin with this character; put the value in quotes.',
  BLOCK_AS_IMPLICIT_KEY:
    'A nested map cannot begin on the line of its key; begin a new line, or put the value in quotes.',
  BLOCK_IN_FLOW: 'A block cannot stand inside brackets or braces.',
  DUPLICATE_KEY: 'This key stands twice.',
  IMPOSSIBLE: 'This is not valid YAML.',
  KEY_OVER_1024_CHARS: 'A key has at most 1024 characters.',
  MISSING_CHAR:
    'A character is missing here: a closing quote, bracket or brace, a colon, or a space behind one.',
  MULTILINE_IMPLICIT_KEY: 'A key must stand on one line; is a colon missing?',
  MULTIPLE_ANCHORS: 'A node has at most one anchor.',
  MULTIPLE_TAGS: 'A node has at most one tag.',
  NON_STRING_KEY: 'A key must be text.',
  RESOURCE_EXHAUSTION: 'The file is too complex to be read.',
  TAB_AS_INDENT: 'Tabs cannot indent; use spaces.',
  UNEXPECTED_TOKEN: 'This does not fit here; is a quote, colon or comma missing before it?',
};

/** The diagnostic for an error code of the YAML parser. */
export function syntaxProblem(code: ErrorCode, place: Place): Diagnostic {
  if (code === 'MULTIPLE_DOCS') return diagnostic('several-documents', {}, place);
  if (code === 'TAG_RESOLVE_FAILED') return diagnostic('unknown-tag', {}, place);
  return diagnostic('yaml-syntax', { problem: SENTENCES[code] }, place);
}

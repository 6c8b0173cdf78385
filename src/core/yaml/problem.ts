import { type Document, type ErrorCode, isCollection, isScalar, visit, type YAMLError } from 'yaml';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Place } from '../model/place.ts';
import type { ComposedYaml } from './document.ts';
import type { PlaceOf } from './text.ts';

/** Our own sentences for errors of the YAML parser: its messages can quote the source, and so a secret. */
const SENTENCES: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'A star begins an alias, but no anchor has this name; quote a text that begins with *.',
  BAD_DQ_ESCAPE:
    'This escape is not valid in double quotes; write \\\\ for a backslash, or use single quotes.',
  BAD_INDENT: 'The indentation does not fit; start all lines of one level in the same column.',
  BAD_SCALAR_START: 'A plain value cannot begin with this character; quote the value.',
  BLOCK_AS_IMPLICIT_KEY:
    'A nested map cannot begin on the line of its key; start a new line, or quote the value.',
  BLOCK_IN_FLOW: 'Brackets and braces cannot contain a block.',
  MISSING_CHAR:
    'A character is missing here: a closing quote, bracket or brace, a colon, or a space after one.',
  MULTILINE_IMPLICIT_KEY: 'A key must fit on one line; a colon may be missing.',
  MULTIPLE_DOCS: 'The file holds more than one YAML document; put each in a file of its own.',
  TAB_AS_INDENT: 'Tabs cannot indent; use spaces.',
  TAG_RESOLVE_FAILED: 'This YAML tag is unknown; remove it, and quote the value if it is text.',
  UNEXPECTED_TOKEN: 'This does not fit here; a quote, colon or comma may be missing before it.',
};

/** Everything that the YAML parser finds in a text; one syntax error a line, since the others follow from it. */
export function syntaxProblems({ doc, second }: ComposedYaml, text: string, placeOf: PlaceOf): Diagnostic[] {
  const errors = [...doc.errors, ...doc.warnings];
  const found = [...foreignVersion(doc, text, placeOf), ...errorProblems(errors, doc, text, placeOf)];
  const firsts = new Map(
    found.toReversed().map((each) => [endsReading(each) ? each.place?.line : each, each]),
  );
  const documents = second === undefined ? [] : [syntaxProblem('MULTIPLE_DOCS', placeOf(second, second + 3))];
  return [...firsts.values(), ...documents];
}

/** The diagnostic for an error code of the YAML parser. */
export function syntaxProblem(code: ErrorCode, place: Place): Diagnostic {
  const problem = SENTENCES[code] ?? 'This is not valid YAML.';
  return code === 'TAG_RESOLVE_FAILED'
    ? refusedConstruct(problem, place)
    : diagnostic('yaml-syntax', { problem }, place);
}

/** The diagnostic for a construct that is refused; the rest of the file can be read. */
export function refusedConstruct(problem: string, place: Place): Diagnostic {
  return diagnostic('yaml-syntax', { problem, isReadable: true }, place);
}

/** Whether a finding leaves nothing of a file that could be checked. */
export function endsReading(found: Diagnostic): boolean {
  return found.code === 'too-large' || (found.code === 'yaml-syntax' && found.facts.isReadable !== true);
}

/** A line for another version than 1.2, which the parser follows silently. */
function foreignVersion({ directives }: Document, text: string, placeOf: PlaceOf): Diagnostic[] {
  const line = directives?.yaml.explicit ? /^%YAML(?![ \t]+1\.2\s*$).*/m.exec(text) : null;
  if (line === null) return [];
  const problem = 'Only YAML 1.2 is supported; remove the %YAML line.';
  return [diagnostic('yaml-syntax', { problem }, placeOf(line.index, line.index + line[0].length))];
}

/** The findings for errors of the parser. */
function errorProblems(errors: readonly YAMLError[], doc: Document, text: string, placeOf: PlaceOf) {
  if (errors.length === 0) return [];
  const openings = openingsIn(doc, text);
  const startsWith = (wanted: ErrorCode) =>
    new Map(errors.flatMap(({ code, pos }) => (code === wanted ? [pos] : [])));
  const [nested, longKeys] = [startsWith('BLOCK_AS_IMPLICIT_KEY'), startsWith('MULTILINE_IMPLICIT_KEY')];
  return errors.map(({ code, pos: [from, to] }) => {
    const explained = (problem: string, start: number, end: number) =>
      diagnostic('yaml-syntax', { problem }, placeOf(start, end));
    const opening = code === 'MISSING_CHAR' || code === 'BAD_INDENT' ? openings.get(from) : undefined;
    if (opening !== undefined) return explained(UNCLOSED, opening, opening + 1);
    if (text.startsWith('${', from - 1)) return explained(BARE_REFERENCE, from - 1, from + 1);
    const keyEnd = nested.has(from) ? longKeys.get(from) : undefined;
    const line = keyEnd === undefined ? from : text.indexOf('\n', from) + 1;
    const start = line + text.slice(line, line + 200).search(/[^ ]|$/);
    return keyEnd === undefined ? syntaxProblem(code, placeOf(start, to)) : explained(TOO_FAR, start, keyEnd);
  });
}

const UNCLOSED = 'This is not closed, or its content is indented too little.';

const BARE_REFERENCE = 'Quote a text with ${ inside braces and brackets.';

const TOO_FAR =
  'This line is indented too far, so it continues the value above; start all lines of one level in the same column.';

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

import {
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Scalar,
  visit,
} from 'yaml';
import { declaredAddress } from '../config/entry.ts';
import { parseFile } from '../config/parse-file.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { grouped } from '../model/lists.ts';
import { isPermission } from '../model/permission.ts';
import { type Place, placeKey, type SourceFile } from '../model/place.ts';
import { addressOf, optionOf } from '../model/subject.ts';
import { literalText, type WrittenValue } from '../model/value.ts';
import { entryFile, type WrittenOption } from '../pull/entry.ts';
import { type ComposedYaml, composeYaml, spanOf } from '../yaml/compose.ts';
import { type ValueStyle, yamlText } from '../yaml/yaml-text.ts';
import type { DriftedField } from './drift.ts';

/** A field to write: at its place, or into an entry of a server's own layer. */
export interface Edit {
  /** The path of its file. */
  path: string;
  field: DriftedField;
  /** The name of the entry of an own layer. */
  entry?: string | undefined;
}

/** A file with its edits. */
export interface EditedText {
  text: string;
  /** The fields at their new places. */
  fields: readonly DriftedField[];
  /** Why edits are left to a person. */
  refusals: ReadonlyMap<Edit, NotAccepted>;
}

/** Why edits are left to a person. */
type Refusals = Map<Edit, NotAccepted>;

/**
 * Edits a valid file and reads it back: if more differs than was edited, all of
 * it is left to a person.
 */
export function editedText(
  file: SourceFile,
  edits: readonly Edit[],
): EditedText {
  const refusals: Refusals = new Map();
  const replaced = withValues(file, edits, refusals);
  const text = withEntries({ ...file, text: replaced }, edits, refusals);
  const made = edits.filter((edit) => !refusals.has(edit));
  const fields = readBack(file, text, made);
  if (fields !== undefined) return { text, fields, refusals };
  for (const edit of made) refusals.set(edit, 'edit');
  return { text: file.text, fields: [], refusals };
}

/**
 * The fields of edits at their places in a new text; undefined if more differs
 * than they change.
 */
function readBack(
  file: SourceFile,
  text: string,
  edits: readonly Edit[],
): DriftedField[] | undefined {
  const before = declaredIn(file);
  const after = declaredIn({ ...file, text });
  const wanted = new Map<string, string>();
  for (const [address, { value }] of before) wanted.set(address, jsonOf(value));
  const fields: DriftedField[] = [];
  for (const { entry, field } of edits) {
    const { subject, written, place: old } = field;
    const address =
      entry === undefined
        ? [...before].find(
            ([, { place }]) => placeKey(place) === placeKey(old),
          )?.[0]
        : addressOf({ ...subject, integration: entry });
    wanted.set(address ?? '', literalText(jsonOf(written)));
    const place = after.get(address ?? '')?.place ?? old;
    fields.push({ ...field, place });
  }
  if (after.size !== wanted.size) return undefined;
  for (const [address, value] of wanted)
    if (jsonOf(after.get(address)?.value) !== value) return undefined;
  return fields.sort((a, b) => a.place.line - b.place.line);
}

/** What a file declares at an address. */
interface Declared {
  value: unknown;
  place: Place;
}

function declaredIn(file: SourceFile): ReadonlyMap<string, Declared> {
  const { value: written } = parseFile(file);
  const declared = new Map<string, Declared>();
  for (const [name, value] of written?.values ?? [])
    declared.set(`value ${name}`, value);
  for (const { declarations } of written?.entries ?? [])
    for (const declaration of declarations)
      declared.set(declaredAddress(declaration), declaration);
  return declared;
}

/** A value as JSON, with its keys in one order. */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, ['acronym', 'display', 'id', 'name', 'value']);
}

/** Replaces values at their places, each in its style. */
function withValues(
  file: SourceFile,
  edits: readonly Edit[],
  refusals: Refusals,
): string {
  const composed = composedFile(file);
  const values = valuesIn(composed);
  const replacements: Replacement[] = [];
  for (const edit of edits) {
    if (edit.entry !== undefined) continue;
    const { place, written } = edit.field;
    const value = values.get(placeKey(place));
    const replacement = value && replacementOf(composed.text, value, written);
    if (typeof replacement === 'object') replacements.push(replacement);
    else refusals.set(edit, replacement ?? 'alias');
  }
  let { text } = composed;
  // From the end, so that offsets hold.
  for (const { from, to, by } of replacements.sort((a, b) => b.from - a.from))
    text = text.slice(0, from) + by + text.slice(to);
  return text;
}

function composedFile(file: SourceFile): ComposedYaml {
  const { value } = composeYaml(file);
  if (value !== undefined) return value;
  throw new Error('a file of the configuration is no longer valid');
}

/** A value in a file, with its key. */
interface Located {
  pair: Pair;
  value: Node;
  /** Whether it is inside `{…}` or `[…]`. */
  isInFlow: boolean;
}

/** The values of all maps of a text, by their places. */
function valuesIn({ doc, placeOf }: ComposedYaml): Map<string, Located> {
  const values = new Map<string, Located>();
  visit(doc, {
    Pair: (_, pair, ancestors) => {
      const { value } = pair;
      const collections = ancestors.filter(isCollection);
      // What stands below an anchor may be used elsewhere.
      const isAnchored = collections.some(({ anchor }) => anchor);
      if (!isNode(value) || isAnchored) return;
      const isInFlow = collections.some(({ flow }) => flow === true);
      const key = placeKey(placeOf(spanOf(value)));
      values.set(key, { pair, value, isInFlow });
    },
  });
  return values;
}

/**
 * The part of a text that a new value takes the place of, and what it becomes.
 */
interface Replacement {
  from: number;
  to: number;
  by: string;
}

/**
 * Writes a value in the style of the one that it takes the place of, or says
 * why that must not be edited. Only a block may take several lines.
 */
function replacementOf(
  text: string,
  { pair, value, isInFlow }: Located,
  written: WrittenValue,
): Replacement | NotAccepted {
  const [keyStart, keyEnd] = spanOf(pair.key);
  const [start, end] = spanOf(value);
  const old = text.slice(keyEnd, end).replace(/\r?\n$/, '');
  const lexemes = [...new Lexer().lex(old)];
  if (lexemes.some((lexeme) => /^[*&]/.test(lexeme))) return 'alias';
  if (lexemes.some((lexeme) => lexeme.startsWith('#'))) return 'comment';
  const to = keyEnd + old.length;
  const type = isScalar(value) ? value.type : undefined;
  const isText = type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;
  const isBlockList = isSeq(value) && value.flow !== true;
  const column = isBlockList
    ? columnAt(text, start)
    : columnAt(text, keyStart) + 2;
  let quotes: ValueStyle['quotes'];
  if (type === Scalar.QUOTE_DOUBLE) quotes = 'double';
  if (type === Scalar.QUOTE_SINGLE) quotes = 'single';
  const isLine = typeof written !== 'string' || written.includes('\n');
  const by = yamlText(written, {
    indent: ' '.repeat(column),
    newline: newlineOf(text),
    isInFlow: isInFlow || (isLine && !isText && !isBlockList),
    isBlockList,
    quotes,
  });
  if (!isBlockList) return { from: start, to, by };
  // The list begins on the line below its key, unless it is empty now.
  const from = keyEnd + old.indexOf(':') + 1;
  return { from, to, by: /^\r?\n/.test(by) ? by : ` ${by}` };
}

/** The column of an offset on its line, from 0. */
function columnAt(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function newlineOf(text: string): '\r\n' | '\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

/** Adds fields to entries, those of an option together. */
function withEntries(
  file: SourceFile,
  edits: readonly Edit[],
  refusals: Refusals,
): string {
  let { text } = file;
  const additions = grouped(edits, ({ entry, field }) =>
    JSON.stringify([entry, optionOf(field.subject)]),
  );
  for (const alike of additions.values()) {
    const [{ entry, field: first }] = alike;
    if (entry === undefined) continue;
    const option = optionOf(first.subject);
    const path = option === undefined ? ['autosubscribe'] : ['options', option];
    const fields = alike.map(({ field }) => field);
    const longer = withFields({ ...file, text }, entry, path, fields);
    if (longer === undefined)
      for (const edit of alike) refusals.set(edit, 'edit');
    text = longer ?? text;
  }
  return text;
}

/**
 * Adds fields of an entry to a valid file, at the top of the deepest map that
 * it has on their path in the entry. Returns undefined if that is none of
 * blocks, or the file has all of the path.
 */
function withFields(
  file: SourceFile,
  entry: string,
  pathInEntry: readonly string[],
  fields: readonly DriftedField[],
): string | undefined {
  const { text, doc } = composedFile(file);
  const path = ['integrations', entry, ...pathInEntry];
  let map: unknown = doc.contents;
  let at: number | undefined;
  let depth = 0;
  for (const key of path) {
    const pair = isMap(map)
      ? map.items.find((item) => isScalar(item.key) && item.key.value === key)
      : undefined;
    if (pair === undefined) break;
    at = text.indexOf('\n', spanOf(pair.key)[1]) + 1;
    map = pair.value;
    depth += 1;
  }
  if (!isMap(map) || map.flow || depth === path.length) return undefined;
  const newline = newlineOf(text);
  const indent = ' '.repeat(columnAt(text, spanOf(map.items[0]?.key)[0]));
  const lines = addedLines(entry, fields, depth).map((line) =>
    line === '' ? newline : indent + line + newline,
  );
  const end = text === '' || text.endsWith('\n') ? '' : newline;
  if (at === undefined) return text + end + lines.join('');
  return text.slice(0, at) + lines.join('') + text.slice(at);
}

/**
 * Lists the lines that add fields of an entry to a map of blocks, by the depth
 * of the map: the file (0), its entries, the entry, its options.
 */
export function addedLines(
  name: string,
  fields: readonly DriftedField[],
  depth: number,
): string[] {
  const options = new Map<string, WrittenOption>();
  let autosubscribe: boolean | undefined;
  for (const { subject, written } of fields) {
    if (subject.kind === 'autosubscribe') {
      autosubscribe = written === true;
      continue;
    }
    const { option: key, kind } = subject;
    const isFlags = kind === 'permission' && isPermission(written);
    const field = isFlags ? { permission: written } : { value: written };
    options.set(key, { notes: [], ...options.get(key), ...field, key });
  }
  const entry = { name, autosubscribe, options: [...options.values()] };
  // The first line of a file is that of its version.
  const lines = entryFile([entry]).lines.slice(1 + depth);
  return lines.map(({ text }) => text.slice(2 * depth));
}

import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { declaredAddress } from '../config/entry.ts';
import { parseFile } from '../config/read-file.ts';
import type { NotAccepted } from '../findings/usage.ts';
import { grouped } from '../model/json.ts';
import { isPermission } from '../model/permission.ts';
import type { Place, SourceFile } from '../model/place.ts';
import { addressOf } from '../model/subject.ts';
import { literalText, type WrittenValue } from '../model/value.ts';
import {
  additionAt,
  type WrittenEntry,
  type WrittenOption,
} from '../pull/entry.ts';
import { type ComposedYaml, composeYaml, spanOf } from '../yaml/compose.ts';
import { type ValueStyle, valueText } from '../yaml/value-text.ts';
import type { DriftedField } from './drift.ts';

/** A value to write: at the place of another one, or in an entry of a server's own layer. */
export interface Edit {
  /** The path of its file. */
  readonly path: string;
  /** The fields that have the value. */
  readonly fields: readonly [DriftedField, ...DriftedField[]];
  /** The name of the entry of an own layer. */
  readonly entry?: string | undefined;
}

/** Why edits are left to a person. */
type Refusals = Map<Edit, NotAccepted>;

/** A file with its edits. */
export interface EditedText {
  readonly text: string;
  readonly fields: readonly DriftedField[];
  readonly refusals: ReadonlyMap<Edit, NotAccepted>;
}

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
  for (const edit of edits) {
    const address = addressIn(before, edit);
    const [{ written, place: old }] = edit.fields;
    wanted.set(address, literalText(jsonOf(written)));
    const place = after.get(address)?.place ?? old;
    for (const field of edit.fields) fields.push({ ...field, place });
  }
  if (after.size !== wanted.size) return undefined;
  for (const [address, value] of wanted)
    if (jsonOf(after.get(address)?.value) !== value) return undefined;
  return fields;
}

/** An entry that declares what fields hold. */
export function entryOf(
  name: string,
  fields: readonly DriftedField[],
): WrittenEntry {
  const options = new Map<string, WrittenOption>();
  let autosubscribe: boolean | undefined;
  for (const { subject, written } of fields) {
    if (subject.kind === 'autosubscribe') {
      autosubscribe = written === true;
      continue;
    }
    const { option: key, kind } = subject;
    const option = options.get(key) ?? { key, notes: [] };
    const isFlags = kind === 'permission' && isPermission(written);
    const field = isFlags ? { permission: written } : { value: written };
    options.set(key, { ...option, ...field });
  }
  return { name, autosubscribe, options: [...options.values()] };
}

/** What a file declares at an address. */
interface Declared {
  readonly value: unknown;
  readonly place: Place;
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

/** The address of what an edit changes in a file, or adds to it. */
function addressIn(
  declared: ReadonlyMap<string, Declared>,
  { entry, fields: [{ subject, place }] }: Edit,
): string {
  if (entry !== undefined) return addressOf({ ...subject, integration: entry });
  for (const [address, other] of declared)
    if (keyOf(other.place) === keyOf(place)) return address;
  return '';
}

/** Replaces values at their places, each in its style. */
function withValues(
  file: SourceFile,
  edits: readonly Edit[],
  refusals: Refusals,
): string {
  const composed = composedFile(file);
  const located = locatedIn(composed);
  const parts: TextEdit[] = [];
  for (const edit of edits) {
    if (edit.entry !== undefined) continue;
    const [{ place, written }] = edit.fields;
    const value = located.get(keyOf(place));
    const part = value && valueEdit(composed.text, value, written);
    if (typeof part === 'object') parts.push(part);
    else refusals.set(edit, part ?? 'alias');
  }
  let { text } = composed;
  // From the end, so that offsets hold.
  for (const { from, to, by } of parts.sort((a, b) => b.from - a.from))
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
  readonly pair: Pair;
  readonly value: Node;
  /** The column of its key, from 0. */
  readonly column: number;
  /** Whether it is inside `{…}` or `[…]`. */
  readonly isInFlow: boolean;
}

/** The values of all maps of a text, by their places. */
function locatedIn(composed: ComposedYaml): ReadonlyMap<string, Located> {
  const { doc, text, placeOf } = composed;
  const values = new Map<string, Located>();
  visit(doc, {
    Pair: (_, pair, ancestors) => {
      const { value } = pair;
      const collections = ancestors.filter(isCollection);
      // What stands below an anchor may be used elsewhere.
      const isAnchored = collections.some(({ anchor }) => anchor);
      if (!isNode(value) || isAnchored) return;
      const column = columnAt(text, spanOf(pair.key)[0]);
      const isInFlow = collections.some(({ flow }) => flow === true);
      const key = keyOf(placeOf(spanOf(value)));
      values.set(key, { pair, value, column, isInFlow });
    },
  });
  return values;
}

function keyOf({ line, column }: Place): string {
  return `${line}:${column}`;
}

/** The column of an offset on its line, from 0. */
function columnAt(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** The part of a text that a new value takes the place of, and what it becomes. */
interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** The edit of a value, or why it must not be edited. */
function valueEdit(
  text: string,
  located: Located,
  written: WrittenValue,
): TextEdit | NotAccepted {
  const [start, valueEnd] = spanOf(located.value);
  const [, keyEnd] = spanOf(located.pair.key);
  const lineEnd = /\r?\n$/.exec(text.slice(start, valueEnd))?.[0] ?? '';
  const to = valueEnd - lineEnd.length;
  const obstacle = obstacleIn(text.slice(keyEnd, to));
  if (obstacle !== undefined) return obstacle;
  const newText = valueText(written, styleOf(text, located, to));
  const gap = /\s*$/.exec(text.slice(keyEnd, start))?.[0] ?? '';
  const isBroken = /^\r?\n/.test(newText);
  const isBelow = gap.includes('\n') || isBroken;
  const from = isBelow ? start - gap.length : start;
  return { from, to, by: isBelow && !isBroken ? ` ${newText}` : newText };
}

/** What an edit would lose of the text of a value. */
function obstacleIn(text: string): NotAccepted | undefined {
  const lexemes = [...new Lexer().lex(text)];
  if (lexemes.some((lexeme) => /^[*&]/.test(lexeme))) return 'alias';
  const hasComment = lexemes.some((lexeme) => lexeme.startsWith('#'));
  return hasComment ? 'comment' : undefined;
}

/** The style for what takes the place of a value, of which the text ends at `end`. */
function styleOf(text: string, located: Located, end: number): ValueStyle {
  const { value, column } = located;
  const isBlockList = isSeq(value) && value.flow !== true;
  const valueColumn = columnAt(text, spanOf(value)[0]);
  const indent = ' '.repeat(isBlockList ? valueColumn : column + 2);
  // What follows on the line, such as a comment, would become a part of block text.
  const isFollowed = !isBlockList && /^[^\n]*\S/.test(text.slice(end));
  const quotes = quotesOf(value);
  const isInFlow = located.isInFlow || isFollowed || quotes !== undefined;
  const newline = newlineOf(text);
  const style: ValueStyle = { indent, newline, isInFlow, quotes };
  // Another list has a line for each item only if it is long.
  return isBlockList ? { ...style, isBlockList } : style;
}

function newlineOf(text: string): '\r\n' | '\n' {
  return /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
}

function quotesOf(value: Node): ValueStyle['quotes'] {
  const type = isScalar(value) ? value.type : undefined;
  if (type === Scalar.QUOTE_DOUBLE) return 'double';
  return type === Scalar.QUOTE_SINGLE ? 'single' : undefined;
}

/** Adds fields to entries, each entry with all of its fields or none. */
function withEntries(
  file: SourceFile,
  edits: readonly Edit[],
  refusals: Refusals,
): string {
  let { text } = file;
  for (const [name, alike] of grouped(edits, ({ entry }) => entry)) {
    if (name === undefined) continue;
    const fields = alike.map((edit) => edit.fields[0]);
    const longer = withEntry({ ...file, text }, entryOf(name, fields));
    if (longer === undefined)
      for (const edit of alike) refusals.set(edit, 'edit');
    text = longer ?? text;
  }
  return text;
}

/**
 * Adds what an entry declares to a valid file, below the keys that it has
 * already; undefined if one of these has no map.
 */
function withEntry(file: SourceFile, entry: WrittenEntry): string | undefined {
  const { name, autosubscribe, options } = entry;
  const path = ['integrations', name];
  const parts: Part[] = [];
  if (mapAt(composedFile(file).doc, path)?.depth !== path.length)
    parts.push({ path, entry });
  else {
    if (autosubscribe !== undefined)
      parts.push({ path, entry: { name, autosubscribe, options: [] } });
    for (const option of options)
      parts.push({
        path: [...path, 'options', option.key],
        entry: { name, options: [option] },
      });
  }
  let { text } = file;
  for (const part of parts) {
    const composed = composedFile({ ...file, text });
    const map = mapAt(composed.doc, part.path);
    if (map === undefined) return undefined;
    text = withAddition(text, map, part.entry);
  }
  return text;
}

/** What is added at once, and the keys above it. */
interface Part {
  readonly path: readonly string[];
  readonly entry: WrittenEntry;
}

/** A map of a file, and how many keys are above it. */
interface DeepMap {
  readonly map: YAMLMap;
  readonly depth: number;
}

/** The deepest map that a file has on a path; undefined if a key has no map. */
function mapAt(doc: Document, path: readonly string[]): DeepMap | undefined {
  let map: unknown = doc.contents;
  for (const [depth, key] of path.entries()) {
    if (!isMap(map)) return undefined;
    const pair = map.items.find(
      (item) => isScalar(item.key) && item.key.value === key,
    );
    if (pair === undefined) return { map, depth };
    map = pair.value;
  }
  return isMap(map) ? { map, depth: path.length } : undefined;
}

/** A text with an addition behind the last key of a map. */
function withAddition(
  text: string,
  { map, depth }: DeepMap,
  entry: WrittenEntry,
): string {
  const { lines, flow } = additionAt(depth, entry);
  const last = map.items.at(-1);
  if (map.flow) {
    const end = last === undefined ? spanOf(map)[0] + 1 : endOf(last);
    const by = last === undefined ? ` ${flow} ` : `, ${flow}`;
    return text.slice(0, end) + by + text.slice(end);
  }
  const newline = newlineOf(text);
  const column = columnAt(text, spanOf(map.items[0]?.key)[0]);
  const indent = ' '.repeat(column);
  const added = lines.map((line) => (line === '' ? '' : indent + line));
  const lineEnd = last === undefined ? -1 : text.indexOf('\n', endOf(last) - 1);
  if (lineEnd < 0) return [text, ...added].join(newline);
  const rest = text.slice(lineEnd + 1);
  return text.slice(0, lineEnd + 1) + [...added, rest].join(newline);
}

/** Where the text of a pair ends; of a block, that of its last line. */
function endOf({ key, value }: Pair): number {
  if (isCollection(value) && value.flow !== true) {
    const last = value.items.at(-1);
    if (isPair(last)) return endOf(last);
    if (isNode(last)) return spanOf(last)[1];
  }
  return spanOf(value ?? key)[1];
}

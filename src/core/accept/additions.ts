import { isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import { isChoiceList } from '../model/value.ts';
import { referenceText, type ValueStyle } from '../yaml/value-text.ts';
import { listEdit } from './list-edit.ts';
import { lineEnd, lineStart, nextLine, type TextEdit } from './text-edit.ts';
import { belowKey, flowParts, isTree, type Tree, treeLines } from './tree-text.ts';
import { isBlock, type NewValue, valueEdits, wholeEdit } from './value-edits.ts';
import {
  columnOf,
  endOfPair,
  nodeOf,
  pairOf,
  type Standing,
  spanOf,
  type YamlSource,
} from './yaml-source.ts';

/** Why a field cannot be added to a file by an edit. */
export type Uneditable = 'alias' | 'others' | 'stopped' | 'form';

/** Where the edits of a file are gathered. */
interface Gathered {
  readonly edits: TextEdit[];
  readonly problems: Uneditable[];
}

/** The edits that add fields to a file, or why they cannot be added. */
export function additionEdits(source: YamlSource, tree: Tree): readonly TextEdit[] | Uneditable {
  const { contents } = source.doc;
  if (!isMap(contents)) return 'form';
  const gathered: Gathered = { edits: [], problems: [] };
  addToMap(source, contents, tree, { depth: 0, isInFlow: false }, gathered);
  return gathered.problems[0] ?? gathered.edits;
}

/** Where a map is: how deep in the file, and whether it is inside `{…}`. */
interface Around {
  readonly depth: number;
  readonly isInFlow: boolean;
}

/** How deep the maps of options are: below `integrations`, the entry and `options`. */
const OPTION_DEPTH = 3;

/**
 * Deeper edits come first: what they add at one offset belongs before what is added around them. A map that an alias means too
 * takes none.
 */
function addToMap(source: YamlSource, map: YAMLMap, tree: Tree, around: Around, gathered: Gathered): void {
  if (map.anchor !== undefined && source.aliases.has(map.anchor)) gathered.problems.push('others');
  const isFlow = map.flow === true;
  const inner = { ...around, isInFlow: around.isInFlow || isFlow, column: columnOf(source.text, map) };
  const missing = new Map<string, Tree | NewValue>();
  for (const [key, below] of tree) {
    const pair = pairOf(map, key);
    if (pair === undefined) missing.set(key, below);
    else addToPair(source, pair, below, inner, gathered);
  }
  if (missing.size === 0) return;
  if (isFlow) gathered.edits.push(...flowInsertion(source, map, missing));
  else gathered.edits.push(blockInsertion(source, map, missing));
}

function addToPair(
  source: YamlSource,
  pair: Pair,
  below: Tree | NewValue,
  { depth, isInFlow, column }: Around & { readonly column: number },
  gathered: Gathered,
): void {
  const { text, newline, step } = source;
  const value = nodeOf(pair);
  if (value === undefined) {
    const style = { indent: ' '.repeat(column + step), newline, isInFlow };
    const colon = text.indexOf(':', spanOf(pair.key)[1]) + 1;
    const made = belowKey(below, style, step);
    // Lines below a key leave what is said beside it.
    gathered.edits.push(insertion(made.startsWith(newline) ? lineEnd(text, colon) : colon, made));
    return;
  }
  const located = { pair, value, column, isInFlow };
  if (isScalar(value) && value.value === null) gathered.problems.push('stopped');
  else if (!isTree(below)) gathered.edits.push(...valueEdits(source, located, below));
  else if (isMap(value) && !(depth === OPTION_DEPTH && isChoiceMap(value)))
    addToMap(source, value, below, { depth: depth + 1, isInFlow }, gathered);
  else if (depth === OPTION_DEPTH) addToShort(source, located, below, gathered);
  else gathered.problems.push(isAlias(value) ? 'alias' : 'form');
}

/** A choice of a select that is written as a map, in the short form of its option. */
function isChoiceMap(map: YAMLMap): boolean {
  return pairOf(map, 'display') !== undefined;
}

/** Adds to an option in its short form, which becomes its long form where it needs to. */
function addToShort(source: YamlSource, located: Standing, below: Tree, { edits }: Gathered): void {
  const own = below.get('value');
  if (own === undefined || isTree(own))
    edits.push(...(belowList(source, located, below) ?? [longForm(source, located, below)]));
  else if (below.size === 1) edits.push(...valueEdits(source, located, own));
  else edits.push(...(belowList(source, located, below, own) ?? [longForm(source, located, below)]));
}

/** Lines above a list with dashes, which then stands below its own key; undefined where it cannot stay as it is. */
function belowList(
  source: YamlSource,
  { value, column }: Standing,
  below: Tree,
  own?: NewValue,
): TextEdit[] | undefined {
  const { text, newline, step } = source;
  if (!isSeq(value) || value.flow === true || columnOf(text, value) <= column) return undefined;
  const list =
    own !== undefined && isChoiceList(own.written) ? listEdit(source, value, own.written) : undefined;
  if (own !== undefined && list === undefined) return undefined;
  const indent = ' '.repeat(columnOf(text, value));
  const rest = new Map([...below].filter(([key]) => key !== 'value'));
  const lines = [...treeLines(rest, { indent, newline }, step), `${indent}value:`];
  const at = lineStart(text, spanOf(value)[0]);
  return [insertion(at, lines.map((line) => line + newline).join('')), ...(list === undefined ? [] : [list])];
}

/** `30` -> `{ value: 30, permission: lock-and-hide }` */
function longForm(source: YamlSource, located: Standing, below: Tree): TextEdit {
  const lines = belowBlock(source, located, below);
  if (lines !== undefined) return lines;
  const style: ValueStyle = { indent: '', isInFlow: true };
  const properties = propertiesOf(source, located);
  const kept = below.has('value') ? [] : [`value: ${properties}${flowForm(source, located.value)}`];
  const edit = wholeEdit(source, located, `{ ${[...kept, ...flowParts(below, style)].join(', ')} }`);
  return { ...edit, from: edit.from - properties.length };
}

/** The anchor or tag before a value on its line, with the blanks behind it: it is that of the value in the long form too. */
function propertiesOf({ text }: YamlSource, { pair, value }: Standing): string {
  const gap = text.slice(spanOf(pair.key)[1], spanOf(value)[0]);
  return /(?<=:\s+)(?:[&!][^\s#]*[ \t]+)+$/.exec(gap)?.[0] ?? '';
}

/** Block text below a key of its own, with all that is beside its mark; undefined where it cannot move as it is. */
function belowBlock(source: YamlSource, located: Standing, below: Tree): TextEdit | undefined {
  const { text, newline, step } = source;
  const { pair, value, column, isInFlow } = located;
  if (!isScalar(value) || !isBlock(value) || isInFlow || below.has('value')) return undefined;
  const at = text.indexOf(':', spanOf(pair.key)[1]) + 1;
  const [header = '', ...lines] = text.slice(at, spanOf(value)[1]).split(/\r?\n/);
  // A digit in the mark counts from the key.
  if (!/^\s*[|>][-+]?(?:\s+#.*)?\s*$/.test(header)) return undefined;
  const indent = ' '.repeat(column + step);
  const moved = lines.map((line) => (line.trim() === '' ? line : `${' '.repeat(step)}${line}`));
  const head = [...treeLines(below, { indent, newline }, step), `${indent}value:${header}`];
  return { from: at, to: spanOf(value)[1], text: ['', ...head, ...moved].join(newline) };
}

/** What is written, in one line and inside of braces. */
function flowForm(source: YamlSource, node: unknown): string {
  const written = source.text.slice(...spanOf(node));
  if (isSeq(node)) return `[${node.items.map((item) => flowForm(source, item)).join(', ')}]`;
  if (isMap(node)) {
    const parts = node.items.map(({ key, value }) => `${flowForm(source, key)}: ${flowForm(source, value)}`);
    return `{ ${parts.join(', ')} }`;
  }
  const isBare = isScalar(node) && typeof node.value === 'string' && !/^["']/.test(written);
  return isBare ? referenceText(String(node.value), { indent: '', isInFlow: true }) : written;
}

/** Lines behind the last one of a block map and the comments that are indented like it. */
function blockInsertion(source: YamlSource, map: YAMLMap, tree: Tree): TextEdit {
  const { text, newline, step } = source;
  const indent = ' '.repeat(columnOf(text, map));
  const lines = treeLines(tree, { indent, newline }, step);
  const end = endOfPair(map.items.at(-1));
  const at = behindComments(text, text[end - 1] === '\n' ? end : nextLine(text, end), indent);
  const isEnded = text[at - 1] === '\n';
  const added = isEnded ? lines.map((line) => line + newline) : lines.map((line) => newline + line);
  return { from: at, to: at, text: added.join('') };
}

/** Where the comments end that follow a line and are indented by as much, or more. */
function behindComments(text: string, at: number, indent: string): number {
  const comments = new RegExp(`(?:(?:[ \\t]*\\r?\\n)*${indent} *#[^\\n]*(?:\\n|$))*`, 'y');
  comments.lastIndex = at;
  return at + (comments.exec(text)?.[0].length ?? 0);
}

/** Pairs behind the last one of a flow map, on lines of their own where that one is. A comment behind that one stays with it. */
function flowInsertion(source: YamlSource, map: YAMLMap, tree: Tree): TextEdit[] {
  const { text, newline } = source;
  const parts = flowParts(tree, { indent: '', isInFlow: true, newline });
  const last = map.items.at(-1);
  if (last === undefined) return [intoEmpty(source, map, parts)];
  const end = endOfPair(last);
  const rest = text.slice(end, spanOf(map)[1] - 1);
  const comma = /^\s*,/.exec(rest)?.[0].length ?? 0;
  const isOnLines = rest.includes('\n');
  const gap = isOnLines ? `${newline}${' '.repeat(columnOf(text, last.key))}` : ' ';
  const at = end + comma;
  const isFollowed = isOnLines && text.slice(at, lineEnd(text, at)).trim() !== '';
  const added = parts.map((part) => `${gap}${part}`).join(',');
  const before = comma > 0 ? [] : [insertion(at, ',')];
  const behind = insertion(isFollowed ? lineEnd(text, at) : at, comma > 0 && isOnLines ? `${added},` : added);
  return [...before, behind];
}

/** Pairs in a flow map that has none, below its comments. */
function intoEmpty({ text, newline, step }: YamlSource, map: YAMLMap, parts: readonly string[]): TextEdit {
  const [from, to] = spanOf(map);
  const inner = text.slice(from + 1, to - 1).trimEnd();
  if (inner === '') return { from, to, text: `{ ${parts.join(', ')} }` };
  const at = from + 1 + inner.length;
  const own = /\n([ \t]*)#[^\n]*$/.exec(inner)?.[1];
  const line = /^[ \t]*/.exec(text.slice(lineStart(text, from)))?.[0] ?? '';
  const gap = `${newline}${own ?? line + ' '.repeat(step)}`;
  return insertion(at, parts.map((part) => `${gap}${part}`).join(','));
}

function insertion(at: number, text: string): TextEdit {
  return { from: at, to: at, text };
}

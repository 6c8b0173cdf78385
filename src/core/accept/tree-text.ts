import { type ValueStyle, valueText } from '../yaml/value-text.ts';
import type { NewValue } from './value-edits.ts';

/** Fields to add to a map: by key, a value, or what is added below. */
export type Tree = ReadonlyMap<string, Tree | NewValue>;

/** A file that holds nothing but these fields. */
export function newFile(tree: Tree): string {
  const lines = treeLines(tree, { indent: '', newline: '\n' }, 2);
  return ['version: 1', ...lines, ''].join('\n');
}

/** Whether it is what is added below a key. */
export function isTree(tree: Tree | NewValue): tree is Tree {
  return tree instanceof Map;
}

/** What follows a key and its colon. */
export function belowKey(added: Tree | NewValue, style: ValueStyle, step: number): string {
  const below = shortForm(added);
  if (!isTree(below)) return ` ${valueText(below.written, style)}`;
  if (style.isInFlow === true) return ` { ${flowParts(below, style).join(', ')} }`;
  const { newline = '\n' } = style;
  return treeLines(below, style, step)
    .map((line) => newline + line)
    .join('');
}

/** Fields as lines in block style. */
export function treeLines(tree: Tree, { indent, newline = '\n' }: ValueStyle, step: number): string[] {
  const inner = { indent: indent + ' '.repeat(step), newline };
  return [...tree].flatMap(([key, added]) => {
    const below = shortForm(added);
    const start = `${indent}${keyText(key)}:`;
    if (isTree(below))
      return isSmall(below) ? [`${start} ${flowText(below)}`] : [start, ...treeLines(below, inner, step)];
    const made = valueText(below.written, inner);
    return `${start}${made.startsWith(newline) ? '' : ' '}${made}`.split(newline);
  });
}

/** An option by its value alone, where nothing else of it is added. */
function shortForm(below: Tree | NewValue): Tree | NewValue {
  const value = isTree(below) && below.size === 1 ? below.get('value') : undefined;
  return value === undefined || isTree(value) ? below : value;
}

/** Whether a map is one permission alone, which people write on the line of its option. */
function isSmall(tree: Tree): boolean {
  return tree.size === 1 && tree.has('permission');
}

function flowText(tree: Tree): string {
  return `{ ${flowParts(tree, { indent: '', isInFlow: true }).join(', ')} }`;
}

/** Fields as pairs in braces. */
export function flowParts(tree: Tree, style: ValueStyle): string[] {
  return [...tree].map(([key, added]) => {
    const below = shortForm(added);
    const text = isTree(below) ? flowText(below) : valueText(below.written, { ...style, isInFlow: true });
    return `${keyText(key)}: ${text}`;
  });
}

function keyText(key: string): string {
  return valueText(key, { indent: '', isInFlow: true });
}

/** A field to add, by its path in the file. */
export interface Addition extends NewValue {
  readonly path: readonly string[];
}

/** A field of an entry. */
export function addition(entry: string, { path, written, held }: Addition): Addition {
  return { path: ['integrations', entry, ...path], written, held };
}

/** Fields as a tree. An option of which only the value is new is written in its short form, where it is not there yet. */
export function treeOf(added: readonly Addition[]): Tree {
  const tree = new Map<string, Tree | NewValue>();
  for (const { path, written, held } of added) insert(tree, path, { written, held });
  return tree;
}

function insert(
  tree: Map<string, Tree | NewValue>,
  [key = '', ...rest]: readonly string[],
  value: NewValue,
): void {
  if (rest.length === 0) {
    tree.set(key, value);
    return;
  }
  const known = tree.get(key);
  const below = new Map(known instanceof Map ? known : []);
  insert(below, rest, value);
  tree.set(key, below);
}

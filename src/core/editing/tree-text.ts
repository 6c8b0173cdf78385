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

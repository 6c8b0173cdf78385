import { isAlias, isCollection, isMap, isScalar, isSeq } from 'yaml';
import { firstPast } from '../model/bisect.ts';
import type { Span } from '../model/place.ts';
import { yamlTokens } from '../yaml/tokens.ts';
import { columnAt, lineStart } from './text-edit.ts';
import { endOf, spanOf, type YamlSource } from './yaml-source.ts';

/** A comment with its mark, and the key or item that it stands beside or above. */
interface OwnedComment {
  readonly text: string;
  readonly owner: Owner;
}

type Owner =
  | { readonly kind: 'node'; readonly path: string }
  /** Behind all that a collection holds. */
  | { readonly kind: 'within'; readonly path: string }
  | { readonly kind: 'none' };

/** A key with its value, or an item of a list. */
interface Part {
  readonly from: number;
  /** Where it ends; 0 where it ends with the last of its parts. */
  readonly to: number;
  readonly path: string;
}

/** The keys and items of a file in their order, and its collections in brackets and in lines, outer ones first. */
interface Outline {
  readonly parts: readonly Part[];
  readonly brackets: readonly Part[];
  readonly blocks: readonly Part[];
}

/** The first comment of a text that another one has not, or has beside or above another key or item. */
export function firstLost(before: YamlSource, after: YamlSource): Span | undefined {
  const was = commentSpans(before.text);
  if (was.length === 0) return undefined;
  const is = commentSpans(after.text);
  const [old, now] = [outlineOf(before), outlineOf(after)];
  return was.find((span, index) => {
    const one = commentAt(before.text, old, span);
    const other = commentAt(after.text, now, is[index] ?? [0, 0]);
    return one.text !== other.text || !isKept(one.owner, other.owner);
  });
}

/** The spans of the comments of a text, in their order. */
export function commentSpans(text: string): Span[] {
  if (!text.includes('#')) return [];
  return yamlTokens(text)
    .filter(({ source, isScalar: isText }) => !isText && source.startsWith('#'))
    .map(({ from, to }) => [from, to] as const);
}

function isKept(was: Owner, is: Owner): boolean {
  if (was.kind === 'node') return is.kind === 'node' && is.path === was.path;
  if (was.kind === 'none' || is.kind === 'none') return is.kind === was.kind;
  // Behind all that a collection held there may be more now.
  return `${is.path}\n`.startsWith(`${was.path}\n`);
}

function commentAt(text: string, outline: Outline, [from, to]: Span): OwnedComment {
  const start = lineStart(text, from);
  const isBeside = text.slice(start, from).trim() !== '';
  const owner = isBeside ? besideOwner(outline, start, from) : aboveOwner(text, outline, from);
  return { text: text.slice(from, to).trimEnd(), owner };
}

/** The first key or item that begins on the line of a comment, else the outermost one that ends there. */
function besideOwner({ parts }: Outline, start: number, comment: number): Owner {
  const first = parts[firstPast(parts.length, (index) => (parts[index]?.from ?? 0) >= start)];
  if (first !== undefined && first.from < comment) return { kind: 'node', path: first.path };
  const ended = parts.find(({ to }) => to > start && to <= comment);
  return ended === undefined ? { kind: 'none' } : { kind: 'node', path: ended.path };
}

/** The next key or item in the brackets around a comment, or in the file; what is indented deeper belongs to what is before it. */
function aboveOwner(text: string, { parts, brackets, blocks }: Outline, comment: number): Owner {
  const at = firstPast(parts.length, (index) => (parts[index]?.from ?? 0) > comment);
  const next = parts[at];
  const around = brackets.findLast(({ from, to }) => from < comment && comment < to);
  if (around !== undefined && (next?.from ?? around.to) >= around.to)
    return { kind: 'within', path: around.path };
  const column = columnAt(text, comment);
  if (around === undefined && (next === undefined || columnAt(text, next.from) < column)) {
    const before = parts[at - 1]?.from ?? 0;
    const ended = blocks.findLast(
      ({ from, to }) => from <= before && before <= to && to <= comment && columnAt(text, from) <= column,
    );
    if (ended !== undefined) return { kind: 'within', path: ended.path };
  }
  return next === undefined ? { kind: 'none' } : { kind: 'node', path: next.path };
}

function outlineOf({ doc }: YamlSource): Outline {
  const parts: Part[] = [];
  const brackets: Part[] = [];
  const blocks: Part[] = [];
  const walk = (node: unknown, path: string): void => {
    if (!isCollection(node)) return;
    const [from, to] = spanOf(node);
    if (node.flow === true) brackets.push({ from, to, path });
    else blocks.push({ from, to: endOf(node), path });
    for (const { name, start, value } of partsIn(node)) {
      const below = name === 'value' ? path : `${path}\n${name}`;
      parts.push({ from: spanOf(start)[0], to: ownEnd(value), path: below });
      walk(value, below);
    }
  };
  walk(doc.contents, '');
  return { parts, brackets, blocks };
}

/** The parts of a collection. The value of an option may get or lose a key of its own; it is the option all the same. */
function partsIn(node: unknown) {
  if (isMap(node)) return node.items.map(({ key, value }) => ({ name: itemName(key), start: key, value }));
  const items: readonly unknown[] = isSeq(node) ? node.items : [];
  return items.map((item) => ({ name: `- ${itemName(item)}`, start: item, value: item }));
}

function ownEnd(node: unknown): number {
  return isCollection(node) && node.flow !== true ? 0 : spanOf(node)[1];
}

function itemName(item: unknown): string {
  if (isAlias(item)) return `*${item.source}`;
  if (isMap(item)) return itemName(item.get('value', true));
  return isScalar(item) ? String(item.value) : '';
}

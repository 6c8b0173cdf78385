import { isAlias, isMap, isNode, isScalar, type YAMLSeq } from 'yaml';
import { type Choice, isChoice, type Scalar } from '../model/value.ts';
import { type ValueStyle, valueText } from '../yaml/value-text.ts';
import { lineEnd, lineStart, nextLine, type TextEdit } from './text-edit.ts';
import { columnOf, endOf, spanOf, type YamlSource } from './yaml-source.ts';

type Member = Scalar | Choice;

/** A member that is written: its text in the file, and what is between it and the one before. */
interface Piece {
  readonly key: string;
  readonly text: string;
  readonly before: string;
}

/**
 * Puts a list in the place of another one: members that both have stay as they are, in their order, others go, new ones come
 * last. Undefined where a member has a reference, so that nobody can tell what it is.
 */
export function listEdit(source: YamlSource, list: YAMLSeq, wanted: readonly Member[]): TextEdit | undefined {
  const keys = list.items.map((item) => memberKey(source, item));
  const known = keys.flatMap((key) => key ?? []);
  if (known.length < keys.length || known.length === 0 || wanted.length === 0) return undefined;
  const kept = new Set(wanted.map(keyOf));
  const added = wanted.filter((member) => !known.includes(keyOf(member)));
  return list.flow === true
    ? flowEdit(source, list, { keys: known, kept, added })
    : blockEdit(source, list, { keys: known, kept, added });
}

interface Members {
  /** Those that are written, in their order. */
  readonly keys: readonly string[];
  /** Those that are wanted. */
  readonly kept: ReadonlySet<string>;
  /** Those that are not written yet. */
  readonly added: readonly Member[];
}

function blockEdit(source: YamlSource, list: YAMLSeq, { keys, kept, added }: Members): TextEdit {
  const { text, newline } = source;
  const spans = linesOf(text, list);
  const from = spans[0]?.from ?? 0;
  const to = spans.at(-1)?.to ?? from;
  const isEnded = text[to - 1] === '\n';
  const pieces = spans.map((span, index): Piece => {
    const before = text.slice(spans[index - 1]?.to ?? from, span.from);
    return { key: keys[index] ?? '', before, text: text.slice(span.from, span.to) };
  });
  const dash = `${' '.repeat(columnOf(text, list))}- `;
  const style: ValueStyle = { indent: `${' '.repeat(columnOf(text, list))}  `, newline };
  const lines = [
    ...pieces.flatMap((piece) => [piece.before, kept.has(piece.key) ? ended(piece.text, newline) : '']),
    ...added.map((member) => `${dash}${memberText(member, style)}${newline}`),
  ].join('');
  return { from, to, text: isEnded ? lines : lines.slice(0, -newline.length) };
}

/** The lines of each item, from that of its dash. */
function linesOf(text: string, list: YAMLSeq): { readonly from: number; readonly to: number }[] {
  const ends = list.items.map((item) => {
    const end = isNode(item) ? endOf(item) : 0;
    return text[end - 1] === '\n' ? end : nextLine(text, end);
  });
  return list.items.map((item, index) => {
    const behind = ends[index - 1] ?? lineStart(text, spanOf(list)[0]);
    const dash = text.slice(behind, spanOf(item)[0]).search(/^ *-\s/m);
    return { from: behind + Math.max(0, dash), to: ends[index] ?? behind };
  });
}

function ended(text: string, newline: string): string {
  return text.endsWith('\n') ? text : `${text}${newline}`;
}

function flowEdit({ text, newline }: YamlSource, list: YAMLSeq, { keys, kept, added }: Members): TextEdit {
  const [from, to] = spanOf(list);
  const spans = list.items.map(spanOf);
  const first = spans[0]?.[0] ?? from;
  const last = spans.at(-1)?.[1] ?? to;
  const pieces = spans.map(([start, end], index): Piece => {
    const before = index === 0 ? '' : text.slice(spans[index - 1]?.[1], start);
    return { key: keys[index] ?? '', before, text: text.slice(start, end) };
  });
  // A line each, or all in one line.
  const blanks = /\n( *)[^\n]*$/.exec(pieces.at(-1)?.before ?? '')?.[1];
  const newLine = newline + (blanks ?? ' '.repeat(columnOf(text, list.items[0])));
  const isOnLine = blanks === undefined || isFollowedByComment(text, last, to);
  const separator = isOnLine ? ', ' : `,${newline}${blanks}`;
  const texts = added.map((member) => memberText(member, { indent: '', isInFlow: true, newline }));
  const removed = pieces.filter(({ key }) => !kept.has(key));
  const { members, left } = membersOf(pieces, kept, texts);
  const more = texts.slice(removed.length).map((each) => ({ text: each, before: separator }));
  const rest = restOf(left, text.slice(last, to));
  const joined = (all: readonly FlowMember[]) =>
    all.map((each, index) => (index === 0 ? '' : each.before || separator) + each.text).join('');
  // What is said behind the last member stays there when new ones follow.
  const said = more.length > 0 && members.length > 0 ? /^(?:[ \t]*,)?([ \t]*#[^\r\n]*)/.exec(rest) : null;
  const made =
    said === null
      ? joined([...members, ...more]) + rest
      : `${joined(members)},${said[1]}${newLine}${joined(more)}${rest.slice(said[0].length)}`;
  return { from, to, text: text.slice(from, first) + made };
}

/** Whether a comment on the line of the last member is behind the list: it stays on the line that this member begins. */
function isFollowedByComment(text: string, last: number, to: number): boolean {
  return !text.slice(last, to).includes('\n') && text.slice(to, lineEnd(text, to)).includes('#');
}

/** What follows the members: what was said before one that went stays on its line, and ends there. */
function restOf(left: string, behind: string): string {
  if (left === '') return behind;
  const closing = behind.replace(/^\s*,/, '');
  return /^[ \t]*\r?\n/.test(closing) ? left.trimEnd() + closing : left + closing.trimStart();
}

type FlowMember = Pick<Piece, 'text' | 'before'>;

/** Members that stay, with new ones in the places of those that go; and what was said before one that went at the end. */
function membersOf(pieces: readonly Piece[], kept: Members['kept'], texts: readonly string[]) {
  const removed = pieces.filter(({ key }) => !kept.has(key));
  const places = new Map(removed.map((piece, index) => [piece, texts[index]]));
  const members: FlowMember[] = [];
  let comment: string | undefined;
  for (const piece of pieces) {
    const made = kept.has(piece.key) ? piece.text : places.get(piece);
    // What is said behind a member stays when the next one goes.
    if (made === undefined) comment ??= piece.before.includes('#') ? piece.before : undefined;
    else {
      members.push({ text: made, before: comment ?? piece.before });
      comment = undefined;
    }
  }
  return { members, left: comment ?? '' };
}

function memberText(member: Member, style: ValueStyle): string {
  return valueText(member, isChoice(member) ? { ...style, isInFlow: true } : style);
}

/** The text by which a member is known; undefined where it has a reference. */
function memberKey(source: YamlSource, node: unknown): string | undefined {
  if (isAlias(node)) return memberKey(source, node.resolve(source.doc));
  if (isMap(node)) return memberKey(source, node.get('value', true));
  if (!isScalar(node) || node.value === null) return undefined;
  const text = String(node.value);
  return text.includes('${') ? undefined : text;
}

function keyOf(member: Member): string {
  return isChoice(member) ? member.value : String(member);
}

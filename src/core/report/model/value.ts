import { toldApart } from '../../model/look-alike.ts';
import {
  isChoice,
  isChoiceList,
  isEmpty,
  type OptionValue,
} from '../../model/value.ts';
import type { ChangeDocument } from '../../plan/plan-document.ts';
import {
  changedLines,
  changedWords,
  type DiffLine,
  type Run,
  runsOn,
  textOf,
} from './text-diff.ts';

/** One side of a change as text, for a sink to escape. */
interface ShownSide {
  text: string;
  /**
   * Whether it is a value, or words of ours, such as `(hidden)`: no value reads
   * like them. `nothing` is not set, or not declared.
   */
  kind: 'value' | 'words' | 'nothing';
}

/** Both sides of a change, and how they read best. */
export interface Sides {
  before: ShownSide;
  after: ShownSide;
  /** What the base declares; only in a conflict. */
  base?: string | undefined;
}

/** Both sides of a change; secrets as their references. */
export function sidesOf(change: ChangeDocument): Sides {
  const before = beforeSide(change);
  const after = afterSide(change);
  const texts = [before.text, after.text];
  const { label, base: declared, secret } = change;
  if (label === 'conflict' && secret !== true && declared !== undefined) {
    texts.push(valueText(declared));
  }
  const [old = '', now = '', base] = toldApart(texts);
  return {
    before: { text: old, kind: before.kind },
    after: { text: now, kind: after.kind },
    base,
  };
}

const NO_OPTION: ShownSide = { text: '(no such option)', kind: 'nothing' };

/**
 * What is live; in a diff what the base declares, in a comparison what the
 * other server holds.
 */
function beforeSide(change: ChangeDocument): ShownSide {
  const { before, beforeReference, declared, onlyOn, hidden } = change;
  if (onlyOn === 'after') return NO_OPTION;
  if (declared === 'after') return { text: '(not declared)', kind: 'nothing' };
  if (hidden === true) return { text: '(hidden)', kind: 'words' };
  const isLive = declared === undefined && onlyOn === undefined;
  if (isLive && isEmpty(before) && change.secret !== true)
    return { text: '(not set)', kind: 'nothing' };
  return contentSide(change, before, beforeReference);
}

/** What is desired; in a comparison what the later server holds. */
function afterSide(change: ChangeDocument): ShownSide {
  const { after, reference, declared, onlyOn } = change;
  if (onlyOn === 'before') return NO_OPTION;
  if (declared === 'before')
    return { text: '(no longer declared)', kind: 'nothing' };
  return contentSide(change, after, reference);
}

/** A reference says more than a value that is secret, or not read. */
function contentSide(
  { secret, declared, onlyOn }: ChangeDocument,
  content: OptionValue | null,
  reference: string | undefined,
): ShownSide {
  if (reference !== undefined && (secret === true || content === null))
    return { text: reference, kind: 'value' };
  if (secret === true && content !== '')
    return { text: '(secret)', kind: 'words' };
  if (!isEmpty(content)) return { text: valueText(content), kind: 'value' };
  const isUnset = secret === true || content === null;
  const text = isUnset ? '(not set)' : '(empty)';
  // In a diff or a comparison it is there, though empty.
  const isThere = declared !== undefined || onlyOn !== undefined;
  return { text, kind: isThere ? 'words' : 'nothing' };
}

/** Texts that could be read as something else without quotes. */
const MISLEADING =
  /^\s|\s$|^$|^\(.*\)$|^".*"$|^(true|false|null|-?\d+(\.\d+)?)$/;

/**
 * A value as people write it: text in quotes only if it could be misread,
 * selects by their value.
 */
export function valueText(content: OptionValue | null): string {
  if (content === null) return '(none)';
  if (isChoiceList(content)) {
    return content.map((choice) => choice.value).join(', ');
  }
  if (isChoice(content)) return content.value === '' ? '""' : content.value;
  if (typeof content !== 'string') return String(content);
  // Several lines are compared line by line, their ends included.
  const isOneLine = !/\n./s.test(content);
  return isOneLine && MISLEADING.test(content)
    ? JSON.stringify(content)
    : content;
}

/** What changes, in the way in which it reads best. All texts are foreign. */
export interface ShownValue {
  /** Whether it is new, goes, or changes. */
  mark: '+' | '-' | '~';
  /** Absent if nothing was set, and for the members of a list. */
  before?: readonly Run[] | undefined;
  /** A short text, or the members that a list loses and gets. */
  after: readonly Run[];
  /** In place of both sides, if they are long. */
  lines?: readonly DiffLine[] | undefined;
}

/** The longest new value in one line. */
const SHORT_NEW = 60;

/** Shows what changes. */
export function shownValue(change: ChangeDocument): ShownValue {
  const { before, after } = sidesOf(change);
  if (before.kind === 'nothing') {
    const text = after.text.replace(/\n$/, '');
    if (text.length <= SHORT_NEW && !text.includes('\n')) {
      return { mark: '+', after: [runOf(after, '+')] };
    }
    const lines = text.split('\n').map((line): DiffLine => {
      return { mark: '+', runs: [{ mark: '+', text: line }] };
    });
    return { mark: '+', after: [], lines };
  }
  const mark = after.kind === 'nothing' ? '-' : '~';
  if (before.kind === 'words' || after.kind !== 'value') {
    const sides = { before: [runOf(before, '-')], after: [runOf(after, '+')] };
    return { mark, ...sides };
  }
  const members = changedMembers(change);
  if (members.length > 0) return { mark, after: members };
  return changedText(before.text, after.text);
}

function runOf({ text, kind }: ShownSide, mark: '-' | '+'): Run {
  return { mark: kind === 'value' ? mark : '.', text };
}

/** Beyond this many characters two values do not stand beside each other. */
const SHORT = 36;

/** Right-to-left letters would turn the order of two sides in one line. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

function changedText(before: string, after: string): ShownValue {
  if (before.includes('\n') || after.includes('\n')) {
    const isEnded = before.endsWith('\n') && after.endsWith('\n');
    const lines = isEnded
      ? changedLines(before.slice(0, -1), after.slice(0, -1))
      : changedLines(before, after);
    return { mark: '~', after: [], lines };
  }
  const runs = changedWords(before, after);
  const sides = { before: runsOn('-', runs), after: runsOn('+', runs) };
  const { length } = textOf(sides.before);
  const longest = Math.max(length, textOf(sides.after).length);
  if (longest <= SHORT && !RIGHT_TO_LEFT.test(before + after)) {
    return { mark: '~', ...sides };
  }
  const lines: DiffLine[] = [
    { mark: '-', runs: sides.before },
    { mark: '+', runs: sides.after },
  ];
  return { mark: '~', after: [], lines };
}

/** A text of more parts than this is compared like a list. */
const LIST_OF = 8;

/** The members that a list loses and gets, whatever their order: `-a +b`. */
function changedMembers({ before, after }: ChangeDocument): Run[] {
  const old = partsOf(before);
  const now = partsOf(after);
  if (old.size === 0 || now.size === 0) return [];
  const removed = [...old].filter((text) => !now.has(text));
  const added = [...now].filter((text) => !old.has(text));
  const members: Run[] = [];
  for (const [at, text] of toldApart([...removed, ...added]).entries()) {
    const mark = at < removed.length ? '-' : '+';
    if (at > 0) members.push({ mark: ' ', text: ' ' });
    members.push({ mark, text: `${mark}${text}` });
  }
  return members;
}

function partsOf(value: OptionValue | null): ReadonlySet<string> {
  if (isEmpty(value)) return new Set();
  if (isChoiceList(value)) return new Set(value.map((choice) => choice.value));
  const parts = typeof value === 'string' ? value.split(/,\s*/) : [];
  return new Set(parts.length > LIST_OF ? parts : []);
}

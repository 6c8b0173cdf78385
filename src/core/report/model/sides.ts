import { toldApart } from '../../model/look-alike.ts';
import {
  isPermission,
  PERMISSIONS,
  type Permission,
} from '../../model/permission.ts';
import {
  isChoice,
  isChoiceList,
  isEmpty,
  type OptionValue,
} from '../../model/value.ts';
import type { ChangeDocument } from '../../plan/plan.ts';

/** What a change has of two sides: a planned change, or a waived difference. */
export interface TwoSided {
  readonly before: OptionValue | null;
  readonly after: OptionValue | null;
  readonly base?: OptionValue | null;
  readonly secret?: true;
  readonly hidden?: true;
  readonly reference?: string;
  readonly beforeReference?: string;
  readonly declared?: ChangeDocument['declared'];
  readonly onlyOn?: ChangeDocument['onlyOn'];
  readonly label?: ChangeDocument['label'];
}

/** One side of a change as text, for a sink to escape. */
export interface ShownSide {
  readonly text: string;
  /** True for words of ours, such as `(hidden)`: no value reads like them. */
  readonly isWords: boolean;
}

/** The members that a multi-select loses and gets, whatever their order. */
export interface Members {
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** How many it has afterwards. */
  readonly total: number;
}

/** Both sides of a change, and how they read best. */
export interface Sides {
  readonly before: ShownSide;
  readonly after: ShownSide;
  /** What the base declares; only in a conflict. */
  readonly base?: string | undefined;
  /** Whether there was nothing before: not set, or not declared. */
  readonly isNew: boolean;
  /** Whether there is nothing afterwards: emptied, or not declared. */
  readonly isGone: boolean;
  /** Only of lists of choices that both sides hold. */
  readonly members?: Members | undefined;
  /** `lines`: one of them has several; `long`: better one above the other. */
  readonly layout: 'members' | 'lines' | 'long' | 'short';
}

/** Beyond this many characters two values do not stand beside each other. */
const SHORT = 44;

/** Both sides of a change; secrets as their references. */
export function sidesOf(change: TwoSided): Sides {
  const before = sideBefore(change);
  const after = sideAfter(change);
  const texts = [before.text, after.text, ...baseTexts(change)];
  const [old = '', now = '', base] = toldApart(texts);
  const members = membersOf(change);
  return {
    before: { ...before, text: old },
    after: { ...after, text: now },
    base,
    isNew: isNothingBefore(change),
    isGone: isNothingAfter(change),
    members,
    layout: members === undefined ? layoutOf(before, after) : 'members',
  };
}

function layoutOf(before: ShownSide, after: ShownSide): Sides['layout'] {
  if (hasLines(before) || hasLines(after)) return 'lines';
  if (before.isWords || after.isWords) return 'short';
  const longest = Math.max(before.text.length, after.text.length);
  return longest > SHORT ? 'long' : 'short';
}

/** Whether a side reads best in lines: it has several, or it is long JSON. */
function hasLines({ text, isWords }: ShownSide): boolean {
  return !isWords && laidOut(text).includes('\n');
}

/** A text without its last line end; long JSON with one member a line. */
export function laidOut(text: string): string {
  if (text.length <= SHORT || !/^\s*[[{]/.test(text)) {
    return /\n./s.test(text) ? text.replace(/\n$/, '') : text;
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.replace(/\n$/, '');
  }
}

function words(text: string): ShownSide {
  return { text, isWords: true };
}

/** The side of a server that lacks an option which the other one has. */
const NO_OPTION = words('(no such option)');

function value(content: OptionValue | null): ShownSide {
  if (content === null) return words('(not set)');
  if (isEmpty(content)) return words('(empty)');
  return { text: valueText(content), isWords: false };
}

/** What is live; in a diff what the base declares, in a comparison what the other server holds. */
function sideBefore(change: TwoSided): ShownSide {
  const { before, secret, hidden, declared, beforeReference } = change;
  if (change.onlyOn === 'after') return NO_OPTION;
  if (declared === 'after') return words('(not declared)');
  if (beforeReference !== undefined && isUnknown(before, secret)) {
    return { text: beforeReference, isWords: false };
  }
  if (hidden === true) return words('(hidden)');
  if (isNothingBefore(change)) return words('(not set)');
  return secret === true ? words('(secret)') : value(before);
}

/** What is desired. */
function sideAfter(change: TwoSided): ShownSide {
  const { after, secret, declared, reference, onlyOn } = change;
  if (onlyOn === 'before') return NO_OPTION;
  if (declared === 'before') return words('(no longer declared)');
  if (reference !== undefined && isUnknown(after, secret)) {
    return { text: reference, isWords: false };
  }
  if (secret !== true) return value(after);
  return after === '' ? words('(not set)') : words('(secret)');
}

/** Whether a reference says more than the value: it is secret, or not read. */
function isUnknown(content: OptionValue | null, secret?: true): boolean {
  return secret === true || content === null;
}

/** What the base declares; only in a conflict. */
function baseTexts({ base, label, secret }: TwoSided): readonly string[] {
  const isShown = label === 'conflict' && secret !== true;
  return isShown && base !== undefined ? [valueText(base)] : [];
}

function isNothingBefore(change: TwoSided): boolean {
  const { before, secret, hidden, declared, onlyOn } = change;
  if (onlyOn !== undefined) return onlyOn === 'after';
  if (declared !== undefined) return declared === 'after';
  if (hidden === true) return false;
  return secret === true ? before === '' : isEmpty(before);
}

function isNothingAfter(change: TwoSided): boolean {
  const { after, secret, declared, reference, onlyOn } = change;
  if (onlyOn !== undefined) return onlyOn === 'before';
  if (declared !== undefined) return declared === 'before';
  const isReference = reference !== undefined && isUnknown(after, secret);
  if (secret === true) return after === '';
  return !isReference && isEmpty(after);
}

function membersOf({ before, after }: TwoSided): Members | undefined {
  if (isEmpty(before) || isEmpty(after)) return undefined;
  if (!isChoiceList(before) || !isChoiceList(after)) return undefined;
  const old = new Set(before.map((choice) => choice.value));
  const now = new Set(after.map((choice) => choice.value));
  const removed = [...old].filter((member) => !now.has(member));
  const added = [...now].filter((member) => !old.has(member));
  const texts = toldApart([...removed, ...added]);
  return {
    removed: texts.slice(0, removed.length),
    added: texts.slice(removed.length),
    total: now.size,
  };
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

/** What a permission means for users, in words; undefined for other values. */
export function effectOf(content: OptionValue | null): string | undefined {
  if (content === 'invalid') return 'flags that contradict each other';
  return isPermission(content) ? effects(content) : undefined;
}

function effects(permission: Permission): string {
  return PERMISSIONS[permission].effect;
}

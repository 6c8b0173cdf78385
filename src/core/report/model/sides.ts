import { toldApart } from '../../model/look-alike.ts';
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
}

/** Both sides of a change; secrets as their references. */
export function sidesOf(change: TwoSided): Sides {
  const before = sideBefore(change);
  const after = sideAfter(change);
  const texts = [before.text, after.text];
  const declared = baseText(change);
  if (declared !== undefined) texts.push(declared);
  const [old = '', now = '', base] = toldApart(texts);
  return {
    before: { ...before, text: old },
    after: { ...after, text: now },
    base,
    isNew: isNothingBefore(change),
    isGone: isNothingAfter(change),
  };
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

function baseText(change: TwoSided): string | undefined {
  const { base, label, secret } = change;
  if (label !== 'conflict' || secret === true) return undefined;
  return base === undefined ? undefined : valueText(base);
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

import { toldApart } from '../../model/look-alike.ts';
import {
  isChoice,
  isChoiceList,
  isEmpty,
  type OptionValue,
} from '../../model/value.ts';
import type { ChangeDocument } from '../../plan/plan.ts';

/** One side of a change as text, for a sink to escape. */
export interface ShownSide {
  readonly text: string;
  /** True for words of ours, such as `(hidden)`: no value reads like them. */
  readonly isWords: boolean;
  /** Whether there is nothing: not set, or not declared. */
  readonly isNothing: boolean;
}

/** Both sides of a change, and how they read best. */
export interface Sides {
  readonly before: ShownSide;
  readonly after: ShownSide;
  /** What the base declares; only in a conflict. */
  readonly base?: string | undefined;
}

/** Both sides of a change; secrets as their references. */
export function sidesOf(change: ChangeDocument): Sides {
  const before = sideBefore(change);
  const after = sideAfter(change);
  const texts = [before.text, after.text];
  const { label, base: declared, secret } = change;
  if (label === 'conflict' && secret !== true && declared !== undefined) {
    texts.push(valueText(declared));
  }
  const [old = '', now = '', base] = toldApart(texts);
  return {
    before: { ...before, text: old },
    after: { ...after, text: now },
    base,
  };
}

function words(text: string, isNothing = false): ShownSide {
  return { text, isWords: true, isNothing };
}

/** The side of a server that lacks an option which the other one has. */
const NO_OPTION = words('(no such option)', true);

function value(content: OptionValue | null, isNothing: boolean): ShownSide {
  if (content === null) return words('(not set)', isNothing);
  if (isEmpty(content)) return words('(empty)', isNothing);
  return { text: valueText(content), isWords: false, isNothing };
}

/** What is live; in a diff what the base declares, in a comparison what the other server holds. */
function sideBefore(change: ChangeDocument): ShownSide {
  const { before, secret, hidden, declared, onlyOn, beforeReference } = change;
  if (onlyOn === 'after') return NO_OPTION;
  if (declared === 'after') return words('(not declared)', true);
  if (beforeReference !== undefined && isUnknown(before, secret)) {
    return { text: beforeReference, isWords: false, isNothing: false };
  }
  if (hidden === true) return words('(hidden)');
  const isUnset = secret === true ? before === '' : isEmpty(before);
  // In a diff or a comparison it is there, though empty.
  const isThere = declared !== undefined || onlyOn !== undefined;
  if (isUnset && !isThere) return words('(not set)', true);
  return secret === true ? words('(secret)') : value(before, false);
}

/** What is desired. */
function sideAfter(change: ChangeDocument): ShownSide {
  const { after, secret, declared, reference, onlyOn } = change;
  if (onlyOn === 'before') return NO_OPTION;
  if (declared === 'before') return words('(no longer declared)', true);
  if (reference !== undefined && isUnknown(after, secret)) {
    return { text: reference, isWords: false, isNothing: false };
  }
  const isThere = declared !== undefined || onlyOn !== undefined;
  if (secret !== true) return value(after, !isThere && isEmpty(after));
  return after === '' ? words('(not set)', !isThere) : words('(secret)');
}

/** Whether a reference says more than the value: it is secret, or not read. */
function isUnknown(content: OptionValue | null, secret?: true): boolean {
  return secret === true || content === null;
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

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
  const before = sideOf(change, 'before');
  const after = sideOf(change, 'after');
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

function written(text: string): ShownSide {
  return { text, isWords: false, isNothing: false };
}

/**
 * Before is what is live; in a diff what the base declares, in a comparison
 * what the other server holds. After is what is desired.
 */
function sideOf(change: ChangeDocument, at: 'before' | 'after'): ShownSide {
  const { secret, hidden, declared, onlyOn } = change;
  const isBefore = at === 'before';
  const other = isBefore ? 'after' : 'before';
  if (onlyOn === other) return words('(no such option)', true);
  if (declared === other) {
    return words(isBefore ? '(not declared)' : '(no longer declared)', true);
  }
  const reference = isBefore ? change.beforeReference : change.reference;
  // It says more than a value that is secret, or not read.
  const isUnknown = secret === true || change[at] === null;
  if (reference !== undefined && isUnknown) return written(reference);
  if (isBefore && hidden === true) return words('(hidden)');
  return contentSide(change, at);
}

function contentSide(
  change: ChangeDocument,
  at: 'before' | 'after',
): ShownSide {
  const content = change[at];
  // In a diff or a comparison it is there, though empty.
  const { declared, onlyOn } = change;
  const isNothing = declared === undefined && onlyOn === undefined;
  if (change.secret === true) {
    return content === '' ? words('(not set)', isNothing) : words('(secret)');
  }
  if (!isEmpty(content)) return written(valueText(content));
  const isUnset = content === null || (at === 'before' && isNothing);
  return words(isUnset ? '(not set)' : '(empty)', isNothing);
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

import { toldApart } from '../../model/look-alike.ts';
import { isChoiceList, isEmpty, type OptionValue } from '../../model/value.ts';
import type { ChangeDocument } from '../../plan/plan.ts';
import { type ShownSide, sidesOf } from './sides.ts';
import {
  changedLines,
  changedWords,
  type DiffLine,
  folded,
  type Run,
  runsOn,
  textOf,
} from './text-diff.ts';

/** What changes, in the way in which it reads best. All texts are foreign. */
export type ShownValue = ValueInLine | ValueInMembers | ValueInLines;

interface Marked {
  /** Whether it is new, goes, or changes. */
  readonly mark: '+' | '-' | '~';
}

/** Two short texts; without `before` if nothing was set. */
interface ValueInLine extends Marked {
  readonly kind: 'line';
  readonly before?: readonly Run[] | undefined;
  readonly after: readonly Run[];
}

/** The members that a list loses and gets, whatever their order. */
interface ValueInMembers extends Marked {
  readonly kind: 'members';
  readonly members: readonly Run[];
}

/** Lines of a comparison. */
export interface ValueInLines extends Marked {
  readonly kind: 'lines';
  readonly lines: readonly DiffLine[];
  /** The same lines whole, if they are cut. */
  readonly whole?: readonly DiffLine[] | undefined;
}

/** Beyond this many characters two values do not stand beside each other. */
const SHORT = 36;

/** The longest new value in one line. */
const SHORT_NEW = 60;

/** Shows what changes; `isFull` cuts nothing. */
export function shownValue(
  change: ChangeDocument,
  isFull: boolean,
): ShownValue {
  const { before, after } = sidesOf(change);
  if (before.isNothing) return newValue(after, isFull);
  const mark = after.isNothing ? '-' : '~';
  if (before.isWords || after.isWords) {
    return {
      kind: 'line',
      mark,
      before: [runOf(before, '-')],
      after: [runOf(after, '+')],
    };
  }
  const members = changedMembers(change);
  if (members !== undefined) return { kind: 'members', mark, members };
  return changedText(before.text, after.text, isFull);
}

function runOf({ text, isWords }: ShownSide, mark: '-' | '+'): Run {
  return { mark: isWords ? '.' : mark, text };
}

function newValue(after: ShownSide, isFull: boolean): ShownValue {
  const run = runOf(after, '+');
  const text = laidOut(after.text);
  if (text.length <= SHORT_NEW && !text.includes('\n')) {
    return { kind: 'line', mark: '+', after: [run] };
  }
  const lines = text.split('\n').map((line): DiffLine => {
    return { mark: '+', runs: [{ ...run, text: line }] };
  });
  return cutLines('+', lines, isFull);
}

/** Right-to-left letters would turn the order of two sides in one line. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;

function changedText(old: string, now: string, isFull: boolean): ShownValue {
  const [before, after] = differsInBlanks(old, now)
    ? [JSON.stringify(old), JSON.stringify(now)]
    : [laidOut(old), laidOut(now)];
  if (before.includes('\n') || after.includes('\n')) {
    const lines = changedLines(before, after, isFull);
    if (old.endsWith('\n') !== now.endsWith('\n')) {
      const side = old.endsWith('\n') ? 'now' : 'before';
      const text = `(${side} without a newline at its end)`;
      lines.push({ mark: ' ', runs: [{ mark: '.', text }] });
    }
    return { kind: 'lines', mark: '~', lines };
  }
  const runs = changedWords(before, after);
  const sides = { before: runsOn('-', runs), after: runsOn('+', runs) };
  const { length } = textOf(sides.before);
  const longest = Math.max(length, textOf(sides.after).length);
  if (longest <= SHORT && !RIGHT_TO_LEFT.test(before + after)) {
    return { kind: 'line', mark: '~', ...sides };
  }
  const lines: DiffLine[] = [
    { mark: '-', runs: sides.before },
    { mark: '+', runs: sides.after },
  ];
  return cutLines('~', lines, isFull);
}

/** Lines whose long parts are cut, unless all is shown in full. */
function cutLines(
  mark: '+' | '~',
  whole: readonly DiffLine[],
  isFull: boolean,
): ValueInLines {
  if (isFull) return { kind: 'lines', mark, lines: whole };
  const lines = whole.map((line) => ({ ...line, runs: folded(line.runs) }));
  const isCut = lines.some(({ runs }, at) => {
    return runs.length > (whole[at]?.runs.length ?? 0);
  });
  return { kind: 'lines', mark, lines, whole: isCut ? whole : undefined };
}

/** Whether two texts of one line differ in nothing but blanks. */
function differsInBlanks(old: string, now: string): boolean {
  if (/\n./.test(old + now)) return false;
  return old.replace(/\s/g, '') === now.replace(/\s/g, '');
}

/** A text without its last line end; long JSON with one member a line. */
function laidOut(text: string): string {
  if (text.length <= SHORT || !/^\s*[[{]/.test(text)) {
    return /\n./s.test(text) ? text.replace(/\n$/, '') : text;
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text.replace(/\n$/, '');
  }
}

/** A text of more parts than this is compared like a list. */
const LIST_OF = 8;

function changedMembers({ before, after }: ChangeDocument): Run[] | undefined {
  const old = partsOf(before);
  const now = partsOf(after);
  if (old.size === 0 || now.size === 0) return undefined;
  const removed = [...old].filter((text) => !now.has(text));
  const added = [...now].filter((text) => !old.has(text));
  const texts = toldApart([...removed, ...added]);
  if (texts.length === 0) return undefined;
  return texts.map((text, at): Run => {
    return { mark: at < removed.length ? '-' : '+', text };
  });
}

function partsOf(value: OptionValue | null): ReadonlySet<string> {
  if (isEmpty(value)) return new Set();
  if (isChoiceList(value)) return new Set(value.map((choice) => choice.value));
  const parts = typeof value === 'string' ? value.split(/,\s*/) : [];
  return new Set(parts.length > LIST_OF ? parts : []);
}

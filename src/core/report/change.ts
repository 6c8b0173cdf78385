import { diffLines } from 'diff';
import { count } from '../findings/words.ts';
import {
  isPermission,
  PERMISSIONS,
  type Permission,
} from '../model/permission.ts';
import {
  isChoice,
  isChoiceList,
  isEmpty,
  type OptionValue,
} from '../model/value.ts';
import type { ChangeDocument } from '../plan/plan.ts';
import { RISKS } from '../plan/risk.ts';

/** Who moved a field, in the order in which a reviewer reads it. */
export const LABELS = {
  change: { title: 'Changed by this branch', count: 'changed by this branch' },
  conflict: {
    title:
      'In conflict: changed by this branch, and on the server too; apply sets what is desired',
    count: 'in conflict',
  },
  drift: { title: 'Drift: not changed by this branch', count: 'drifted' },
} as const satisfies Record<
  ChangeDocument['label'],
  { readonly title: string; readonly count: string }
>;

/** A line about a change: what goes or comes, a risk, a remark, or what is equal. */
interface ComparedLine {
  readonly mark: '-' | '+' | ' ' | '#' | '!';
  readonly text: string;
  /** The line on the other side that it replaces or is replaced by. */
  readonly counterpart?: string | undefined;
}

/** Beyond this many edits both texts are shown whole. */
const MAX_EDITS = 2_000;

/** Equal lines that are shown next to a change. */
const CONTEXT = 2;

/** A field's address inside its integration, without the word that all options share. */
export function fieldName(address: string, integration: string): string {
  return address.slice(integration.length + 1).replace(/^options\./, '');
}

/** A value as people write it: text in quotes only if it could be misread, selects by their value. */
export function valueText(value: OptionValue | null): string {
  if (value === null) return '(none)';
  if (isChoiceList(value))
    return `[${value.map((choice) => choice.value).join(', ')}]`;
  if (isChoice(value)) return value.value === '' ? '""' : value.value;
  // Several lines are compared line by line, their ends included.
  if (typeof value !== 'string' || /\n./s.test(value)) return String(value);
  return /^\s|\s$|^$|^(true|false|null|-?\d+(\.\d+)?)$/.test(value)
    ? JSON.stringify(value)
    : value;
}

/** A change as lines for a sink to escape: its sides; and what they mean, the risks, and the comment in the YAML. */
export function changeLines(change: ChangeDocument, full = false) {
  const sides = sidesOf(change);
  const members = membersOf(change);
  const risks = change.risks.map((risk) => `${risk}: ${RISKS[risk].words}`);
  return {
    ...sides,
    /** Whether the sides are the members that a list loses and gets. */
    isList: members !== undefined,
    sides: members ?? sideLines(change, sides, full),
    notes: [
      ...marked('#', sentencesOf(change, sides)),
      ...marked('!', risks),
      ...marked('#', change.comment === undefined ? [] : [change.comment]),
    ],
  };
}

/** Both sides of a change as text. */
interface Sides {
  /** Whether the first side has nothing: it is not set on the server or, in a diff, not declared. */
  readonly isUnset: boolean;
  /** Whether, in a diff, the second side declares nothing. */
  readonly isReleased: boolean;
  readonly before: string;
  readonly after: string;
  /** What the base declares; only in a conflict. */
  readonly base: string | undefined;
}

/** Both sides of a change as text, secrets as their references; in a conflict also what the base declares. */
function sidesOf(change: ChangeDocument): Sides {
  const { base, label, secret, declared } = change;
  const isConflict = label === 'conflict' && secret !== true;
  return {
    isUnset: declared === undefined ? isUnset(change) : declared === 'after',
    isReleased: declared === 'before',
    before: declared === undefined ? liveText(change) : baseText(change),
    after: afterText(change),
    base: isConflict && base !== undefined ? valueText(base) : undefined,
  };
}

/** Whether a server has nothing set in a field. */
function isUnset({ before, hidden, secret }: ChangeDocument): boolean {
  if (hidden === true) return false;
  return secret === true ? before === '' : isEmpty(before);
}

/** What a server holds. */
function liveText(change: ChangeDocument): string {
  const { before, hidden, secret, beforeReference } = change;
  if (beforeReference !== undefined) return beforeReference;
  if (hidden === true) return '(hidden)';
  if (isUnset(change)) return '(not set)';
  return secret === true ? '(secret)' : valueText(before);
}

/** What the base of a diff declares. */
function baseText(change: ChangeDocument): string {
  const { before, secret, declared, beforeReference } = change;
  if (declared === 'after') return '(not declared)';
  if (beforeReference !== undefined) return beforeReference;
  return secret === true ? '(secret)' : valueText(before);
}

/** The end of the address of a field. A match, a mark of a secret or its day is only declared. */
const MANAGED = /\.(value|permission|autosubscribe)$/;

/** What is desired. */
function afterText(change: ChangeDocument): string {
  const { address, after, secret, declared, reference } = change;
  if (declared === 'before')
    return MANAGED.test(address) ? 'no longer managed' : '(not declared)';
  return secret === true ? (reference ?? '(secret)') : valueText(after);
}

/** A sentence about a drift, or the effect of a permission; nothing for any other change. */
function sentencesOf(
  change: ChangeDocument,
  { before, after, isUnset }: Sides,
): string[] {
  if (change.label === 'drift' && change.outcome === undefined) {
    if (isUnset) return ['is not set on the server; apply sets it'];
    if (change.secret === true)
      return [`the server holds another value than \`${after}\``];
    if (/^.{0,120}$/.test(before + after))
      return [
        `was set to \`${before}\` on the server; apply sets it back to \`${after}\``,
      ];
  }
  if (!change.address.endsWith('.permission') || !isPermission(change.after))
    return [];
  const was =
    change.before === 'invalid' || isPermission(change.before)
      ? change.before
      : undefined;
  return [
    `${was === undefined ? '' : `${effectOf(was)} -> `}${effectOf(change.after)}`,
  ];
}

/** What a permission means for users, in words. */
function effectOf(permission: Permission | 'invalid'): string {
  return permission === 'invalid'
    ? 'flags that contradict each other'
    : PERMISSIONS[permission].effect;
}

/** The members that a multi-select loses and gets, whatever their order; undefined for anything else. */
function membersOf({
  before,
  after,
}: ChangeDocument): ComparedLine[] | undefined {
  if (
    isEmpty(before) ||
    after === null ||
    !isChoiceList(before) ||
    !isChoiceList(after)
  )
    return undefined;
  const [old, now] = [before, after].map((list) => [
    ...new Set(list.map(({ value }) => value)),
  ]);
  const only = (own: readonly string[] = [], other: readonly string[] = []) =>
    own.filter((each) => !other.includes(each));
  return [...marked('-', only(old, now)), ...marked('+', only(now, old))];
}

/** Both sides of a change: the three values of a conflict, the only side that declares something, lines of text, or two values. */
function sideLines(
  { declared }: ChangeDocument,
  { before, after, base }: Sides,
  full: boolean,
): ComparedLine[] {
  if (declared === 'after') return marked('+', [laidOut(after)]);
  if (declared === 'before')
    return [...marked('-', [laidOut(before)]), ...marked('#', [after])];
  if (base !== undefined)
    return [
      ...marked(' ', [`base: ${base}`]),
      ...marked('-', [`live: ${before}`]),
      ...marked('+', [`desired: ${after}`]),
    ];
  if (hasStructure(before) || hasStructure(after))
    return lineDiff(before, after, full);
  return [
    { mark: '-', text: before, counterpart: after },
    { mark: '+', text: after, counterpart: before },
  ];
}

/** Texts of one line or several, each line with the mark. */
function marked(
  mark: ComparedLine['mark'],
  texts: readonly string[],
): ComparedLine[] {
  return texts.flatMap((text) =>
    text.split('\n').map((line) => ({ mark, text: line })),
  );
}

/** Whether a text is better compared by lines than shown in one. */
function hasStructure(text: string): boolean {
  return (
    text.includes('\n') || (text.length > 40 && layOut(text) !== `${text}\n`)
  );
}

/** A text, with JSON laid out if it is better read in lines. */
function laidOut(text: string): string {
  return hasStructure(text) ? layOut(text).replace(/\n$/, '') : text;
}

/** The lines in which two texts differ, JSON with one member a line; `full` keeps all equal lines. */
function lineDiff(
  before: string,
  after: string,
  full: boolean,
): ComparedLine[] {
  const context = full ? Number.POSITIVE_INFINITY : CONTEXT;
  const byMember = compare(layOut(before), layOut(after), context);
  const lines = byMember.some(({ mark }) => mark !== ' ')
    ? byMember
    : compare(before, after, context);
  if (before.endsWith('\n') === after.endsWith('\n')) return lines;
  const which = before.endsWith('\n') ? 'now' : 'before';
  return [
    ...lines,
    { mark: ' ', text: `(${which} without a newline at its end)` },
  ];
}

function compare(from: string, to: string, context: number): ComparedLine[] {
  const parts = diffLines(from, to, { maxEditLength: MAX_EDITS }) ?? [
    { value: from, added: false, removed: true },
    { value: to, added: true, removed: false },
  ];
  return parts.flatMap(({ value, added, removed }, index): ComparedLine[] => {
    const lines = linesOf(value);
    const hasNext = index + 1 < parts.length;
    if (!added && !removed)
      return equalLines(lines, index > 0 ? context : 0, hasNext ? context : 0);
    const other = added ? parts[index - 1] : parts[index + 1];
    const counterparts =
      other?.added || other?.removed ? linesOf(other.value) : [];
    return lines.map((text, at) => ({
      mark: added ? '+' : '-',
      text,
      counterpart: counterparts[at],
    }));
  });
}

/** The first and last of equal lines, and a count of the others. */
function equalLines(
  lines: readonly string[],
  first: number,
  last: number,
): ComparedLine[] {
  const left = lines.length - first - last;
  // A count takes a line as well.
  const shown = [...lines];
  if (left > 1) shown.splice(first, left, `(${count(left, 'equal line')})`);
  return shown.map((text) => ({ mark: ' ', text }));
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, '').split('\n');
}

/** JSON objects and lists with one member a line; other text as it is; a final newline in any case. */
function layOut(text: string): string {
  const ended = text.endsWith('\n') ? text : `${text}\n`;
  if (!/^\s*[[{]/.test(text)) return ended;
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    return ended;
  }
}

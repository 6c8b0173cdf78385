import { type Choice, isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { Change } from '../plan/plan.ts';

/** Both sides of a change as text: a sensitive value shows as its reference. For a sink it has to be escaped. */
export function sidesOf(change: Change): { readonly before: string; readonly after: string } {
  if (change.field !== 'value') return { before: String(change.before), after: String(change.after) };
  if (change.sensitive)
    return {
      before: change.unreadable ? '(unreadable)' : '(sensitive)',
      after: change.reference ?? '(sensitive)',
    };
  return { before: valueText(change.before), after: valueText(change.after) };
}

/** A value as people write it: text in quotes only where it could be misread, selects by their value. */
export function valueText(value: OptionValue | null): string {
  if (value === null) return '(none)';
  if (isChoiceList(value)) return `[${value.map((choice) => choice.value).join(', ')}]`;
  if (isChoice(value)) return value.value;
  // Several lines are compared line by line, their ends included.
  if (typeof value !== 'string' || /\n./s.test(value)) return String(value);
  return /^\s|\s$|^$|^(true|false|null|-?\d+(\.\d+)?)$/.test(value) ? JSON.stringify(value) : value;
}

/** The members that a multi-select loses and gets, by their values; undefined for anything else. Their order does not count. */
export function membersOf(
  change: Change,
): { readonly removed: readonly string[]; readonly added: readonly string[] } | undefined {
  if (change.field !== 'value' || change.sensitive) return undefined;
  const { before, after } = change;
  if (before === null || !isChoiceList(before) || !isChoiceList(after)) return undefined;
  return { removed: missingIn(after, before), added: missingIn(before, after) };
}

/** The values of choices that another list lacks, each once. */
function missingIn(other: readonly Choice[], choices: readonly Choice[]): string[] {
  const known = new Set(other.map(({ value }) => value));
  return [...new Set(choices.map(({ value }) => value))].filter((value) => !known.has(value));
}

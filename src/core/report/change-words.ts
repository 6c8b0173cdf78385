import { count } from '../findings/words.ts';
import { effectOf, isPermission } from '../model/permission.ts';
import { isChoice, isChoiceList, isEmpty, type OptionValue } from '../model/value.ts';
import { type ChangeDocument, OUTCOMES, type ServerDocument } from '../plan/plan.ts';
import { RISKS } from '../plan/risk.ts';

export type Label = ChangeDocument['label'];

/** Who moved a field, in the order in which a reviewer reads it. */
export const LABELS = {
  change: { title: 'Changed by this branch', count: 'changed by this branch' },
  conflict: { title: 'In conflict: changed by this branch, and on the server too', count: 'in conflict' },
  drift: { title: 'Drift: changed only on the server', count: 'drifted' },
} as const satisfies Record<Label, { readonly title: string; readonly count: string }>;

export const LABEL_NAMES: readonly Label[] = ['change', 'conflict', 'drift'];

/** Both sides of a change as text; in a conflict also what the base declares. */
export type Sides = Readonly<{ before: string; after: string; base?: string }>;

/** Both sides of a change: secrets as their references. For a sink they have to be escaped. */
export function sidesOf(change: ChangeDocument): Sides {
  const { before, after, base, secret, hidden, reference, beforeReference } = change;
  const held = secret === true ? '(secret)' : valueText(before);
  const live = beforeReference ?? (hidden === true ? '(hidden)' : isUnset(change) ? '(not set)' : held);
  if (secret === true) return { before: live, after: reference ?? '(secret)' };
  const sides = { before: live, after: valueText(after) };
  return change.label === 'conflict' && base !== undefined ? { ...sides, base: valueText(base) } : sides;
}

/** Whether nothing is set on the live side. */
export function isUnset({ before, secret, hidden }: ChangeDocument): boolean {
  return hidden !== true && (secret === true ? before === '' : isEmpty(before));
}

/** A value as people write it: text in quotes only if it could be misread, selects by their value. */
export function valueText(value: OptionValue | null): string {
  if (value === null) return '(none)';
  if (isChoiceList(value)) return `[${value.map((choice) => choice.value).join(', ')}]`;
  if (isChoice(value)) return value.value;
  // Several lines are compared line by line, their ends included.
  if (typeof value !== 'string' || /\n./s.test(value)) return String(value);
  return /^\s|\s$|^$|^(true|false|null|-?\d+(\.\d+)?)$/.test(value) ? JSON.stringify(value) : value;
}

/** The members that a multi-select loses and gets; undefined for anything else. Their order does not count. */
export function membersOf({ before, after }: ChangeDocument) {
  if (isEmpty(before) || after === null || !isChoiceList(before) || !isChoiceList(after)) return undefined;
  const old = new Set(before.map(({ value }) => value));
  const now = new Set(after.map(({ value }) => value));
  return {
    removed: [...old].filter((each) => !now.has(each)),
    added: [...now].filter((each) => !old.has(each)),
  };
}

/** A sentence about a drift, or the effect of a permission; nothing for any other change. */
export function sentencesOf(change: ChangeDocument): string[] {
  const { before, after } = sidesOf(change);
  const isShort = /^.{0,120}$/.test(before + after);
  if (change.label === 'drift') {
    if (isUnset(change)) return ['is not set on the server; apply sets it'];
    if (change.secret === true) return [`the server holds another value than \`${after}\``];
    if (isShort) return [`was set to \`${before}\` on the server; apply sets it back to \`${after}\``];
  }
  if (!change.address.endsWith('.permission') || !isPermission(change.after)) return [];
  const was =
    change.before === 'invalid' || isPermission(change.before) ? `${effectOf(change.before)} -> ` : '';
  return [`${was}${effectOf(change.after)}`];
}

/** A risk and what it means for people. */
export function riskText(risk: ChangeDocument['risks'][number]): string {
  return `${risk}: ${RISKS[risk].words}`;
}

/** The first of the places of a change, and how many more there are. */
export function placesText([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/** A field's address inside its integration, without the word that all options share. */
export function fieldName(address: string, integration: string): string {
  return address.slice(integration.length + 1).replace(/^options\./, '');
}

/** The changes of servers. */
export function changesOf(servers: readonly ServerDocument[]): ChangeDocument[] {
  return servers.flatMap(({ integrations }) => integrations.flatMap(({ changes }) => changes));
}

/** How often each name is in a list, in the order of the names; none that is not there. */
export function countsOf<Name>(names: readonly Name[], all: readonly unknown[]): [Name, number][] {
  const counts = names.map((name): [Name, number] => [name, all.filter((each) => each === name).length]);
  return counts.filter(([, number]) => number > 0);
}

/** How many changes have each outcome, the good ones first: `2 verified, 1 stale`. Empty before an apply. */
export function tallyOf(changes: readonly ChangeDocument[]): string {
  const outcomes = changes.map(({ outcome }) => outcome);
  return countsOf(Object.keys(OUTCOMES), outcomes)
    .map(([name, number]) => `${number} ${name.replace('-', ' ')}`)
    .join(', ');
}

/** The fields of integrations that are not changes, or the integrations that were not planned. */
export function addressesOf(
  servers: readonly ServerDocument[],
  of: 'hidden' | 'waived' | 'settled' | 'released' | 'unplanned',
): string[] {
  const all = servers.flatMap(({ integrations }) => integrations);
  return all.flatMap((each) => (of !== 'unplanned' ? each[of] : each.unplanned ? [each.name] : []));
}

/** Whether an integration has changes. */
export function hasChanges({ changes }: { readonly changes: readonly unknown[] }): boolean {
  return changes.length > 0;
}

/** A ref with the start of its commit. */
export function revisionText({ ref, commit }: NonNullable<ServerDocument['base']>): string {
  const short = commit.slice(0, 12);
  return ref === commit ? short : `${ref} (${short})`;
}

/** The day of a snapshot, and its age when the document was made. A time may be foreign: only a day is shown. */
export function snapshotText(takenAt: string, createdAt: string | undefined): string {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(takenAt)?.[0] ?? 'an unknown day';
  const days = Math.floor((Date.parse(createdAt ?? '') - Date.parse(takenAt)) / 86_400_000);
  return `From a snapshot of ${day}${days > 0 ? `, ${count(days, 'day')} old` : ''}.`;
}

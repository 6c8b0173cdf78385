import { type Entry, isDefault } from '../config/entry.ts';
import type { ResolvedValue } from '../config/resolve.ts';
import { grouped } from '../model/grouped.ts';

/** One entry at both revisions, as far as they have it. */
export interface Revised {
  readonly base?: Entry<ResolvedValue> | undefined;
  readonly head?: Entry<ResolvedValue> | undefined;
}

/**
 * Tells whether an entry other than a given one, which may select the same integrations, takes an option from outside at one
 * revision alone: what the given one writes in clear may then be the same secret, as it came in or went out.
 */
export function outsideElsewhere(entries: readonly Revised[]): (of: Revised, key: string) => boolean {
  const moving = grouped(
    entries.flatMap((entry) => movedIn(entry).map((key) => ({ key, entry }))),
    ({ key }) => key,
  );
  return (of, key) => (moving.get(key) ?? []).some(({ entry }) => entry !== of && mayShare(entry, of));
}

/** The keys of options that an entry takes from outside at one revision alone. */
function movedIn({ base, head }: Revised): string[] {
  const keys = new Set([base, head].flatMap((entry) => [...(entry?.options.keys() ?? [])]));
  const isOutside = (entry: Revised['base'], key: string) =>
    entry?.options.get(key)?.value?.value?.isFromOutside === true;
  return [...keys].filter((key) => isOutside(base, key) !== isOutside(head, key));
}

/** Whether two entries may select one integration: as its defaults, or one before and one after it was renamed. */
function mayShare(one: Revised, other: Revised): boolean {
  const hasDefaults = [one.base, one.head, other.base, other.head].some((entry) => entry && isDefault(entry));
  return hasDefaults || isReplacedBy(one, other) || isReplacedBy(other, one);
}

function isReplacedBy(one: Revised, other: Revised): boolean {
  return one.head === undefined && other.base === undefined;
}

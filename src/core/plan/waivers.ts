import { fieldAddress, namesField } from '../model/place.ts';
import type { Waiver } from '../model/waiver.ts';
import type { DiffRules } from './diff.ts';
import type { ServerDocument } from './document.ts';
import { isTouched, type Revisions } from './labels.ts';

/** Which differences of a server are left alone. */
export interface LeaveAlone {
  /** The waivers for the server. */
  readonly waivers: readonly Waiver[];
  /** The day of the run, in UTC: `2026-11-22`. */
  readonly today: string;
  /** The reviewed plan that the run applies: what is not in it is left out. */
  readonly reviewed?: ServerDocument | undefined;
}

/** Leaves alone what is waived, unless the branch changed it, and what a reviewed plan does not have. */
export function leavingAlone(
  { waivers, today, reviewed }: LeaveAlone,
  revisions: Revisions | undefined,
): DiffRules['leavesAlone'] {
  const active = waivers.filter(({ until }) => until >= today);
  const labels = new Map(
    reviewed?.integrations.flatMap(({ id, changes }) =>
      changes.map(({ address, label }) => [`${id} ${address}`, label]),
    ),
  );
  if (active.length === 0 && reviewed === undefined) return undefined;
  return ({ id, name }, setting) => {
    const label = labels.get(`${id} ${fieldAddress(name, setting)}`);
    const isOfBranch =
      reviewed === undefined
        ? revisions !== undefined && isTouched(revisions, id, setting)
        : reviewed.base !== undefined && label !== undefined && label !== 'drift';
    if (!isOfBranch && active.some(({ address }) => namesField(address, name, setting))) return 'waived';
    return reviewed !== undefined && label === undefined ? 'unreviewed' : undefined;
  };
}

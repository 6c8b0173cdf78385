import { namesField } from '../model/address.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Waiver } from '../model/waiver.ts';
import type { IntegrationDiff } from './diff.ts';
import type { ChangeDocument, ServerDocument } from './document.ts';
import type { Origins } from './origins.ts';
import type { Change } from './plan.ts';

/** Which differences of a server are left alone. */
export interface LeaveAlone {
  /** The waivers for the server. */
  readonly waivers: readonly Waiver[];
  /** The day of the run, in UTC: `2026-11-22`. */
  readonly today: string;
  /** The reviewed plan that the run applies: what is not in it is left out. */
  readonly reviewed?: ServerDocument | undefined;
}

/** A difference of one integration without what is left alone. */
interface Left {
  readonly diff: IntegrationDiff;
  /** The addresses of differences that waivers leave alone. */
  readonly waived: readonly string[];
  /** How many differences a reviewed plan lacks. */
  readonly unreviewed: number;
}

/** What tells which differences to leave alone, and who made them. */
interface Narrowing {
  readonly origins?: Origins | undefined;
  readonly leaves?: LeaveAlone | undefined;
}

/** Labels the differences of integrations, without those that are waived or not reviewed. */
export function narrower({ origins, leaves }: Narrowing) {
  const active = leaves?.waivers.filter(({ until }) => until >= leaves.today) ?? [];
  const reviewed = leaves?.reviewed && reviewedFields(leaves.reviewed);
  const isTouched = (id: string, address: string) =>
    reviewed === undefined ? origins?.isTouched(id, address) === true : reviewed.touched.has(address);
  /** `again` compares without some addresses: the risk of a value depends on the permission that changes with it. */
  return (
    { id, name }: { readonly id: string; readonly name: string },
    live: LiveIntegration,
    diff: IntegrationDiff,
    again: (left: ReadonlySet<string>) => IntegrationDiff,
  ): Left => {
    const isWaived = (change: Change) =>
      active.some((waiver) => namesField(waiver.address, name, change)) && !isTouched(id, change.address);
    const waived = diff.changes.filter(isWaived).map(({ address }) => address);
    const others = diff.changes.filter(({ address }) => reviewed?.all.has(address) === false);
    const left = new Set([...waived, ...others.map(({ address }) => address)]);
    const rest = left.size === 0 ? diff : again(left);
    return { diff: labelled(rest, live, origins), waived, unreviewed: others.length };
  };
}

/** The addresses of a reviewed plan, and of those that its branch had changed. */
function reviewedFields({ base, integrations }: ServerDocument) {
  const changes = integrations.flatMap((each) => each.changes);
  const touched = base === undefined ? [] : changes.filter(({ label }) => label !== 'drift');
  const addresses = (some: readonly ChangeDocument[]) => new Set(some.map(({ address }) => address));
  return { all: addresses(changes), touched: addresses(touched) };
}

function labelled(diff: IntegrationDiff, live: LiveIntegration, origins: Origins | undefined) {
  if (origins === undefined) return diff;
  return { ...diff, changes: diff.changes.map((change) => origins.labelled(change, live)) };
}

import { compareText, type Diagnostic } from '../findings/diagnostic.ts';
import type { DesiredIntegration } from '../model/desired.ts';
import type { LiveIntegration } from '../model/live.ts';
import { present } from '../model/present.ts';
import type { diffIntegration } from './diff.ts';
import type { Label } from './label.ts';
import { type LeaveAlone, leaver, waiverFindings } from './left-alone.ts';
import type { Origins } from './origins.ts';
import type { IntegrationPlan, NotedField } from './plan.ts';

/** What tells where differences come from, and which are left alone. */
interface Narrowing {
  readonly origins?: Origins | undefined;
  readonly leaves?: LeaveAlone | undefined;
}

type Diff = ReturnType<typeof diffIntegration>;

/** A difference of one integration, and what else its plan tells of its fields. */
export type NarrowedDiff = Diff & Pick<IntegrationPlan, 'noted' | 'waived' | 'leftOut'>;

/**
 * Gives the labels of differences, and takes out those that are left alone: the others are compared again without them, since
 * the risk of a value depends on whether the permission beside it changes too.
 */
export function narrower({ origins, leaves }: Narrowing) {
  const leave = leaves === undefined ? undefined : leaver(leaves, origins?.isTouched);
  return (
    desired: DesiredIntegration,
    live: LiveIntegration,
    diff: Diff,
    again: (left: ReadonlySet<string>) => Diff,
  ): NarrowedDiff => {
    const whole = labelled(diff, live, origins);
    const { waived, leftOut } = leave?.(whole.changes, live.id) ?? { waived: [], leftOut: [] };
    const left = new Set([...waived.map(({ address }) => address), ...leftOut]);
    const rest = left.size === 0 ? whole : labelled(again(left), live, origins);
    const isShown = ({ label }: NotedField) => isNoted({ leaves }, label);
    return {
      ...rest,
      ...(origins === undefined ? {} : { noted: notedIn(desired, live, diff, origins).filter(isShown) }),
      ...(waived.length === 0 ? {} : { waived }),
      ...(leftOut.length === 0 ? {} : { leftOut }),
    };
  };
}

function labelled(diff: Diff, live: LiveIntegration, origins: Origins | undefined): Diff {
  if (origins === undefined) return diff;
  const changes = diff.changes.map((change) => ({ ...change, label: origins.labelOf(change, live) }));
  const cannotTell = diff.cannotTell.map((each) =>
    origins.isTouched(live.id, each.address) ? { ...each, isTouched: true as const } : each,
  );
  return { ...diff, changes, cannotTell };
}

/** What this branch has settled and released in an integration, ordered by address. */
function notedIn(desired: DesiredIntegration, live: LiveIntegration, { held }: Diff, origins: Origins) {
  const touched = held.filter(({ address }) => origins.isTouched(live.id, address));
  const settled = touched.map(({ address, field, option, source }) => ({
    address,
    label: 'settled' as const,
    field,
    source,
    ...present({ option }),
  }));
  const all: NotedField[] = [...settled, ...origins.releasedIn(desired, live)];
  return all.sort((a, b) => compareText(a.address, b.address));
}

/** Whether a plan tells of fields with a label. */
export function isNoted({ leaves }: Pick<Narrowing, 'leaves'>, label: Label): boolean {
  return leaves?.onlyLabels?.includes(label) !== false;
}

/** What is found of the waivers for a plan. */
export function waiversIn(
  planned: readonly { readonly plan: IntegrationPlan }[],
  { leaves, origins }: Narrowing,
): Diagnostic[] {
  if (leaves === undefined || leaves.waivers.length === 0) return [];
  return waiverFindings(
    planned.map(({ plan }) => plan),
    leaves,
    origins?.isTouched,
  );
}

import type { Became, Moved } from '../findings/apply.ts';
import type { LiveIntegration } from '../model/live.ts';
import { addressOf } from '../model/subject.ts';
import { sameContent } from '../model/value.ts';
import type { Comparison } from './compare.ts';
import {
  type ChangeDocument,
  DONE,
  type IntegrationDocument,
  type IntegrationPlan,
  NOTHING,
  type ServerDocument,
  type ServerPlan,
  type WriteEnd,
} from './plan.ts';
import { type Rechecked, recheck } from './recheck.ts';
import { sidesOf } from './shown-sides.ts';

/** What makes a plan stale: the reviewed changes of an integration that no longer hold. */
export function movedSinceReview(
  reviewed: readonly ChangeDocument[],
  comparisons: readonly Comparison[],
): Moved[] {
  const now = new Map<string, Comparison>();
  for (const comparison of comparisons) {
    now.set(addressOf(comparison.subject), comparison);
  }
  const moved: Moved[] = [];
  for (const change of reviewed) {
    const { address } = change;
    const by = moverOf(change, now.get(address));
    if (by !== undefined) moved.push({ address, by });
  }
  return moved;
}

/** Who moved one of the two sides that were reviewed; undefined if both hold. */
function moverOf(
  reviewed: ChangeDocument,
  now: Comparison | undefined,
): Moved['by'] | undefined {
  // It is not managed any more, or an error leaves it out.
  if (now === undefined) return 'configuration';
  const sides = sidesOf(now);
  const isDone = now.state === 'same';
  if (reviewed.secret && (sides.secret || isDone)) {
    // The live side of a secret is unknown.
    const isSameReference = reviewed.reference === sides.reference;
    const isSameDay = reviewed.rotated === sides.rotated;
    return isSameReference && isSameDay ? undefined : 'configuration';
  }
  if (reviewed.secret || sides.secret) return 'configuration';
  if (!sameContent(reviewed.after, sides.after)) return 'configuration';
  // A change that is done already need not be as it was.
  if (isDone) return undefined;
  return sameContent(reviewed.before, sides.before) ? undefined : 'server';
}

/** The plans of integrations that were reviewed, and are not planned any more. `planned` has the names of those that are, by id. */
export function reviewedAndGone(
  { integrations }: ServerDocument,
  planned: ReadonlyMap<string, string>,
  live: ReadonlyMap<string, LiveIntegration>,
): IntegrationPlan[] {
  const reviewedIds = new Set(integrations.map(({ id }) => id));
  const gone: IntegrationPlan[] = [];
  for (const document of integrations) {
    const { id, name, changes } = document;
    if (changes.length === 0 || planned.has(id)) continue;
    const others: string[] = [];
    for (const [otherId, otherName] of planned) {
      if (otherName === name && !reviewedIds.has(otherId)) others.push(otherId);
    }
    gone.push(staleAsWhole(document, becameOf(id, live, others)));
  }
  return gone;
}

/** Why a reviewed integration is planned no more; `others` are the ids that have its name now. */
function becameOf(
  was: string,
  live: ReadonlyMap<string, LiveIntegration>,
  others: readonly string[],
): Became {
  const [now, ...more] = others;
  if (now !== undefined && more.length === 0) {
    return { kind: 'other-id', was, now };
  }
  return { kind: live.has(was) ? 'unplanned' : 'uninstalled', was };
}

/** An integration that is not planned as it was reviewed. */
export function staleAsWhole(
  { name, id, changes: lost }: IntegrationDocument,
  became: Became,
): IntegrationPlan {
  const end = { kind: 'stale', moved: [], became } as const;
  return { ...NOTHING, name, id, status: null, lost, end };
}

/** Why nothing is to be written of an integration that was shown a while ago: it is done, or the server moved. */
export function endSince(
  { policy }: ServerPlan,
  integration: IntegrationPlan,
  live: LiveIntegration | undefined,
): WriteEnd | undefined {
  const rechecked = recheck(integration, live, policy);
  if (rechecked.every(({ standing }) => standing === 'planned')) return DONE;
  const moved = movedSinceShown(rechecked);
  if (moved.length === 0) return undefined;
  if (live !== undefined) return { kind: 'stale', moved };
  const became = { kind: 'uninstalled', was: integration.id } as const;
  return { kind: 'stale', moved, became };
}

/** The changes that a person was shown and that moved until they were read again. */
export function movedSinceShown(rechecked: readonly Rechecked[]): Moved[] {
  const moved: Moved[] = [];
  for (const each of rechecked) {
    if (isAtRest(each) && !isExposed(each)) continue;
    const address = addressOf(each.change.comparison.subject);
    moved.push({ address, by: 'server' });
  }
  return moved;
}

/** Whether the server holds what it held, as far as it shows. */
function isAtRest({ change, standing }: Rechecked): boolean {
  const wasHidden = change.comparison.state !== 'differs';
  return standing === 'unmoved' || (standing === 'hidden' && wasHidden);
}

/** Whether all users would see a secret that they did not see when it was planned. */
function isExposed({ change, risks }: Rechecked): boolean {
  const risk = 'exposes-secret';
  return risks.includes(risk) && !change.risks.includes(risk);
}

import type { Moved } from '../findings/apply.ts';
import { addressOf } from '../model/subject.ts';
import { sameContent } from '../model/value.ts';
import type { Comparison } from './compare.ts';
import type { ChangeDocument } from './plan.ts';
import type { Rechecked } from './recheck.ts';
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

/** The same for changes that a person was shown, as they are when they are read again. */
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

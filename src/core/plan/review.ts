import type { Moved } from '../findings/apply.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { DeclaredSecrecy } from '../model/secrecy.ts';
import { addressOf } from '../model/subject.ts';
import { sameContent } from '../model/value.ts';
import { type Comparison, sidesOf } from './compare.ts';
import { UNINSTALLED } from './outcome.ts';
import { type IntegrationPlan, NOTHING } from './plan.ts';
import type {
  ChangeDocument,
  IntegrationDocument,
  ServerDocument,
} from './plan-document.ts';

/** What a reviewer has seen of an integration. */
export interface Review {
  document: IntegrationDocument;
  /** The reviewed changes by their addresses. */
  changes: ReadonlyMap<string, ChangeDocument>;
}

/** The review of an integration. */
export function reviewOf(document: IntegrationDocument): Review {
  const { changes } = document;
  const byAddress = changes.map((change) => [change.address, change] as const);
  return { document, changes: new Map(byAddress) };
}

/**
 * What was a secret of an option when its plan was reviewed; it still is one.
 */
export function secrecyAtReview(
  { document, changes }: Review,
  option: string,
): DeclaredSecrecy | undefined {
  for (const kind of ['value', 'permission'] as const) {
    const subject = { kind, integration: document.name, option };
    const change = changes.get(addressOf(subject));
    const wasSecret = change?.secret || change?.ofSecret;
    if (wasSecret) return { isSecretByValue: true };
  }
  return undefined;
}

/**
 * Ends a plan of reviewed changes that is done, or no longer holds; else its
 * changes keep the labels that were reviewed.
 */
export function endByReview(
  plan: IntegrationPlan,
  { document, changes: reviewed }: Review,
  comparisons: readonly Comparison[],
): IntegrationPlan {
  if (document.changes.length === 0) return plan;
  if (document.name !== plan.name) {
    return staleAsWhole(document, UNPLANNED);
  }
  const planned = new Set<string>();
  const changes = plan.changes.map((change) => {
    const address = addressOf(change.comparison.subject);
    planned.add(address);
    // `decide` lets only reviewed fields be changes.
    const { label = change.label, base } = reviewed.get(address) ?? {};
    return { ...change, label, base };
  });
  const moved = movedSinceReview(document.changes, comparisons);
  if (moved.length > 0) {
    const lost = document.changes.filter(
      (change) => !planned.has(change.address),
    );
    const left = plan.left.filter(({ because }) => because !== 'settled');
    return { ...plan, changes, left, end: { kind: 'stale', moved }, lost };
  }
  const isDone = changes.length === 0;
  return { ...plan, changes, end: isDone ? { kind: 'done' } : undefined };
}

/**
 * What makes a plan stale: the reviewed changes of an integration that no
 * longer hold.
 */
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

/**
 * Who moved one of the two sides that were reviewed; undefined if both hold.
 */
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

/**
 * The plans of integrations that were reviewed, and are not planned any more.
 * `planned` has the ids of those that are.
 */
export function reviewedAndGone(
  { integrations }: ServerDocument,
  planned: ReadonlySet<string>,
  live: ReadonlyMap<string, LiveIntegration>,
): IntegrationPlan[] {
  const gone: IntegrationPlan[] = [];
  for (const document of integrations) {
    const { id, changes } = document;
    if (changes.length === 0 || planned.has(id)) continue;
    const detail = live.has(id) ? UNPLANNED : UNINSTALLED;
    gone.push(staleAsWhole(document, detail));
  }
  return gone;
}

export const UNPLANNED =
  'it is not planned any more under its name, or errors leave it out';

/** An integration that is not planned as it was reviewed. */
function staleAsWhole(
  { name, id, changes: lost }: IntegrationDocument,
  detail: string,
): IntegrationPlan {
  const end = { kind: 'stale', moved: [], detail } as const;
  return { ...NOTHING, name, id, status: null, lost, end };
}

import type { DeclaredSecrecy } from '../model/secrecy.ts';
import { addressOf } from '../model/subject.ts';
import type { Comparison } from './compare.ts';
import {
  type Change,
  type ChangeDocument,
  DONE,
  type IntegrationDocument,
  type IntegrationPlan,
  type LeftField,
} from './plan.ts';
import { movedSinceReview, staleAsWhole } from './stale.ts';

/** What a reviewer has seen of an integration. */
export interface Review {
  readonly document: IntegrationDocument;
  /** The reviewed changes by their addresses. */
  readonly changes: ReadonlyMap<string, ChangeDocument>;
}

/** The review of an integration. */
export function reviewOf(document: IntegrationDocument): Review {
  const changes = new Map<string, ChangeDocument>();
  for (const change of document.changes) changes.set(change.address, change);
  return { document, changes };
}

/** What was a secret of an option when its plan was reviewed; it still is one. */
export function secrecyAtReview(
  { document, changes }: Review,
  option: string,
): DeclaredSecrecy | undefined {
  for (const kind of ['value', 'permission'] as const) {
    const subject = { kind, integration: document.name, option };
    const change = changes.get(addressOf(subject));
    if (change === undefined) continue;
    if (change.secret || change.ofSecret) return { isSecretByValue: true };
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
    return staleAsWhole(document, { kind: 'other-name', now: plan.name });
  }
  const changes = withReviewedLabels(plan.changes, reviewed);
  const moved = movedSinceReview(document.changes, comparisons);
  if (moved.length === 0) {
    const left = [...plan.left, ...settledIn(reviewed, comparisons)];
    const end = changes.length === 0 ? DONE : undefined;
    return { ...plan, changes, left, end };
  }
  const planned = new Set<string>();
  for (const { comparison } of changes) {
    planned.add(addressOf(comparison.subject));
  }
  const lost = document.changes.filter(({ address }) => !planned.has(address));
  return { ...plan, changes, end: { kind: 'stale', moved }, lost };
}

/** The reviewed fields that hold already what was planned. */
function settledIn(
  reviewed: Review['changes'],
  comparisons: readonly Comparison[],
): LeftField[] {
  const settled: LeftField[] = [];
  for (const comparison of comparisons) {
    const { subject, state } = comparison;
    if (state !== 'same' || !reviewed.has(addressOf(subject))) continue;
    settled.push({ subject, because: 'settled', comparison });
  }
  return settled;
}

/** Gives changes the labels that a reviewer saw. */
function withReviewedLabels(
  changes: readonly Change[],
  reviewed: Review['changes'],
): Change[] {
  return changes.map((change) => {
    const address = addressOf(change.comparison.subject);
    // `decide` lets only reviewed fields be changes, so the label is always
    // there: `?? change` is for the compiler.
    const { label, base } = reviewed.get(address) ?? change;
    return { ...change, label, base };
  });
}

import type { Became } from '../findings/apply.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { DeclaredSecrecy } from '../model/secrecy.ts';
import { addressOf } from '../model/subject.ts';
import type { Comparison } from './compare.ts';
import {
  type Change,
  type ChangeDocument,
  type IntegrationDocument,
  type IntegrationPlan,
  NOTHING,
  type ServerDocument,
  type ServerPlan,
  type WriteEnd,
} from './plan.ts';
import { recheck } from './recheck.ts';
import { movedSinceReview, movedSinceShown } from './stale.ts';

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
    const isSecret = change.secret || change.risks.includes('exposes-secret');
    if (isSecret) return { isSecretByValue: true };
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
    const end = changes.length === 0 ? DONE : undefined;
    return { ...plan, changes, end };
  }
  const planned = new Set<string>();
  for (const { comparison } of changes) {
    planned.add(addressOf(comparison.subject));
  }
  const lost = document.changes.filter(({ address }) => !planned.has(address));
  return { ...plan, changes, end: { kind: 'stale', moved }, lost };
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

const DONE: WriteEnd = { kind: 'done' };

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
function staleAsWhole(
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

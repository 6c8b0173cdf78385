import type { Moved } from '../findings/apply.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Written } from './attempts.ts';
import { type Applied, notAttempted } from './attempts.ts';
import { afterText, type Compared, compareAgain, isOpen } from './compare.ts';
import { failureFindings, failuresOf } from './failures.ts';
import type { Outcome } from './outcome.ts';
import type { Change, IntegrationPlan, ServerPlan } from './plan.ts';

/** By id, each integration that was sent as it was read afterwards, or why it was not; one that is gone is missing. */
export type ReadBack = ReadonlyMap<string, LiveIntegration | string>;

/** Judges each integration by how its writing ended and by what the server then holds. */
export function judge(plan: ServerPlan, written: ReadonlyMap<string, Written>, readBack: ReadBack): Applied {
  const judged = plan.integrations.map((integration) => {
    const result = written.get(integration.id);
    if (result === undefined) return { integration, failures: [], diagnostics: [], empty: [] };
    return judgeOne(integration, result, readBack.get(integration.id));
  });
  const integrations = judged.map(({ integration }) => integration);
  const addresses = judged.flatMap(({ empty }) => empty);
  return {
    plan: { ...plan, integrations },
    diagnostics: [
      ...judged.flatMap(({ diagnostics }) => diagnostics),
      ...failureFindings(judged.flatMap(({ failures }) => failures)),
      ...(addresses.length === 0 ? [] : [diagnostic('hides-secrets', { addresses, isSent: true })]),
      ...notAttempted(integrations),
    ],
  };
}

function judgeOne(
  integration: IntegrationPlan,
  written: Written,
  read: LiveIntegration | string | undefined,
) {
  const compared = typeof read === 'string' ? undefined : compareAgain(integration, read);
  const empty = written.kind === 'acknowledged' ? (compared?.filter(readsEmpty) ?? []) : [];
  // A secret that was accepted and reads back empty is not shown.
  const states = compared?.map((each) =>
    empty.includes(each) ? { ...each, state: 'hidden' as const } : each,
  );
  const outcome = outcomeOf(integration, written, states);
  const unread = typeof read === 'string' ? read : '';
  const detail = 'detail' in written ? written.detail : unread;
  return {
    integration: { ...integration, outcome, changes: changesWith(integration, written, outcome, states) },
    failures: failuresOf(integration, written, outcome, states ?? [], detail),
    diagnostics: findings(integration, written, outcome, states ?? []),
    empty: empty.map(({ change }) => change.address),
  };
}

/** The changes with what became of each: one that is not shown does not make others of its integration unverified. */
function changesWith(
  { changes }: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly Compared[] | undefined,
): readonly Change[] {
  const hidden = written.kind === 'acknowledged' ? 'sent' : outcome;
  const outcomes = { planned: 'verified', hidden, unmoved: outcome, other: outcome } as const;
  return states?.map(({ change, state }) => ({ ...change, outcome: outcomes[state] })) ?? changes;
}

function readsEmpty({ change, open }: Compared): boolean {
  return change.field === 'value' && change.sensitive && open?.before === null && !open.unreadable;
}

/** Whether another reading may tell more of an integration: it was not read, or does not show what may have been written. */
export function isUnsettled(
  integration: IntegrationPlan,
  written: Written | undefined,
  read: LiveIntegration | string | undefined,
): boolean {
  if (typeof read === 'string') return true;
  const mayHold = written?.kind === 'acknowledged' || written?.kind === 'unclear';
  return mayHold && compareAgain(integration, read).some(isOpen);
}

/** `states` is what was read afterwards; absent if that failed. */
function outcomeOf(
  { blocked }: IntegrationPlan,
  written: Written,
  states: readonly Compared[] | undefined,
): Outcome {
  if (written.kind === 'stale' || written.kind === 'not-attempted') return written.kind;
  if (written.kind === 'done') return 'verified';
  const refusal = blocked ? 'blocked' : 'failed';
  if (states === undefined) return written.kind === 'refused' ? refusal : 'unknown';
  const isAccepted = written.kind === 'refused' && written.accepted === true;
  if (!isAccepted && states.every(({ state }) => state === 'planned')) return 'verified';
  if (written.kind === 'acknowledged') return states.some(isOpen) ? 'not-converged' : 'sent';
  if (written.kind === 'refused') return refusal;
  return states.some(({ state }) => state === 'hidden') ? 'unknown' : 'failed';
}

function findings(
  integration: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly Compared[],
): Diagnostic[] {
  if (written.kind === 'stale') return [staleFinding(integration, written.moved)];
  if (outcome !== 'not-converged') return [];
  const open = states.filter(isOpen);
  const held = open.map(({ change, now }) => ({ address: change.address, before: afterText(change), now }));
  const place = (open[0]?.change ?? integration.changes[0])?.setting.place;
  return [diagnostic('not-converged', { integration: integration.name, held }, place)];
}

/** The finding for an integration that is not written because it is no longer as reviewed. */
export function staleFinding(
  { name: integration, changes }: Pick<IntegrationPlan, 'name' | 'changes'>,
  moved: readonly Moved[],
): Diagnostic {
  const addresses = new Set(moved.map(({ address }) => address));
  const first = changes.find(({ address }) => addresses.has(address));
  return diagnostic('stale', { integration, moved }, first?.setting.place);
}

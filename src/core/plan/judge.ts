import type { Moved } from '../findings/apply.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { LiveIntegration } from '../model/live.ts';
import { type Applied, notAttempted } from './attempts.ts';
import { failureFindings, failuresOf } from './failures.ts';
import { afterWords, type FieldState, isOpen, statesOf } from './field-state.ts';
import type { Outcome } from './outcome.ts';
import type { Change, IntegrationPlan, ServerPlan } from './plan.ts';
import type { Written } from './written.ts';

/** By id, each integration that was sent as it was read afterwards, or why it was not; one that is gone is missing. */
export type ReadBack = ReadonlyMap<string, LiveIntegration | string>;

/** Judges each integration by how its writing ended and by what the server then holds. */
export function judge(plan: ServerPlan, written: ReadonlyMap<string, Written>, readBack: ReadBack): Applied {
  const judged = plan.integrations.map((integration) => {
    const result = written.get(integration.id);
    if (result === undefined) return { integration, failures: [], diagnostics: [] };
    return judgeOne(integration, result, readBack.get(integration.id));
  });
  const integrations = judged.map(({ integration }) => integration);
  return {
    plan: { ...plan, integrations },
    diagnostics: [
      ...judged.flatMap(({ diagnostics }) => diagnostics),
      ...failureFindings(judged.flatMap(({ failures }) => failures)),
      ...emptySecrets(integrations, readBack),
      ...notAttempted(integrations),
    ],
  };
}

function judgeOne(
  integration: IntegrationPlan,
  written: Written,
  read: LiveIntegration | string | undefined,
) {
  const unread = typeof read === 'string' ? read : undefined;
  const states = typeof read === 'string' ? undefined : statesAfter(integration, written, read);
  const outcome = outcomeOf(integration, written, states);
  const detail = 'detail' in written ? written.detail : (unread ?? '');
  const failures = failuresOf(integration, written, outcome, states ?? [], detail);
  const diagnostics = findings(integration, written, outcome, states ?? []);
  const changes = states?.map(judgedChange(written, outcome)) ?? integration.changes;
  return { integration: { ...integration, changes, outcome }, failures, diagnostics };
}

/** Each change with what became of it: one that is not shown does not make others of its integration unverified. */
function judgedChange(written: Written, outcome: Outcome): (state: FieldState) => Change {
  const untold = written.kind === 'acknowledged' ? 'sent' : outcome;
  const outcomes = { after: 'verified', untold, before: outcome, other: outcome } as const;
  return ({ change, state }) => ({ ...change, outcome: outcomes[state] });
}

/** Whether another reading may tell more of an integration: it was not read, or does not show what may have been written. */
export function isUnsettled(
  integration: IntegrationPlan,
  written: Written | undefined,
  read: LiveIntegration | string | undefined,
): boolean {
  if (typeof read === 'string') return true;
  const mayHold = written?.kind === 'acknowledged' || written?.kind === 'unclear';
  return mayHold && statesOf(integration, read).some(isOpen);
}

/** One finding for all secrets that the server took and that read back empty. */
function emptySecrets(integrations: readonly IntegrationPlan[], readBack: ReadBack): Diagnostic[] {
  const addresses = integrations.flatMap(({ id, changes }) =>
    changes
      .filter((change) => change.outcome === 'sent' && readsEmpty(change, readBack.get(id)))
      .map(({ address }) => address),
  );
  return addresses.length === 0 ? [] : [diagnostic('hides-secrets', { addresses, isSent: true })];
}

/** Whether a change of a secret reads back empty. */
function readsEmpty(change: Change, live: LiveIntegration | string | undefined): boolean {
  if (change.field !== 'value' || !change.sensitive || typeof live === 'string') return false;
  return live?.options.get(change.option)?.value.kind === 'empty';
}

/** The state of each change; a secret that was accepted and reads back empty cannot be told. */
function statesAfter(
  integration: IntegrationPlan,
  written: Written,
  read: LiveIntegration | undefined,
): readonly FieldState[] {
  const states = statesOf(integration, read);
  if (written.kind !== 'acknowledged') return states;
  return states.map((each) =>
    isOpen(each) && readsEmpty(each.change, read) ? { ...each, state: 'untold' } : each,
  );
}

/** `states` is what was read afterwards; absent where that failed. */
function outcomeOf(
  integration: IntegrationPlan,
  written: Written,
  states: readonly FieldState[] | undefined,
): Outcome {
  if (written.kind === 'stale' || written.kind === 'not-attempted') return written.kind;
  if (written.kind === 'done') return 'verified';
  if (states === undefined) return written.kind === 'refused' ? refusal(integration) : 'unknown';
  const isAccepted = written.kind === 'refused' && written.accepted === true;
  if (!isAccepted && states.every(({ state }) => state === 'after')) return 'verified';
  if (written.kind === 'acknowledged') return states.some(isOpen) ? 'not-converged' : 'sent';
  if (written.kind === 'refused') return refusal(integration);
  return states.some(({ state }) => state === 'untold') ? 'unknown' : 'failed';
}

function refusal(integration: IntegrationPlan): Outcome {
  return integration.blocked ? 'blocked' : 'failed';
}

function findings(
  { name: integration, changes }: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly FieldState[],
): Diagnostic[] {
  if (outcome === 'stale' && written.kind === 'stale')
    return [staleFinding({ name: integration, changes }, written.moved)];
  if (outcome !== 'not-converged') return [];
  const open = states.filter(isOpen);
  const place = (open[0]?.change ?? changes[0])?.source;
  return [diagnostic('not-converged', { integration, held: open.map(heldInstead) }, place)];
}

/** The finding for an integration that is not written because it is no longer as reviewed. */
export function staleFinding(
  { name: integration, changes }: Pick<IntegrationPlan, 'name' | 'changes'>,
  moved: readonly Moved[],
): Diagnostic {
  const addresses = new Set(moved.map(({ address }) => address));
  const first = changes.find(({ address }) => addresses.has(address));
  return diagnostic('stale', { integration, moved }, first?.source);
}

function heldInstead({ change, now }: FieldState) {
  return { address: change.address, before: afterWords(change), now };
}

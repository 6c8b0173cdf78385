import type { Moved } from '../findings/apply.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Reached } from '../findings/words.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import type { Fingerprint } from './fingerprint.ts';
import { afterWords, nowWords } from './moved.ts';
import { OUTCOMES, type Outcome } from './outcome.ts';
import type { IntegrationPlan, ServerPlan } from './plan.ts';
import { type FieldState, statesOf } from './state.ts';

/** How the writing of one integration ended. */
export type Written =
  | { readonly kind: 'acknowledged' }
  /** Nothing was left to write: it was read at its planned values. */
  | { readonly kind: 'done' }
  /** The server refused, or the request never left: what was refused is not there. */
  | {
      readonly kind: 'refused';
      readonly detail: string;
      readonly reasons?: readonly Reason[];
      /** True where the account may not do it. */
      readonly forbidden?: true;
    }
  /** No usable answer: it may or may not have been done. */
  | { readonly kind: 'unclear'; readonly detail: string }
  | { readonly kind: 'stale'; readonly moved: readonly Moved[] }
  | { readonly kind: 'not-attempted' };

/** One thing that a server said of a refused request, at the place in the YAML that it points at. */
export interface Reason {
  readonly text: string;
  readonly place?: Place;
}

/** The result of an apply: the plan with its outcomes, and a finding for each integration that is not as desired. */
export interface Applied {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Judges each integration by how its writing ended and by what the server then holds. `readBack` has the touched
 * integrations as they were read afterwards, or the reason why they could not be read.
 */
export function judge(
  plan: ServerPlan,
  written: ReadonlyMap<string, Written>,
  readBack: ReadonlyMap<string, LiveIntegration> | string,
  fingerprint: Fingerprint,
): Applied {
  const unread = typeof readBack === 'string' ? readBack : '';
  const judged = plan.integrations.map((integration) => {
    const result = written.get(integration.id);
    if (result === undefined) return { integration, diagnostics: [] };
    const states =
      typeof readBack === 'string'
        ? undefined
        : statesOf(integration, readBack.get(integration.id), fingerprint);
    const outcome = outcomeOf(integration, result, states);
    const detail = 'detail' in result ? result.detail : unread;
    const diagnostics = findings(integration, result, outcome, states ?? [], detail);
    return { integration: { ...integration, outcome }, diagnostics };
  });
  const integrations = judged.map(({ integration }) => integration);
  const forbidden = forbiddenAltogether([...written.values()]);
  const found = forbidden ?? judged.flatMap(({ diagnostics }) => diagnostics);
  return { plan: { ...plan, integrations }, diagnostics: [...found, ...notAttempted(integrations)] };
}

/** An account that may write nothing is one finding, however much it was to write; undefined where it may. */
function forbiddenAltogether(written: readonly Written[]): readonly Diagnostic[] | undefined {
  const attempts = written.filter(({ kind }) => kind !== 'not-attempted');
  const [first] = attempts.flatMap((each) => (each.kind === 'refused' && each.forbidden ? [each] : []));
  const isAll = attempts.every((each) => each.kind === 'refused' && each.forbidden === true);
  if (first === undefined || !isAll) return undefined;
  const detail = first.reasons?.[0]?.text;
  const told = detail === undefined ? {} : { detail };
  return [diagnostic('not-permitted', { request: 'PATCH', ...told })];
}

/** All that was not attempted, as one finding: after an interruption it can be nearly everything. */
function notAttempted(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const names = integrations.filter(({ outcome }) => outcome === 'not-attempted').map(({ name }) => name);
  return names.length === 0 ? [] : [diagnostic('not-attempted', { integrations: names })];
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
  if (states.every(({ state }) => state === 'after')) return 'verified';
  if (written.kind === 'acknowledged') return states.some(isOpen) ? 'not-converged' : 'sent';
  if (written.kind === 'refused') return refusal(integration);
  return states.some(isOpen) ? 'failed' : 'unknown';
}

function isOpen({ state }: FieldState): boolean {
  return state === 'before' || state === 'other';
}

function refusal(integration: IntegrationPlan): Outcome {
  return integration.blocked ? 'blocked' : 'failed';
}

function findings(
  { name: integration, changes }: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  states: readonly FieldState[],
  detail: string,
): Diagnostic[] {
  const open = states.filter(isOpen);
  const place = (open[0]?.change ?? changes[0])?.source;
  switch (outcome) {
    case 'verified':
    case 'sent':
    case 'not-attempted':
      return [];
    case 'not-converged':
      return [diagnostic('not-converged', { integration, moved: open.map(heldInstead) }, place)];
    case 'stale':
      return written.kind === 'stale' ? [staleFinding({ name: integration, changes }, written.moved)] : [];
    case 'unknown': {
      const acknowledged = written.kind === 'acknowledged';
      return [diagnostic('apply-unknown', { integration, detail, acknowledged }, place)];
    }
    case 'blocked':
    case 'failed': {
      const taken = states.flatMap(({ change, state }) => (state === 'after' ? [change.address] : []));
      // Of several changes the first is not the culprit just because nobody says which one is.
      const likely = changes.length === 1 || open.length === 1 ? place : undefined;
      return reasonsOf(written, detail).map((reason) =>
        diagnostic(`apply-${outcome}`, { integration, detail: reason.text, taken }, reason.place ?? likely),
      );
    }
  }
}

/** An integration that is not written because it is no longer as reviewed. */
export function staleFinding(
  { name: integration, changes }: Pick<IntegrationPlan, 'name' | 'changes'>,
  moved: readonly Moved[],
): Diagnostic {
  const first = changes.find(({ address }) => address === moved[0]?.address) ?? changes[0];
  return diagnostic('stale', { integration, moved }, first?.source);
}

function heldInstead(field: FieldState): Moved {
  const { change } = field;
  return { address: change.address, before: afterWords(change), now: nowWords(field) };
}

/** Every reason that the server gave; what is known otherwise where it gave none. */
function reasonsOf(written: Written, detail: string): readonly Reason[] {
  const reasons = written.kind === 'refused' ? (written.reasons ?? []) : [];
  return reasons.length > 0 ? reasons : [{ text: detail }];
}

/** How far an apply came on all its servers; undefined where nothing was begun. What is not as desired is not applied. */
export function reachedBy(plans: readonly ServerPlan[]): Reached | undefined {
  const judged = plans.flatMap(({ name: server, integrations }) =>
    integrations.flatMap(({ name, outcome }) =>
      outcome === undefined ? [] : [{ name: plans.length > 1 ? `${name} on ${server}` : name, outcome }],
    ),
  );
  if (judged.length === 0) return undefined;
  const counted = (heading: (typeof OUTCOMES)[Outcome]['countsAs']) =>
    judged.filter(({ outcome }) => OUTCOMES[outcome].countsAs === heading).map(({ name }) => name);
  return {
    applied: counted('applied'),
    notApplied: counted('notApplied'),
    unknown: counted('unknown'),
  };
}

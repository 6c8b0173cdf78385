import type { Moved } from '../findings/apply.ts';
import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { Reached } from '../findings/words.ts';
import type { LiveIntegration } from '../model/live.ts';
import type { Place } from '../model/place.ts';
import type { Fingerprint } from './fingerprint.ts';
import { heldInstead } from './moved.ts';
import { OUTCOMES, type Outcome } from './outcome.ts';
import type { IntegrationPlan, ServerPlan } from './plan.ts';
import { type ChangeState, statesOf } from './state.ts';

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

/** What an apply has come to: the plan with its outcomes, and a finding for each integration that is not as desired. */
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
    const found =
      typeof readBack === 'string'
        ? undefined
        : readBackOf(integration, readBack.get(integration.id), fingerprint);
    const outcome = outcomeOf(integration, result, found);
    const diagnostics = findings(integration, result, outcome, found ?? { ...NOTHING_READ, unread });
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

/** What a later reading says of the planned changes: those that took, those that did not, and those that it cannot tell. */
interface ReadBack {
  readonly taken: readonly string[];
  readonly open: readonly string[];
  readonly untold: readonly string[];
  /** What stands in the place of what was written. */
  readonly instead: readonly Moved[];
  /** Why nothing could be read; empty where it could. */
  readonly unread: string;
}

const NOTHING_READ: ReadBack = { taken: [], open: [], untold: [], instead: [], unread: '' };

function readBackOf(
  integration: IntegrationPlan,
  live: LiveIntegration | undefined,
  fingerprint: Fingerprint,
): ReadBack {
  const states = statesOf(integration, live, fingerprint);
  const among = (...wanted: readonly ChangeState[]) =>
    [...states].flatMap(([address, state]) => (wanted.includes(state) ? [address] : []));
  const open = among('before', 'other');
  return {
    taken: among('after'),
    open,
    untold: among('untold'),
    instead: heldInstead(integration, open, live, fingerprint),
    unread: '',
  };
}

/** All that was not attempted, as one finding: after an interruption it can be nearly everything. */
function notAttempted(integrations: readonly IntegrationPlan[]): Diagnostic[] {
  const names = integrations.filter(({ outcome }) => outcome === 'not-attempted').map(({ name }) => name);
  return names.length === 0 ? [] : [diagnostic('not-attempted', { integrations: names })];
}

function outcomeOf(integration: IntegrationPlan, written: Written, found: ReadBack | undefined): Outcome {
  if (written.kind === 'stale' || written.kind === 'not-attempted') return written.kind;
  if (written.kind === 'done') return 'verified';
  if (found === undefined) return written.kind === 'refused' ? refusal(integration) : 'unknown';
  if (found.open.length === 0 && found.untold.length === 0) return 'verified';
  if (written.kind === 'acknowledged') return found.open.length === 0 ? 'sent' : 'not-converged';
  if (written.kind === 'refused') return refusal(integration);
  return found.open.length > 0 ? 'failed' : 'unknown';
}

function refusal(integration: IntegrationPlan): Outcome {
  return integration.blocked ? 'blocked' : 'failed';
}

function findings(
  integration: IntegrationPlan,
  written: Written,
  outcome: Outcome,
  found: ReadBack,
): Diagnostic[] {
  const { name, changes } = integration;
  const detail = 'detail' in written ? written.detail : found.unread;
  const stuck = changes.find(({ address }) => found.open.includes(address)) ?? changes[0];
  const place = stuck?.source;
  switch (outcome) {
    case 'verified':
    case 'sent':
    case 'not-attempted':
      return [];
    case 'not-converged':
      return [diagnostic('not-converged', { integration: name, moved: found.instead }, place)];
    case 'stale': {
      const moved = written.kind === 'stale' ? written.moved : [];
      return [diagnostic('stale', { integration: name, moved }, placeOf(changes, moved) ?? place)];
    }
    case 'unknown':
      return [
        diagnostic(
          'apply-unknown',
          { integration: name, detail, acknowledged: written.kind === 'acknowledged' },
          place,
        ),
      ];
    case 'blocked':
    case 'failed':
      return reasonsOf(written, detail).map((reason) => {
        const facts = { integration: name, detail: reason.text, taken: found.taken };
        // Of several changes the first is not the culprit just because nobody says which one is.
        const likely = changes.length === 1 || found.open.length === 1 ? place : undefined;
        return diagnostic(`apply-${outcome}`, facts, reason.place ?? likely);
      });
  }
}

/** Every reason that the server gave; what is known otherwise where it gave none. */
function reasonsOf(written: Written, detail: string): readonly Reason[] {
  const reasons = written.kind === 'refused' ? (written.reasons ?? []) : [];
  return reasons.length > 0 ? reasons : [{ text: detail }];
}

/** The place of the first field that moved. */
function placeOf(changes: IntegrationPlan['changes'], moved: readonly Moved[]): Place | undefined {
  return changes.find(({ address }) => address === moved[0]?.address)?.source;
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

import { type Diagnostic, diagnostic } from '../diagnostic.ts';
import type { IntegrationPlan, Outcome, ServerPlan } from './plan.ts';

/** How the writing of one integration ended. */
export type Written =
  | { readonly kind: 'acknowledged' }
  /** The server refused, or the request never left: what was refused is not there. */
  | { readonly kind: 'refused'; readonly detail: string }
  /** No usable answer: it may or may not have been done. */
  | { readonly kind: 'unclear'; readonly detail: string }
  | { readonly kind: 'stale'; readonly addresses: readonly string[] }
  | { readonly kind: 'not-attempted' };

/** What an apply has come to: the plan with its outcomes, and a finding for each integration that is not as desired. */
export interface Applied {
  readonly plan: ServerPlan;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Judges each integration by how its writing ended and by what the server then holds. `readBack` is a new plan of the
 * same configuration, undefined where it could not be made.
 */
export function judge(
  plan: ServerPlan,
  written: ReadonlyMap<string, Written>,
  readBack: ServerPlan | undefined,
): Applied {
  const after = new Map(readBack?.integrations.map((integration) => [integration.id, integration]));
  const judged = plan.integrations.map((integration) => {
    const result = written.get(integration.id);
    if (result === undefined) return { integration, diagnostics: [] };
    const found = readBack === undefined ? undefined : readBackOf(integration, after.get(integration.id));
    const outcome = outcomeOf(integration, result, found);
    return {
      integration: { ...integration, outcome },
      diagnostics: findings(integration, result, outcome, found?.open ?? []),
    };
  });
  return {
    plan: { ...plan, integrations: judged.map(({ integration }) => integration) },
    diagnostics: judged.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** What a later reading says of the planned changes: the addresses that still differ, and those that it cannot tell. */
interface ReadBack {
  readonly open: readonly string[];
  readonly untold: readonly string[];
}

function readBackOf(planned: IntegrationPlan, later: IntegrationPlan | undefined): ReadBack {
  const addresses = planned.changes.map(({ address }) => address);
  if (later === undefined) return { open: addresses, untold: [] };
  const differing = new Set(later.changes.map(({ address }) => address));
  const untold = new Set(later.cannotTell.map(({ address }) => address));
  return {
    open: addresses.filter((address) => differing.has(address)),
    untold: addresses.filter((address) => untold.has(address)),
  };
}

/** A masked secret that the server acknowledged is as good as it can be told; without the acknowledgement nobody knows. */
function outcomeOf(integration: IntegrationPlan, written: Written, found: ReadBack | undefined): Outcome {
  if (written.kind === 'stale' || written.kind === 'not-attempted') return written.kind;
  if (found === undefined) return written.kind === 'refused' ? refusal(integration) : 'unknown';
  if (written.kind === 'acknowledged') return found.open.length === 0 ? 'verified' : 'not-converged';
  if (found.open.length === 0 && found.untold.length === 0) return 'verified';
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
  open: readonly string[],
): Diagnostic[] {
  const facts = {
    integration: integration.name,
    detail: 'detail' in written ? written.detail : 'it could not be read back',
  };
  const place = integration.changes[0]?.source;
  switch (outcome) {
    case 'verified':
      return [];
    case 'not-converged':
      return [diagnostic('not-converged', { integration: integration.name, addresses: open }, place)];
    case 'stale':
      return [
        diagnostic(
          'stale',
          { integration: integration.name, addresses: 'addresses' in written ? written.addresses : [] },
          place,
        ),
      ];
    case 'not-attempted':
      return [diagnostic('not-attempted', { integration: integration.name }, place)];
    case 'blocked':
      return [diagnostic('apply-blocked', facts, place)];
    case 'unknown':
      return [diagnostic('apply-unknown', facts, place)];
    case 'failed':
      return [diagnostic('apply-failed', facts, place)];
  }
}

/** The addresses in which a touched field is no longer what the plan saw; by integration id, those that moved only. */
export function movedSince(plan: ServerPlan, fresh: ServerPlan): ReadonlyMap<string, readonly string[]> {
  const now = new Map(fresh.integrations.map((integration) => [integration.id, integration]));
  return new Map(
    plan.integrations.flatMap((integration): [string, string[]][] => {
      const later = new Map(
        now.get(integration.id)?.changes.map((change) => [change.address, JSON.stringify(change)]),
      );
      const moved = integration.changes.filter(
        (change) => later.get(change.address) !== JSON.stringify(change),
      );
      return moved.length === 0 ? [] : [[integration.id, moved.map(({ address }) => address)]];
    }),
  );
}

import { grouped } from '../model/grouped.ts';
import type { Change, IntegrationPlan } from '../plan/plan.ts';

/** The same changes in several integrations. */
export interface SharedChanges {
  readonly integrations: readonly IntegrationPlan[];
  /** As the first of them has them. */
  readonly changes: readonly Change[];
}

/** Changes that many integrations share, and the integrations with what is left of their own. */
interface Folded {
  readonly shared: readonly SharedChanges[];
  readonly own: readonly IntegrationPlan[];
}

/** From so many integrations on, the same change is shown once. */
const SHARED_FROM = 4;

/** Finds the changes that several integrations share, and gathers those that the same integrations share. */
export function foldChanges(integrations: readonly IntegrationPlan[]): Folded {
  const all = integrations.flatMap((integration) =>
    integration.changes.map((change) => ({ integration, change, key: keyOf(change, integration) })),
  );
  const many = [...grouped(all, ({ key }) => key)].filter(([, { length }]) => length >= SHARED_FROM);
  const keys = new Set(many.map(([key]) => key));
  const blocks = grouped(many, ([, found]) => JSON.stringify(found.map(({ integration }) => integration.id)));
  const shared = [...blocks.values()].map((block) => ({
    integrations: block[0]?.[1].map(({ integration }) => integration) ?? [],
    changes: block.flatMap(([, found]) => found[0]?.change ?? []),
  }));
  const own = integrations.map((integration) => ({
    ...integration,
    changes: integration.changes.filter((change) => !keys.has(keyOf(change, integration))),
  }));
  return { shared, own };
}

/** What a person would read of a change and of its integration, but for their names. */
function keyOf(change: Change, integration: IntegrationPlan): string {
  const { address, source: _, ...rest } = change;
  // Two secrets are the same only where both are references to one.
  const isUntold = change.field === 'value' && change.sensitive && change.reference === undefined;
  const { ...words } = rest;
  const name = isUntold ? address : fieldName(address, integration);
  return JSON.stringify([name, words, integration.blocked && integration.status, integration.outcome]);
}

/** A field's address inside its integration, without the word that all options share. */
export function fieldName(address: string, { name }: Pick<IntegrationPlan, 'name'>): string {
  return address.slice(name.length + 1).replace(/^options\./, '');
}

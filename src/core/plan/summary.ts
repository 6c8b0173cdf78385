import type { IntegrationPlan, PlanSummary } from './plan.ts';
import { requestsOf } from './requests.ts';

/** The counts of the plans of managed integrations; `reads` is how many requests it took to read them. */
export function summarise(integrations: readonly IntegrationPlan[], reads: number): PlanSummary {
  const sum = (count: (integration: IntegrationPlan) => number) =>
    integrations.reduce((total, each) => total + count(each), 0);
  return {
    managed: integrations.length,
    changed: sum(({ changes }) => (changes.length > 0 ? 1 : 0)),
    changes: sum(({ changes }) => changes.length),
    unmanagedOptions: sum(({ unmanagedOptions }) => unmanagedOptions),
    reads,
    writes: sum((integration) => requestsOf(integration).length),
  };
}

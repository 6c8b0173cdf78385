import type { IntegrationPlan, ServerPlan } from './plan.ts';

/**
 * Whether errors keep all integrations of all servers from being planned: then
 * there is nothing to show.
 */
export function isNothingPlanned(servers: readonly ServerPlan[]): boolean {
  const all = servers.flatMap(({ integrations }) => integrations);
  return all.length > 0 && all.every(({ unplanned }) => unplanned === true);
}

/** What is counted beside the integrations. */
interface OtherCounts {
  managed: number;
  reads: number;
  unmanagedOptions?: number | undefined;
  unmanagedIntegrations?: number | undefined;
}

/** What the integrations of a plan add up to. */
export function summaryOf(
  integrations: readonly IntegrationPlan[],
  others: OtherCounts,
): ServerPlan['summary'] {
  const { managed, reads } = others;
  const { unmanagedOptions = 0, unmanagedIntegrations = 0 } = others;
  const left = { hidden: 0, unread: 0, waived: 0, settled: 0, released: 0 };
  let changed = 0;
  let changes = 0;
  let writes = 0;
  for (const integration of integrations) {
    const { changes: written, shown = [] } = integration;
    const differing = written.length + shown.length;
    changes += differing;
    if (differing > 0) changed += 1;
    const kinds = written.map(({ comparison }) => comparison.subject.kind);
    // The subscription has a request of its own.
    writes += new Set(kinds.map((kind) => kind === 'autosubscribe')).size;
    for (const { because } of integration.left) {
      if (because !== 'not-reviewed') left[because] += 1;
    }
  }
  return {
    managed,
    changed,
    changes,
    left,
    unmanagedOptions,
    unmanagedIntegrations,
    reads,
    writes,
  };
}

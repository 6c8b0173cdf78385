import type { LiveIntegration } from '../model/live.ts';
import { present } from '../model/present.ts';
import type { HeldField } from './diff.ts';
import type { Label } from './label.ts';
import type { Origins } from './origins.ts';
import type { IntegrationPlan, PlanSummary } from './plan.ts';
import { requestsOf } from './requests.ts';

/** What the counts of a plan take from what it is made from. */
interface Counted {
  readonly live: readonly LiveIntegration[];
  readonly reads: number;
  readonly origins?: Origins | undefined;
}

/** The counts of a plan; `all` has the released integrations too. */
export function summarise(
  planned: readonly { readonly plan: IntegrationPlan; readonly held: readonly HeldField[] }[],
  all: readonly IntegrationPlan[],
  { live, reads, origins }: Counted,
): PlanSummary {
  const integrations = planned.map(({ plan }) => plan);
  const { managed, changed, changes, blocked, cannotTell, unmanagedOptions, waived, writes } =
    countsOf(integrations);
  return {
    managed,
    managedInAll: managed,
    ...{ changed, changes, blocked, cannotTell },
    asDesired: planned.reduce((total, { held }) => total + held.length, 0),
    unmanagedOptions,
    unmanagedIntegrations: live.length - managed,
    ...(origins === undefined ? {} : { labels: labelCounts(all) }),
    ...present({ waived }),
    reads,
    writes,
  };
}

/** The counts of managed integrations that their plans alone tell. */
function countsOf(integrations: readonly IntegrationPlan[]) {
  const sum = (count: (integration: IntegrationPlan) => number) =>
    integrations.reduce((total, each) => total + count(each), 0);
  return {
    managed: integrations.length,
    changed: sum(({ changes }) => (changes.length > 0 ? 1 : 0)),
    changes: sum(({ changes }) => changes.length),
    blocked: sum(({ blocked }) => (blocked ? 1 : 0)),
    cannotTell: sum(({ cannotTell }) => cannotTell.length),
    unmanagedOptions: sum(({ unmanagedOptions }) => unmanagedOptions),
    waived: sum(({ waived = [] }) => waived.length) || undefined,
    writes: sum((integration) => requestsOf(integration).length),
  };
}

/** How many fields have each label; `integrations` has the released ones too. */
function labelCounts(integrations: readonly IntegrationPlan[]): PlanSummary['labels'] {
  const labels = integrations.flatMap(({ changes, noted = [] }) =>
    [...changes, ...noted].map(({ label }): Label => label),
  );
  const counted = (label: Label) => labels.filter((each) => each === label).length;
  return {
    change: counted('change'),
    conflict: counted('conflict'),
    drift: counted('drift'),
    settled: counted('settled'),
    released: counted('released'),
  };
}

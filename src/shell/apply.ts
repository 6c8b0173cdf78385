import pMap from 'p-map';
import { explain } from '../core/catalogue.ts';
import type { Written } from '../core/plan/outcome.ts';
import type { IntegrationPlan } from '../core/plan/plan.ts';
import type { Planned } from '../core/plan/plan-server.ts';
import { encodeRequests } from '../core/plan/requests.ts';
import { findingOf } from './connection.ts';
import type { Api } from './http/api.ts';
import { ExchangeError } from './http/exchange-error.ts';
import type { Run } from './run.ts';

/** How an apply goes on when an integration fails. */
export interface WriteOptions {
  readonly failFast: boolean;
}

/**
 * Sends the requests of a plan, several integrations side by side, those that do not run last. Decides nothing: what is
 * sent is in the plan. `moved` names integrations that are left alone because they changed since they were planned.
 */
export async function writePlan(
  run: Run,
  api: Api,
  { plan, withheld }: Planned,
  moved: ReadonlyMap<string, readonly string[]>,
  options: WriteOptions,
): Promise<ReadonlyMap<string, Written>> {
  run.interruption.startWriting();
  const touched = plan.integrations.filter(({ changes }) => changes.length > 0);
  const state = { done: 0, failed: false };
  const write = async (integration: IntegrationPlan): Promise<[string, Written]> => {
    const addresses = moved.get(integration.id);
    if (addresses !== undefined) return [integration.id, { kind: 'stale', addresses }];
    if (run.interruption.stopping.aborted || (options.failFast && state.failed))
      return [integration.id, { kind: 'not-attempted' }];
    const written = await writeOne(api, integration, withheld);
    state.done += 1;
    state.failed ||= written.kind !== 'acknowledged';
    run.talk.progress(`Applying: ${state.done} of ${touched.length} integrations`);
    return [integration.id, written];
  };
  const running = await pMap(
    touched.filter(({ blocked }) => !blocked),
    write,
    { concurrency: api.concurrency },
  );
  const stopped = await pMap(
    touched.filter(({ blocked }) => blocked),
    write,
    { concurrency: api.concurrency },
  );
  return new Map([...running, ...stopped]);
}

/** Sends the requests of one integration in their order; where one does not end well the next is not sent. */
async function writeOne(
  api: Api,
  integration: IntegrationPlan,
  withheld: Planned['withheld'],
): Promise<Written> {
  for (const request of encodeRequests(integration, withheld)) {
    try {
      await api.patch(request);
    } catch (thrown) {
      const detail = explain(findingOf(thrown)).message;
      const isRefusal =
        thrown instanceof ExchangeError && (thrown.phase === 'refused' || thrown.phase === 'not-sent');
      return { kind: isRefusal ? 'refused' : 'unclear', detail };
    }
  }
  return { kind: 'acknowledged' };
}

import pMap from 'p-map';
import { withOptions } from '../../core/live/integration.ts';
import type { DesiredIntegration, DesiredState, LiveIntegration } from '../../core/model.ts';
import type { Api } from './api.ts';

/** Where a server keeps the values of options that its list does not hold. */
type Source = 'detail' | 'options';

/**
 * The listed integrations with the values of all managed options. Where the list lacks them, each managed integration is
 * read on its own: by its detail, or by its options, whichever the server was found to fill.
 */
export async function completeLive(
  api: Api,
  listed: readonly LiveIntegration[],
  desired: DesiredState,
): Promise<readonly LiveIntegration[]> {
  const byId = new Map(listed.map((integration) => [integration.id, integration]));
  const wanting = desired.integrations.flatMap((each) => {
    const live = byId.get(each.id);
    return live !== undefined && lacks(each, live) ? [{ desired: each, live }] : [];
  });
  const [first, ...rest] = wanting;
  if (first === undefined) return listed;
  const probed = await probe(api, first.desired, first.live);
  const completed = await pMap(
    rest,
    async ({ desired: each, live }) => {
      if (probed.source === undefined) return (await probe(api, each, live)).integration;
      return readFrom[probed.source](api, each, live);
    },
    { concurrency: api.concurrency },
  );
  const found = new Map(
    [probed.integration, ...completed].map((integration) => [integration.id, integration]),
  );
  return listed.map((integration) => found.get(integration.id) ?? integration);
}

/** Whether a managed field was not among what the list told. */
function lacks(desired: DesiredIntegration, live: LiveIntegration): boolean {
  const silentAutosubscribe = desired.autosubscribe !== undefined && live.autosubscribe === undefined;
  return silentAutosubscribe || lacksOptions(desired, live);
}

/** An option that other options were told without, and that is not linked either, does not exist: no reading finds it. */
function lacksOptions(desired: DesiredIntegration, live: LiveIntegration): boolean {
  return desired.options.some(
    ({ key }) => !live.options.has(key) && (live.options.size === 0 || live.optionKeys.includes(key)),
  );
}

/** Finds where this server keeps the values: the detail is asked first, then the options. */
async function probe(
  api: Api,
  desired: DesiredIntegration,
  live: LiveIntegration,
): Promise<{ source: Source | undefined; integration: LiveIntegration }> {
  const detailed = await readFrom.detail(api, desired, live);
  if (desired.options.length === 0) return { source: undefined, integration: detailed };
  if (detailed.options.size > live.options.size) return { source: 'detail', integration: detailed };
  const integration = await readFrom.options(api, desired, detailed);
  return { source: integration.options.size > 0 ? 'options' : undefined, integration };
}

const readFrom: Record<
  Source,
  (api: Api, desired: DesiredIntegration, live: LiveIntegration) => Promise<LiveIntegration>
> = {
  detail: async (api, _, live) => mergeDetail(live, await api.integration(live.id)),
  options: async (api, desired, live) => {
    const needsDetail = desired.autosubscribe !== undefined && live.autosubscribe === undefined;
    const base = needsDetail ? await readFrom.detail(api, desired, live) : live;
    return lacksOptions(desired, base) ? withOptions(base, await api.options(live.id)) : base;
  },
};

/** What the list told, completed by the detail. */
function mergeDetail(live: LiveIntegration, detail: LiveIntegration): LiveIntegration {
  const options = new Map([...live.options, ...detail.options]);
  const optionKeys = [...new Set([...live.optionKeys, ...detail.optionKeys])];
  return { ...live, ...detail, options, optionKeys };
}

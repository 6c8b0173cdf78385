import { optionId } from '../../src/core/model/ids.ts';
import { at, listAt, recordAt } from './at.ts';
import type { Reply, TestSandbox } from './sandbox.ts';

/** The ids of the integrations of the example catalog that tests speak of. */
export const THREAT = 'threat_lookup_node_18_1717337597';
export const ASSETS = 'asset_inventory_node_18_1638497031';
export const TICKETS = 'ticket_desk_node_18_1760376646';
export const LOGS = 'log_search_node_18_1683909561';
export const VAULT = 'case_vault_node_18_1709391444';
export const DNS = 'dns_history_node_18_1671112532';

/** The body that changes options of one integration: the attributes of each by its key. */
export function optionsBody(
  integrationId: string,
  changes: Readonly<Record<string, unknown>>,
  type = 'integration-options',
) {
  return {
    data: Object.entries(changes).map(([key, attributes]) => ({
      id: optionId(integrationId, key),
      type,
      attributes,
    })),
  };
}

/** Changes options of one integration as the administrator. */
export function patchOptions(
  sandbox: TestSandbox,
  integrationId: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  return sandbox.send('PATCH', '/api/integration-options', {
    body: optionsBody(integrationId, changes),
  });
}

/** Changes attributes of an integration as the administrator. */
export function patchAttributes(
  sandbox: TestSandbox,
  id: string,
  attributes: Readonly<Record<string, unknown>>,
): Promise<Reply> {
  return sandbox.send('PATCH', `/api/integrations/${encodeURIComponent(id)}`, {
    body: { data: { id, attributes } },
  });
}

/** The attributes of one option as the link to the options of its integration serves them. */
export async function readOption(
  sandbox: TestSandbox,
  integrationId: string,
  key: string,
): Promise<Readonly<Record<string, unknown>>> {
  const reply = await sandbox.send(
    'GET',
    `/api/integration-options?filter[integration.id]=${encodeURIComponent(integrationId)}`,
  );
  const option = listAt(reply.body, 'data').find(
    (each) => at(each, 'id') === optionId(integrationId, key),
  );
  return recordAt(option, 'attributes');
}

/** The status of an answer and of each of its errors, with what they point at. */
export function problemsOf(reply: Reply): {
  status: number;
  pointers: unknown[];
} {
  const pointers = listAt(reply.body, 'errors').map(
    (problem) => Object.values(recordAt(problem, 'source'))[0],
  );
  return { status: reply.status, pointers };
}

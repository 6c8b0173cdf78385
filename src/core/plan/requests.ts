import { optionId } from '../model/ids.ts';
import { flagsOf } from '../model/permission.ts';
import type { OptionValue } from '../model/value.ts';
import type { Change, IntegrationPlan, PermissionChange, ValueChange } from './plan.ts';

/** A PATCH in the order in which it is to be sent, and the changes that it carries. */
export interface WriteRequest {
  readonly method: 'PATCH';
  readonly path: string;
  readonly changes: readonly Change[];
}

/** A PATCH with the exact body that goes over the wire. It holds secrets: it is sent, never shown. */
export interface EncodedRequest extends WriteRequest {
  readonly body: unknown;
}

/**
 * The requests of one integration: at most one for its options and one for its attributes. Options are set before users
 * are subscribed, and users are no longer subscribed before options change.
 */
export function requestsOf(integration: IntegrationPlan): WriteRequest[] {
  const options = integration.changes.filter((change) => change.field !== 'autosubscribe');
  const attributes = integration.changes.filter((change) => change.field === 'autosubscribe');
  const optionRequest = request('/api/integration-options', options);
  const attributeRequest = request(`/api/integrations/${encodeURIComponent(integration.id)}`, attributes);
  const unsubscribes = attributes.some((change) => !change.after);
  return unsubscribes ? [...attributeRequest, ...optionRequest] : [...optionRequest, ...attributeRequest];
}

/** The requests with their bodies. `withheld` has the sensitive values of this very integration by address; a missing one throws. */
export function encodeRequests(
  integration: IntegrationPlan,
  withheld: ReadonlyMap<string, OptionValue>,
): EncodedRequest[] {
  return requestsOf(integration).map((each) => ({
    ...each,
    body: { data: encodeData(integration.id, each.changes, withheld) },
  }));
}

function request(path: string, changes: readonly Change[]): WriteRequest[] {
  return changes.length === 0 ? [] : [{ method: 'PATCH', path, changes }];
}

function encodeData(
  id: string,
  changes: readonly Change[],
  withheld: ReadonlyMap<string, OptionValue>,
): unknown {
  const autosubscribe = changes.find((change) => change.field === 'autosubscribe');
  if (autosubscribe !== undefined) return { id, attributes: { autosubscribe: autosubscribe.after } };
  const byOption = new Map<string, object>();
  for (const change of changes) {
    if (change.field === 'autosubscribe') continue;
    byOption.set(change.option, { ...byOption.get(change.option), ...encodeAttributes(change, withheld) });
  }
  return [...byOption].map(([key, attributes]) => ({
    id: optionId(id, key),
    type: 'integration-options',
    attributes,
  }));
}

function encodeAttributes(
  change: ValueChange | PermissionChange,
  withheld: ReadonlyMap<string, OptionValue>,
): object {
  if (change.field === 'permission') {
    const flags = flagsOf(change.after);
    return { 'admin-only': flags.adminOnly, 'user-can-edit': flags.userCanEdit };
  }
  const value = change.sensitive ? withheld.get(change.address) : change.after;
  if (value === undefined || value === null) throw new Error(`no value to write for ${change.address}`);
  return { value };
}

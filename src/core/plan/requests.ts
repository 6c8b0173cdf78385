import type { PermissionSetting } from '../model/desired.ts';
import { optionId } from '../model/ids.ts';
import { pointerParts } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { flagsOf } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { hide, isHidden, reveal } from '../model/secret.ts';
import { isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { Change, IntegrationPlan } from './plan.ts';

/** A PATCH and the changes that it carries. */
interface WriteRequest {
  readonly method: 'PATCH';
  readonly path: string;
  readonly changes: readonly Change[];
}

/** A PATCH with its exact body, in which secrets are still hidden. */
export interface EncodedRequest extends WriteRequest {
  readonly body: unknown;
}

/**
 * The requests of one integration, in the order to send them: at most one for its options and one for its attributes. Users
 * are subscribed after options change, and unsubscribed before.
 */
export function requestsOf(integration: IntegrationPlan): WriteRequest[] {
  // The id of one that cannot be planned need not fit into a path.
  if (integration.changes.length === 0) return [];
  const options = integration.changes.filter((change) => change.field !== 'autosubscribe');
  const attributes = integration.changes.filter((change) => change.field === 'autosubscribe');
  const optionRequest = request('/api/integration-options', options);
  const attributeRequest = request(`/api/integrations/${encodeURIComponent(integration.id)}`, attributes);
  const unsubscribes = attributes.some((change) => !change.after);
  return unsubscribes ? [...attributeRequest, ...optionRequest] : [...optionRequest, ...attributeRequest];
}

/** One request of an integration with its body. */
export function encodeRequest(id: string, request: WriteRequest, form: WireForm): EncodedRequest {
  const { method, path, changes } = request;
  return { method, path, changes, body: { data: encodeData(id, changes, form) } };
}

function request(path: string, changes: readonly Change[]): WriteRequest[] {
  return changes.length === 0 ? [] : [{ method: 'PATCH', path, changes }];
}

function encodeData(id: string, changes: readonly Change[], form: WireForm): unknown {
  const byOption = new Map<string, object>();
  for (const { setting, after } of changes) {
    if (setting.field === 'autosubscribe') return { id, attributes: { autosubscribe: setting.want } };
    const attributes = setting.field === 'value' ? { value: encodeValue(after, form) } : flagsIn(setting);
    byOption.set(setting.option, { ...byOption.get(setting.option), ...attributes });
  }
  return [...byOption].map(([key, attributes]) => ({
    id: optionId(id, key),
    type: form.optionType,
    attributes,
  }));
}

function flagsIn({ want }: PermissionSetting): object {
  const { adminOnly, userCanEdit } = flagsOf(want);
  return { 'admin-only': adminOnly, 'user-can-edit': userCanEdit };
}

/** In which of the forms that the document leaves open a server takes what is written. */
export interface WireForm {
  /** The resource type of an option. */
  readonly optionType: 'integration-options' | 'integration-option';
  /** Whether a select is sent as its value, without its display. */
  readonly hasBareSelects: boolean;
}

/** The form in which a server shows the managed options; the documented one if it shows none. */
export function wireFormOf(live: readonly LiveIntegration[]): WireForm {
  const options = live.flatMap((each) => [...each.options.values()]);
  const isSingular = options.length > 0 && options.every((each) => each.isSingular);
  return {
    optionType: isSingular ? 'integration-option' : 'integration-options',
    hasBareSelects: options.some((each) => each.isBare),
  };
}

/** The value of a change as it is sent. */
export function encodeValue(after: Change['after'], { hasBareSelects }: WireForm): unknown {
  if (!hasBareSelects) return after;
  const bare = bareValue(reveal(after));
  return isHidden(after) ? hide(bare) : bare;
}

function bareValue(value: OptionValue): unknown {
  if (isChoiceList(value)) return value.map((choice) => choice.value);
  return isChoice(value) ? value.value : value;
}

/** The parts of a server's error that may name what it refused. */
interface Blame {
  readonly pointer?: string;
  readonly key?: string;
}

/**
 * Finds the place in the YAML of the change that a server's error is about: by its pointer, which holds the position of an
 * option in the request (`/data/0/attributes/value`), a key or an option id; else by the key that it names.
 */
export function blamedPlace(
  { pointer = '', key }: Blame,
  { id, changes }: Pick<IntegrationPlan, 'id' | 'changes'>,
): Place | undefined {
  // Some servers send a bare key.
  const parts = pointerParts(`/${pointer}`);
  const keys = [...new Set(changes.flatMap(({ setting }) => setting.option ?? []))];
  const names = new Set([...parts, key]);
  const option =
    keyAtPosition(parts, keys) ?? keys.find((each) => names.has(each) || names.has(optionId(id, each)));
  const isFlag = names.has('admin-only') || names.has('user-can-edit');
  const own = changes.filter(
    ({ field, setting }) => setting.option === option && (option !== undefined || names.has(field)),
  );
  const meant = own.find(({ field }) => field === (isFlag ? 'permission' : 'value')) ?? own[0];
  return meant?.setting.place;
}

/** The options of a request are in the order in which its changes first name them. */
function keyAtPosition(parts: readonly string[], keys: readonly string[]): string | undefined {
  const [, root, position = ''] = parts;
  return root === 'data' && /^\d+$/.test(position) ? keys[Number(position)] : undefined;
}

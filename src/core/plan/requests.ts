import { optionId } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import { PERMISSIONS, type Permission } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { hide, isHidden, reveal } from '../model/secret.ts';
import { isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { Change, IntegrationPlan } from './plan.ts';

/** A PATCH with its exact body, in which secrets are still hidden, and the changes that it carries. */
export interface EncodedRequest {
  readonly method: 'PATCH';
  readonly path: string;
  readonly body: unknown;
  readonly changes: readonly Change[];
}

type Changed = Pick<IntegrationPlan, 'id' | 'changes'>;

/**
 * Encodes changes in the form in which a server shows its options; in the documented one if it shows none. An integration has at
 * most one request for its options and one for its attributes: users are subscribed after options change, unsubscribed before.
 */
export function encoderFor(live: readonly LiveIntegration[]) {
  const shown = live.flatMap((each) => [...each.options.values()]);
  const isSingular = shown.length > 0 && shown.every((each) => each.isSingular);
  const type = isSingular ? 'integration-option' : 'integration-options';
  // Some servers take a select by its value alone.
  const hasBareSelects = shown.some((each) => each.isBare);
  return ({ id, changes }: Changed): EncodedRequest[] => {
    const method = 'PATCH';
    const ofOptions = changes.filter((change) => !isAttribute(change));
    const written = [...attributesOf(ofOptions, hasBareSelects)];
    const body = {
      data: written.map(([key, attributes]) => ({
        id: optionId(id, key),
        type,
        attributes,
      })),
    };
    const options = {
      method,
      path: '/api/integration-options',
      body,
      changes: ofOptions,
    } as const;
    const requests: EncodedRequest[] = ofOptions.length === 0 ? [] : [options];
    const attribute = changes.find(isAttribute);
    if (attribute === undefined) return requests;
    const path = `/api/integrations/${encodeURIComponent(id)}`;
    const data = { id, attributes: { autosubscribe: attribute.after } };
    const request = {
      method,
      path,
      body: { data },
      changes: [attribute],
    } as const;
    return attribute.after === true
      ? [...requests, request]
      : [request, ...requests];
  };
}

function isAttribute({ setting }: Change): boolean {
  return setting.field === 'autosubscribe';
}

/** What is written of each option, by its key. */
function attributesOf(
  changes: readonly Change[],
  hasBareSelects: boolean,
): ReadonlyMap<string, object> {
  const byOption = new Map<string, object>();
  for (const { setting, after } of changes) {
    if (setting.field === 'autosubscribe') continue;
    const value = hasBareSelects ? bareValue(after) : after;
    const attributes =
      setting.field === 'value' ? { value } : wireFlags(setting.want);
    byOption.set(setting.option, {
      ...byOption.get(setting.option),
      ...attributes,
    });
  }
  return byOption;
}

function wireFlags(permission: Permission) {
  const { adminOnly, userCanEdit } = PERMISSIONS[permission].flags;
  return { 'admin-only': adminOnly, 'user-can-edit': userCanEdit };
}

/** A value with choices as their values alone. */
function bareValue(after: Change['after']): unknown {
  const value: OptionValue = reveal(after);
  const bare = isChoiceList(value)
    ? value.map((each) => each.value)
    : isChoice(value)
      ? value.value
      : value;
  return isHidden(after) ? hide(bare) : bare;
}

/**
 * Finds the place in the YAML of the change that a server's error is about: by its pointer, which holds the position of an
 * option in the request (`/data/0/attributes/value`), a key or an option id; else by the key that it names.
 */
export function blamedPlace(
  {
    pointer = '',
    key,
  }: {
    readonly pointer?: string | undefined;
    readonly key?: string | undefined;
  },
  { id, changes }: Changed,
): Place | undefined {
  // Some servers send a bare key.
  const names = new Set([...pointer.split('/'), key]);
  // The options of a request are in the order in which its changes first name them.
  const keys = [
    ...new Set(changes.flatMap(({ setting }) => setting.option ?? [])),
  ];
  const [, position] = /^\/data\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
  const option =
    keys[Number(position)] ??
    keys.find((each) => names.has(each) || names.has(optionId(id, each)));
  const own = changes.filter(
    ({ setting }) =>
      setting.option === option &&
      (option !== undefined || names.has(setting.field)),
  );
  const isFlag = names.has('admin-only') || names.has('user-can-edit');
  const meant =
    own.find(
      ({ setting }) => setting.field === (isFlag ? 'permission' : 'value'),
    ) ?? own[0];
  return meant?.setting.place;
}

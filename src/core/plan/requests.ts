import { optionId } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import { PERMISSIONS } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { hide, reveal, type Secret } from '../model/secret.ts';
import type { Side } from '../model/side.ts';
import { optionOf } from '../model/subject.ts';
import { isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { Change } from './plan.ts';

/**
 * A PATCH with its exact body, in which secrets are still hidden, and the
 * changes that it carries.
 */
export interface EncodedRequest {
  method: 'PATCH';
  path: string;
  body: unknown;
  changes: readonly Change[];
}

/** Changes of one integration. */
export interface ChangesOf {
  id: string;
  changes: readonly Change[];
}

export type Encoder = (changed: ChangesOf) => EncodedRequest[];

/** The form in which a server shows its options. */
interface WireForm {
  type: 'integration-option' | 'integration-options';
  /** Some servers take a select by its value alone. */
  hasBareSelects: boolean;
}

/**
 * Makes what encodes changes in the form in which a server shows its options;
 * in the documented one if it shows none.
 */
export function encoderFor(live: readonly LiveIntegration[]): Encoder {
  const options = live.flatMap((integration) => [
    ...integration.options.values(),
  ]);
  const isSingular =
    options.length > 0 && options.every((option) => option.isSingular);
  const type = isSingular ? 'integration-option' : 'integration-options';
  const hasBareSelects = options.some((option) => option.isBare);
  return (changed) => encode(changed, { type, hasBareSelects });
}

/**
 * Encodes the changes of an integration: at most one request for its options
 * and one for its attributes. If the first fails, the second is not sent. The
 * order of integrations is that of `writePlan` in shell/reconcile/write.ts
 * (running before stopped), that of servers in shell/reconcile/phases.ts.
 */
function encode({ id, changes }: ChangesOf, form: WireForm): EncodedRequest[] {
  const { options, subscription } = byOption(changes);
  const requests: EncodedRequest[] = [];
  if (options.length > 0) {
    const data = options.map(([option, own]) => {
      const attributes = attributesOf(own, form);
      return { id: optionId(id, option), type: form.type, attributes };
    });
    requests.push({
      method: 'PATCH',
      path: '/api/integration-options',
      body: { data },
      changes: options.flatMap(([, own]) => own),
    });
  }
  if (subscription === undefined) return requests;
  const autosubscribe = subscription.comparison.setting.want;
  const request: EncodedRequest = {
    method: 'PATCH',
    path: `/api/integrations/${encodeURIComponent(id)}`,
    body: { data: { id, attributes: { autosubscribe } } },
    changes: [subscription],
  };
  // Users get an integration when it is set up, and lose it before it changes.
  return autosubscribe === true
    ? [...requests, request]
    : [request, ...requests];
}

/**
 * Groups changes by option, in the order of the plan: it is that of a request
 * too.
 */
function byOption(changes: readonly Change[]) {
  const options: [option: string, changes: Change[]][] = [];
  let subscription: Change | undefined;
  for (const change of changes) {
    const option = optionOf(change.comparison.subject);
    const last = options.at(-1);
    if (option === undefined) subscription = change;
    else if (last?.[0] === option) last[1].push(change);
    else options.push([option, [change]]);
  }
  return { options, subscription };
}

/** The attributes of an option that change. */
interface Attributes {
  value?: unknown;
  'admin-only'?: boolean;
  'user-can-edit'?: boolean;
}

function attributesOf(
  changes: readonly Change[],
  { hasBareSelects }: WireForm,
): Attributes {
  const attributes: Attributes = {};
  for (const { comparison } of changes) {
    const { setting, after } = comparison;
    if (setting.kind === 'value') {
      const value = heldBy(after);
      attributes.value = hasBareSelects ? bareValue(value) : value;
    }
    if (setting.kind === 'permission') {
      // A server would keep a flag that is not sent.
      const { adminOnly, userCanEdit } = PERMISSIONS[setting.want].flags;
      attributes['admin-only'] = adminOnly;
      attributes['user-can-edit'] = userCanEdit;
    }
  }
  return attributes;
}

/** What a side writes, a secret still hidden. */
function heldBy(side: Side): OptionValue | Secret<OptionValue> {
  if (side.kind === 'shown' || side.kind === 'secret') return side.value;
  // An apply has all references that it writes.
  throw new Error('a change without a value cannot be sent');
}

/** A value with choices as their values alone. */
function bareValue(value: OptionValue | Secret<OptionValue>): unknown {
  const open = reveal(value);
  const bare = bareForm(open);
  return open === value ? bare : hide(bare);
}

function bareForm(value: OptionValue): unknown {
  if (isChoiceList(value)) return value.map((choice) => choice.value);
  return isChoice(value) ? value.value : value;
}

/**
 * What an error of a server is about: by a pointer into the request, or the key
 * of an option.
 */
export interface Blame {
  pointer?: string | undefined;
  key?: string | undefined;
}

/**
 * Finds the place in the YAML of the change that an error is about: by its
 * pointer, which holds the position of an option in the request
 * (`/data/0/attributes/value`), a key or an option id; else by its key.
 */
export function blamedPlace(
  { pointer = '', key }: Blame,
  { id, changes }: ChangesOf,
): Place | undefined {
  // Some servers send a bare key.
  const names = new Set([...pointer.split('/'), key]);
  const { options, subscription } = byOption(changes);
  const [, position] = /^\/data\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
  const [, blamed = []] =
    options[Number(position)] ??
    options.find(([option]) => {
      return names.has(option) || names.has(optionId(id, option));
    }) ??
    [];
  const isFlag = names.has('admin-only') || names.has('user-can-edit');
  const kind = isFlag ? 'permission' : 'value';
  const change =
    blamed.find(({ comparison }) => comparison.subject.kind === kind) ??
    blamed[0] ??
    (names.has('autosubscribe') ? subscription : undefined);
  return change?.comparison.setting.place;
}

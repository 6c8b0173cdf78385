import { optionId } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import { PERMISSIONS } from '../model/permission.ts';
import type { Place } from '../model/place.ts';
import { hide, reveal, type Secret } from '../model/secret.ts';
import type { Side } from '../model/side.ts';
import { isChoice, isChoiceList, type OptionValue } from '../model/value.ts';
import type { Change } from './plan.ts';

/** A PATCH with its exact body, in which secrets are still hidden, and the changes that it carries. */
export interface EncodedRequest {
  readonly method: 'PATCH';
  readonly path: string;
  readonly body: unknown;
  readonly changes: readonly Change[];
}

/** Changes of one integration. */
export interface ChangesOf {
  readonly id: string;
  readonly changes: readonly Change[];
}

/** The form in which a server shows its options. */
interface WireForm {
  readonly type: 'integration-option' | 'integration-options';
  /** Some servers take a select by its value alone. */
  readonly hasBareSelects: boolean;
}

/** Makes what encodes changes in the form in which a server shows its options; in the documented one if it shows none. */
export function encoderFor(
  live: readonly LiveIntegration[],
): (changed: ChangesOf) => EncodedRequest[] {
  let count = 0;
  let isSingular = true;
  let hasBareSelects = false;
  for (const { options } of live) {
    for (const option of options.values()) {
      count += 1;
      if (!option.isSingular) isSingular = false;
      if (option.isBare) hasBareSelects = true;
    }
  }
  const isAlwaysSingular = count > 0 && isSingular;
  const type = isAlwaysSingular ? 'integration-option' : 'integration-options';
  return (changed) => encode(changed, { type, hasBareSelects });
}

/**
 * Encodes the changes of an integration: at most one request for its options
 * and one for its attributes. If the first fails, the second is not sent. The
 * order of integrations is that of `writePlan` in shell/reconcile/write.ts
 * (running before stopped), that of servers in shell/reconcile/phases.ts.
 */
function encode({ id, changes }: ChangesOf, form: WireForm): EncodedRequest[] {
  const requests: EncodedRequest[] = [];
  const options = changesByOption(changes);
  if (options.length > 0) requests.push(optionsRequest(id, options, form));
  const subscription = changes.find(isSubscription);
  if (subscription === undefined) return requests;
  const request = subscriptionRequest(id, subscription);
  // Users get an integration when it is set up, and lose it before it changes.
  const { setting } = subscription.comparison;
  if (setting.want === true) requests.push(request);
  else requests.unshift(request);
  return requests;
}

function isSubscription({ comparison }: Change): boolean {
  return comparison.subject.kind === 'autosubscribe';
}

function subscriptionRequest(id: string, change: Change): EncodedRequest {
  const autosubscribe = change.comparison.setting.want;
  return {
    method: 'PATCH',
    path: `/api/integrations/${encodeURIComponent(id)}`,
    body: { data: { id, attributes: { autosubscribe } } },
    changes: [change],
  };
}

/** What is written of one option. */
interface OptionChanges {
  readonly option: string;
  readonly changes: Change[];
}

/** Groups changes by option, in the order of the plan: it is that of a request too. */
function changesByOption(changes: readonly Change[]): OptionChanges[] {
  const options: OptionChanges[] = [];
  for (const change of changes) {
    const { subject } = change.comparison;
    if (subject.kind === 'autosubscribe') continue;
    const last = options.at(-1);
    if (last?.option === subject.option) last.changes.push(change);
    else options.push({ option: subject.option, changes: [change] });
  }
  return options;
}

function optionsRequest(
  id: string,
  options: readonly OptionChanges[],
  form: WireForm,
): EncodedRequest {
  const { type } = form;
  const data: object[] = [];
  for (const { option, changes } of options) {
    const attributes = attributesOf(changes, form);
    data.push({ id: optionId(id, option), type, attributes });
  }
  return {
    method: 'PATCH',
    path: '/api/integration-options',
    body: { data },
    changes: options.flatMap(({ changes }) => changes),
  };
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

/** What an error of a server is about: by a pointer into the request, or the key of an option. */
export interface Blame {
  readonly pointer?: string | undefined;
  readonly key?: string | undefined;
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
  const options = changesByOption(changes);
  const [, position] = /^\/data\/(\d+)(?:\/|$)/.exec(pointer) ?? [];
  const blamed =
    options[Number(position)] ??
    options.find(({ option }) => {
      return names.has(option) || names.has(optionId(id, option));
    });
  const isSubscribing = names.has('autosubscribe');
  const candidates =
    blamed?.changes ??
    changes.filter((change) => isSubscribing && isSubscription(change));
  const isFlag = names.has('admin-only') || names.has('user-can-edit');
  const kind = isFlag ? 'permission' : 'value';
  const change =
    candidates.find(({ comparison }) => comparison.subject.kind === kind) ??
    candidates[0];
  return change?.comparison.setting.place;
}

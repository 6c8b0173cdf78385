import type { Moved } from '../findings/apply.ts';
import { compareText } from '../findings/diagnostic.ts';
import { type DesiredIntegration, isSameWritten, type Setting } from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration } from '../model/live.ts';
import { fieldAddress, pathOf } from '../model/place.ts';
import { type DeclaredSecrecy, declaredSecrecy, isSecret } from '../model/secrecy.ts';
import { isHidden, reveal } from '../model/secret.ts';
import { type OptionValue, sameContent } from '../model/value.ts';
import { conform } from './conform.ts';
import {
  type Change,
  type ChangeDocument,
  type Field,
  type IntegrationDocument,
  type IntegrationPlan,
  NOTHING,
  type ServerDocument,
  sidesOf,
  type WriteEnd,
} from './plan.ts';

type Live = ReadonlyMap<string, LiveIntegration>;

/** What is known of the integrations of a server besides itself: by the base of a branch, or by a reviewed plan. */
interface History {
  readonly of: (desired: DesiredIntegration) => Past;
  /** The plans of integrations that were managed then, and are not `planned` any more. */
  readonly gone: (planned: readonly IntegrationPlan[]) => IntegrationPlan[];
}

/** What is known of one integration. */
interface Past {
  /** What is asked of it, with what was a secret then. */
  readonly desired: DesiredIntegration;
  /** Whether the branch, or a reviewer, means this field to be written. */
  readonly isMeant: (setting: Setting, address: string, isHidden: boolean) => boolean;
  /** Completes its plan by what became of it since. */
  readonly complete: (
    plan: IntegrationPlan,
    fields: readonly Field[],
    live: LiveIntegration,
  ) => IntegrationPlan;
}

/** What a base asks of the same live integrations, and the plan that was reviewed. */
interface Earlier {
  readonly before: readonly DesiredIntegration[] | undefined;
  readonly reviewed: ServerDocument | undefined;
}

/** The history by a base, without one by a reviewed plan. */
export function historyOf(
  { before, reviewed }: Earlier,
  after: readonly DesiredIntegration[],
  live: Live,
  only?: string,
): History | undefined {
  if (before !== undefined) return sinceBase(before, after, live, only);
  return reviewed === undefined ? undefined : sinceReview(reviewed, live);
}

function withSecrets(
  desired: DesiredIntegration,
  secretThen: (option: string) => DeclaredSecrecy | undefined,
): DesiredIntegration {
  const settings = desired.settings.map((setting): Setting => {
    if (setting.field === 'autosubscribe') return setting;
    return { ...setting, secrecy: declaredSecrecy(setting.secrecy, secretThen(setting.option)) };
  });
  return { ...desired, settings };
}

/** The history as far as a glob selects integrations. They are the same by their ids, whatever entries name them. */
function sinceBase(
  before: readonly DesiredIntegration[],
  after: readonly DesiredIntegration[],
  live: Live,
  only = '*',
): History {
  const bases = new Map(before.map((each) => [each.id, each]));
  const kept = new Set(after.flatMap(({ id, settings }) => (settings.length > 0 ? id : [])));
  const isSelected = globMatcher(only);
  return {
    of: (desired) => pastOfBranch(bases.get(desired.id), desired),
    gone: () =>
      before.flatMap((each): IntegrationPlan[] => {
        const { id, name } = each;
        const installed = live.get(id);
        if (installed === undefined || kept.has(id) || !(isSelected(id) || isSelected(name))) return [];
        const released = releasedIn(name, byPath(each), new Map(), installed);
        const plan = { ...NOTHING, name, id, status: installed.status ?? null, released };
        return released.length === 0 ? [] : [plan];
      }),
  };
}

/** What is asked of an integration, by the paths of its fields: `options.apiKey.value`. */
function byPath(desired: DesiredIntegration | undefined): ReadonlyMap<string, Setting> {
  return new Map(desired?.settings.map((each) => [pathOf(each), each]));
}

function pastOfBranch(before: DesiredIntegration | undefined, after: DesiredIntegration): Past {
  const [base, head] = [byPath(before), byPath(after)];
  /** Whether this branch changed what is declared of a field that it manages. */
  const isTouched = (path: string) => {
    const now = head.get(path);
    return now !== undefined && !isSame(base.get(path), now);
  };
  return {
    desired: withSecrets(after, (option) => before?.secrecy.get(option) ?? {}),
    // The declaration of a hidden value includes its permission.
    isMeant: (setting, _, isHidden) =>
      isTouched(pathOf(setting)) ||
      (isHidden && setting.field === 'value' && isTouched(pathOf({ ...setting, field: 'permission' }))),
    complete: (plan, fields, live) => {
      const settled = fields.filter(({ fate, setting }) => fate === 'same' && isTouched(pathOf(setting)));
      const labelled = (change: Change) => {
        const path = pathOf(change.setting);
        return isTouched(path) ? conflicting(change, base.get(path), live) : drifted(change);
      };
      return {
        ...plan,
        changes: plan.changes.map(labelled),
        settled: settled.map(({ address }) => address).sort(compareText),
        released: releasedIn(plan.name, base, head, live),
      };
    },
  };
}

/** Whether two declarations ask for the same: by their texts, and by the day of rotation, which tells what no text shows. */
function isSame(one: Setting | undefined, other: Setting): boolean {
  if (one?.field !== 'value' || other.field !== 'value') return one?.want === other.want;
  return one.rotated === other.rotated && isSameWritten(one, other);
}

/** A change that only the server made; of what nobody can see nobody knows that. */
function drifted(change: Change): Change {
  return change.unreadable === undefined ? { ...change, label: 'drift' } : change;
}

/** A change of the branch; a conflict if the server holds something else than the base declares. */
function conflicting(change: Change, base: Setting | undefined, live: LiveIntegration): Change {
  const { address, before, after, unreadable, setting } = change;
  const declared =
    base === undefined || unreadable !== undefined ? undefined : declaredValue(base, address, live);
  const type = live.options.get(setting.option ?? '')?.type;
  if (declared === undefined || sameContent(reveal(before), declared, type)) return change;
  const isShown = !isHidden(after) && !isSecret({ values: [declared] });
  return { ...change, label: 'conflict', ...(isShown ? { base: declared } : {}) };
}

/** What the base declares as the option stores it; undefined if it cannot be compared: a secret never conflicts. */
function declaredValue(base: Setting, address: string, live: LiveIntegration): OptionValue | undefined {
  if (base.field !== 'value') return base.want;
  const option = live.options.get(base.option);
  if (base.isFromOutside || option === undefined) return undefined;
  const conformed = conform(address, base, option);
  return 'value' in conformed ? conformed.value : reveal(base.want);
}

/** The addresses of what a branch no longer declares of an integration, as far as it has such an option. */
function releasedIn(
  name: string,
  base: ReturnType<typeof byPath>,
  head: ReturnType<typeof byPath>,
  { optionKeys }: LiveIntegration,
): string[] {
  return [...base]
    .filter(([path, { option }]) => !head.has(path) && (option === undefined || optionKeys.has(option)))
    .map(([, setting]) => fieldAddress(name, setting))
    .sort(compareText);
}

/** The history in which an integration is written if each reviewed change has its two sides still, or is at its planned value. */
function sinceReview({ integrations }: ServerDocument, live: Live): History {
  const byId = new Map(integrations.map((each) => [each.id, each]));
  return {
    of: (desired) => pastOfReview(byId.get(desired.id), desired),
    gone: (planned) => {
      const ids = new Set(planned.map(({ id }) => id));
      const gone = integrations.filter(({ id, changes }) => changes.length > 0 && !ids.has(id));
      return gone.map((each) => moved(each, live.has(each.id) ? 'configuration' : 'server'));
    },
  };
}

function pastOfReview(reviewed: IntegrationDocument | undefined, desired: DesiredIntegration): Past {
  const { name = '', changes: all = [] } = reviewed ?? {};
  const changes = new Map(all.map((change) => [change.address, change]));
  const wasSecret = (option: string) => (field: 'value' | 'permission') => {
    const { secret, risks = [] } = changes.get(fieldAddress(name, { field, option })) ?? {};
    return secret === true || risks.includes('exposes-secret');
  };
  const relabelled = (change: Change) => {
    const { label, base } = changes.get(change.address) ?? change;
    return { ...change, label, ...present({ base }) };
  };
  return {
    desired: withSecrets(desired, (option) =>
      (['value', 'permission'] as const).some(wasSecret(option)) ? { isFromOutside: true } : undefined,
    ),
    isMeant: (_, address) => changes.has(address),
    complete: (plan, fields) => {
      if (reviewed === undefined || all.length === 0) return plan;
      if (name !== plan.name) return moved(reviewed, 'configuration');
      const end = endOf(all, fields);
      return { ...plan, changes: plan.changes.map(relabelled), ...present({ end }) };
    },
  };
}

/** An integration that is not planned as it was reviewed. */
function moved({ name, id }: IntegrationDocument, by: Moved['by']): IntegrationPlan {
  return { ...NOTHING, name, id, status: null, end: { kind: 'stale', moved: [{ address: name, by }] } };
}

/** Undefined if the integration is to be written. */
function endOf(reviewed: readonly ChangeDocument[], fields: readonly Field[]): WriteEnd | undefined {
  const byAddress = new Map(fields.map((field) => [field.address, field]));
  const found = reviewed.flatMap((was): Moved[] => {
    const by = movedBy(was, byAddress.get(was.address));
    return by === undefined ? [] : [{ address: was.address, by }];
  });
  if (found.length > 0) return { kind: 'stale', moved: found };
  return fields.some(({ fate }) => fate === 'changed') ? undefined : { kind: 'done' };
}

/** Which side of a change moved, if any. What is as desired now need not be as it was; the live side of a secret is unknown. */
function movedBy(was: ChangeDocument, field: Field | undefined): Moved['by'] | undefined {
  if (field === undefined) return 'configuration';
  const now = sidesOf(field);
  const isDone = field.fate === 'same';
  if (was.secret && (now.secret || isDone))
    return was.reference === now.reference && was.rotated === now.rotated ? undefined : 'configuration';
  if (was.secret || now.secret || !sameContent(was.after, now.after)) return 'configuration';
  return isDone || sameContent(was.before, now.before) ? undefined : 'server';
}

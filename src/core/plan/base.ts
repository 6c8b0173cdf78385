import { compareText } from '../findings/diagnostic.ts';
import {
  type DesiredIntegration,
  type DesiredState,
  isSameWritten,
  type Setting,
  secrecyOf,
  type ValueSetting,
} from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import type { LiveIntegration } from '../model/live.ts';
import { fieldAddress, pathOf } from '../model/place.ts';
import { type DeclaredSecrecy, isSecret } from '../model/secrecy.ts';
import { isHidden, reveal } from '../model/secret.ts';
import { type OptionValue, sameContent } from '../model/value.ts';
import { conform } from './conform.ts';
import { type Change, type Field, type IntegrationPlan, NOTHING, type PlanBase } from './plan.ts';

/** What this branch and its base declare, with references open, for the same live integrations. */
export interface Branch {
  readonly base: PlanBase;
  readonly before: DesiredState;
  readonly after: DesiredState;
}

/** What is known of an integration besides its server: by the base of a branch, or by a reviewed plan. */
export interface Past {
  /** Whether the branch, or a reviewer, means this field to be written. */
  readonly isMeant: (setting: Setting, address: string, isHidden: boolean) => boolean;
  /** What counted of the secrecy of an option. */
  readonly secrecyOf: (option: string) => DeclaredSecrecy | undefined;
  /** Completes its plan by what became of it since. */
  readonly complete: (
    plan: IntegrationPlan,
    fields: readonly Field[],
    live: LiveIntegration,
  ) => IntegrationPlan;
}

/** The past of all integrations of a server. */
export interface History {
  readonly of: (id: string) => Past;
  /** The plans of integrations that were managed then, and are not `planned` any more. */
  readonly gone: (planned: readonly IntegrationPlan[]) => IntegrationPlan[];
}

/** The history by the base, as far as a glob selects integrations. They are the same by their ids, whatever entries name them. */
export function sinceBase(
  { before, after }: Branch,
  live: ReadonlyMap<string, LiveIntegration>,
  only = '*',
): History {
  const [bases, heads] = [byId(before), byId(after)];
  const isSelected = globMatcher(only);
  return {
    of: (id) => pastOf(bases.get(id), heads.get(id)),
    gone: () =>
      before.integrations.flatMap((each): IntegrationPlan[] => {
        const { id, name } = each;
        const installed = live.get(id);
        const isKept = (heads.get(id)?.settings.length ?? 0) > 0;
        if (installed === undefined || isKept || !(isSelected(id) || isSelected(name))) return [];
        const released = releasedIn(name, byPath(each), new Map(), installed);
        const plan = { ...NOTHING, name, id, status: installed.status ?? null, released };
        return released.length === 0 ? [] : [plan];
      }),
  };
}

function byId({ integrations }: DesiredState): ReadonlyMap<string, DesiredIntegration> {
  return new Map(integrations.map((each) => [each.id, each]));
}

/** What is asked of an integration, by the paths of its fields: `options.apiKey.value`. */
function byPath(desired: DesiredIntegration | undefined): ReadonlyMap<string, Setting> {
  return new Map(desired?.settings.map((each) => [pathOf(each), each]));
}

function pastOf(before: DesiredIntegration | undefined, after: DesiredIntegration | undefined): Past {
  const [base, head] = [byPath(before), byPath(after)];
  /** Whether this branch changed what is declared of a field that it manages. */
  const isTouched = (path: string) => {
    const now = head.get(path);
    return now !== undefined && !isSame(base.get(path), now);
  };
  return {
    // The declaration of a hidden value includes its permission.
    isMeant: (setting, _, isHidden) =>
      isTouched(pathOf(setting)) ||
      (isHidden && setting.field === 'value' && isTouched(pathOf({ ...setting, field: 'permission' }))),
    secrecyOf: (option) => secrecyOf(before, option),
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
  return one.rotated === other.rotated && isSameWritten(written(one), written(other));
}

function written({ want: value, isFromOutside, files }: ValueSetting) {
  return { value, isFromOutside, files };
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

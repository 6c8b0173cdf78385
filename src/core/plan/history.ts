import type { Became, Moved } from '../findings/apply.ts';
import type {
  DesiredIntegration,
  Setting,
  ValueSetting,
} from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { present } from '../model/json.ts';
import type { LiveIntegration, LiveOption } from '../model/live.ts';
import { fieldAddress, pathOf } from '../model/place.ts';
import {
  type DeclaredSecrecy,
  declaredSecrecy,
  isSecret,
} from '../model/secrecy.ts';
import { isHidden, reveal } from '../model/secret.ts';
import {
  canonicalText,
  type OptionValue,
  sameContent,
} from '../model/value.ts';
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

/** The names of the integrations that are planned, by their ids. */
type PlannedNames = ReadonlyMap<string, string>;

/** What is known of the integrations of a server besides itself. */
interface History {
  readonly of: (desired: DesiredIntegration) => Past;
  /** The plans of integrations that were managed then, and are not planned any more. */
  readonly gone: (planned: PlannedNames) => IntegrationPlan[];
}

/** What is known of one integration. */
interface Past {
  /** What is asked of it, with what was a secret then. */
  readonly desired: DesiredIntegration;
  /** Whether the branch, or a reviewer, means this field to be written. */
  readonly isMeant: (
    setting: Setting,
    address: string,
    isHidden: boolean,
  ) => boolean;
  /** The changes that a reviewer has seen. */
  readonly reviewed?: readonly ChangeDocument[];
  /** Completes its plan by what became of it since. */
  readonly complete: (
    plan: IntegrationPlan,
    fields: readonly Field[],
    live: LiveIntegration,
  ) => IntegrationPlan;
}

function withSecrets(
  desired: DesiredIntegration,
  secretThen: (option: string) => DeclaredSecrecy | undefined,
): DesiredIntegration {
  const settings = desired.settings.map((setting): Setting => {
    if (setting.field === 'autosubscribe') return setting;
    return {
      ...setting,
      secrecy: declaredSecrecy(setting.secrecy, secretThen(setting.option)),
    };
  });
  return { ...desired, settings };
}

/** What the base of a branch asks of the integrations of a server. */
export interface BranchBase {
  readonly before: readonly DesiredIntegration[];
  /** What the tip of the ref asks of them, if that is another commit: a secret there is one on the branch too. */
  readonly tip?: readonly DesiredIntegration[] | undefined;
  /** The ids of integrations that an error of the branch leaves out: it releases nothing of them. */
  readonly undecided?: ReadonlySet<string> | undefined;
}

/** The history by the base of a branch. Integrations are the same by their ids, whatever entries name them. */
export function sinceBase(base: BranchBase, live: Live, only = '*'): History {
  const bases = byId(base.before);
  const tips = byId(base.tip ?? []);
  const isUndecided = (id: string) => base.undecided?.has(id) === true;
  const isSelected = globMatcher(only);
  const releasedOf = ({ name, id, settings }: DesiredIntegration) => {
    const installed = live.get(id);
    if (installed === undefined || isUndecided(id)) return undefined;
    if (!isSelected(id) && !isSelected(name)) return undefined;
    const released = releasedIn(name, settings, installed);
    if (released.length === 0) return undefined;
    return { ...NOTHING, name, id, status: installed.status ?? null, released };
  };
  return {
    of: (desired) => {
      const { id } = desired;
      const before = bases.get(id);
      const past = pastOfBranch(before, withTip(desired, tips.get(id)));
      return isUndecided(id) ? withoutReleased(past) : past;
    },
    gone: (planned) => {
      const gone: IntegrationPlan[] = [];
      for (const integration of base.before) {
        if (planned.has(integration.id)) continue;
        const plan = releasedOf(integration);
        if (plan !== undefined) gone.push(plan);
      }
      return gone;
    },
  };
}

function byId(
  all: readonly DesiredIntegration[],
): ReadonlyMap<string, DesiredIntegration> {
  return new Map(all.map((integration) => [integration.id, integration]));
}

/** What is asked of an integration, with what is a secret at the tip of the ref. */
function withTip(
  desired: DesiredIntegration,
  tip: DesiredIntegration | undefined,
): DesiredIntegration {
  if (tip === undefined) return desired;
  return withSecrets(desired, (option) => tip.secrecy.get(option) ?? {});
}

function withoutReleased(past: Past): Past {
  return {
    ...past,
    complete: (plan, fields, live) => ({
      ...past.complete(plan, fields, live),
      released: [],
    }),
  };
}

function pastOfBranch(
  before: DesiredIntegration | undefined,
  after: DesiredIntegration,
): Past {
  const base = new Map(before?.settings.map((each) => [pathOf(each), each]));
  const declared = new Set(after.settings.map(pathOf));
  const lost = [...base].flatMap(([path, setting]) =>
    declared.has(path) ? [] : setting,
  );
  // The fields whose declaration this branch changed.
  const touched = new Set(
    after.settings
      .filter((each) => !isSame(base.get(pathOf(each)), each))
      .map(pathOf),
  );
  return {
    desired: withSecrets(after, (option) => before?.secrecy.get(option) ?? {}),
    // The declaration of a hidden value includes its permission.
    isMeant: (setting, _, isHidden) =>
      touched.has(pathOf(setting)) ||
      (isHidden &&
        setting.field === 'value' &&
        touched.has(pathOf({ ...setting, field: 'permission' }))),
    complete: (plan, fields, live) => {
      const settled = fields.filter(
        ({ fate, setting }) => fate === 'same' && touched.has(pathOf(setting)),
      );
      return {
        ...plan,
        changes: plan.changes.map((change) => {
          const path = pathOf(change.setting);
          return labelled(change, touched.has(path), base.get(path), live);
        }),
        settled: settled.map(({ address }) => address),
        released: releasedIn(plan.name, lost, live),
      };
    },
  };
}

/** The addresses of what a branch no longer declares of an integration, as far as it has such an option. */
function releasedIn(
  name: string,
  lost: readonly Setting[],
  { optionKeys }: LiveIntegration,
): string[] {
  return lost
    .filter(({ option }) => option === undefined || optionKeys.has(option))
    .map((setting) => fieldAddress(name, setting));
}

/** Whether two declarations ask for the same: by their texts, and by the day of rotation, which tells what no text shows. */
function isSame(one: Setting | undefined, other: Setting): boolean {
  if (one?.field !== 'value' || other.field !== 'value')
    return one?.want === other.want;
  return one.rotated === other.rotated && isSameWritten(one, other);
}

type Written = Pick<
  ValueSetting,
  'want' | 'unresolved' | 'isFromOutside' | 'files'
>;

/**
 * Whether two values ask for the same, before the types of their options are known: the same text, references as written, and
 * the same content of the files that both sides know.
 */
export function isSameWritten(one: Written, other: Written): boolean {
  if (one.isFromOutside !== other.isFromOutside) return false;
  const textOf = ({ want, unresolved }: Written) =>
    canonicalText(reveal(unresolved ?? want));
  const isSameFile = ([path, digest]: readonly [string, string]) =>
    (other.files?.get(path) ?? digest) === digest;
  return (
    textOf(one) === textOf(other) && [...(one.files ?? [])].every(isSameFile)
  );
}

/** A change with who made it: the server alone, the branch, or both if the server holds something else than the base declares. */
function labelled(
  change: Change,
  isTouched: boolean,
  base: Setting | undefined,
  { options }: LiveIntegration,
): Change {
  const { address, before, after, unreadable, setting } = change;
  // Of what nobody can see nobody knows who moved it.
  if (unreadable !== undefined) return change;
  if (!isTouched) return { ...change, label: 'drift' };
  const option = options.get(setting.option ?? '');
  const declared = base && declaredValue(base, address, option);
  if (
    declared === undefined ||
    sameContent(reveal(before), declared, option?.type)
  )
    return change;
  const isShown = !isHidden(after) && !isSecret({ values: [declared] });
  return {
    ...change,
    label: 'conflict',
    ...(isShown ? { base: declared } : {}),
  };
}

/** What the base declares as the option stores it; undefined if it cannot be compared: a secret never conflicts. */
function declaredValue(
  base: Setting,
  address: string,
  option: LiveOption | undefined,
): OptionValue | undefined {
  if (base.field !== 'value') return base.want;
  if (base.isFromOutside || option === undefined) return undefined;
  const conformed = conform(address, base, option);
  return 'value' in conformed ? conformed.value : reveal(base.want);
}

/** The history in which an integration is written if each reviewed change has its two sides still, or is at its planned value. */
export function sinceReview(
  { integrations }: ServerDocument,
  live: Live,
): History {
  const reviewed = new Map(integrations.map((each) => [each.id, each]));
  return {
    of: (desired) => pastOfReview(reviewed.get(desired.id), desired),
    gone: (planned) => {
      const plans: IntegrationPlan[] = [];
      for (const integration of integrations) {
        const { id, name, changes } = integration;
        if (changes.length === 0 || planned.has(id)) continue;
        const others = [...planned].filter(
          ([otherId, otherName]) =>
            otherName === name && !reviewed.has(otherId),
        );
        plans.push(moved(integration, becameOf(integration, live, others)));
      }
      return plans;
    },
  };
}

/** Why a reviewed integration is planned no more; `others` have its name now. */
function becameOf(
  { id: was }: IntegrationDocument,
  live: Live,
  others: readonly (readonly [id: string, name: string])[],
): Became {
  const [other, ...more] = others;
  if (other !== undefined && more.length === 0)
    return { kind: 'other-id', was, now: other[0] };
  return { kind: live.has(was) ? 'unplanned' : 'uninstalled', was };
}

function pastOfReview(
  reviewed: IntegrationDocument | undefined,
  desired: DesiredIntegration,
): Past {
  const { name = '', changes: all = [] } = reviewed ?? {};
  const changes = new Map(all.map((change) => [change.address, change]));
  const secrets = all.filter(
    ({ secret, risks }) => secret || risks.includes('exposes-secret'),
  );
  const secretOptions = new Set(
    secrets.map(({ address }) => address.replace(/\.\w+$/, '')),
  );
  return {
    desired: withSecrets(desired, (option) =>
      secretOptions.has(`${name}.options.${option}`)
        ? { isFromOutside: true }
        : undefined,
    ),
    isMeant: (_, address) => changes.has(address),
    reviewed: all,
    complete: (plan, fields) => {
      if (reviewed === undefined || all.length === 0) return plan;
      if (name !== plan.name) {
        const became = { kind: 'other-name', now: plan.name } as const;
        return moved(reviewed, became);
      }
      const relabelled = plan.changes.map((change) => {
        const { label, base } = changes.get(change.address) ?? change;
        return { ...change, label, ...present({ base }) };
      });
      const end = endOf(all, fields);
      const planned = new Set(plan.changes.map(({ address }) => address));
      const isStale = end?.kind === 'stale';
      const lost = isStale
        ? all.filter(({ address }) => !planned.has(address))
        : undefined;
      return { ...plan, changes: relabelled, ...present({ end, lost }) };
    },
  };
}

/** An integration that is not planned as it was reviewed. */
function moved(
  { name, id, changes: lost }: IntegrationDocument,
  became: Became,
): IntegrationPlan {
  const end = { kind: 'stale', moved: [], became } as const;
  return { ...NOTHING, name, id, status: null, lost, end };
}

/** Undefined if the integration is to be written. */
function endOf(
  reviewed: readonly ChangeDocument[],
  fields: readonly Field[],
): WriteEnd | undefined {
  const byAddress = new Map(fields.map((field) => [field.address, field]));
  const found = reviewed.flatMap((was): Moved[] => {
    const by = movedBy(was, byAddress.get(was.address));
    return by === undefined ? [] : [{ address: was.address, by }];
  });
  if (found.length > 0) return { kind: 'stale', moved: found };
  return fields.some(({ fate }) => fate === 'changed')
    ? undefined
    : { kind: 'done' };
}

/** Which side of a change moved, if any. What is as desired now need not be as it was; the live side of a secret is unknown. */
function movedBy(
  was: ChangeDocument,
  field: Field | undefined,
): Moved['by'] | undefined {
  if (field === undefined) return 'configuration';
  const now = sidesOf(field);
  const isDone = field.fate === 'same';
  if (was.secret && (now.secret || isDone))
    return was.reference === now.reference && was.rotated === now.rotated
      ? undefined
      : 'configuration';
  if (was.secret || now.secret || !sameContent(was.after, now.after))
    return 'configuration';
  return isDone || sameContent(was.before, now.before) ? undefined : 'server';
}

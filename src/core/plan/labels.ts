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
import { type FieldName, fieldAddress, namesField, pathOf } from '../model/place.ts';
import { declaredSecrecy, isSecret } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { type OptionValue, sameContent } from '../model/value.ts';
import { conform } from './conform.ts';
import type { DiffRules } from './diff.ts';
import {
  type Change,
  type IntegrationDocument,
  type IntegrationPlan,
  NOTHING,
  type ServerDocument,
} from './plan.ts';

/** What this branch and its base declare, with references open, for the same live integrations. */
export interface Revisions {
  readonly before: Declared;
  readonly after: Declared;
}

interface Declared extends DesiredState {
  /** What is asked of an integration, by the paths of its fields: `options.apiKey.value`. */
  readonly of: (id: string) => ReadonlyMap<string, Setting>;
}

/** The two sides of a comparison with a base. Integrations are the same by their ids, whatever entries name them. */
export function revisionsOf(before: DesiredState, after: DesiredState): Revisions {
  return { before: declaredIn(before), after: declaredIn(after) };
}

function declaredIn({ integrations }: DesiredState): Declared {
  const byId = new Map(integrations.map(({ id, settings }) => [id, settings]));
  const known = new Map<string, ReadonlyMap<string, Setting>>();
  const of = (id: string) => {
    const fields = known.get(id) ?? new Map(byId.get(id)?.map((each) => [pathOf(each), each]));
    known.set(id, fields);
    return fields;
  };
  return { integrations, of };
}

/** Whether this branch changed what is declared of a field that it manages. */
function isTouched({ before, after }: Revisions, id: string, field: FieldName): boolean {
  const path = pathOf(field);
  const head = after.of(id).get(path);
  return head !== undefined && !isSame(before.of(id).get(path), head);
}

/** Whether two declarations ask for the same: by their texts, and by the day of rotation, which tells what no text shows. */
function isSame(one: Setting | undefined, other: Setting): boolean {
  if (one?.field !== 'value' || other.field !== 'value') return one?.want === other.want;
  return one.rotated === other.rotated && isSameWritten(written(one), written(other));
}

function written({ want: value, isFromOutside, files }: ValueSetting) {
  return { value, isFromOutside, files };
}

/** The plan of an integration with the labels of its changes, and what the branch has settled of `same` and released. */
export function labelledPlan(
  plan: IntegrationPlan,
  live: LiveIntegration,
  same: readonly Change[],
  revisions: Revisions,
): IntegrationPlan {
  const settled = same.filter(({ setting }) => isTouched(revisions, live.id, setting));
  return {
    ...plan,
    changes: plan.changes.map((change) => labelled(change, live, revisions)),
    settled: settled.map(({ address }) => address).sort(compareText),
    released: releasedIn(revisions, plan.name, live),
  };
}

/** A change with its label and, in a conflict, what the base declares. */
function labelled(change: Change, live: LiveIntegration, revisions: Revisions): Change {
  const { setting, unreadable } = change;
  if (!isTouched(revisions, live.id, setting))
    // Of what nobody can see nobody knows that it drifted.
    return unreadable ? change : { ...change, label: 'drift' };
  const base = revisions.before.of(live.id).get(pathOf(setting));
  const declared = base === undefined || unreadable ? undefined : declaredValue(base, change.address, live);
  const type = live.options.get(setting.option ?? '')?.type;
  if (declared === undefined || sameContent(reveal(change.before), declared, type)) return change;
  const isShown = !change.sensitive && !isSecret({ values: [declared] });
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

/** The addresses of what this branch no longer declares of an integration, as far as it has such an option. */
function releasedIn(
  { before, after }: Revisions,
  name: string,
  { id, optionKeys }: LiveIntegration,
): string[] {
  const kept = after.of(id);
  return [...before.of(id)]
    .filter(([path, { option }]) => !kept.has(path) && (option === undefined || optionKeys.has(option)))
    .map(([, setting]) => fieldAddress(name, setting))
    .sort(compareText);
}

/** The integrations that this branch no longer manages at all, as far as a glob selects them. */
export function releasedWhole(
  revisions: Revisions,
  live: ReadonlyMap<string, LiveIntegration>,
  only = '*',
): IntegrationPlan[] {
  const isMeant = globMatcher(only);
  const { before, after } = revisions;
  return before.integrations.flatMap(({ id, name }): IntegrationPlan[] => {
    const installed = live.get(id);
    if (installed === undefined || after.of(id).size > 0 || !(isMeant(id) || isMeant(name))) return [];
    const released = releasedIn(revisions, name, installed);
    return released.length === 0
      ? []
      : [{ ...NOTHING, name, id, status: installed.status ?? null, released }];
  });
}

/** What was chosen for a server. */
export interface PlanRules {
  /** The hidden fields to write: `all`, or addresses. */
  readonly writeHidden?: readonly string[] | undefined;
  /** The waivers for the server that are not over. */
  readonly waivers?: readonly { readonly address: string }[] | undefined;
  /** The reviewed plan that the run applies: what is not in it is left out. */
  readonly reviewed?: ServerDocument | undefined;
}

type Asked = Pick<DesiredIntegration, 'id' | 'name'>;

/**
 * Hidden fields are written if a flag or the reviewed plan names them, or the branch changed their declaration. What is waived
 * is left alone, unless it was reviewed or the branch changed it, and so is what a reviewed plan does not have.
 */
export function rulesOf(
  { waivers = [], reviewed, writeHidden = [] }: PlanRules,
  revisions: Revisions | undefined,
): DiffRules {
  const changes = reviewed?.integrations.flatMap(({ id, changes: all }) =>
    all.map(({ address }) => `${id} ${address}`),
  );
  const known = new Set(changes);
  const isChanged = ({ id }: Asked, field: FieldName) =>
    revisions !== undefined && isTouched(revisions, id, field);
  const isMeant = (asked: Asked, setting: Setting) =>
    known.has(`${asked.id} ${fieldAddress(asked.name, setting)}`) || isChanged(asked, setting);
  return {
    keepsSame: revisions !== undefined || reviewed !== undefined,
    writesHidden: (desired, setting) =>
      isMeant(desired, setting) ||
      // The declaration of a hidden value includes its permission.
      (setting.field === 'value' && isChanged(desired, { ...setting, field: 'permission' })) ||
      isChosen(writeHidden, desired.name, setting),
    leavesAlone: (desired, setting) => {
      if (isMeant(desired, setting)) return undefined;
      if (waivers.some(({ address }) => namesField(address, desired.name, setting))) return 'waived';
      return reviewed && 'unreviewed';
    },
  };
}

/** Whether the words of a flag name a field. */
export function isChosen(words: readonly string[], integration: string, field: FieldName): boolean {
  return words.some((word) => word === 'all' || namesField(word, integration, field));
}

/** What is desired, with what was a secret at the base; without a base, in the plan that was reviewed. */
export function withPastSecrecy(
  desired: DesiredState,
  before: DesiredState | undefined,
  reviewed: ServerDocument | undefined,
): DesiredState {
  if (before === undefined && reviewed === undefined) return desired;
  const declared = new Map(before?.integrations.map((each) => [each.id, each]));
  const secrets = new Set(reviewed?.integrations.flatMap(secretOptions));
  const since = ({ id, name }: DesiredIntegration, setting: Setting): Setting => {
    if (setting.field === 'autosubscribe') return setting;
    const { option, secrecy } = setting;
    const kept = secrets.has(`${name}.options.${option}`) ? { isFromOutside: true } : undefined;
    const past = before === undefined ? kept : secrecyOf(declared.get(id), option);
    return { ...setting, secrecy: declaredSecrecy(secrecy, past) };
  };
  return {
    integrations: desired.integrations.map((each) => ({
      ...each,
      settings: each.settings.map((setting) => since(each, setting)),
    })),
  };
}

/** The addresses of the options that a reviewed plan has as secrets. */
function secretOptions({ changes }: IntegrationDocument): string[] {
  const secrets = changes.filter(({ secret, risks }) => secret || risks.includes('exposes-secret'));
  return secrets.map(({ address }) => address.replace(/\.\w+$/, ''));
}

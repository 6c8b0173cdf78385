import { compareText } from '../findings/diagnostic.ts';
import {
  asOptionValue,
  type DesiredIntegration,
  type DesiredState,
  isSameWritten,
  type Setting,
  type ValueSetting,
} from '../model/desired.ts';
import { globMatcher } from '../model/glob.ts';
import { optionId } from '../model/ids.ts';
import type { LiveIntegration } from '../model/live.ts';
import { fieldAddress, fieldIn, pathOf } from '../model/place.ts';
import { hasSecretForm, type Told, toldOf } from '../model/secrecy.ts';
import { reveal } from '../model/secret.ts';
import { type OptionValue, sameContent, textsOf } from '../model/value.ts';
import { conform } from './conform.ts';
import type { ServerDocument } from './document.ts';
import type { Change, IntegrationPlan, PlanBase } from './plan.ts';

/** What this branch and its base declare, with references open, for the same live integrations. */
export interface Revisions {
  readonly base: PlanBase;
  readonly before: DeclaredFields;
  readonly after: DeclaredFields;
}

/** Gives what a configuration asks of an integration by the paths of its fields: `options.apiKey.value`. */
interface DeclaredFields {
  readonly integrations: readonly DesiredIntegration[];
  readonly of: (id: string) => ReadonlyMap<string, Setting>;
}

/** The two sides of a comparison with a base. Integrations are the same by their ids, whatever entries name them. */
export function revisionsOf(base: PlanBase, before: DesiredState, after: DesiredState): Revisions {
  return { base, before: declaredIn(before), after: declaredIn(after) };
}

function declaredIn({ integrations }: DesiredState): DeclaredFields {
  const byId = new Map(integrations.map((each) => [each.id, each]));
  const known = new Map<string, ReadonlyMap<string, Setting>>();
  const of = (id: string) => {
    const fields = known.get(id) ?? new Map(byId.get(id)?.settings.map((each) => [pathOf(each), each]));
    known.set(id, fields);
    return fields;
  };
  return { integrations, of };
}

/** Whether this branch changed what is declared of a field that it manages. */
export function isTouched({ before, after }: Revisions, id: string, field: Setting): boolean {
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

/** A change with its label and, in a conflict, what the base declares. */
export function labelled(change: Change, live: LiveIntegration, revisions: Revisions): Change {
  const base = revisions.before.of(live.id).get(pathOf(change.setting));
  if (!isTouched(revisions, live.id, change.setting))
    // Of what nobody can see nobody knows that it drifted.
    return change.unreadable ? change : { ...change, label: 'drift' };
  if (base === undefined) return change;
  const declared = declaredValue(base, change, live);
  const type = live.options.get(change.setting.option ?? '')?.type;
  if (declared === undefined || sameContent(reveal(change.before), declared.value, type)) return change;
  const isShown = !change.sensitive && !textsOf(declared.value).some(hasSecretForm);
  return { ...change, label: 'conflict', ...(isShown ? { base: declared.value } : {}) };
}

/** What the base declares of a change as the option stores it; undefined if it cannot be compared: a secret never conflicts. */
function declaredValue(
  base: Setting,
  change: Change,
  live: LiveIntegration,
): { readonly value: OptionValue } | undefined {
  if (change.unreadable) return undefined;
  if (base.field !== 'value') return { value: base.want };
  const option = live.options.get(base.option);
  if (base.isFromOutside || option === undefined) return undefined;
  const conformed = conform(change.address, base, option);
  return 'value' in conformed ? conformed : { value: asOptionValue(reveal(base.want)) };
}

/** The addresses of what this branch no longer declares of an integration, as far as it has such an option. */
export function releasedIn(
  { before, after }: Revisions,
  { id, name }: Pick<DesiredIntegration, 'id' | 'name'>,
  { optionKeys }: LiveIntegration,
): string[] {
  const lost = [...before.of(id)].filter(([path]) => !after.of(id).has(path)).map(([, setting]) => setting);
  return lost
    .filter(({ option }) => option === undefined || optionKeys.has(option))
    .map((setting) => fieldAddress(name, setting))
    .sort(compareText);
}

/** The integrations that this branch no longer manages at all, as far as a glob selects them. */
export function releasedWhole(
  revisions: Revisions,
  live: ReadonlyMap<string, LiveIntegration>,
  only: string | undefined,
): IntegrationPlan[] {
  const isMeant = only === undefined ? () => true : globMatcher(only);
  const { before, after } = revisions;
  const heads = new Set(after.integrations.flatMap(({ id, name }) => [id, name]));
  return before.integrations.flatMap(({ id, name }): IntegrationPlan[] => {
    const installed = live.get(id);
    if (installed === undefined || after.of(id).size > 0 || !(isMeant(id) || isMeant(name))) return [];
    // An entry of this branch may have taken its name for another integration.
    const shown = heads.has(name) ? id : name;
    const released = releasedIn(revisions, { id, name: shown }, installed);
    if (released.length === 0) return [];
    const { status = null, optionKeys } = installed;
    const unmanagedOptions = optionKeys.size;
    return [
      { name: shown, id, status, blocked: false, changes: [], cannotTell: [], released, unmanagedOptions },
    ];
  });
}

/** What the base says of the secrecy of an option, by the id of its integration and its key. */
export type BaseSecrecy = (id: string, key: string) => Told | undefined;

/** What is desired, with what was a secret at the base. */
export function withBaseSecrecy(
  integrations: readonly DesiredIntegration[],
  base: BaseSecrecy,
): DesiredIntegration[] {
  const secrecySince = (id: string, key: string, { mark, isFromOutside = false }: Told) =>
    toldOf({ sensitive: mark, value: { isFromOutside }, past: base(id, key) });
  return integrations.map((each) => ({
    ...each,
    settings: each.settings.map((setting) =>
      setting.field === 'autosubscribe'
        ? setting
        : { ...setting, secrecy: secrecySince(each.id, setting.option, setting.secrecy) },
    ),
  }));
}

/** The secrecy as the configuration at a base has it. */
export function baseSecrecyIn({ integrations }: DesiredState): BaseSecrecy {
  const known = new Map(
    integrations.map(({ id, settings, marked }) => {
      const ofOptions = settings.flatMap((each) => (each.field === 'autosubscribe' ? [] : [each]));
      return [id, new Map([...ofOptions, ...marked].map(({ option, secrecy }) => [option, secrecy]))];
    }),
  );
  return (id, key) => known.get(id)?.get(key) ?? {};
}

/** The secrecy as a reviewed plan has it: what it kept as a secret still is one. */
export function reviewedSecrecy({ integrations }: ServerDocument): BaseSecrecy {
  const secrets = new Set(
    integrations.flatMap(({ name, id, changes }) =>
      changes.flatMap(({ address, secret, risks }) => {
        const field = secret || risks.includes('exposes-secret') ? fieldIn(name, address) : undefined;
        return field === undefined || field.field === 'autosubscribe' ? [] : [optionId(id, field.option)];
      }),
    ),
  );
  return (id, key) => (secrets.has(optionId(id, key)) ? { isFromOutside: true } : undefined);
}

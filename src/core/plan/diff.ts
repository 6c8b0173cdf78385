import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type {
  AutosubscribeSetting,
  DesiredIntegration,
  PermissionSetting,
  Setting,
  ValueSetting,
} from '../model/desired.ts';
import {
  type LiveIntegration,
  type LiveOption,
  type LiveValue,
  openLive,
  type UnreadableReason,
} from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import type { LivePermission } from '../model/permission.ts';
import { fieldAddress, type Place } from '../model/place.ts';
import { type Clues, isMask, isSecret, shownReference } from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { isEmpty, type OptionValue, sameContent } from '../model/value.ts';
import { conform } from './conform.ts';
import type { CannotTell, Change } from './plan.ts';
import { risksOf } from './risk.ts';

/** An integration, and what is asked of it. */
type Asked = Pick<DesiredIntegration, 'id' | 'name' | 'settings'>;

/** What becomes of differences. */
export interface DiffRules {
  /** Whether to write a field that the server does not show. */
  readonly writesHidden?: ((desired: Asked, setting: Setting) => boolean) | undefined;
  /** Why a field that differs is left as it is: a waiver, or it is not in the reviewed plan; undefined if it is to change. */
  readonly leavesAlone?:
    | ((desired: Asked, setting: Setting) => 'waived' | 'unreviewed' | undefined)
    | undefined;
  /** Whether fields that are as desired are listed. */
  readonly keepsSame?: boolean | undefined;
  readonly suggestions?: Suggestions | undefined;
}

/** The managed fields of one integration, compared with the live ones. */
export interface IntegrationDiff {
  readonly changes: Change[];
  readonly cannotTell: CannotTell[];
  /** Fields that are as desired, with the same on both sides; empty unless they are asked for. */
  readonly same: Change[];
  readonly waived: string[];
  unreviewed: number;
  /** Whether the server shows a secret that is as desired. */
  showsSecret: boolean;
  readonly diagnostics: Diagnostic[];
}

/** Compares each managed field of one integration with the live one, in the order of its settings. */
export function diffIntegration(
  desired: Asked,
  live: LiveIntegration,
  rules: DiffRules = {},
): IntegrationDiff {
  const diff: IntegrationDiff = {
    ...{ changes: [], cannotTell: [], same: [], waived: [], diagnostics: [] },
    ...{ unreviewed: 0, showsSecret: false },
  };
  const walk: Walk = { desired, live, rules, diff, missing: undefined, locked: undefined };
  for (const setting of desired.settings) {
    const address = fieldAddress(desired.name, setting);
    if (setting.field === 'autosubscribe')
      collect(walk, address, flagSides(setting, live.autosubscribe, false));
    else diffOption(walk, address, setting);
  }
  return diff;
}

/** A diff while it is made. */
interface Walk {
  readonly desired: Asked;
  readonly live: LiveIntegration;
  readonly rules: DiffRules;
  readonly diff: IntegrationDiff;
  /** The option that was found missing last. */
  missing: string | undefined;
  /**
   * The permission that counts for the risks of a value, if its option has a setting for it: undefined if it changes too and
   * carries the risk; the desired one if the server shows none.
   */
  locked: { readonly option: string; readonly permission: LivePermission | undefined } | undefined;
}

/** Both sides of a field. */
interface Sides extends Pick<Change, 'setting' | 'before' | 'after' | 'sensitive' | 'risks'> {
  readonly isSame: boolean;
  /** Why the server does not show what it holds. */
  readonly hidden?: UnreadableReason | undefined;
}

/** Puts a field where it belongs in the diff; says where if that decides the risks of others. */
function collect({ desired, rules, diff }: Walk, address: string, sides: Sides) {
  const { isSame, hidden, ...found } = sides;
  const { setting } = found;
  if (hidden !== undefined && rules.writesHidden?.(desired, setting) !== true) {
    diff.cannotTell.push({ address, reason: hidden, source: setting.place });
    return 'hidden';
  }
  const left = isSame ? undefined : rules.leavesAlone?.(desired, setting);
  if (left === 'waived') diff.waived.push(address);
  if (left === 'unreviewed') diff.unreviewed += 1;
  if (left !== undefined || (isSame && rules.keepsSame !== true)) return 'unchanged';
  const unreadable = hidden === undefined ? {} : { unreadable: true as const };
  const change: Change = { address, label: 'change', field: setting.field, ...found, ...unreadable };
  (isSame ? diff.same : diff.changes).push(change);
  return isSame ? 'unchanged' : 'changed';
}

/** The sides of a field that is a word or a flag; `before` is undefined if the server does not show it. */
function flagSides(
  setting: AutosubscribeSetting | PermissionSetting,
  before: Exclude<LivePermission, 'unknown'> | boolean | undefined,
  isExposable: boolean,
): Sides {
  const { field, want: after } = setting;
  const isSame = before === after;
  const risks = isSame ? [] : risksOf({ field, key: setting.option, before, after, isExposable });
  const hidden = before === undefined ? 'absent' : undefined;
  return { setting, before: before ?? null, after, sensitive: false, risks, isSame, hidden };
}

function diffOption(walk: Walk, address: string, setting: PermissionSetting | ValueSetting): void {
  const option = servedOption(setting.option, walk.live);
  if (option === undefined) noteMissing(walk, setting);
  else if (setting.field === 'permission') {
    const { key, type, value, permission: before } = option;
    const isExposable = holdsSecret({ key, type, ...setting.secrecy }, value, []);
    const shown = before === 'unknown' ? undefined : before;
    const fate = collect(walk, address, flagSides(setting, shown, isExposable));
    const permission = fate === 'hidden' ? setting.want : before;
    walk.locked = { option: key, permission: fate === 'changed' ? undefined : permission };
  } else {
    const sides = valueSides(walk, address, setting, option);
    if (sides !== undefined) collect(walk, address, sides);
  }
}

/** The live option. If the server lists only its key, nothing else is known of it. */
function servedOption(key: string, { options, optionKeys }: LiveIntegration): LiveOption | undefined {
  const served = options.get(key);
  if (served !== undefined || !optionKeys.has(key)) return served;
  return { key, value: { kind: 'unreadable', reason: 'absent' }, permission: 'unknown', choices: [] };
}

/** Finds an option that the integration does not have, once: its key is mistyped, unless only defaults ask for it. */
function noteMissing(
  walk: Walk,
  { option: key, keyPlace, isDefault }: PermissionSetting | ValueSetting,
): void {
  const { desired, live, rules, diff } = walk;
  if (isDefault || key === walk.missing) return;
  walk.missing = key;
  const { suggestions = new Suggestions() } = rules;
  const facts = { key, integration: desired.name };
  diff.diagnostics.push(unknownOption(facts, keyPlace, live.optionKeys, suggestions));
}

/** The finding for an option that no integration has, or not this one, with keys that are spelled like it, else the first twenty. */
export function unknownOption(
  facts: { readonly key: string; readonly integration?: string },
  place: Place,
  keys: ReadonlySet<string>,
  suggestions: Suggestions,
): Diagnostic {
  const near = suggestions.near(facts.key, () => [...keys]);
  const first = () => ({ known: [...keys].slice(0, 20), total: keys.size });
  const known = near === undefined ? {} : near.length > 0 ? { known: near } : first();
  return diagnostic('unknown-option', { ...facts, ...known }, place);
}

/** Undefined if the value is as desired, cannot be compared, or cannot be written. */
function valueSides(
  walk: Walk,
  address: string,
  setting: ValueSetting,
  option: LiveOption,
): Sides | undefined {
  const { rules, diff, locked } = walk;
  const { key, type } = option;
  const { place, reference } = setting;
  const clues = { key, type, ...setting.secrecy };
  const live = unmasked(option.value, clues);
  const after = wantedValue(diff, address, setting, option);
  if (after === undefined) return undefined;
  const before = openLive(live) ?? null;
  const hidden = live.kind === 'unreadable' ? live.reason : undefined;
  const isSame = hidden === undefined && sameContent(before, after, type);
  const isExposable = holdsSecret(clues, live, [after]);
  diff.showsSecret ||= isSame && isExposable && !isEmpty(before);
  if (isSame && rules.keepsSame !== true) return undefined;
  if (isExposable && !isSame && isBareMask(after))
    return refuse(diff, diagnostic('wrong-value', { address }, place));
  const permission = locked?.option === key ? locked.permission : option.permission;
  const risks = isSame ? [] : risksOf({ field: 'value', key, before, after, isExposable, permission });
  const shown =
    reference === undefined ? setting : { ...setting, reference: shownReference(reference, clues) };
  const sides = { setting: shown, risks, isSame, hidden };
  if (!isExposable && hidden === undefined) return { ...sides, sensitive: false, before, after };
  return { ...sides, sensitive: true, before: isEmpty(before) ? null : hide(before), after: hide(after) };
}

/** Whether a value is what servers show in place of a secret. A password may have stars inside. */
function isBareMask(value: OptionValue): boolean {
  return typeof value === 'string' && isMask(value) && !/^[\p{L}\p{N}]|[\p{L}\p{N}]$/u.test(value.trim());
}

/** The value in the form of its option; undefined if it cannot be compared, or cannot be written. */
function wantedValue(
  diff: IntegrationDiff,
  address: string,
  setting: ValueSetting,
  option: LiveOption,
): OptionValue | undefined {
  const { place, secrecy, hasFallback, isFromOutside } = setting;
  if (hasFallback && isSecret({ type: option.type, mark: secrecy.mark === true }))
    return refuse(diff, diagnostic('secret-fallback', { address, isCertain: true }, place));
  const conformed = conform(address, setting, option);
  if ('problem' in conformed) return refuse(diff, conformed.problem);
  if (isSecret({ type: option.type }) && !isFromOutside && !isEmpty(conformed.value))
    return refuse(diff, diagnostic('plain-secret', { address }, place));
  // Whatever a reference holds that was not read, it differs from nothing.
  if (setting.unread !== true || option.value.kind === 'empty') return conformed.value;
  diff.cannotTell.push({ address, reason: 'unresolved', source: place });
  return undefined;
}

function refuse({ diagnostics }: IntegrationDiff, problem: Diagnostic): undefined {
  diagnostics.push(problem);
}

/** What is live; a secret whose type is not served may still be masked: then nothing is known of its value. */
function unmasked(live: LiveValue, clues: Clues): LiveValue {
  const text = openLive(live);
  const isMasked = typeof text === 'string' && isSecret(clues) && isMask(text);
  return isMasked ? { kind: 'unreadable', reason: 'masked' } : live;
}

/** Whether an option holds a secret, by all that is known of it; a snapshot leaves secrets out. */
function holdsSecret(clues: Clues, live: LiveValue, after: readonly OptionValue[]): boolean {
  if (live.kind === 'unreadable' && live.reason === 'snapshot' && clues.mark !== false) return true;
  return isSecret({ ...clues, values: [...after, openLive(live) ?? ''] });
}

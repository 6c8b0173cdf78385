import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type {
  AutosubscribeSetting,
  DesiredIntegration,
  PermissionSetting,
  Setting,
  ValueSetting,
} from '../model/desired.ts';
import { present } from '../model/json.ts';
import { formOf, type LiveIntegration, type LiveOption, openLive } from '../model/live.ts';
import { Suggestions } from '../model/near-names.ts';
import type { LivePermission } from '../model/permission.ts';
import { fieldAddress } from '../model/place.ts';
import {
  type Clues,
  isBareMask,
  isMask,
  isSecret,
  isSecretType,
  shownReference,
  type Told,
} from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { isEmpty, type OptionValue, sameContent } from '../model/value.ts';
import { canFit, conform } from './conform.ts';
import { unknownOption } from './known-option.ts';
import type { CannotTell, Change } from './plan.ts';
import { risksOf } from './risk.ts';

/** An integration, and what is asked of it. */
type Asked = Pick<DesiredIntegration, 'id' | 'name' | 'settings'>;

/** Why a difference is no change: a waiver, or it is not in the reviewed plan. */
type LeftAlone = 'waived' | 'unreviewed';

/** What becomes of differences. */
export interface DiffRules {
  /** Whether to write a field that the server does not show. */
  readonly writesHidden?: ((desired: Asked, setting: Setting) => boolean) | undefined;
  /** Why a field that differs is left as it is; undefined if it is to change. */
  readonly leavesAlone?: ((desired: Asked, setting: Setting) => LeftAlone | undefined) | undefined;
  /** Whether fields that are as desired are listed. */
  readonly keepsSame?: boolean | undefined;
  readonly suggestions?: Suggestions | undefined;
}

/** The managed fields of one integration, compared with the live ones. */
export interface IntegrationDiff {
  readonly changes: readonly Change[];
  readonly cannotTell: readonly CannotTell[];
  /** Fields that are as desired, with the same on both sides; empty unless they are asked for. */
  readonly same: readonly Change[];
  readonly waived: readonly string[];
  readonly unreviewed: number;
  /** Whether the server shows a secret that is as desired. */
  readonly showsSecret: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares each managed field of one integration with the live one, in the order of its settings. */
export function diffIntegration(
  desired: Asked,
  live: LiveIntegration,
  rules: DiffRules = {},
): IntegrationDiff {
  const diff: Collected = {
    ...{ changes: [], cannotTell: [], same: [], waived: [], diagnostics: [] },
    ...{ unreviewed: 0, showsSecret: false },
  };
  const { suggestions = new Suggestions() } = rules;
  const comparison = {
    desired,
    live,
    rules,
    suggestions,
    permissions: new Map(),
    missing: new Set<string>(),
  };
  for (const setting of desired.settings) {
    const found = diffSetting(comparison, setting);
    if (found === undefined) continue;
    if ('problem' in found) diff.diagnostics.push(found.problem);
    else if ('cannotTell' in found) diff.cannotTell.push(found.cannotTell);
    else collect(diff, found, rules, found.isSame ? undefined : rules.leavesAlone?.(desired, setting));
    if (setting.field === 'permission') notePermission(comparison, setting, diff);
  }
  return diff;
}

/** A diff while it is made. */
interface Collected {
  readonly changes: Change[];
  readonly cannotTell: CannotTell[];
  readonly same: Change[];
  readonly waived: string[];
  readonly diagnostics: Diagnostic[];
  unreviewed: number;
  showsSecret: boolean;
}

function collect(
  diff: Collected,
  { change, isSame }: { readonly change: Change; readonly isSame: boolean },
  { keepsSame }: DiffRules,
  left: LeftAlone | undefined,
): void {
  if (isSame) diff.showsSecret ||= change.sensitive && change.before !== null;
  if (isSame && keepsSame) diff.same.push(change);
  if (isSame) return;
  if (left === undefined) diff.changes.push(change);
  else if (left === 'waived') diff.waived.push(change.address);
  else diff.unreviewed += 1;
}

/** Two sides of an integration, and what of its options was found so far. */
interface Comparison {
  readonly desired: Asked;
  readonly live: LiveIntegration;
  readonly rules: DiffRules;
  readonly suggestions: Suggestions;
  /**
   * The permissions that count for the risks of values, by option, if they are not the live ones: undefined if the permission
   * changes too and carries the risk; the desired one if the server shows none.
   */
  readonly permissions: Map<string, LivePermission | undefined>;
  /** The options that are found missing. */
  readonly missing: Set<string>;
}

/** Notes which permission counts for the value of an option, once its own field is found. */
function notePermission(
  { permissions }: Comparison,
  setting: PermissionSetting,
  { changes, cannotTell }: Collected,
): void {
  if (changes.at(-1)?.setting === setting) permissions.set(setting.option, undefined);
  if (cannotTell.at(-1)?.source === setting.place) permissions.set(setting.option, setting.want);
}

function diffSetting(comparison: Comparison, setting: Setting): FieldDiff | undefined {
  const { desired, live, rules } = comparison;
  const address = fieldAddress(desired.name, setting);
  const writes = () => rules.writesHidden?.(desired, setting) === true;
  if (setting.field === 'autosubscribe') return diffAutosubscribe(address, setting, live);
  const option = servedOption(setting.option, live);
  if (option === undefined) return missingOption(comparison, setting);
  const field = fieldOf(address, option, setting.secrecy, writes);
  if (setting.field === 'permission') return diffPermission(field, setting);
  const { permissions } = comparison;
  return diffValue(
    field,
    setting,
    permissions.has(option.key) ? permissions.get(option.key) : option.permission,
  );
}

/** The live option. If the server lists only its key, nothing else is known of it. */
function servedOption(key: string, { options, optionKeys }: LiveIntegration): LiveOption | undefined {
  const served = options.get(key);
  if (served !== undefined || !optionKeys.has(key)) return served;
  return { key, value: { kind: 'unreadable', reason: 'absent' }, permission: 'unknown', choices: [] };
}

/** Finds an option that the integration does not have, once: its key is mistyped, unless only defaults ask for it. */
function missingOption(
  { desired, live, suggestions, missing }: Comparison,
  { option: key, keyPlace, isDefault }: PermissionSetting | ValueSetting,
): FieldDiff | undefined {
  if (isDefault || missing.has(key)) return undefined;
  missing.add(key);
  return { problem: unknownOption(key, keyPlace, live, suggestions, desired.name) };
}

/** What is found of one field. */
type FieldDiff =
  | { readonly change: Change; readonly isSame: boolean }
  | { readonly cannotTell: CannotTell }
  | { readonly problem: Diagnostic };

/** A field of an option. */
interface Field {
  readonly address: string;
  readonly option: LiveOption;
  readonly clues: Clues;
  /** Whether to write it although the server does not show it. */
  readonly writes: () => boolean;
}

/** A field of a live option. A secret whose type is not served may still be masked: then nothing is known of its value. */
function fieldOf(address: string, served: LiveOption, secrecy: Told, writes: () => boolean): Field {
  const clues = { key: served.key, type: served.type, ...secrecy };
  const value = isSecret(clues) ? openLive(served.value) : undefined;
  const isMasked = typeof value === 'string' && isMask(value);
  const option: LiveOption = isMasked
    ? { ...served, value: { kind: 'unreadable', reason: 'masked' } }
    : served;
  return { address, option, clues, writes };
}

/** Decides whether an option holds a secret, by all that is known of it; a snapshot leaves secrets out. */
function decide(clues: Clues, { value }: LiveOption, after: readonly OptionValue[]): boolean {
  if (value.kind === 'unreadable' && value.reason === 'snapshot' && clues.mark !== false) return true;
  const before = openLive(value);
  return isSecret({ ...clues, values: before === undefined ? after : [...after, before] });
}

/** `permission` counts for the risks of the value; undefined if it changes too, and carries them. */
function diffValue(field: Field, setting: ValueSetting, permission: LivePermission | undefined): FieldDiff {
  const { address, option, clues } = field;
  const { place } = setting;
  const shown = present({ reference: setting.reference && shownReference(setting.reference, clues) });
  if (setting.hasFallback && (isSecretType(option.type) || clues.mark === true))
    return { problem: diagnostic('secret-fallback', { address, isCertain: true }, place) };
  if (setting.unread && !canFit(setting, option))
    return { problem: diagnostic('wrong-value', { address, type: formOf(option) }, place) };
  // Whatever the reference holds, it differs from nothing.
  if (setting.unread && option.value.kind === 'empty')
    return valueFound(field, { ...setting, ...shown }, setting.reference ?? address, permission);
  if (setting.unread) return { cannotTell: { address, reason: 'unresolved', source: place, ...shown } };
  const conformed = conform(address, setting, option, isSecret(clues));
  if ('problem' in conformed) return conformed;
  const after = conformed.value;
  // What servers show in place of a secret is not written back as one.
  if (typeof after === 'string' && isBareMask(after) && decide(clues, option, [after]))
    return { problem: diagnostic('wrong-value', { address }, place) };
  if (option.value.kind === 'unreadable' && !field.writes())
    return { cannotTell: { address, reason: option.value.reason, source: place, ...shown } };
  return valueFound(field, { ...setting, ...shown }, after, permission);
}

/** A value that can be compared, or is written although it cannot. */
function valueFound(
  { address, option, clues }: Field,
  setting: ValueSetting,
  after: OptionValue,
  permission: LivePermission | undefined,
): FieldDiff {
  const unreadable = option.value.kind === 'unreadable' || undefined;
  const before = openLive(option.value) ?? null;
  const isSame = !unreadable && sameContent(before, after, option.type);
  const isExposable = decide(clues, option, [after]);
  const risks = isSame ? [] : risksOf({ field: 'value', after, isExposable, permission });
  const sensitive = isExposable || unreadable === true;
  const sides = sensitive
    ? { before: isEmpty(before) ? null : hide(before), after: hide(after) }
    : { before, after };
  const change: Change = { address, label: 'change', setting, field: 'value', sensitive, ...sides, risks };
  return { isSame, change: { ...change, ...present({ unreadable }) } };
}

function diffPermission({ address, option, clues, writes }: Field, setting: PermissionSetting): FieldDiff {
  const { field, want: after, place: source } = setting;
  const { permission: before } = option;
  const isSame = before === after;
  const isHidden = before === 'unknown';
  if (isHidden && !writes()) return { cannotTell: { address, reason: 'absent', source } };
  const isExposable = decide(clues, option, []);
  const risks = isSame ? [] : risksOf({ field, before, after, isExposable });
  const change: Change = { address, label: 'change', setting, field, before, after, sensitive: false, risks };
  return { isSame, change: isHidden ? { ...change, before: null, unreadable: true } : change };
}

function diffAutosubscribe(
  address: string,
  setting: AutosubscribeSetting,
  { autosubscribe: before }: LiveIntegration,
): FieldDiff {
  const { field, want: after, place: source } = setting;
  if (before === undefined) return { cannotTell: { address, reason: 'absent', source } };
  const isSame = before === after;
  const risks = isSame ? [] : risksOf({ field, after });
  const change: Change = { address, label: 'change', setting, field, before, after, sensitive: false, risks };
  return { isSame, change };
}

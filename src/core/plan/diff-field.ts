import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import type { AutosubscribeSetting, PermissionSetting, ValueSetting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { formOf, type LiveIntegration, type LiveOption, openLive } from '../model/live.ts';
import type { LivePermission } from '../model/permission.ts';
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
import type { CannotTell, Change } from './plan.ts';
import { risksOf } from './risk.ts';

/** What is found of one field. */
export type FieldDiff =
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
export function fieldOf(address: string, served: LiveOption, secrecy: Told, writes: () => boolean): Field {
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
export function diffValue(
  field: Field,
  setting: ValueSetting,
  permission: LivePermission | undefined,
): FieldDiff {
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

export function diffPermission(
  { address, option, clues, writes }: Field,
  setting: PermissionSetting,
): FieldDiff {
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

export function diffAutosubscribe(
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

import { type Diagnostic, diagnostic } from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import type { DesiredIntegration, Setting, ValueSetting } from '../model/desired.ts';
import { present } from '../model/json.ts';
import { type LiveIntegration, type LiveOption, type LiveValue, openLive } from '../model/live.ts';
import type { LivePermission } from '../model/permission.ts';
import { fieldAddress, type Place } from '../model/place.ts';
import { type Clues, isMask, isSecret, shownReference } from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { isEmpty, type OptionValue, sameContent } from '../model/value.ts';
import { conform } from './conform.ts';
import type { Change, Field } from './plan.ts';
import { type Policy, risksOf } from './risk.ts';

/** What decides on differences. */
interface DiffRules {
  /** What becomes of a field that differs, or is hidden; without it, what is hidden is left alone, and the rest changed. */
  readonly fateOf?: (setting: Setting, address: string, isHidden: boolean) => Field['fate'];
  /** The findings for mistyped keys of defaults, by their places. */
  readonly mistyped?: ReadonlyMap<Place, Diagnostic>;
  /** How risks are treated. */
  readonly policy?: Policy | undefined;
}

/** A diff while it is made. */
interface Walk {
  readonly desired: Pick<DesiredIntegration, 'name' | 'settings'>;
  readonly live: LiveIntegration;
  readonly rules: DiffRules;
  readonly fields: Field[];
  readonly diagnostics: Diagnostic[];
}

/** Compares each managed field of one integration with the live one, in the order of its settings. */
export function diffIntegration(
  desired: Walk['desired'],
  live: LiveIntegration,
  rules: DiffRules = {},
): Pick<Walk, 'fields' | 'diagnostics'> {
  const walk: Walk = { desired, live, rules, fields: [], diagnostics: [] };
  for (const setting of desired.settings)
    if (setting.field === 'autosubscribe') addFlag(walk, setting, live.autosubscribe, false);
    else addOption(walk, setting);
  return walk;
}

/** Both sides of a field; `before` is null if nothing is set, or it is not shown. */
interface Sides extends Pick<Change, 'setting' | 'before' | 'after' | 'risks' | 'unreadable'> {
  readonly isSame: boolean;
}

function add({ desired, rules, fields }: Walk, { isSame, ...sides }: Sides): void {
  const { setting, unreadable } = sides;
  const address = fieldAddress(desired.name, setting);
  const isHidden = unreadable !== undefined;
  const unlessAsked = isHidden ? 'hidden' : 'changed';
  const decided = isSame ? 'same' : (rules.fateOf?.(setting, address, isHidden) ?? unlessAsked);
  fields.push({ address, label: 'change', ...sides, fate: unreadable === 'unresolved' ? 'hidden' : decided });
}

/** Adds a field that is a word or a flag; `before` is undefined if the server does not show it. */
function addFlag(
  walk: Walk,
  setting: Exclude<Setting, ValueSetting>,
  before: Exclude<LivePermission, 'unknown'> | boolean | undefined,
  isExposable: boolean,
): void {
  const { field, want: after } = setting;
  const isSame = before === after;
  const risks = isSame ? [] : risksOf({ field, before, after, isExposable }, walk.rules.policy);
  const unreadable = before === undefined ? ({ unreadable: 'absent' } as const) : {};
  add(walk, { setting, before: before ?? null, after, risks, isSame, ...unreadable });
}

type OptionSetting = Exclude<Setting, { readonly field: 'autosubscribe' }>;

function addOption(walk: Walk, setting: OptionSetting): void {
  const option = servedOption(setting.option, walk.live);
  if (option === undefined) addMissing(walk, setting);
  else if (setting.field === 'permission') {
    const { key, type, value, permission } = option;
    const isExposable = holdsSecret({ key, type, ...setting.secrecy }, value);
    addFlag(walk, setting, permission === 'unknown' ? undefined : permission, isExposable);
  } else addValue(walk, setting, option);
}

/** The live option. If the server lists only its key, nothing else is known of it. */
function servedOption(key: string, { options, optionKeys }: LiveIntegration): LiveOption | undefined {
  const served = options.get(key);
  if (served !== undefined || !optionKeys.has(key)) return served;
  return { key, value: { kind: 'unreadable', reason: 'absent' }, permission: 'unknown', choices: [] };
}

/** Finds an option that the integration does not have, once: its key is mistyped, unless defaults ask for what others have. */
function addMissing({ desired, live, rules, diagnostics }: Walk, setting: OptionSetting) {
  const { option: key, keyPlace, isDefault } = setting;
  const last = diagnostics.at(-1);
  if (last?.code === 'unknown-option' && last.facts.key === key) return;
  const facts = { key, integration: desired.name };
  const found = isDefault
    ? rules.mistyped?.get(keyPlace)
    : unknownOption(facts, keyPlace, [...live.optionKeys]);
  if (found !== undefined) diagnostics.push(found);
}

/**
 * Checks what is desired against the integrations' own configuration files: keys, types and choices. Their defaults are no live
 * values, so only what the differ finds wrong counts.
 */
export function checkFit(
  desired: readonly DesiredIntegration[],
  catalog: readonly LiveIntegration[],
): Diagnostic[] {
  const byId = new Map(catalog.map((integration) => [integration.id, integration]));
  const mistyped = mistypedDefaults(desired, catalog);
  const found = desired.flatMap((each) => {
    const defined = byId.get(each.id);
    return defined === undefined ? [] : diffIntegration(each, defined, { mistyped }).diagnostics;
  });
  return [...new Set(found)];
}

/** Finds the options that defaults ask for and no integration has at all, by the places of their keys. */
export function mistypedDefaults(
  integrations: readonly DesiredIntegration[],
  live: readonly LiveIntegration[],
): ReadonlyMap<Place, Diagnostic> {
  const asked = new Map<Place, string>();
  for (const { settings } of integrations)
    for (const each of settings)
      if (each.option !== undefined && each.isDefault) asked.set(each.keyPlace, each.option);
  if (asked.size === 0) return new Map();
  const known = new Set(live.flatMap(({ optionKeys }) => [...optionKeys]));
  const keys = [...known].sort();
  const unknown = [...asked].filter(([, key]) => !known.has(key));
  return new Map(unknown.map(([place, key]) => [place, unknownOption({ key }, place, keys)]));
}

/** The finding for an option that no integration has, or not this one, with keys that are spelled like it, else the first twenty. */
function unknownOption(
  facts: { readonly key: string; readonly integration?: string },
  place: Place,
  keys: readonly string[],
): Diagnostic {
  const near = nearNames(facts.key, keys);
  const known = near.length > 0 ? { known: near } : { known: keys.slice(0, 20), total: keys.length };
  return diagnostic('unknown-option', { ...facts, ...known }, place);
}

/** Adds a value, unless it cannot be written. */
function addValue(walk: Walk, setting: ValueSetting, option: LiveOption): void {
  const { desired, rules, fields, diagnostics } = walk;
  const { key, type } = option;
  const address = fieldAddress(desired.name, setting);
  const clues = { key, type, ...setting.secrecy };
  const wanted = wantedValue(address, setting, option, clues);
  if ('code' in wanted) {
    diagnostics.push(wanted);
    return;
  }
  const live = unmasked(option.value, clues);
  const before = openLive(live) ?? null;
  const after = wanted.value;
  // Whatever a reference holds that was not read, it differs from nothing.
  const isUnresolved = setting.unread === true && option.value.kind !== 'empty';
  const hidden = live.kind === 'unreadable' ? live.reason : undefined;
  const unreadable = isUnresolved ? 'unresolved' : hidden;
  const isSame = unreadable === undefined && sameContent(before, after, type);
  const isExposable = holdsSecret(clues, live, after);
  const permission = permissionAfter(option, fields.at(-1));
  const facts = { field: 'value', before, after, isExposable, permission } as const;
  const risks = isSame ? [] : risksOf(facts, rules.policy);
  const reference = setting.reference && shownReference(setting.reference, clues);
  const shown = { ...setting, ...present({ reference }) };
  const sides =
    isExposable || unreadable !== undefined
      ? { before: isEmpty(before) ? null : hide(before), after: hide(after) }
      : { before, after };
  add(walk, { setting: shown, ...sides, risks, isSame, ...present({ unreadable }) });
}

/** Whether a value is what servers show in place of a secret. A password may have stars inside. */
function isBareMask(value: OptionValue): boolean {
  return typeof value === 'string' && isMask(value) && !/^[\p{L}\p{N}]|[\p{L}\p{N}]$/u.test(value.trim());
}

/** The permission of an option after the change, by the field before its value; undefined if that changes, and carries the risk. */
function permissionAfter(
  { key, permission }: LiveOption,
  last: Field | undefined,
): LivePermission | undefined {
  if (last?.setting.field !== 'permission' || last.setting.option !== key) return permission;
  if (last.fate === 'changed') return undefined;
  return last.fate === 'hidden' ? last.setting.want : permission;
}

/** The value in the form of its option, or why it cannot be written. */
function wantedValue(address: string, setting: ValueSetting, option: LiveOption, clues: Clues) {
  const { place, secrecy, hasFallback, isFromOutside } = setting;
  const { type } = option;
  if (hasFallback && isSecret({ type, mark: secrecy.mark === true }))
    return diagnostic('secret-fallback', { address, isCertain: true }, place);
  const conformed = conform(address, setting, option);
  if ('code' in conformed || isEmpty(conformed.value)) return conformed;
  if (isSecret(clues) && isBareMask(conformed.value)) return diagnostic('wrong-value', { address }, place);
  const isInClear = !isFromOutside && isSecret({ type });
  return isInClear ? diagnostic('plain-secret', { address }, place) : conformed;
}

/** What is live; a secret whose type is not served may still be masked: then nothing is known of its value. */
function unmasked(live: LiveValue, clues: Clues): LiveValue {
  const text = openLive(live);
  const isMasked = typeof text === 'string' && isSecret(clues) && isMask(text);
  return isMasked ? { kind: 'unreadable', reason: 'masked' } : live;
}

/** Whether an option holds a secret, by all that is known of it; a snapshot leaves secrets out. */
function holdsSecret(clues: Clues, live: LiveValue, after: OptionValue = ''): boolean {
  if (live.kind === 'unreadable' && live.reason === 'snapshot' && clues.mark !== false) return true;
  return isSecret({ ...clues, values: [after, openLive(live) ?? ''] });
}

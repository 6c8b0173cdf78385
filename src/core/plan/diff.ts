import {
  type Diagnostic,
  diagnostic,
  distinct,
} from '../findings/diagnostic.ts';
import { nearNames } from '../findings/words.ts';
import type { DesiredIntegration, Setting } from '../model/desired.ts';
import {
  type LiveIntegration,
  type LiveOption,
  type LiveValue,
  openLive,
} from '../model/live.ts';
import type { LivePermission } from '../model/permission.ts';
import { fieldAddress, type Place } from '../model/place.ts';
import {
  type Clues,
  isMask,
  isSecret,
  shownReference,
} from '../model/secrecy.ts';
import { hide } from '../model/secret.ts';
import { isEmpty, type OptionValue, sameContent } from '../model/value.ts';
import { conform } from './conform.ts';
import type { Change, Field } from './plan.ts';
import { type Policy, risksOf } from './risk.ts';

/** What decides on differences. */
interface DiffRules {
  /** What becomes of a field that differs, or is hidden; without it, what is hidden is left alone, and the rest changed. */
  readonly fateOf?: (
    setting: Setting,
    address: string,
    isHidden: boolean,
  ) => Field['fate'];
  /** The findings for mistyped keys of defaults, by their places. */
  readonly mistyped?: ReadonlyMap<Place, Diagnostic>;
  /** How risks are treated. */
  readonly policy?: Policy | undefined;
}

/** What a field is compared in: its integration, the rules, and the field before it. */
interface Context {
  readonly name: string;
  readonly live: LiveIntegration;
  readonly rules: DiffRules;
  readonly last: Field | undefined;
}

/** Compares each managed field of one integration with the live one, in the order of its settings. */
export function diffIntegration(
  { name, settings }: Pick<DesiredIntegration, 'name' | 'settings'>,
  live: LiveIntegration,
  rules: DiffRules = {},
) {
  const fields: Field[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const setting of settings) {
    const found = compare(setting, { name, live, rules, last: fields.at(-1) });
    if (found === undefined) continue;
    if ('fate' in found) fields.push(found);
    else diagnostics.push(found);
  }
  // Both fields of an option may miss it.
  return { fields, diagnostics: distinct(diagnostics) };
}

/** Compares one field. Finds a value that cannot be written, and an option that is missing; defaults skip that. */
function compare(
  setting: Setting,
  context: Context,
): Field | Diagnostic | undefined {
  const { name, live, rules, last } = context;
  const option = optionOf(setting, live);
  if (option === undefined) return missingOption(setting, context);
  const { key, type } = option;
  const address = fieldAddress(name, setting);
  const clues: Clues = {
    key,
    type,
    ...(setting.field === 'autosubscribe' ? {} : setting.secrecy),
  };
  const wanted = wantedValue(address, setting, option, clues);
  if ('code' in wanted) return wanted;
  const after = wanted.value;
  const shown =
    setting.field === 'permission'
      ? shownFlag(option.permission)
      : unmasked(option.value, clues);
  const before = openLive(shown) ?? null;
  const unreadable = unreadableReason(setting, option, shown);
  const isHidden = unreadable !== undefined;
  const isSame = !isHidden && sameContent(before, after, type);
  // Most of the time of a large plan goes into looking for credentials.
  const isExposable = holdsSecret(
    clues,
    option.value,
    setting.field === 'value' ? after : '',
  );
  const sides = shownSides(
    before,
    after,
    setting.field === 'value' && (isExposable || isHidden),
  );
  const permission = permissionAfter(option, last);
  const facts = {
    field: setting.field,
    before,
    after,
    isExposable,
    permission,
  };
  const unlessAsked = isHidden ? 'hidden' : 'changed';
  const decided = isSame
    ? 'same'
    : (rules.fateOf?.(setting, address, isHidden) ?? unlessAsked);
  return {
    address,
    setting: shownSetting(setting, clues),
    label: 'change',
    unreadable,
    before: sides.before,
    after: sides.after,
    risks: isSame ? [] : risksOf(facts, rules.policy),
    fate: unreadable === 'unresolved' ? 'hidden' : decided,
  };
}

/** Both sides of a field; of a secret, or what may be one, hidden. */
function shownSides(
  before: OptionValue | null,
  after: OptionValue,
  isSecret: boolean,
) {
  if (!isSecret) return { before, after };
  return { before: isEmpty(before) ? null : hide(before), after: hide(after) };
}

const ABSENT: LiveValue = { kind: 'unreadable', reason: 'absent' };

/** The live option of a field; undefined if there is none. Autosubscribe is compared like a value. */
function optionOf(
  { option: key }: Setting,
  { autosubscribe, options, optionKeys }: LiveIntegration,
): LiveOption | undefined {
  const bare = { key: key ?? '', permission: 'unknown', choices: [] } as const;
  if (key === undefined) return { ...bare, value: shownFlag(autosubscribe) };
  // Of an option that the server only lists, nothing else is known.
  return (
    options.get(key) ??
    (optionKeys.has(key) ? { ...bare, value: ABSENT } : undefined)
  );
}

function shownFlag(flag: LivePermission | boolean | undefined): LiveValue {
  return flag === undefined || flag === 'unknown'
    ? ABSENT
    : { kind: 'readable', value: flag };
}

/** Why a field cannot be compared. Whatever a reference holds that was not read, it differs from nothing. */
function unreadableReason(
  setting: Setting,
  option: LiveOption,
  shown: LiveValue,
): Change['unreadable'] {
  const isUnresolved =
    setting.field === 'value' &&
    setting.unread &&
    option.value.kind !== 'empty';
  if (isUnresolved) return 'unresolved';
  return shown.kind === 'unreadable' ? shown.reason : undefined;
}

/** A setting with its reference as far as it may be shown. */
function shownSetting(setting: Setting, clues: Clues): Setting {
  if (setting.field !== 'value' || setting.reference === undefined)
    return setting;
  return { ...setting, reference: shownReference(setting.reference, clues) };
}

/** Finds an option that the integration does not have: its key is mistyped, unless defaults ask for what others have. */
function missingOption(
  setting: Setting,
  { name, live, rules }: Context,
): Diagnostic | undefined {
  if (setting.field === 'autosubscribe') return undefined;
  const { option: key, keyPlace, isDefault } = setting;
  if (isDefault) return rules.mistyped?.get(keyPlace);
  return unknownOption({ key, integration: name }, keyPlace, [
    ...live.optionKeys,
  ]);
}

/**
 * Checks what is desired against the integrations' own configuration files: keys, types and choices. Their defaults are no live
 * values, so only what the differ finds wrong counts.
 */
export function checkFit(
  desired: readonly DesiredIntegration[],
  catalog: readonly LiveIntegration[],
): Diagnostic[] {
  const byId = new Map(
    catalog.map((integration) => [integration.id, integration]),
  );
  const mistyped = mistypedDefaults(desired, catalog);
  const found = desired.flatMap((each) => {
    const defined = byId.get(each.id);
    return defined === undefined
      ? []
      : diffIntegration(each, defined, { mistyped }).diagnostics;
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
      if (each.option !== undefined && each.isDefault)
        asked.set(each.keyPlace, each.option);
  if (asked.size === 0) return new Map();
  // Integrations of one kind share their set of keys.
  const known = new Set(
    [...new Set(live.map(({ optionKeys }) => optionKeys))].flatMap((each) => [
      ...each,
    ]),
  );
  const keys = [...known].sort();
  const unknown = [...asked].filter(([, key]) => !known.has(key));
  return new Map(
    unknown.map(([place, key]) => [place, unknownOption({ key }, place, keys)]),
  );
}

/** The finding for an option that no integration has, or not this one, with keys that are spelled like it, else the first twenty. */
function unknownOption(
  facts: { readonly key: string; readonly integration?: string },
  place: Place,
  keys: readonly string[],
): Diagnostic {
  const near = nearNames(facts.key, keys);
  const known =
    near.length > 0
      ? { known: near }
      : { known: keys.slice(0, 20), total: keys.length };
  return diagnostic('unknown-option', { ...facts, ...known }, place);
}

/** Whether a value is what servers show in place of a secret. A password may have stars inside. */
function isBareMask(value: OptionValue): boolean {
  return (
    typeof value === 'string' &&
    isMask(value) &&
    !/^[\p{L}\p{N}]|[\p{L}\p{N}]$/u.test(value.trim())
  );
}

/** The permission of an option after the change, by the field before its value; undefined if that changes, and carries the risk. */
function permissionAfter(
  { key, permission }: LiveOption,
  last: Field | undefined,
): LivePermission | undefined {
  if (last?.setting.field !== 'permission' || last.setting.option !== key)
    return permission;
  if (last.fate === 'changed') return undefined;
  return last.fate === 'hidden' ? last.setting.want : permission;
}

/** What is asked of a field, a value in the form of its option; or why it cannot be written. */
function wantedValue(
  address: string,
  setting: Setting,
  option: LiveOption,
  clues: Clues,
) {
  if (setting.field !== 'value') return { value: setting.want };
  const { place, secrecy, hasFallback, isFromOutside } = setting;
  const { type } = option;
  if (hasFallback && isSecret({ type, mark: secrecy.mark === true }))
    return diagnostic('secret-fallback', { address, isCertain: true }, place);
  const conformed = conform(address, setting, option);
  if ('code' in conformed)
    return mayShow(setting, clues) ? showing(conformed) : conformed;
  if (isEmpty(conformed.value)) return conformed;
  if (isSecret(clues) && isBareMask(conformed.value))
    return diagnostic('wrong-value', { address }, place);
  const isInClear = !isFromOutside && isSecret({ type });
  return isInClear ? diagnostic('plain-secret', { address }, place) : conformed;
}

/** Whether excerpts may show what is written: a literal in an option of a known type, and no secret. */
function mayShow(
  { want, reference }: Extract<Setting, { field: 'value' }>,
  clues: Clues,
): boolean {
  return (
    clues.type !== undefined &&
    reference === undefined &&
    !isSecret({ ...clues, values: [want] })
  );
}

function showing(found: Diagnostic): Diagnostic {
  return found.code === 'wrong-value'
    ? { ...found, facts: { ...found.facts, showsText: true } }
    : found;
}

/** What is live; a secret whose type is not served may still be masked: then nothing is known of its value. */
function unmasked(live: LiveValue, clues: Clues): LiveValue {
  const text = openLive(live);
  const isMasked = typeof text === 'string' && isSecret(clues) && isMask(text);
  return isMasked ? { kind: 'unreadable', reason: 'masked' } : live;
}

/** Whether an option holds a secret, by all that is known of it; a snapshot leaves secrets out. */
function holdsSecret(
  { key, type, mark, isFromOutside }: Clues,
  live: LiveValue,
  after: OptionValue,
) {
  if (
    live.kind === 'unreadable' &&
    live.reason === 'snapshot' &&
    mark !== false
  )
    return true;
  return isSecret({
    key,
    type,
    mark,
    isFromOutside,
    values: [after, openLive(live) ?? ''],
  });
}
